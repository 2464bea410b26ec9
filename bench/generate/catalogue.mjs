/** Every generated file by name, so that cases share them: `linear-real-100k`, `bushy-small-1M`, `linear-real-2gb`, ... */
import { ensureFile, ensureFolder } from "./data-set.mjs";

/** @type {Readonly<Record<string, number>>} */
export const SIZES = { "1k": 1000, "10k": 10_000, "100k": 100_000, "200k": 200_000, "1M": 1_000_000 };

/** A file larger than this does not fit into one Node string or an ordinary Buffer. */
const OVER_TWO_GIGABYTES = 2.2 * 2 ** 30;
const MEBIBYTE = 2 ** 20;

/**
 * Words that do not occur in the generated vocabulary: `rare` is in one session of twenty, `spread` a few times in
 * every session, `frequent` in one message of twenty.
 */
export const NEEDLES = {
  rare: "marshwicket",
  spread: "quenchwood",
  frequent: "harbourlight",
  phrase: "copper lantern drift",
};

/**
 * @param {string} name `<shape>-<text>-<size>`, with `-compacted` for a compaction near the leaf
 * @returns {import("./session-lines.mjs").Recipe}
 */
export function recipeOf(name) {
  const [shape, text, size = "", compacted] = name.split("-");
  if (size === "2gb") {
    const entries = Number.POSITIVE_INFINITY;
    return { shape: "linear", text: "real", entries, bytes: OVER_TWO_GIGABYTES, compacted: true };
  }
  const entries = SIZES[size];
  const known = ["linear", "bushy", "siblings", "deep"].includes(shape ?? "") && (text === "small" || text === "real");
  if (!known || entries === undefined) throw new Error(`bug: no data set is called ${name}`);
  const recipe = /** @type {const} */ ({ shape, text, entries });
  return /** @type {import("./session-lines.mjs").Recipe} */ (compacted ? { ...recipe, compacted: true } : recipe);
}

/** @param {string} name */
export function sizeOf(name) {
  return name.split("-")[2] ?? "";
}

/**
 * @param {string} name
 * @param {import("./data-set.mjs").Progress} progress
 */
export function dataSet(name, progress) {
  return ensureFile({ name, recipe: recipeOf(name), progress });
}

/**
 * A folder to list: `files` sessions of `entries` real-sized entries each.
 *
 * @param {{ files: number, entries: number, progress: import("./data-set.mjs").Progress }} options
 */
export function listFolder({ files, entries, progress }) {
  const name = `list-${files}-files-of-${entries}`;
  return ensureFolder({ name, files, recipe: { shape: "linear", text: "real", entries, seed: 1000 }, progress });
}

/**
 * A folder to search: files of 10 MiB, bushy, with the needles in them.
 *
 * @param {{ megabytes: number, progress: import("./data-set.mjs").Progress }} options
 */
export function searchFolder({ megabytes, progress }) {
  const files = Math.ceil(megabytes / 10);
  const needles = [
    { word: NEEDLES.rare, every: 499, files: 20 },
    { word: NEEDLES.spread, every: 499 },
    { word: NEEDLES.frequent, every: 20 },
    { word: NEEDLES.phrase, every: 997 },
  ];
  const shape = /** @type {const} */ ("bushy");
  const text = /** @type {const} */ ("real");
  const recipe = { shape, text, entries: Number.POSITIVE_INFINITY, bytes: 10 * MEBIBYTE, seed: 5000, needles };
  return ensureFolder({ name: `sessions-${megabytes}-mb`, files, recipe, progress });
}

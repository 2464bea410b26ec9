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

/** All but the size. @param {string} name */
export function kindOf(name) {
  const { shape, text, compacted = false } = recipeOf(name);
  return `${shape}-${text}${compacted ? "-compacted" : ""}`;
}

/**
 * @param {string} name
 * @param {import("./data-set.mjs").Progress} progress
 * @param {number} [most] entries, instead of what the name says
 */
export function dataSet(name, progress, most) {
  if (most === undefined) return ensureFile({ name, recipe: recipeOf(name), progress });
  const { bytes: _, ...recipe } = recipeOf(name);
  const entries = Math.min(recipe.entries, most);
  return { ...ensureFile({ name: `${kindOf(name)}-${entries}`, recipe: { ...recipe, entries }, progress }), name };
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
 * A folder to search: files of 10 MiB, bushy, with the needles in them. A folder of less has small files with many
 * needles.
 *
 * @param {{ megabytes: number, progress: import("./data-set.mjs").Progress }} options
 */
export function searchFolder({ megabytes, progress }) {
  const small = megabytes < 10;
  const files = small ? 4 : Math.ceil(megabytes / 10);
  const bytes = small ? (megabytes * MEBIBYTE) / files : 10 * MEBIBYTE;
  const [seldom, often] = small ? [20, 4] : [499, 20];
  const needles = [
    { word: NEEDLES.rare, every: seldom, files: 20 },
    { word: NEEDLES.spread, every: seldom },
    { word: NEEDLES.frequent, every: often },
    { word: NEEDLES.phrase, every: small ? 30 : 997 },
  ];
  const shape = /** @type {const} */ ("bushy");
  const text = /** @type {const} */ ("real");
  const recipe = { shape, text, entries: Number.POSITIVE_INFINITY, bytes, seed: 5000, needles };
  return ensureFolder({ name: `sessions-${megabytes}-mb`, files, recipe, progress });
}

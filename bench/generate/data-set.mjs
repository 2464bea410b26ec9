/**
 * Generated files under bench/data, made when a case asks for them and kept for the next run.
 *
 * A file counts as complete when its note says so: it is written under another name and renamed, the note comes last,
 * and a file whose size is no longer the noted one (something appended to it) is made again.
 *
 * @typedef {import("./session-lines.mjs").Recipe} Recipe
 * @typedef {{ name: string, path: string, entries: number, bytes: number, leafId: string, recipe: Recipe }} DataSet
 * @typedef {{ name: string, dir: string, cwd: string, files: number, entries: number, bytes: number }} DataFolder
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { seededRandom, sessionId } from "./random.mjs";
import { GENERATOR_VERSION, idAt } from "./session-lines.mjs";
import { writeSession } from "./write-session.mjs";

export const DATA = fileURLToPath(new URL("../data/", import.meta.url));

/** @typedef {(line: string) => void} Progress */

/**
 * @param {{ name: string, recipe: Recipe, progress: Progress }} options
 * @returns {DataSet}
 */
export function ensureFile({ name, recipe, progress }) {
  const path = join(DATA, `${name}.v${GENERATOR_VERSION}.jsonl`);
  const note = readNote(`${path}.note`);
  const complete = note !== undefined && existsSync(path) && statSync(path).size === note.bytes;
  const made = complete ? note : make();
  return { name, path, ...made, leafId: idAt(recipe, made.entries - 1), recipe };

  function make() {
    progress(`writing ${name}`);
    rmSync(`${path}.note`, { force: true });
    const sizes = writeSession(`${path}.part`, recipe);
    renameSync(`${path}.part`, path);
    writeFileSync(`${path}.note`, JSON.stringify(sizes));
    return sizes;
  }
}

/**
 * A folder of sessions named as Bough names them, all of one working directory.
 *
 * @param {{ name: string, files: number, recipe: Recipe, progress: Progress }} options
 * @returns {DataFolder}
 */
export function ensureFolder({ name, files, recipe, progress }) {
  const dir = join(DATA, `${name}.v${GENERATOR_VERSION}`);
  const cwd = recipe.cwd ?? "/home/dev/project";
  const note = readNote(`${dir}.note`);
  const complete = note !== undefined && existsSync(dir) && folderBytes(dir) === note.bytes;
  return { name, dir, cwd, files, ...(complete ? note : make()) };

  function make() {
    progress(`writing ${name}: ${files} files`);
    rmSync(`${dir}.note`, { force: true });
    for (const old of [dir, `${dir}.part`]) rmSync(old, { recursive: true, force: true });
    mkdirSync(`${dir}.part`, { recursive: true, mode: 0o700 });
    const sum = { entries: 0, bytes: 0 };
    for (let index = 0; index < files; index++) {
      const seed = (recipe.seed ?? 1) + index;
      const needles = recipe.needles?.filter((needle) => index % (needle.files ?? 1) === 0);
      const own = needles === undefined ? { ...recipe, seed } : { ...recipe, seed, needles };
      const made = writeSession(join(`${dir}.part`, fileName(seed, index)), own);
      sum.entries += made.entries;
      sum.bytes += made.bytes;
    }
    renameSync(`${dir}.part`, dir);
    writeFileSync(`${dir}.note`, JSON.stringify(sum));
    return sum;
  }
}

/**
 * @param {number} seed
 * @param {number} index
 */
function fileName(seed, index) {
  const time = new Date(Date.UTC(2025, 0, 6) + index * 60_000).toISOString().replace(/[:.]/g, "-");
  // The header takes its id from the same first numbers of the same seed, so name and header agree.
  return `${time}_${sessionId(seededRandom(seed))}.jsonl`;
}

/** @param {string} dir */
function folderBytes(dir) {
  const sessions = readdirSync(dir).filter((file) => file.endsWith(".jsonl"));
  return sessions.reduce((sum, file) => sum + statSync(join(dir, file)).size, 0);
}

/**
 * @param {string} path
 * @returns {{ entries: number, bytes: number } | undefined}
 */
function readNote(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

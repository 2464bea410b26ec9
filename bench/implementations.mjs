/**
 * What is measured: the build in dist/, and another implementation where one is given.
 *
 * @typedef {{ name: "bough" | "other", engine: string }} Implementation  `engine` is the URL of its module
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** @type {Implementation} */
export const BOUGH = { name: "bough", engine: new URL("../dist/session/index.js", import.meta.url).href };

/**
 * @param {NodeJS.ProcessEnv} environment
 * @returns {{ kind: "given", implementation: Implementation } | { kind: "not given" } | { kind: "wrong", words: string }}
 */
export function otherImplementation({ BOUGH_BENCH_OTHER: dir, BOUGH_BENCH_OTHER_ENTRY: entry }) {
  if (!dir) return { kind: "not given" };
  const file = candidates(resolve(dir), entry).find((path) => existsSync(path));
  if (file === undefined) return { kind: "wrong", words: `BOUGH_BENCH_OTHER: no module found in ${dir}` };
  return { kind: "given", implementation: { name: "other", engine: pathToFileURL(file).href } };
}

/**
 * @param {string} dir
 * @param {string | undefined} entry
 */
function candidates(dir, entry) {
  if (entry === undefined) return [...mainOf(dir), join(dir, "dist/index.js")];
  return [...(/\.[cm]?js$/.test(entry) ? [join(dir, entry)] : []), ...mainOf(join(dir, "node_modules", entry))];
}

/** The main module a package names. @param {string} folder */
function mainOf(folder) {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return [];
  const { exports, main, module } = JSON.parse(readFileSync(file, "utf8"));
  let target = exports?.["."] ?? exports;
  while (target !== null && typeof target === "object") target = target.import ?? target.node ?? target.default;
  return [target, module, main].filter((path) => typeof path === "string").map((path) => join(folder, path));
}

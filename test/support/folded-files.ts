/**
 * Makes the file system below a folder take names for the same that differ in case or in how an accent is spelt, as those
 * of macOS and Windows do. A name keeps the spelling it was made with.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join, sep } from "node:path";
import { vi } from "vitest";
import { afterTest } from "./after-test.js";
import { mendFiles } from "./file-faults.js";

const fold = (name: string) => name.normalize("NFC").toLowerCase();

/** Functions whose first argument is a path; those of the second list have two. */
const ONE = [
  "accessSync",
  "chmodSync",
  "existsSync",
  "lstatSync",
  "mkdirSync",
  "openSync",
  "readdirSync",
  "readFileSync",
  "readlinkSync",
  "rmdirSync",
  "rmSync",
  "statSync",
  "unlinkSync",
  "writeFileSync",
] as const;

/** Until the test is over. */
export function foldNames(root: string): void {
  afterTest(mendFiles);
  const real = { readdirSync: fs.readdirSync, renameSync: fs.renameSync, rename: fs.promises.rename };
  /** The spelling that is there. */
  const spelt = (path: unknown): string => {
    const text = String(path);
    if (!text.startsWith(`${root}${sep}`)) return text;
    let at = root;
    for (const part of text.slice(root.length + 1).split(sep)) {
      let names: readonly string[] = [];
      try {
        names = real.readdirSync(at);
      } catch {
        // Not a folder: nothing is there under any name.
      }
      at = join(at, names.includes(part) ? part : (names.find((name) => fold(name) === fold(part)) ?? part));
    }
    return at;
  };
  for (const name of ONE) {
    const original = fs[name] as (...args: unknown[]) => unknown;
    vi.spyOn(fs, name).mockImplementation(((path: unknown, ...rest: unknown[]) =>
      original(typeof path === "string" ? spelt(path) : path, ...rest)) as never);
  }
  vi.spyOn(fs, "renameSync").mockImplementation(((from: string, to: string) =>
    real.renameSync(spelt(from), target(to))) as never);
  vi.spyOn(fs.promises, "rename").mockImplementation(((from: string, to: string) =>
    real.rename(spelt(from), target(to))) as never);
  /** A new name keeps its spelling, in folders as they are spelt. */
  const target = (to: string) => {
    const cut = to.lastIndexOf(sep);
    const there = spelt(to);
    return fold(there) === fold(to) && there.slice(there.lastIndexOf(sep)) === to.slice(cut)
      ? there
      : `${spelt(to.slice(0, cut))}${to.slice(cut)}`;
  };
  syncBuiltinESMExports();
}

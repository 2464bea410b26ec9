/** The text of an extension's own scripts: the one it starts with and every file beside it that they import. */
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { readTextFile } from "@bough/session/log/index.js";

const IMPORT = /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*["'](\.{1,2}\/[^"']+)["']/g;
const SCRIPTS = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"];
const ENDINGS = ["", ...SCRIPTS, ...SCRIPTS.map((ending) => `/index${ending}`)];
/** More than any extension has, so that a mistake in one cannot keep a start busy. */
const MOST_FILES = 300;

/** Packages are not followed. A file that cannot be read is left out; loading it says why. */
export function scriptTexts(file: string): readonly string[] {
  const texts: string[] = [];
  const seen = new Set([file]);
  for (const path of seen) {
    const read = readTextFile(path);
    if (read.kind !== "text") continue;
    texts.push(read.text);
    for (const [, name = ""] of read.text.matchAll(IMPORT)) {
      const found = scriptAt(resolve(dirname(path), name));
      if (found !== undefined && seen.size < MOST_FILES) seen.add(found);
    }
  }
  return texts;
}

/** The file behind a name as people write it: without its ending, or with that of the compiled one. */
function scriptAt(path: string): string | undefined {
  const written = path.replace(/\.([cm]?)js$/, ".$1ts");
  const candidates = [...ENDINGS.map((ending) => path + ending), written];
  return candidates.find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile() === true);
}

/** Reads the text of an extension's own scripts: its main script and all files that it imports by relative path. */
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { readTextFile } from "@bough/session/log/index.js";

const IMPORT = /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*["'](\.{1,2}\/[^"']+)["']/g;
const SCRIPTS = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"];
const ENDINGS = ["", ...SCRIPTS, ...SCRIPTS.map((ending) => `/index${ending}`)];
/** More than any extension has, so that a faulty one cannot delay the start. */
const MOST_FILES = 300;

/** Does not follow packages. Skips unreadable files; loading them reports why. */
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

/** Resolves a path written without extension, or with that of the compiled file. */
function scriptAt(path: string): string | undefined {
  const written = path.replace(/\.([cm]?)js$/, ".$1ts");
  const candidates = [...ENDINGS.map((ending) => path + ending), written];
  return candidates.find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile() === true);
}

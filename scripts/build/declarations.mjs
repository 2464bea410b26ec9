// Writes the declarations of the doors, as the compiler makes them: one file for each source that a door leads to.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";

/**
 * What the compiler wrote is kept in .tmp/, so that the next build only compiles what changed.
 *
 * @param {{ root: string, folder: string }} places
 * @returns {Promise<number>} the exit code of the compiler
 */
export async function writeDeclarations({ root, folder }) {
  const made = join(root, ".tmp/declarations");
  const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  const kept = ["--incremental", "--tsBuildInfoFile", join(made, ".tsbuildinfo")];
  const args = [tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", made, ...kept];
  const [code] = await once(spawn(process.execPath, args, { stdio: "inherit" }), "exit");
  for (const file of filesBehind(doorsOf(root).map((door) => join(made, relative("dist", door))))) {
    const target = join(folder, relative(made, file));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(file, target);
  }
  return code ?? 1;
}

/** The declarations that package.json names. @param {string} root @returns {string[]} */
function doorsOf(root) {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return Object.values(exports).flatMap((door) => (door.types === undefined ? [] : [door.types]));
}

/** These files and what they import, however far. @param {string[]} doors */
function filesBehind(doors) {
  const found = new Set(doors);
  for (const file of found) {
    for (const [, path] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.js"/g)) {
      found.add(join(dirname(file), `${path}.d.ts`));
    }
  }
  return found;
}

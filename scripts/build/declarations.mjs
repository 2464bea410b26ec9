// Writes the declarations of the doors, as the compiler makes them: one file for each source that a door leads to.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { COMPILER_ENVIRONMENT, nativeCompiler } from "../tsc.mjs";
import { mergeDeclarations } from "./merge-declarations.mjs";

/**
 * What the compiler wrote is kept in .tmp/, so that the next build only compiles what changed.
 *
 * @param {{ root: string, packages: readonly { manifest: string, folder: string, as: "files" | "one file" }[] }} places
 *   for each package its package.json, the folder that becomes its dist/, and how the declarations are laid out there
 * @returns {Promise<number>} the exit code of the compiler
 */
export async function writeDeclarations({ root, packages }) {
  const made = join(root, ".tmp/declarations");
  const kept = ["--incremental", "--tsBuildInfoFile", join(made, ".tsbuildinfo")];
  const args = [nativeCompiler(), "-p", join(root, "tsconfig.build.json"), "--outDir", made, ...kept];
  const [code] = await once(spawn(process.execPath, args, { stdio: "inherit", env: COMPILER_ENVIRONMENT }), "exit");
  for (const { manifest, folder, as } of packages) {
    const doors = doorsOf(manifest).map((door) => join(made, relative("dist", door)));
    const files = filesBehind(doors);
    if (as === "one file") mergeDeclarations({ made, folder, doors, files });
    else
      for (const file of files) {
        const target = join(folder, relative(made, file));
        mkdirSync(dirname(target), { recursive: true });
        copyFileSync(file, target);
      }
  }
  return code ?? 1;
}

/** The declarations that a package.json names. @param {string} manifest @returns {string[]} */
function doorsOf(manifest) {
  const { exports } = JSON.parse(readFileSync(manifest, "utf8"));
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

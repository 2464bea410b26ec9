// Writes the declarations of the doors as the compiler emits them: one file for each source that a door leads to.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { COMPILER_ENVIRONMENT, nativeCompiler } from "../tsc.mjs";
import { mergeDeclarations } from "./merge-declarations.mjs";
import { PACKAGES } from "./packages.mjs";

/**
 * The compiler builds the packages in order, and refuses imports against that order. Its output is kept in .tmp/, so
 * that the next build only compiles what changed.
 *
 * @param {{ root: string, packages: readonly { manifest: string, folder: string, as: "files" | "one file" }[] }} places
 *   for each published package its package.json, the folder that becomes its dist/, and how the declarations are laid out there
 * @returns {Promise<number>} the exit code of the compiler
 */
export async function writeDeclarations({ root, packages }) {
  const projects = PACKAGES.map((name) => join(root, "packages", name));
  const args = [nativeCompiler(), "--build", ...projects];
  const [code] = await once(spawn(process.execPath, args, { stdio: "inherit", env: COMPILER_ENVIRONMENT }), "exit");
  const made = join(root, `.tmp/rooms-${process.pid}`);
  try {
    layOut({ written: join(root, ".tmp/declarations"), made });
    for (const { manifest, folder, as } of packages) {
      const doors = doorsOf(manifest).map((door) => join(made, relative("dist", door)));
      const files = filesBehind(doors);
      if (as === "one file") mergeDeclarations({ made, folder, doors, files });
      else for (const file of files) write(join(folder, relative(made, file)), readFileSync(file, "utf8"));
    }
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return code ?? 1;
}

/**
 * Turns imports by package name into relative ones, because the published package has all rooms side by side.
 *
 * @param {{ written: string, made: string }} places
 */
function layOut({ written, made }) {
  for (const name of PACKAGES) {
    const below = join(written, name);
    for (const file of readdirSync(below, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".d.ts")) continue;
      const text = readFileSync(join(below, file), "utf8");
      const up = relative(dirname(file), ".") || ".";
      write(join(made, file), text.replaceAll(/(from |import\()"@bough\/[^/"]+\//g, `$1"${up}/`));
    }
  }
}

/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The declarations that a package.json names. @param {string} manifest @returns {string[]} */
function doorsOf(manifest) {
  const { exports } = JSON.parse(readFileSync(manifest, "utf8"));
  return Object.values(exports).flatMap((door) => (door.types === undefined ? [] : [door.types]));
}

/** These files and everything they import, directly or not. @param {string[]} doors */
function filesBehind(doors) {
  const found = new Set(doors);
  for (const file of found) {
    for (const [, path] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.js"/g)) {
      found.add(join(dirname(file), `${path}.d.ts`));
    }
  }
  return found;
}

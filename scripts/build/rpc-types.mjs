// Writes the types of the RPC protocol, packages/rpc/src/rpc/protocol/, from the server's tables. The folder is not
// committed: the build and `npm run check` write it, and only files that changed. See
// docs/decisions/0066-rpc-types-by-the-build.md.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { bundleOptions } from "./rooms.mjs";

/** The folder of the types, below the root. */
export const RPC_TYPES = "packages/rpc/src/rpc/protocol";

/** Updates the folder. Other programs read either an old or a new file, never a partial one. @param {string} root */
export async function writeRpcTypes(root) {
  const { rpcTypes } = await loadGenerator(root);
  const files = formatTypes(root, rpcTypes());
  const folder = join(root, RPC_TYPES);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) {
    const file = join(folder, name);
    if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
    const unfinished = join(root, `.tmp/${process.pid}-${name}`);
    writeFileSync(unfinished, text);
    renameSync(unfinished, file);
  }
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name));
}

/**
 * Formats the types like the project's code.
 *
 * @param {string} root
 * @param {ReadonlyMap<string, string>} types text by name
 * @returns {Map<string, string>} text by file name
 */
export function formatTypes(root, types) {
  const folder = mkdtempSync(join(tmpdir(), "bough-rpc-types-"));
  try {
    const names = [...types.keys()].map((name) => `${name}.ts`);
    for (const [name, text] of types) writeFileSync(join(folder, `${name}.ts`), text);
    const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
    execFileSync(process.execPath, [biome, "format", "--write", `--config-path=${root}`, folder], { stdio: "pipe" });
    return new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Bundles the tables before running them, because they are TypeScript. The bundle does not need the types it generates,
 * as the program imports the client only at run time.
 *
 * @param {string} root
 * @returns {Promise<{ rpcTypes: () => Map<string, string> }>}
 */
async function loadGenerator(root) {
  const folder = join(root, `.tmp/rpc-types-${process.pid}`);
  const entry = join(root, "packages/program/src/cli/rpc/rpc-types.ts");
  try {
    const bundle = await rolldown({
      ...bundleOptions(root),
      input: { generator: entry },
      external: [/^node:/, "zod", "jiti", "node-sqlite3-wasm"],
    });
    await bundle.write({ dir: folder, format: "es", entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" });
    await bundle.close();
    return await import(pathToFileURL(join(folder, "generator.mjs")).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeRpcTypes(join(dirname(fileURLToPath(import.meta.url)), "../.."));

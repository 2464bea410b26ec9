// Runs the native TypeScript compiler, which takes a third of the time: `node scripts/tsc.mjs -p tsconfig.json`. It is installed
// for test/compilers, in a workspace of its own, because tests use the parser of the other one.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** @returns {string} the script that starts the compiler */
export function nativeCompiler() {
  const { resolve } = createRequire(new URL("../test/compilers/newest/package.json", import.meta.url));
  return join(dirname(resolve("typescript/package.json")), "bin", "tsc");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // One checker: several check the same types more than once, which takes half as much work again.
  const words = [nativeCompiler(), "--checkers", "1", ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, words, { stdio: "inherit" });
  process.exitCode = status ?? 1;
}

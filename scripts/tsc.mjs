// Runs the native TypeScript compiler, which takes a third of the time: `node scripts/tsc.mjs -p tsconfig.json`. It is
// installed for test/compilers, in a separate workspace, because tests use the other compiler's parser.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** @returns {string} the script that starts the compiler */
export function nativeCompiler() {
  const { resolve } = createRequire(new URL("../test/compilers/newest/package.json", import.meta.url));
  return join(dirname(resolve("typescript/package.json")), "bin", "tsc");
}

/**
 * The compiler keeps nearly all of its memory until it exits, so garbage collection at the default rate is a sixth of
 * its work and saves only a tenth of the memory.
 */
export const COMPILER_ENVIRONMENT = { ...process.env, GOGC: process.env.GOGC ?? "400" };
/** A single checker, because several check the same types repeatedly, which adds half the work again. */
export const COMPILER_WORDS = ["--checkers", "1"];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = [nativeCompiler(), ...COMPILER_WORDS, ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, words, { stdio: "inherit", env: COMPILER_ENVIRONMENT });
  process.exitCode = status ?? 1;
}

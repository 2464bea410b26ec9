// Runs the tests. `npm test` checks types and lint first and then runs everything; `npm test -- tree` or `npm test -- src/tree/labels`
// runs the tests of a room or a file alone. Flags go to vitest.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const args = process.argv.slice(2);
// `-t` is the one flag whose value stands apart from it.
const isFlag = (/** @type {string} */ arg, /** @type {number} */ index) =>
  arg.startsWith("-") || args[index - 1] === "-t";
const chosen = args.filter((arg, index) => !isFlag(arg, index));
const flags = args.filter(isFlag);
const paths = chosen.map((name) => (existsSync(join(root, "src", name)) ? `src/${name}/` : name));

const steps = chosen.length === 0 ? [["npm", ["run", "check"]]] : [];
steps.push(["npx", ["vitest", "run", ...paths, ...flags]]);
for (const [command, words] of steps) {
  const { status } = spawnSync(command, words, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

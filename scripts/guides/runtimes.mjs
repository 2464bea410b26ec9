// The runtimes on which the guides are tested: npm packages that contain their programs, installed into .tmp/runtimes.
// No install script runs, and nothing outside the checkout changes.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), "../../.tmp/runtimes");
const place = `${process.platform}-${process.arch}`;
const bunPlace = place.replace("arm64", "aarch64");
const denoPlace = process.platform === "linux" ? `${place}-glibc` : place;

/** @type {Readonly<Record<string, { package: string, version: string, program: string, first: readonly string[] }>>} */
export const RUNTIMES = {
  "Node 20": { package: `node-${place}`, version: "20.20.2", program: "bin/node", first: [] },
  "Node 22": { package: `node-${place}`, version: "22.23.3", program: "bin/node", first: [] },
  "Node 24": { package: `node-${place}`, version: "24.21.0", program: "bin/node", first: [] },
  Bun: { package: `@oven/bun-${bunPlace}`, version: "1.4.4", program: "bin/bun", first: [] },
  Deno: { package: `@deno/${denoPlace}`, version: "2.9.6", program: "deno", first: ["run", "--allow-all", "--quiet"] },
};

/**
 * The command of a runtime, which is installed if necessary.
 *
 * @param {string} name
 * @returns {{ command: readonly string[], version: string } | { missing: string }} `missing`: why it is not there
 */
export function runtime(name) {
  const known = RUNTIMES[name];
  if (known === undefined) return { missing: `not known; there are ${Object.keys(RUNTIMES).join(", ")}` };
  const folder = join(FOLDER, name.toLowerCase().replace(" ", "-"));
  const program = join(folder, "node_modules", known.package, known.program);
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--no-package-lock"];
    const wanted = `${known.package}@${known.version}`;
    const { status, stderr } = spawnSync("npm", [...args, wanted], { cwd: folder, encoding: "utf8" });
    if (status !== 0 || !existsSync(program))
      return { missing: `${wanted} cannot be installed: ${stderr.trim().split("\n").at(-1)}` };
  }
  return { command: [program, ...known.first], version: known.version };
}

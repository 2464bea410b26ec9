// node scripts/drivers.mjs [--bin <folder>] [--newest] [--kills <n>] [<agent>...]: lets the real agents drive Bough
// sessions, against a scripted model on loopback, in an empty home. Installs each agent from the package registry into
// a scratch folder, pinned or with --newest; --bin uses the programs of that folder instead.
//
// Per agent, the contract of drivers (`driver-contract.test-support.ts`). With --kills, instead: that many turns, each of
// which kills Bough and the agent in turn at a random moment; needs a build. With two agents or more, the conversation of
// the first is then continued by each of the others. Exits with 1 if anything failed.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { AGENTS } from "./drivers/agents.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { bin: { type: "string" }, newest: { type: "boolean", default: false }, kills: { type: "string" } },
});
const root = fileURLToPath(new URL("..", import.meta.url));

/** The newest versions may depend on some that are not published yet: then the one before. */
function install(packages) {
  const folder = mkdtempSync(join(tmpdir(), "bough-driver-"));
  const options = ["--no-audit", "--no-fund", "--no-save", "--loglevel", "error"];
  for (let older = 0; ; older++) {
    const names = values.newest ? packages.map((one) => newestOf(one, older)) : packages;
    console.log(`Installing ${names.join(" and ")}`);
    const npm = spawnSync("npm", ["install", "--prefix", folder, ...options, ...names], { encoding: "utf8" });
    if (npm.status === 0) return folder;
    if (!values.newest || !npm.stderr.includes("ETARGET") || older === 10) throw new Error(npm.stderr.trim());
  }
}

/** `older`: how many versions back, if there are so many. */
function newestOf(one, older) {
  const name = one.replace(/(?<=.)@[^@/]*$/, "");
  if (name === "node") return one;
  const npm = spawnSync("npm", ["view", name, "versions", "--json"], { encoding: "utf8" });
  const versions = [JSON.parse(npm.stdout)].flat();
  const at = name === "@earendil-works/pi-coding-agent" ? versions.length - 1 - older : versions.length - 1;
  return `${name}@${versions[Math.max(0, at)]}`;
}

function run(program, args, env) {
  return spawnSync(program, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } }).status === 0;
}

function tryAgent(name, bin) {
  console.log(`${name}: ${AGENTS[name].packages.join(", ")}`);
  if (values.kills !== undefined)
    return run(process.execPath, ["scripts/drivers/kill-runs.mjs", name, bin, values.kills]);
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", "--config", "scripts/drivers/vitest.config.mjs", "--reporter", "verbose"];
  return run(process.execPath, args, { BOUGH_DRIVER: name, BOUGH_DRIVER_BIN: bin });
}

const failed = [];
const folders = [];
const bins = [];
try {
  for (const name of positionals.length > 0 ? positionals : Object.keys(AGENTS)) {
    const folder = values.bin === undefined ? install(AGENTS[name].packages) : undefined;
    if (folder !== undefined) folders.push(folder);
    const bin = values.bin ?? join(folder, "node_modules", ".bin");
    bins.push(`${name}=${bin}`);
    if (!tryAgent(name, bin)) failed.push(name);
  }
  if (values.kills === undefined && bins.length > 1) {
    if (!run(process.execPath, ["scripts/drivers/hand-on.mjs", ...bins])) failed.push("handing on");
  }
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
console.log(failed.length === 0 ? "All passed." : `Failed: ${failed.join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);

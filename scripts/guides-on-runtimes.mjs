// Runs the guides of docs/guides/ from the packed package in an empty folder, on every runtime, and prints a table:
//
//   npm run build && node scripts/guides-on-runtimes.mjs            all of them
//   node scripts/guides-on-runtimes.mjs "Node 22" Bun               some runtimes
//   node scripts/guides-on-runtimes.mjs Bun many-sessions.md        one guide
//
// The exit code is 1 if a guide fails, and 2 for an unknown name. A runtime that is not installed is reported and
// skipped.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runGuide } from "./guides/run-guide.mjs";
import { RUNTIMES, runtime } from "./guides/runtimes.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const pages = join(root, "docs", "guides");
const wanted = process.argv.slice(2);
const named = wanted.filter((name) => name.endsWith(".md"));
const guides = readdirSync(pages).filter(
  (name) => name !== "README.md" && (named.length === 0 || named.includes(name)),
);
const runtimes = wanted.filter((name) => !name.endsWith(".md"));
const chosen = runtimes.length > 0 ? runtimes : Object.keys(RUNTIMES);
const unknown = [
  ...named.filter((name) => !guides.includes(name)),
  ...chosen.filter((name) => !Object.hasOwn(RUNTIMES, name)),
];
if (unknown.length > 0) {
  console.error(`Unknown guide or runtime: ${unknown.join(", ")}`);
  process.exit(2);
}
const work = mkdtempSync(join(tmpdir(), "bough-guides-"));
const MANIFEST = '{ "name": "guide", "private": true, "type": "module" }\n';
const quiet = { encoding: /** @type {const} */ ("utf8"), stdio: /** @type {const} */ (["ignore", "pipe", "ignore"]) };

try {
  const packing = ["pack", "--ignore-scripts", "--json", "--pack-destination", work];
  const [{ filename }] = JSON.parse(execFileSync("npm", packing, { cwd: root, ...quiet }));
  writeFileSync(join(work, "package.json"), MANIFEST);
  const installing = [
    "install",
    "--prefer-offline",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    join(work, filename),
  ];
  execFileSync("npm", installing, { cwd: work, ...quiet });
  /** @type {string[]} */
  const failures = [];
  const rows = chosen.map((name) => {
    const found = runtime(name);
    if ("missing" in found) return `| ${name} | not tried: ${found.missing} |`;
    const results = guides.map((guide) => tried({ name, guide, command: found.command }));
    for (const [at, failure] of results.entries())
      if (failure !== undefined) failures.push(`${name}, ${guides[at]}: ${failure}`);
    return `| ${name} (${found.version}) | ${results.map((failure) => (failure === undefined ? "runs" : "FAILS")).join(" | ")} |`;
  });
  console.log(`| | ${guides.map((guide) => guide.replace(".md", "")).join(" | ")} |`);
  console.log(`|---|${guides.map(() => "---|").join("")}`);
  console.log(rows.join("\n"));
  if (failures.length > 0) console.log(`\n${failures.join("\n\n")}`);
  if (failures.length > 0) process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** @param {{ name: string, guide: string, command: readonly string[] }} what */
function tried({ name, guide, command }) {
  process.stderr.write(`${name}: ${guide}\n`);
  const folder = join(work, "empty");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), MANIFEST);
  // Installed only once: the packages are moved from folder to folder.
  renameSync(join(work, "node_modules"), join(folder, "node_modules"));
  try {
    // `npx bough` in a guide must use the Node under test.
    const first = name.startsWith("Node") ? `${dirname(command[0] ?? "")}${delimiter}` : "";
    const home = { HOME: folder, BOUGH_HOME: join(folder, "home"), npm_config_update_notifier: "false" };
    const env = { PATH: `${first}${process.env.PATH}`, ...home };
    return runGuide({ page: readFileSync(join(pages, guide), "utf8"), folder, runtime: command, env });
  } finally {
    renameSync(join(folder, "node_modules"), join(work, "node_modules"));
    rmSync(folder, { recursive: true, force: true });
  }
}

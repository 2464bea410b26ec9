// `npm start`: builds if needed, makes `npx bough` work here, and opens the terminal agent with the model that needs no
// key. Without a terminal it shows the tree of a bundled session and what to try. Arguments are passed to bough.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { roomsIn } from "./build/packages.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const program = join(root, "dist", "cli", "main.js");

buildIfNeeded();
await import("./link-command.mjs");
const given = process.argv.slice(2);
const terminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
const usual = terminal ? ["--model", "offline/rules"] : ["demo"];
const { status, signal } = spawnSync(process.execPath, [program, ...(given.length > 0 ? given : usual)], {
  stdio: "inherit",
});
if (!terminal && given.length === 0)
  console.log("In this checkout, write npm start -- instead of bough: npm start -- demo");
process.exitCode = signal === null ? (status ?? 1) : 1;

function buildIfNeeded() {
  if (process.env.BOUGH_KEEP_BUILD === "1" && existsSync(program)) return;
  const newest = roomsIn(root)
    .flatMap(({ folder }) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((item) => item.isFile())
    .reduce((latest, item) => Math.max(latest, statSync(join(item.parentPath, item.name)).mtimeMs), 0);
  if (existsSync(program) && statSync(program).mtimeMs >= newest) return;
  console.log("Building …");
  execFileSync(process.execPath, [join(root, "scripts", "build.mjs")], { stdio: "inherit" });
}

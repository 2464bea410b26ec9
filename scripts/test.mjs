// Runs the tests. `npm test` runs everything, and checks types and lint at the same time; `npm test -- tree` or `npm
// test -- packages/session` runs only the tests of a room or a path. Flags go to vitest. Temporary files are in memory
// if there is room, unless TMPDIR is set.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem, getPriority, setPriority } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { roomsIn } from "./build/packages.mjs";
import { removeFolder } from "./remove-folder.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const args = process.argv.slice(2);
// `-t` is the only flag whose value is a separate argument.
const isFlag = (/** @type {string} */ arg, /** @type {number} */ index) =>
  arg.startsWith("-") || args[index - 1] === "-t";
const chosen = args.filter((arg, index) => !isFlag(arg, index));
const flags = args.filter(isFlag);
const rooms = roomsIn(root);
const paths = chosen.map((name) => {
  const room = rooms.find((one) => one.room === name);
  return room === undefined ? name : `packages/${room.package}/src/${name}/`;
});

/**
 * Runs a command and resolves with its exit code.
 * @param {string} command
 * @param {readonly string[]} words
 * @param {{ heard?: (text: string) => void }} [options] `heard` receives the output, which is printed otherwise
 * @returns {Promise<number>}
 */
function run(command, words, { heard } = {}) {
  const child = spawn(command, words, {
    cwd: root,
    stdio: heard === undefined ? "inherit" : ["ignore", "pipe", "pipe"],
  });
  for (const stream of heard === undefined ? [] : [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", heard);
  // Output that is shown last gets a lower priority than the tests. Only root can raise a priority.
  if (heard !== undefined && child.pid !== undefined) setPriority(child.pid, Math.max(5, getPriority()));
  process.once("SIGTERM", () => child.kill());
  return new Promise((done) => {
    child.on("error", (error) => {
      console.error(String(error));
      done(1);
    });
    child.on("close", (code) => done(code ?? 1));
  });
}

/** Tests create and delete tens of thousands of small files, which takes less than half the system time in memory. */
const MEMORY = "/dev/shm";
/** Several times the space the tests use at most. */
const ROOM = 4 * 2 ** 30;

/** @returns {string | undefined} a new folder, if there is room in memory */
function folderInMemory() {
  if (process.env.TMPDIR !== undefined || !existsSync(MEMORY)) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  if (Math.min(bavail * bsize, freemem()) < ROOM) return undefined;
  try {
    const folder = mkdtempSync(join(MEMORY, "bough-"));
    // Some tests run the program as another user.
    chmodSync(folder, 0o755);
    if (mayRunPrograms(folder)) return folder;
    rmSync(folder, { recursive: true });
  } catch {}
  return undefined;
}

/** Containers often mount memory as noexec, and some tests run programs they wrote. @param {string} folder */
function mayRunPrograms(folder) {
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}

const inMemory = folderInMemory();
if (inMemory !== undefined) {
  process.env.TMPDIR = inMemory;
  process.on("exit", () => removeFolder(inMemory));
}
// Ctrl+C reaches vitest too, which stops what it started; the rest is cleaned up when it has exited.
process.on("SIGINT", () => {});

let said = "";
const heard = (/** @type {string} */ text) => {
  said += text;
};
const checked = chosen.length > 0 ? Promise.resolve(0) : run("npm", ["run", "check"], { heard });
void checked.then((code) => {
  if (code !== 0) console.error("\nTypes or lint are wrong. What is wrong follows after the tests.\n");
});
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const tested = await run(process.execPath, [vitest, "run", ...paths, ...flags]);
if ((await checked) !== 0)
  console.error(`${said}\nTypes or lint are wrong, see above. To check them alone: npm run check`);
process.exitCode = tested || (await checked);

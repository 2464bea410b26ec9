/**
 * One process that is killed while commands run in its sandbox. The project has the same names during and after, inside and
 * outside, and the same `git status`; no process, no mount and no name in the temporary folder is left.
 *
 * @typedef {{ fault?: string, ended: number }} SandboxKillRun
 */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const CHILD = fileURLToPath(new URL("killed-sandbox.mjs", import.meta.url));
const FILES = [".vscode/tasks.json", ".envrc", "packages/a/.husky/pre-commit", "src/a.js", "untracked.txt"];
/** None of them changes the project. */
const COMMANDS = [
  "find . -path ./.git -prune -o -print | LC_ALL=C sort",
  "GIT_OPTIONAL_LOCKS=0 git status --porcelain=v1 -uall",
  't=$(mktemp -d) && touch "$t/a" && rm -r "$t"; sleep 0.05',
  "(sleep 30 &) ; sleep 0.02 & wait; ls -a . .vscode packages/a",
];
/** The system may be busy: only what is really left takes this long. */
const GONE_LIMIT_MS = 60_000;

/**
 * @param {string} folder an empty one
 * @param {() => number} random from 0 to 1
 * @returns {Promise<SandboxKillRun>}
 */
export async function sandboxKillRun(folder, random) {
  const [root, home, temporary] = ["root", "home", "tmp"].map((name) => join(folder, name));
  for (const made of [root, home, temporary]) mkdirSync(made);
  for (const path of FILES) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${path}\n`);
  }
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: root });
  git("init", "--quiet");
  git("add", ...FILES.slice(0, -1));
  git("commit", "--quiet", "-m", "start");
  const before = { names: namesBelow(root), status: await statusOf(root), mounts: mounts() };

  const mark = `killed-${process.pid}-${Math.floor(random() * 2 ** 32)}`;
  const env = { ...process.env, HOME: home, TMPDIR: temporary, BOUGH_KILL_RUN: mark };
  const start = (...more) => spawn(process.execPath, [CHILD, root, home, JSON.stringify(COMMANDS), ...more], { env });
  const child = start();
  const ended = once(child, "close");
  let errors = "";
  child.stderr.on("data", (data) => {
    errors += data;
  });
  /** @type {{ at: number, output: string }[]} */
  const outputs = [];
  const lines = createInterface({ input: child.stdout });
  const begun = once(lines, "line");
  lines.on("line", (line) => line.startsWith("{") && outputs.push(JSON.parse(line)));
  await Promise.race([begun, ended]);
  const until = performance.now() + random() * 4000;
  /** @type {string[]} */
  const faults = [];
  const look = async (when) => {
    const names = namesBelow(root);
    if (names !== before.names) faults.push(`other names ${when}: ${names}`);
    const status = await statusOf(root);
    if (status !== before.status) faults.push(`another git status ${when}: ${status}`);
  };
  while (faults.length === 0 && child.exitCode === null && performance.now() < until) {
    await look("during");
    await pause(random() * 50);
  }
  if (child.exitCode !== null) faults.push(`ended by itself: ${errors}`);
  child.kill("SIGKILL");
  await ended;
  const limit = performance.now() + GONE_LIMIT_MS;
  while (processesWith(mark).length > 0 && performance.now() < limit) await pause(5);
  for (const left of processesWith(mark)) faults.push(`a process is left: ${left}`);
  await look("after");
  if (mounts() !== before.mounts) faults.push("other mounts");
  const inside = COMMANDS.map((_, at) => new Set(outputs.filter((one) => one.at === at).map(({ output }) => output)));
  const [found, status] = inside;
  const names = before.names.split("\n").map((name) => (name === "." ? name : `./${name}`));
  if ([...found].some((output) => output.trim() !== names.sort().join("\n")))
    faults.push(`other names inside: ${[...found]}`);
  if ([...status].some((output) => output.trim() !== before.status.trim()))
    faults.push(`another status inside: ${[...status]}`);
  // What the command itself had made there is not the sandbox's.
  const left = readdirSync(temporary).filter((name) => !name.startsWith("tmp."));
  if (left.length > 0) faults.push(`left in the temporary folder: ${left}`);
  const next = start("once");
  const [code] = await once(next, "close");
  if (code !== 0) faults.push(`the next one ended with ${code}`);
  const still = readdirSync(temporary).filter((name) => !name.startsWith("tmp."));
  if (still.length > 0) faults.push(`left after the next start: ${still}`);
  await look("after the next start");
  if (existsSync(join(home, "sandbox"))) faults.push("something was moved away");
  const counts = { ended: outputs.length };
  return faults.length === 0 ? counts : { ...counts, fault: faults.join("; ") };
}

function namesBelow(root) {
  const names = ["."];
  const waiting = [""];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const item of readdirSync(join(root, at), { withFileTypes: true })) {
      const path = join(at, item.name);
      if (path === ".git") continue;
      names.push(path);
      if (item.isDirectory()) waiting.push(path);
    }
  }
  return names.sort().join("\n");
}

async function statusOf(root) {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0" };
  const { stdout } = await promisify(execFile)("git", ["status", "--porcelain=v1", "-uall"], { cwd: root, env });
  return stdout;
}

function mounts() {
  return readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .filter((line) => /bough|bubblewrap|oldroot|newroot/.test(line))
    .join("\n");
}

function processesWith(mark) {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "latin1").includes(mark);
    } catch {
      return false;
    }
  });
}

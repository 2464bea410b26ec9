/**
 * One `bough try` that is killed with everything it started, at a random moment. Then the project must be as it was, byte
 * for byte, no attempt may be lost, cleaning up must leave nothing, and an attempt that is kept must give its folder as
 * the kill left it, with what the person did meanwhile.
 *
 * @typedef {{ fault?: string, phase: string, attempts: number }} AttemptKillRun
 */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { SessionManager, verifySession } from "../../dist/session/index.js";

const PROGRAM = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/**
 * @param {string} folder an empty one
 * @param {() => number} random from 0 to 1
 * @returns {Promise<AttemptKillRun>}
 */
export async function attemptKillRun(folder, random) {
  const [root, home] = ["project", "home"].map((name) => join(folder, name));
  for (const made of [root, home]) mkdirSync(made);
  writeFileSync(join(home, "settings.json"), JSON.stringify({ model: "offline/rules" }));
  const write = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const path of ["a.txt", "b.txt", "d/c.txt"]) write(path, `start of ${path}\n`);
  write(".gitignore", "*.log\n.env\n");
  const hasGit = random() < 0.8;
  if (hasGit) {
    const git = (...args) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: root });
    git("init", "--quiet");
    git("add", "-A");
    git("commit", "--quiet", "-m", "start");
    git("branch", "other");
  }
  write("a.txt", "not committed\n");
  write("new.txt", "untracked\n");
  write(".env", "SECRET=1\n");
  write("out.log", "ignored\n");
  const before = picture(root);

  const { PATH, TMPDIR } = process.env;
  const env = { PATH, ...(TMPDIR === undefined ? {} : { TMPDIR }), HOME: folder, BOUGH_HOME: home };
  const bough = (...args) =>
    execFileSync(process.execPath, [PROGRAM, ...args], {
      cwd: root,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  const count = 1 + Math.floor(random() * 3);
  const steps = Array.from(
    { length: 3 },
    (_, n) =>
      `echo ${n} >> a.txt; echo $BOUGH_ATTEMPT > n${n}.txt; sleep 0.${Math.floor(random() * 4)}; rm -f b.txt; echo ${n} >> d/c.txt`,
  );
  const check = random() < 0.5 ? ["--check", "sleep 0.2; cat n0.txt"] : [];
  const prompt = `run \`${steps.join("; ")}\``;
  const args = ["try", "-n", String(count), "--permission", "auto", "--sandbox", "off", ...check, prompt];
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: root, env, stdio: "ignore", detached: true });
  const attempts = join(home, "attempts");
  // Most kills are while something is done.
  while (child.exitCode === null && !existsSync(attempts)) await pause(5);
  await pause(random() * random() * 6000);
  const phase = child.exitCode === null ? "running" : "ended";
  killAll(child.pid, home);
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");

  const fault = (what) => ({ fault: what, phase, attempts: count });
  if (picture(root) !== before) return fault("the project was changed");
  const folders = foldersIn(attempts);
  const leftAs = new Map(folders.map(({ entry, path }) => [entry, entry === undefined ? "" : files(path)]));
  bough("attempts", "clean");
  if (readdirSync(attempts).length > 0) return fault(`clean left ${readdirSync(attempts).join(", ")}`);
  const running = withHome(home);
  if (running.length > 0) return fault(`processes are left: ${running.join(", ")}`);
  if (picture(root) !== before) return fault("cleaning up changed the project");
  const file = sessionIn(home);
  if (file === undefined) return { phase: "before the session", attempts: 0 };
  const { findings } = await verifySession(file);
  const broken = findings.filter(({ code }) => code !== "torn-line" && code !== "unpaired-call");
  if (broken.length > 0) return fault(`the session is damaged: ${JSON.stringify(broken[0])}`);
  const session = SessionManager.open(file, undefined, { readOnly: true });
  const started = session.getEntries().filter((entry) => entry.customType === "bough.attempt");
  const path = session.getBranch();
  session.close();
  const listed = JSON.parse(bough("attempts", "--json")).attempts;
  if (listed.length !== started.length) return fault(`${started.length} attempts, but ${listed.length} are listed`);
  for (const { entry } of folders) {
    if (entry !== undefined && !listed.some(({ entryId }) => entryId === entry)) return fault("an attempt was lost");
  }
  const chosen = listed[Math.floor(random() * listed.length)];
  if (chosen === undefined) return { phase: "before the attempts", attempts: 0 };
  if (path.some(({ customType }) => customType === "bough.attempt")) return fault("the position is on an attempt");
  write("own.txt", "by the person\n");
  write("d/c.txt", `by the person\n${readFileSync(join(root, "d/c.txt"), "utf8")}`);
  bough("attempts", "keep", chosen.name);
  const wanted = leftAs.get(chosen.entryId);
  // Its folder was removed before the kill: then the session alone knows.
  if (wanted === undefined || wanted === "") return { phase, attempts: count };
  const expected = new Map(JSON.parse(wanted));
  expected.set("own.txt", "by the person\n");
  expected.set("d/c.txt", `by the person\n${expected.get("d/c.txt")}`);
  // Ignored files are not kept, and were not changed.
  expected.set("out.log", "ignored\n");
  const now = JSON.stringify([...expected].sort());
  if (files(root) !== now) return fault(`kept ${files(root)} instead of ${now}`);
  return { phase, attempts: count };
}

/** Every process of the run: the group of the program, and all that have its home in their environment. */
function killAll(pid, home) {
  for (let round = 0; round < 5; round++) {
    const found = withHome(home);
    for (const one of [pid, ...found]) {
      try {
        process.kill(one, "SIGKILL");
      } catch {
        // It is gone.
      }
    }
    if (found.length === 0) return;
  }
}

function withHome(home) {
  const mark = `BOUGH_HOME=${home}\0`;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        if (/^State:\s+[ZX]/m.test(readFileSync(`/proc/${name}/status`, "utf8"))) return false;
        return readFileSync(`/proc/${name}/environ`, "latin1").includes(mark);
      } catch {
        return false;
      }
    })
    .map(Number);
}

function foldersIn(attempts) {
  if (!existsSync(attempts)) return [];
  return readdirSync(attempts).flatMap((id) => {
    try {
      const record = JSON.parse(readFileSync(join(attempts, id, "record.json"), "utf8"));
      return [
        { entry: record.state === "making" ? undefined : record.session?.entry, path: join(attempts, id, "project") },
      ];
    } catch {
      return [];
    }
  });
}

function sessionIn(home) {
  const root = join(home, "sessions");
  if (!existsSync(root)) return undefined;
  const name = readdirSync(root, { recursive: true }).find((one) => one.endsWith(".jsonl"));
  return name === undefined ? undefined : join(root, name);
}

function walk(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((item) => !item.isDirectory());
}

/** Files with their contents, without git and what it ignores, except `.env`. */
function files(folder) {
  const found = walk(folder).flatMap((item) => {
    const path = relative(folder, join(item.parentPath, item.name));
    return path.startsWith(".git/") ? [] : [[path, readFileSync(join(folder, path), "utf8")]];
  });
  return JSON.stringify(found.sort());
}

/** Every byte of a folder, `.git` included. */
function picture(folder) {
  const hash = createHash("sha256");
  for (const item of walk(folder).sort((a, b) => (join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1))) {
    const path = join(item.parentPath, item.name);
    const stats = lstatSync(path);
    hash.update(`${path} ${stats.mode} `);
    hash.update(stats.isSymbolicLink() ? readlinkSync(path) : statSync(path).isFile() ? readFileSync(path) : "");
  }
  return hash.digest("hex");
}

/** Pushes and pulls sessions, syncs them while nothing changed, and counts the round trips for that. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { median } from "../samples.mjs";
import { withServer } from "../stores/server.mjs";

/** A fixed name, because a session without a project in the store gets that of its folder, which would be a change. */
const PROJECT = "bench";

/** @param {{ door: string, session: string, folder: string, driver: string, sessions: number, rounds: number }} input */
export async function run(input) {
  if (input.driver !== "postgres") return measured(input, address(input));
  return withServer((url, log) => measured(input, url("postgres"), log), { statements: true });
}

/** @param {{ folder: string, driver: string }} input */
function address({ folder, driver }) {
  if (driver === "folder") return join(folder, "store");
  const remote = join(folder, "remote.git");
  execFileSync("git", ["init", "-q", "--bare", remote]);
  return remote;
}

/**
 * @param {{ door: string, folder: string, sessions: number, rounds: number, driver: string }} input
 * @param {string} address
 * @param {string} [log]
 */
async function measured({ door, folder, sessions, rounds, driver }, address, log) {
  const home = join(folder, "home");
  const cwd = join(folder, "project");
  mkdirSync(cwd, { recursive: true });
  process.env.BOUGH_HOME = home;
  const { initStore, openStore, SyncStates, syncSessions } = await import(door);
  const sessionsFolder = join(home, "sessions", "bench");
  mkdirSync(sessionsFolder, { recursive: true });
  for (let n = 0; n < sessions; n++) {
    const header = { type: "session", version: 3, id: idOf(n), timestamp: "2026-01-01T00:00:00.000Z", cwd };
    const name = `2026-01-01T00-00-00-000Z_${idOf(n)}.jsonl`;
    writeFileSync(join(sessionsFolder, name), `${JSON.stringify(header)}\n${linesOf(n).slice(1).join("")}`);
  }
  await initStore(address);
  const states = new SyncStates(home, address);
  const sync = async () => {
    const store = await openStore(address, { home });
    const outcome = await counted({ driver, folder, log }, async () => {
      const began = performance.now();
      const { unchanged, synced, skipped } = await syncSessions({ store, states, cwd, all: true, project: PROJECT });
      return { ms: performance.now() - began, unchanged, synced: synced.length, skipped: skipped.length };
    });
    await store.close();
    return outcome;
  };
  const first = await sync();
  if (first.synced !== sessions)
    throw new Error(`Error: ${first.synced} of ${sessions} sessions synced, ${first.skipped} skipped`);
  const runs = [];
  for (let round = 0; round < rounds; round++) runs.push(await sync());
  const wrong = runs.find(({ unchanged }) => unchanged !== sessions);
  if (wrong !== undefined) throw new Error(`Error: ${wrong.unchanged} of ${sessions} sessions unchanged`);
  const times = runs.map(({ ms }) => ms);
  const trips = Math.max(...runs.map((one) => one.trips));
  const pull = await pulled({ door, folder, sessions, cwd }, address);
  return { ms: median(times), check: "unchanged", extra: { first: first.ms, pull, trips } };
}

/**
 * How long another machine takes to pull everything.
 *
 * @param {{ door: string, folder: string, sessions: number, cwd: string }} input
 * @param {string} address
 */
async function pulled({ door, folder, sessions, cwd }, address) {
  const home = join(folder, "other-home");
  process.env.BOUGH_HOME = home;
  const { openStore, SyncStates, syncSessions } = await import(door);
  const store = await openStore(address, { home });
  const began = performance.now();
  const states = new SyncStates(home, address);
  const { synced } = await syncSessions({ store, states, cwd, all: true, project: PROJECT });
  const ms = performance.now() - began;
  await store.close();
  if (synced.length !== sessions) throw new Error(`Error: ${synced.length} of ${sessions} sessions pulled`);
  return ms;
}

/**
 * Round trips while something runs: statements that a database logged, `git` talking to its remote. A folder has none.
 *
 * @template Result
 * @param {{ driver: string, folder: string, log: string | undefined }} place
 * @param {() => Promise<Result>} work
 */
async function counted({ driver, folder, log }, work) {
  const trace = log ?? join(folder, "trace");
  if (driver === "git") process.env.GIT_TRACE = trace;
  const read = () => (existsSync(trace) ? readFileSync(trace, "utf8") : "");
  const before = read().length;
  const done = await work();
  delete process.env.GIT_TRACE;
  const said = read().slice(before);
  return {
    ...done,
    trips: (said.match(/built-in: git (?:fetch|push|ls-remote) |LOG: {2}(?:statement|execute)/g) ?? []).length,
  };
}

/** @param {number} n */
function idOf(n) {
  return `5e551011-0000-4000-8000-${String(n).padStart(12, "0")}`;
}

/** @param {number} n */
function linesOf(n) {
  const header = { type: "session", version: 3, id: idOf(n), timestamp: "2026-01-01T00:00:00.000Z", cwd: "/p" };
  const entries = Array.from({ length: 10 }, (_, k) => ({
    type: "message",
    id: `${n.toString(16)}-${k}`,
    parentId: k === 0 ? null : `${n.toString(16)}-${k - 1}`,
    timestamp: "2026-01-01T00:00:00.000Z",
    message: { role: "user", content: `words of message ${k}`, timestamp: 1 },
  }));
  return [header, ...entries].map((one) => `${JSON.stringify(one)}\n`);
}

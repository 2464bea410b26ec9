/**
 * A session of Bough given to an agent: written and loaded by hand (`only`), or by a prompt. The agent is the scripted
 * one of the tests, or `command`, which must write transcripts as pi does and needs no login. Its start is not measured,
 * and the conversation is its own: that of others is scanned for secrets first.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SCRIPTED = fileURLToPath(new URL("../../../test/support/scripted-agent.mjs", import.meta.url));
const DIST = new URL("../../../dist/", import.meta.url);

/** @param {{ path: string, command?: readonly string[], only?: boolean }} input */
export async function run({ path, command = [process.execPath, SCRIPTED], only = false }) {
  const { acpDriver, createAgentSession } = await import(new URL("agent/index.js", DIST).href);
  const { SessionManager } = await import(new URL("session/index.js", DIST).href);
  const { writerFor, writeTranscript } = await import(new URL("interop/index.js", DIST).href);
  const home = mkdtempSync(join(tmpdir(), "bough-bench-"));
  const cwd = mkdtempSync(join(tmpdir(), "bough-bench-"));
  try {
    const env = { PATH: process.env.PATH, HOME: home };
    const driver = acpDriver({ name: "pi", title: "Agent", command, transcripts: "pi", asks: "never", env });
    const signal = new AbortController().signal;
    const copy = join(home, "session.jsonl");
    writeFileSync(copy, ownLines(readFileSync(path, "utf8"), cwd));
    const session = SessionManager.open(copy);
    const open = await driver.open({ cwd, env, signal, onNotice: () => {} });
    if (only) {
      const start = performance.now();
      const entries = session.readBranch(session.getLeafId());
      const plan = writerFor("pi").planWrite({
        ...{ entries, cwd, places: { home, environment: env } },
        ...{ now: () => new Date(), newId: () => "11111111-2222-4333-8444-555555555555" },
      });
      writeTranscript(plan);
      const written = performance.now();
      const { prompts } = await open.load(plan.sessionId, { signal, isWhole: (all) => all.length > 0 });
      const end = performance.now();
      await open.close();
      return { ms: end - start, check: prompts.length > 0 ? 1 : 0, extra: { load: end - written } };
    }
    let load = 0;
    const timed = Object.assign(Object.create(open), {
      load: async (...args) => {
        const start = performance.now();
        const loaded = await open.load(...args);
        load = performance.now() - start;
        return loaded;
      },
    });
    const own = ["create", "options", "choose", "setMode", "remove", "prompt", "close"];
    for (const name of own) timed[name] = open[name]?.bind(open);
    for (const name of ["version", "process", "canLoad", "takesImages", "isAlive"]) {
      Object.defineProperty(timed, name, { get: () => open[name] });
    }
    const agent = await createAgentSession({
      ...{ session, cwd, permissions: "auto" },
      driver: { ...driver, open: async () => timed },
    });
    let sentAt = 0;
    agent.subscribe(({ type }) => {
      if (type === "prompt_sent") sentAt = performance.now();
    });
    const start = performance.now();
    const outcome = await agent.prompt("Go on");
    await agent.dispose();
    return { ms: sentAt - start, check: sentAt > 0 && outcome.kind === "done" ? 1 : 0, extra: { load } };
  } finally {
    for (const folder of [home, cwd]) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The session as if the agent had done its turns.
 *
 * @param {string} text
 * @param {string} cwd
 */
function ownLines(text, cwd) {
  const [header, ...lines] = text.trim().split("\n");
  const nativeId = "99999999-2222-4333-8444-555555555555";
  const data = { agent: "pi", nativeId, cwd };
  const driver = { type: "custom", id: "driver000000", parentId: null, timestamp: "2026-01-01T00:00:00.000Z" };
  const own = lines.map((line) => {
    const entry = JSON.parse(line);
    const above = entry.parentId === null ? { parentId: driver.id } : {};
    return JSON.stringify({ ...entry, ...above, native: `${nativeId}/${entry.id}` });
  });
  return [header, JSON.stringify({ ...driver, customType: "bough.driver", data }), ...own, ""].join("\n");
}

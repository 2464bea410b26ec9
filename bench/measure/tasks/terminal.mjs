/**
 * The terminal with the real screens, drawn into memory: typing in the chat, opening the tree, and every kind of key in
 * it. A measurement is from the bytes of a key to the bytes of the frame that answers it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOMS = new URL("../../../dist/", import.meta.url);
const SIZE = { columns: 100, rows: 40 };
const WORDS = "what would happen if the parser met a lone quote in the middle of a field";
/** Escape in the form of terminals that distinguish it from the start of a sequence. */
const ESCAPE = "\x1b[27u";
const UP = "\x1b[A";
const DOWN = "\x1b[B";
const PAGE_UP = "\x1b[5~";
const PAGE_DOWN = "\x1b[6~";
const HOME = "\x1b[H";
const END = "\x1b[F";
/** Filters are changed last, because they end where they started. */
const KEYS = [
  ...Array(40).fill(UP),
  ...Array(20).fill(DOWN),
  ...Array(10).fill(PAGE_UP),
  ...Array(10).fill(PAGE_DOWN),
  ...["{", "{", "{", "}", "}", "[", "]", "\x1b[C", "\x1b[D", "@", HOME, DOWN, DOWN, END, UP, UP, "v", "v", "v", "v"],
  ...Array(5).fill("\t"),
  ...["@", UP, UP, UP],
];

/** Typed while the search for the previous letters is still running. The second word is in every entry. */
const SEARCH = ["/", ..."zebra parser", ...Array(6).fill("\x7f"), ..."the"];

/** `pause`: milliseconds between two letters. @param {{ path: string, pause: number }} input */
export async function run({ path, pause }) {
  const { AgentSession, ExtensionRunner, SessionManager, tui, model, tool } = await load();
  const folder = mkdtempSync(join(tmpdir(), "bough-bench-"));
  const port = memoryPort();
  const terminal = tui.openTerminal({
    settings: {},
    cwd: folder,
    home: folder,
    env: { LANG: "C.UTF-8" },
    now: Date.now,
    port,
  });
  const session = SessionManager.open(path, undefined, { readOnly: true });
  const registry = model.createModelRegistry({ home: folder, env: {} });
  const permissions = tool.createPermissions({ mode: "read-only", cwd: folder });
  const agent = new AgentSession({
    ...{ session, registry, cwd: folder, permit: permissions.permit, tools: [], outputDir: folder },
    model: model.offlineModel(),
  });
  const { registrations } = new ExtensionRunner({ onProblem: () => undefined });
  void terminal.run({
    ...{ agent, registry, permissions, registrations, cwd: folder, home: folder, sessionDir: folder },
    runExtensionCommand: async () => undefined,
    runShortcut: async () => {},
    listen: () => {},
    begin: async () => {},
    projectTrusted: false,
  });
  await settled();
  terminal.drawNow();
  // Finish the background counting that follows opening, as a person would have waited for it.
  for (let round = 0; round < 50; round++) await settled();

  const typing = [...WORDS].map((character) => keyToFrame(terminal, character));
  for (const _ of WORDS) keyToFrame(terminal, "\x7f");
  port.written = "";
  const begin = performance.now();
  terminal.press(ESCAPE);
  terminal.press(ESCAPE);
  for (let round = 0; !/Tree/.test(port.written) && round < 1000; round++) {
    await Promise.resolve();
    terminal.drawNow();
  }
  const ms = performance.now() - begin;
  const shown = /Tree/.test(port.written);

  const before = process.memoryUsage().rss;
  const keys = [];
  for (const key of KEYS) {
    port.written = "";
    keys.push(keyToFrame(terminal, key));
    await settled();
  }
  const growth = process.memoryUsage().rss - before;
  const searching = [];
  for (const key of SEARCH) searching.push(...(await keyWhileSearching(terminal, { port, pause }, key)));
  terminal.close();
  session.close();
  rmSync(folder, { recursive: true, force: true });
  return {
    ms,
    check: shown ? "tree" : "nothing",
    extra: {
      ...spread("typing", typing),
      ...spread("key", keys),
      ...spread("searching", searching),
      growth: Math.max(0, growth),
    },
  };
}

/** A terminal that keeps what is written to it; keys bypass it. */
function memoryPort() {
  const write = (data) => {
    port.written += data;
  };
  const port = { ...SIZE, written: "", write, writeNow: write, start: () => {}, stop: () => {} };
  return port;
}

async function load() {
  const [session, agent, tui, model, tool] = await Promise.all(
    ["session", "agent", "tui", "model", "tool"].map((room) => import(new URL(`${room}/index.js`, ROOMS).href)),
  );
  const { ExtensionRunner } = await import(new URL("extension/run.js", ROOMS).href);
  return {
    SessionManager: session.SessionManager,
    AgentSession: agent.AgentSession,
    ExtensionRunner,
    tui,
    model,
    tool,
  };
}

function keyToFrame(terminal, data) {
  const begin = performance.now();
  terminal.press(data);
  terminal.drawNow();
  return performance.now() - begin;
}

/**
 * A key, followed by the search it starts for as long as the next key takes to come. A key waits for the current turn
 * of the event loop and then for its own frame, so every turn is a moment at which the next key could come.
 */
async function keyWhileSearching(terminal, { port, pause }, data) {
  port.written = "";
  const frame = keyToFrame(terminal, data);
  const waits = [frame];
  const until = performance.now() + pause;
  for (let now = performance.now(); now < until; ) {
    await settled();
    const next = performance.now();
    waits.push(next - now + frame);
    now = next;
  }
  return waits;
}

/** @param {string} name @param {number[]} times */
function spread(name, times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { [name]: at(0.5), [`${name}95`]: at(0.95), [`${name}Worst`]: sorted.at(-1) };
}

function settled() {
  return new Promise((resolve) => setImmediate(resolve));
}

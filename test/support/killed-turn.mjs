// Runs a turn with three tools side by side on a session file, and kills its own process without warning as soon as
// `entries` entries are in the file; 0 kills while all tools are running, before any of them has a result; -1 kills in
// the middle of the first answer.
import { createAgentSession } from "../../dist/agent/index.js";
import { SessionManager } from "../../dist/session/index.js";

const [file, cwd, entries] = process.argv.slice(2);
let left = Number(entries);

const info = {
  provider: "scripted",
  id: "script",
  name: "Scripted",
  api: "offline",
  contextWindow: 100_000,
  maxOutput: 1000,
  reasoning: false,
  images: false,
  prices: undefined,
};
const calls = ["a", "b", "c"].map((name) => ({ type: "toolCall", id: `call-${name}`, name, arguments: {} }));
let step = 0;
const model = {
  info,
  async *stream(_request, { now }) {
    if (entries === "-1") {
      yield { type: "thinking", delta: "let me see" };
      yield { type: "text", delta: "half an " };
      yield { type: "text", delta: "answer" };
      die();
    }
    const content = step++ === 0 ? [{ type: "text", text: "looking" }, ...calls] : [{ type: "text", text: "done" }];
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
    const stopReason = step === 1 ? "toolUse" : "stop";
    yield {
      type: "end",
      message: {
        role: "assistant",
        content,
        api: info.api,
        provider: info.provider,
        model: info.id,
        usage,
        stopReason,
        timestamp: now(),
      },
    };
  },
};

// c ends first, then a, then b: each waits for the one before it, so the order is the same in every run.
const ended = { c: opened(), a: opened() };
const before = { c: Promise.resolve(), a: ended.c.promise, b: ended.a.promise };
let started = 0;
const tools = calls.map(({ name }) => ({
  name,
  description: name,
  parameters: { type: "object" },
  readOnly: true,
  check: (value) => ({ ok: true, value }),
  execute: async () => {
    started += 1;
    if (started === calls.length && entries === "0") die();
    if (entries === "0") await new Promise(() => {});
    await before[name];
    return { content: [{ type: "text", text: `result of ${name}` }] };
  },
}));

const agent = await createAgentSession({
  session: SessionManager.open(file),
  registry: { all: () => [], available: () => [] },
  model,
  tools,
  permit: async () => ({ allowed: true }),
  cwd,
  outputDir: cwd,
});
agent.subscribe((event) => {
  const appended = event.type === "entries" ? event.ids.length : event.type === "message_end" ? 1 : 0;
  left -= appended;
  if (appended > 0 && left === 0) die();
  if (event.type === "tool_end") ended[event.toolName]?.resolve();
});
await agent.prompt("go");
await agent.dispose();
process.exit(7);

function die() {
  process.kill(process.pid, "SIGKILL");
  // The signal may need a moment; nothing more may happen in it.
  for (;;);
}

function opened() {
  let resolve;
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

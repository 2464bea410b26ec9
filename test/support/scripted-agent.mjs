// An agent over the Agent Client Protocol that does what its prompt says, well or badly, and keeps a transcript as pi
// does. A prompt is a list of steps in JSON, or plain text, which it answers. SCRIPTED_AGENT is a list of habits:
// no-load, old-protocol, login (until $HOME/logged-in exists), no-transcript, empty-load; hang-start, hang-new, hang-load,
// deaf (ignores cancel); dies-at-start, dies-at-new, dies-at-load, dies-at-cancel; no-id, no-method (announces what it
// does not have), gone-model, painted (colors in everything it says about itself); options (models and efforts as options
// of a session), old-models (the same with an older list of models), delete (sessions can be deleted).
// What its model would be sent with a prompt is added to $HOME/requests.jsonl, and every request of a turn, as parts, to
// $HOME/steps.jsonl.
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const habits = new Set((process.env.SCRIPTED_AGENT ?? "").split(" "));
const home = process.env.HOME;
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const sessions = new Map();
const waiting = new Map();
let lastId = 0;

if (habits.has("dies-at-start")) {
  process.stderr.write("no such planet\n");
  process.exit(3);
}

createInterface({ input: process.stdin })
  .on("line", (line) => void take(JSON.parse(line)))
  .on("close", () => process.exit(0));

async function take({ id, method, params, result }) {
  if (method === undefined) return waiting.get(id)?.(result);
  if (method === "session/cancel" && habits.has("dies-at-cancel")) die();
  if (method === "session/cancel") return habits.has("deaf") ? undefined : sessions.get(params.sessionId)?.cancel();
  let answer;
  try {
    answer = await ANSWERS[method]?.(params);
  } catch (error) {
    answer = { error: { code: -32603, message: error.message } };
  }
  if (answer === "never") return;
  if (answer === undefined) send({ id, error: { code: -32601, message: "unknown method" } });
  else send({ id, ...answer });
}

const die = () => process.kill(process.pid, "SIGKILL");
const painted = (text) => (habits.has("painted") ? `\u001b]0;owned\u0007\u001b[31m${text}\u001b[0m\u202e` : text);

const ANSWERS = {
  initialize: () => {
    if (habits.has("hang-start")) return "never";
    const protocolVersion = habits.has("old-protocol") ? 0 : 1;
    const agentCapabilities = { loadSession: !habits.has("no-load"), promptCapabilities: { image: true } };
    if (habits.has("delete")) agentCapabilities.sessionCapabilities = { delete: {} };
    return {
      result: { protocolVersion, agentCapabilities, agentInfo: { name: "scripted", version: painted("1.2.3") } },
    };
  },
  "session/new": ({ cwd }) => {
    if (habits.has("hang-new")) return "never";
    if (habits.has("dies-at-new")) die();
    if (habits.has("no-id")) return { result: {} };
    if (habits.has("login") && !existsSync(join(home, "logged-in")))
      return { error: { code: -32000, message: "Authentication required" } };
    const session = new Session(randomUUID(), cwd);
    sessions.set(session.id, session);
    return { result: { sessionId: session.id, ...session.offers() } };
  },
  "session/load": ({ sessionId, cwd }) => {
    if (habits.has("hang-load")) return "never";
    if (habits.has("dies-at-load")) die();
    if (habits.has("no-method")) return undefined;
    if (habits.has("gone-model")) return { error: { code: -32603, message: "Model opus-1 is not available" } };
    const session = new Session(sessionId, cwd);
    if (!existsSync(session.file ?? "")) return { error: { code: -32002, message: "Session not found" } };
    sessions.set(sessionId, session);
    for (const { message } of habits.has("empty-load") ? [] : session.path()) {
      if (message?.role !== "user") continue;
      for (const text of textsOf(message)) {
        session.update({ sessionUpdate: "user_message_chunk", content: { type: "text", text } });
      }
    }
    return { result: session.offers() };
  },
  "session/set_config_option": ({ sessionId, configId, value }) => {
    const session = sessions.get(sessionId);
    const known = session.configOptions().find(({ id }) => id === configId);
    if (!known?.options.some((one) => one.value === value))
      return { error: { code: -32602, message: "no such value" } };
    session.chosen[configId] = value;
    return { result: { configOptions: session.configOptions() } };
  },
  "session/set_model": ({ sessionId, modelId }) => {
    sessions.get(sessionId).chosen.model = modelId;
    return { result: {} };
  },
  "session/delete": ({ sessionId }) => {
    const { file } = sessions.get(sessionId) ?? Session.stored(sessionId);
    if (file === undefined) return { error: { code: -32002, message: "Session not found" } };
    rmSync(file);
    return { result: {} };
  },
  "session/set_mode": ({ sessionId, modeId }) => {
    sessions.get(sessionId).mode = modeId;
    return { result: {} };
  },
  "session/prompt": ({ sessionId, prompt }) =>
    sessions.get(sessionId).prompt(prompt.map(({ text }) => text).join("\n")),
};

const MODES = {
  currentModeId: "normal",
  availableModes: [
    { id: "normal", name: "Normal" },
    { id: "quiet", name: "Quiet" },
  ],
};
const textsOf = ({ content }) =>
  typeof content === "string" ? [content] : content.flatMap(({ type, text }) => (type === "text" ? [text] : []));

const MODELS = ["small", "large"];
/** `small` does not think. */
const EFFORTS = { small: undefined, large: ["low", "high"] };

class Session {
  mode = "normal";
  chosen = { model: "small", effort: "low" };
  cancelled = false;

  constructor(id, cwd) {
    this.id = id;
    this.cwd = cwd;
    this.folder = join(home, ".pi/agent/sessions", `--${cwd.replace(/^\//, "").replaceAll("/", "-")}--`);
    const name = existsSync(this.folder) ? readdirSync(this.folder).find((one) => one.includes(id)) : undefined;
    this.file = name === undefined ? undefined : join(this.folder, name);
  }

  static stored(id) {
    const root = join(home, ".pi/agent/sessions");
    const names = existsSync(root) ? readdirSync(root, { recursive: true }).map(String) : [];
    const name = names.find((one) => one.includes(id));
    return { file: name === undefined ? undefined : join(root, name) };
  }

  offers() {
    return habits.has("options") || habits.has("old-models")
      ? { configOptions: this.configOptions() }
      : { modes: MODES };
  }

  configOptions() {
    const models = habits.has("old-models") ? ["small"] : MODELS;
    const select = (id, category, currentValue, values) => ({
      ...{ id, name: id, category, type: "select", currentValue },
      options: values.map((value) => ({ value, name: value[0].toUpperCase() + value.slice(1) })),
    });
    const { model, effort } = this.chosen;
    const efforts = EFFORTS[model];
    return [
      select("mode", "mode", this.mode, ["normal", "quiet", "bold"]),
      select("model", "model", model, models),
      ...(efforts === undefined ? [] : [select("effort", "thought_level", effort, efforts)]),
      select("speed", "model_config", "off", ["on", "off"]),
    ];
  }

  /** As pi continues: from the last line up. */
  path() {
    if (this.file === undefined) return [];
    const lines = readFileSync(this.file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const byId = new Map(lines.map((one) => [one.id, one]));
    const path = [];
    for (let at = lines.at(-1); at !== undefined && at.type !== "session"; at = byId.get(at.parentId)) path.unshift(at);
    return path;
  }

  record(message) {
    if (habits.has("no-transcript")) return;
    if (this.file === undefined) {
      mkdirSync(this.folder, { recursive: true });
      this.file = join(this.folder, `2026-01-01T00-00-00-000Z_${this.id}.jsonl`);
      const head = { type: "session", version: 3, id: this.id, timestamp: new Date().toISOString(), cwd: this.cwd };
      writeFileSync(this.file, `${JSON.stringify(head)}\n`);
    }
    const parentId = this.path().at(-1)?.id ?? null;
    const entry = {
      type: "message",
      id: randomUUID().slice(0, 8),
      parentId,
      timestamp: new Date().toISOString(),
      message,
    };
    appendFileSync(this.file, `${JSON.stringify(entry)}\n`);
  }

  answer(content, stopReason = "stop") {
    this.ask();
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 };
    const made = { api: "scripted", provider: "scripted", model: "one", usage, stopReason, timestamp: Date.now() };
    this.record({ role: "assistant", content, ...made });
  }

  /** A request to its model, once for each prompt and after each result. */
  ask() {
    const path = this.path();
    const last = path.at(-1);
    if (last === undefined || last.id === this.askedAt || last.message?.role === "assistant") return;
    this.askedAt = last.id;
    const parts = path.flatMap(({ message }) => {
      if (message === undefined) return [];
      if (message.role === "toolResult") return [["result", ""]];
      const calls =
        typeof message.content === "string" ? [] : message.content.filter(({ type }) => type === "toolCall");
      return [...textsOf(message).map((text) => [message.role, text]), ...calls.map(({ name }) => ["call", name])];
    });
    appendFileSync(join(home, "steps.jsonl"), `${JSON.stringify(parts)}\n`);
  }

  update(update) {
    send({ method: "session/update", params: { sessionId: this.id, update } });
  }

  cancel() {
    this.cancelled = true;
    this.onCancel?.();
  }

  async prompt(text) {
    this.cancelled = false;
    this.record({ role: "user", content: text, timestamp: Date.now() });
    const sent = this.path().flatMap(({ message }) =>
      message === undefined ? [] : [[message.role, ...textsOf(message)]],
    );
    appendFileSync(join(home, "requests.jsonl"), `${JSON.stringify(sent)}\n`);
    const steps = text.startsWith("[") ? JSON.parse(text) : [["say", `You said: ${text}`]];
    for (const [step, ...args] of steps) {
      const end = await STEPS[step](this, ...args);
      if (typeof end === "object") return end;
      if (this.cancelled) break;
    }
    return { result: { stopReason: this.cancelled ? "cancelled" : "end_turn" } };
  }

  /** A call that writes a file. */
  write(id, path, content) {
    writeFileSync(join(this.cwd, path), content);
    this.record({
      role: "toolResult",
      toolCallId: id,
      toolName: "write",
      content: [{ type: "text", text: "written" }],
      isError: false,
      timestamp: Date.now(),
    });
  }

  called(id, path, content) {
    this.answer([{ type: "toolCall", id, name: "write", arguments: { path, content } }], "toolUse");
  }

  call(id, path, content, more = {}) {
    const rawInput = { path, content };
    const diff = { type: "diff", path: join(this.cwd, path), oldText: null, newText: content };
    const facts = { toolCallId: id, title: `write ${path}`, kind: "edit", rawInput, content: [diff] };
    this.update({ sessionUpdate: "tool_call", status: "pending", ...facts, ...more });
    return facts;
  }

  ended(id, status = "completed") {
    this.update({ sessionUpdate: "tool_call_update", toolCallId: id, status });
  }
}

const said = (session, text) => {
  session.ask();
  session.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
};

const STEPS = {
  say(session, text) {
    said(session, text);
    session.answer([{ type: "text", text }]);
  },
  /** Shown, and never in the transcript. */
  whisper: said,
  /** The transcript has all of it before half of it is shown. */
  ahead(session, text) {
    session.ask();
    session.answer([{ type: "text", text }]);
    said(session, text.slice(0, text.length / 2));
  },
  think(session, text) {
    session.update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text } });
  },
  write(session, path, content) {
    const id = randomUUID();
    session.called(id, path, content);
    session.call(id, path, content);
    session.write(id, path, content);
    session.ended(id);
  },
  /** Asks first. */
  async ask(session, path, content, kinds = ["allow_always", "allow_once", "reject_once"]) {
    const id = randomUUID();
    const toolCall = session.call(id, path, content);
    lastId += 1;
    const request = `ask-${lastId}`;
    const options = kinds.map((kind) => ({ optionId: `option-${kind}`, name: kind, kind }));
    const answer = new Promise((resolve) => waiting.set(request, resolve));
    send({ id: request, method: "session/request_permission", params: { sessionId: session.id, toolCall, options } });
    const { outcome } = await answer;
    said(session, `(${outcome.optionId ?? outcome.outcome})`);
    if (outcome.optionId !== "option-allow_once") return session.ended(id, "failed");
    session.called(id, path, content);
    session.write(id, path, content);
    session.ended(id);
  },
  /** Calls that run at the same time, each `[path, content]`. */
  parallel(session, ...files) {
    const calls = files.map(([path, content]) => ({ id: randomUUID(), path, content }));
    const blocks = calls.map(({ id, ...input }) => ({ type: "toolCall", id, name: "write", arguments: input }));
    session.answer(blocks, "toolUse");
    for (const { id, path, content } of calls) session.call(id, path, content);
    for (const { id, path, content } of calls) {
      session.write(id, path, content);
      session.ended(id);
    }
  },
  /** The transcript has the result later than the protocol. */
  async late(session, path, content, milliseconds) {
    const id = randomUUID();
    session.called(id, path, content);
    session.call(id, path, content);
    writeFileSync(join(session.cwd, path), content);
    session.ended(id);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    session.write(id, path, content);
  },
  /** When its turn is over and the file `$HOME/<name>` exists, it writes a file and says something. */
  later(session, name, path, content) {
    const begin = async () => {
      await STEPS.hold(session, name);
      STEPS.write(session, path, content);
      STEPS.say(session, `Later: ${path}.`);
    };
    void begin();
  },
  /** Waits until the file `$HOME/<name>` exists. */
  async hold(session, name) {
    while (!existsSync(join(home, name)) && !session.cancelled) await new Promise((resolve) => setTimeout(resolve, 10));
  },
  /** Only the transcript has it. */
  hidden(session, path, content) {
    const id = randomUUID();
    session.called(id, path, content);
    session.write(id, path, content);
  },
  /** The end is reported before the call. */
  backwards(session, path, content) {
    const id = randomUUID();
    session.called(id, path, content);
    session.write(id, path, content);
    session.ended(id);
    session.call(id, path, content);
  },
  endless: (session, path, content) => {
    const id = randomUUID();
    session.called(id, path, content);
    session.call(id, path, content, { status: "in_progress" });
    session.write(id, path, content);
  },
  garbage() {
    process.stdout.write('Starting up…\n\u001b[31mred\u001b[0m\n{"half": \n[1,2]\n"text"\nnull\n');
  },
  odd(session) {
    send({
      method: "session/update",
      params: {
        sessionId: "another",
        update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "not here" } },
      },
    });
    session.update({ sessionUpdate: "from_the_future", content: 1 });
    session.update(null);
    session.update({ sessionUpdate: "tool_call", toolCallId: 7 });
    session.update({ sessionUpdate: "agent_message_chunk", content: [1] });
    send({ method: "session/update" });
    send({ method: "_own/thing", params: { x: 1 } });
    send({ id: 999_999, result: {} });
    send({ id: "nobody", result: {} });
  },
  async unsupported(session) {
    lastId += 1;
    const answer = new Promise((resolve) => waiting.set(`ask-${lastId}`, resolve));
    send({ id: `ask-${lastId}`, method: "fs/read_text_file", params: { sessionId: session.id, path: "/etc/passwd" } });
    said(session, `(${(await answer) === undefined ? "refused" : "allowed"})`);
  },
  flood(session, count, size) {
    for (let at = 0; at < count; at++) said(session, "x".repeat(size));
  },
  /** The same call again and again, each time with all of its output. */
  repeat(session, count, size) {
    const id = randomUUID();
    session.call(id, "big.txt", "x");
    for (let at = 0; at < count; at++) {
      const content = [{ type: "content", content: { type: "text", text: "y".repeat(size) } }];
      session.update({ sessionUpdate: "tool_call_update", toolCallId: id, status: "in_progress", content });
    }
    session.ended(id);
  },
  /** One message of this size. */
  huge: (session, megabytes) => said(session, "z".repeat(megabytes << 20)),
  wait: (session) =>
    new Promise((resolve) => {
      session.onCancel = () => resolve(undefined);
    }),
  die,
  error: (_session, code, message) => ({ error: { code, message: painted(message) } }),
  /** One call, reported and answered twice under the same ID. */
  twice(session, path, content) {
    const id = randomUUID();
    session.called(id, path, content);
    session.write(id, path, content);
    for (let time = 0; time < 2; time++) {
      session.call(id, path, content);
      session.ended(id);
    }
  },
  /** A call whose ID, name and title are painted too. */
  paint(session) {
    const facts = { toolCallId: painted("call"), name: painted("tool"), title: painted("A title"), kind: "other" };
    session.update({ sessionUpdate: "tool_call", status: "pending", ...facts });
    session.update({ sessionUpdate: "tool_call_update", toolCallId: facts.toolCallId, status: "completed" });
  },
  /** What happens to a transcript. */
  damage: (session) => appendFileSync(session.file, '{"type":"message","id":\n\u0000\u0000\n'),
  upgrade: (session) =>
    writeFileSync(session.file, readFileSync(session.file, "utf8").replace('"version":3', '"version":99')),
  rewrite(session) {
    const ids = new Map();
    const renamed = (id) => ids.get(id) ?? ids.set(id, randomUUID().slice(0, 8)).get(id);
    const [head, ...lines] = readFileSync(session.file, "utf8").trim().split("\n").map(JSON.parse);
    const entries = lines.map((one) => ({
      ...one,
      id: renamed(one.id),
      parentId: one.parentId && renamed(one.parentId),
    }));
    writeFileSync(session.file, [head, ...entries].map((one) => `${JSON.stringify(one)}\n`).join(""));
  },
  vanish: (session) => rmSync(session.file),
  mode: (session) => STEPS.say(session, habits.has("options") ? (session.chosen.mode ?? session.mode) : session.mode),
  /** Which model thinks how much. */
  model: (session) =>
    STEPS.say(session, `${session.chosen.model} ${EFFORTS[session.chosen.model] && session.chosen.effort}`),
};

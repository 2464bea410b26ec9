import { lines, opened, says, tool } from "@bough/agent/agent/agent-harness.test-support.js";
import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { EXTENSION_EVENTS } from "@bough/agent/extension/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { type ExtendedAgent, type ExtendedOptions, example, extendedAgent, script } from "./extended-agent.js";

const EVENTS = JSON.stringify(Object.keys(EXTENSION_EVENTS));
const REACTING = JSON.stringify(
  Object.keys(EXTENSION_EVENTS).filter(
    (name) => !["tool_call", "tool_result"].includes(name) && !name.startsWith("session_before_"),
  ),
);
const LIMIT = 5;

/** Listens to everything and never does it well. */
const BAD = {
  throws: `export default (bough) => { for (const name of ${EVENTS}) bough.on(name, (event) => { event.cancel?.(); throw new Error("no luck"); }); };`,
  hangs: `export default (bough) => { for (const name of ${EVENTS}) bough.on(name, (event) => { event.cancel?.(); return new Promise(() => {}); }); };`,
  nonsense: `export default (bough) => { for (const name of ${EVENTS}) bough.on(name, () => ({ summary: 5, compaction: "x", label: {}, context: 1, prompt: [] })); };`,
} as const;

type BadOptions = Partial<ExtendedOptions> & { readonly react?: "only" };

async function withBad(kind: keyof typeof BAD, { react, ...options }: BadOptions = {}): Promise<ExtendedAgent> {
  const folder = tempFolder();
  const source = react === "only" ? BAD[kind].replace(EVENTS, REACTING) : BAD[kind];
  const call = { calls: [{ id: "c1", name: "look" }] };
  return extendedAgent({
    model: scriptedModel([call, "one", "two", "a summary", "a compaction"]),
    tools: [tool({ name: "look", execute: () => says("seen") })],
    cwd: folder,
    timeoutMs: LIMIT,
    extensions: [script(folder, "bad.ts", source)],
    ...options,
  });
}

const UNSTOPPED = "did not stop within 1 ms and was abandoned";
const MESSAGE = { throws: "no luck", hangs: `took longer than ${LIMIT} ms and was abandoned` } as const;

describe.each(["throws", "hangs"] as const)("an extension that %s at every event", (kind) => {
  test("is reported by name, its guard blocks the call, and the turn goes on", async () => {
    const ran: string[] = [];
    const look = tool({
      name: "look",
      execute: () => {
        ran.push("look");
        return says("seen");
      },
    });
    const made = await withBad(kind, { tools: [look] });
    expect(await made.agent.prompt("first")).toMatchObject({ kind: "done" });
    expect(lines(made.session)).toEqual([
      "model_change",
      "user: first",
      "assistant(toolUse): +look#c1",
      `result#c1!: Blocked: the extension bad failed while checking this call: ${MESSAGE[kind]}`,
      "assistant(stop): one",
    ]);
    expect(ran).toEqual([]);
    const events = made.problems.map(({ event }) => event);
    expect([...new Set(events)].sort()).toEqual([
      ...["agent_end", "agent_settled", "agent_start", "before_agent_start", "context", "input", "message_end"],
      ...["message_start", "message_update", "resources_discover", "session_start", "tool_call"],
      ...["tool_execution_end", "tool_execution_start", "tool_result", "turn_end", "turn_start"],
    ]);
    const consequences: Record<string, string> = {
      tool_call: "; the tool call was blocked",
      tool_result: "; the result was withheld",
    };
    const expected = (event: string) => MESSAGE[kind] + (consequences[event] ?? "");
    expect(made.problems.filter(({ event, message }) => message !== expected(event))).toEqual([]);
  });

  test("cancels a move, a fork and a switch, but not a compaction; the end comes all the same", async () => {
    const made = await withBad(kind);
    await made.agent.prompt("first");
    const early = made.session.getBranch()[1]?.id ?? "";
    await made.agent.prompt("second");
    made.problems.length = 0;
    const leaf = made.session.getLeafId();
    expect(await made.agent.navigateTree(early, { summarize: true })).toEqual({
      kind: "cancelled",
      cancelled: true,
      cancelledBy: "bad",
    });
    expect(made.session.getLeafId()).toBe(leaf);
    expect(await made.agent.compact()).toMatchObject({ kind: "done", fromHook: false });
    const compacted = made.session.getLeafId();
    const [user] = made.session.getBranch().filter((entry) => entry.type === "message");
    expect(await made.agent.fork(user?.id ?? "")).toMatchObject({
      kind: "cancelled",
      cancelled: true,
      cancelledBy: "bad",
    });
    expect(await made.agent.newSession()).toEqual({ kind: "cancelled", by: "bad" });
    expect(made.session.getLeafId()).toBe(compacted);
    await made.agent.dispose();
    expect(made.problems.map(({ extension, event, message }) => [extension, event, message])).toEqual(
      [
        ["session_before_tree", "; the move was cancelled"],
        ["session_tree", ""],
        ["session_before_compact", "; the built-in compaction was used"],
        ["session.compacting", ""],
        ["session_compact", ""],
        ["session_before_fork", "; the fork was cancelled"],
        ["session_before_switch", "; the session was not changed"],
        ["session_shutdown", ""],
      ].map(([event, consequence]) => ["bad", event, `${MESSAGE[kind]}${consequence}`]),
    );
  });

  test("does not stop anything where it only reacts", async () => {
    const made = await withBad(kind, { react: "only" });
    await made.agent.prompt("first");
    const early = made.session.getLeafId() ?? "";
    await made.agent.prompt("second");
    made.problems.length = 0;
    expect(await made.agent.navigateTree(early, { summarize: true })).toMatchObject({
      cancelled: false,
      summaryEntry: { summary: expect.stringContaining("a summary") },
    });
    expect(await made.agent.compact()).toMatchObject({ kind: "done", fromHook: false });
    const [user] = made.session.getBranch().filter((entry) => entry.type === "message");
    expect(await made.agent.fork(user?.id ?? "")).toMatchObject({ cancelled: false });
    expect(await made.agent.newSession()).toMatchObject({ kind: "done" });
    await made.agent.dispose();
    expect(made.problems).toEqual(
      [
        "session_tree",
        "session.compacting",
        "session_compact",
        "session_shutdown",
        "session_fork",
        "session_branch",
        "session_start",
        "session_shutdown",
        "session_switch",
        "session_start",
        "session_shutdown",
      ].map((event) => ({ extension: "bad", event, message: MESSAGE[kind] })),
    );
  });
});

test("an extension that cancels by the method of the event is named, whatever it cancels", async () => {
  const folder = tempFolder();
  const source = `export default (bough) => { for (const name of ${EVENTS}) if (name.startsWith("session_before_")) bough.on(name, (event) => { event.cancel(); }); };`;
  const model = scriptedModel(["one", "two"]);
  const extensions = [script(folder, "idle.ts", "export default () => {};"), script(folder, "strict.ts", source)];
  const { agent, session } = await extendedAgent({ model, cwd: folder, extensions });
  await agent.prompt("first");
  await agent.prompt("second");
  const [, user] = session.getBranch();
  const id = user?.id ?? "";
  expect(await agent.navigateTree(id)).toEqual({ kind: "cancelled", cancelled: true, cancelledBy: "strict" });
  expect(await agent.branchHere(id)).toMatchObject({ cancelled: true, cancelledBy: "strict" });
  expect(await agent.fork(id)).toMatchObject({ cancelled: true, cancelledBy: "strict" });
  expect(await agent.clone()).toMatchObject({ cancelled: true, cancelledBy: "strict" });
  expect(await agent.compact()).toEqual({ kind: "cancelled", by: "strict" });
  expect(await agent.newSession()).toEqual({ kind: "cancelled", by: "strict" });
});

test("an extension that answers nonsense changes nothing", async () => {
  const made = await withBad("nonsense");
  await made.agent.prompt("first");
  const early = made.session.getLeafId() ?? "";
  await made.agent.prompt("second");
  await made.agent.navigateTree(early, { summarize: true, label: "tried" });
  expect(made.session.getBranch().at(-1)).toMatchObject({ type: "label", label: "tried" });
  expect(await made.agent.compact()).toMatchObject({ kind: "done", fromHook: false });
  expect(made.problems).toEqual([]);
});

test("a well-behaved extension after a bad one is still asked", async () => {
  const folder = tempFolder();
  const reacting = BAD.throws.replace(EVENTS, REACTING);
  const made = await withBad("throws", {
    cwd: folder,
    model: scriptedModel(["one"]),
    extensions: [script(folder, "bad.ts", reacting), example("01-branch-summary.ts")],
  });
  await made.agent.prompt("first");
  await made.agent.navigateTree(made.session.getBranch()[0]?.id ?? "", { summarize: true });
  expect(made.session.getLeafEntry()).toMatchObject({ type: "branch_summary", details: { custom: true } });
});

test("stopping a move does not wait for an extension that hangs, and the leaf stays", async () => {
  const made = await withBad("hangs", { timeoutMs: 60_000_000, model: scriptedModel(["one"]), extensions: [] });
  await made.agent.prompt("first");
  const leaf = made.session.getLeafId();
  const asked = opened();
  (globalThis as unknown as { asked: () => void }).asked = asked.open;
  const hanging = `export default (bough) => bough.on("session_before_tree", () => { globalThis.asked(); return new Promise(() => {}); });`;
  await made.runner.load([{ name: "hangs", file: script(made.folder, "hangs.ts", hanging), origin: "named" }]);
  const move = made.agent.navigateTree(made.session.getBranch()[0]?.id ?? "");
  await asked.promise;
  made.agent.abort();
  expect(await move).toEqual({ kind: "aborted", cancelled: true, aborted: true });
  expect([made.session.getLeafId(), made.problems]).toEqual([leaf, []]);
});

test("stopping a run leaves an extension a moment for the message that was kept, and no more", async () => {
  const folder = tempFolder();
  const asked = opened();
  (globalThis as unknown as { asked: () => void }).asked = asked.open;
  const hanging = `export default (bough) => bough.on("message_end", ({ message }) => {
    if (message.role === "assistant") { globalThis.asked(); return new Promise(() => {}); }
  });`;
  const hears = `const heard = [];
    export default (bough) => {
      bough.on("message_end", ({ message }) => void heard.push(message.role));
      bough.on("session_shutdown", () => void bough.appendEntry("heard", heard));
    };`;
  const made = await extendedAgent({
    cwd: folder,
    timeoutMs: 60_000_000,
    hurryMs: 1,
    model: scriptedModel(["one"]),
    extensions: [script(folder, "hangs.ts", hanging), script(folder, "hears.ts", hears)],
  });
  const run = made.agent.prompt("first");
  await asked.promise;
  made.agent.abort();
  expect(await run).toEqual({ kind: "aborted" });
  await made.agent.dispose();
  expect(made.file().at(-1)).toMatchObject({ customType: "heard", data: ["user", "assistant"] });
  expect(made.problems).toEqual([{ extension: "hangs", event: "message_end", message: UNSTOPPED }]);
});

test("the end does not wait for extensions and tools that hang, and the session is closed", async () => {
  const folder = tempFolder();
  const hanging = `export default (bough) => {
    bough.on("session_shutdown", () => new Promise(() => {}));
    bough.registerTool({ name: "slow", description: "", parameters: { type: "object" },
      execute: async () => ({ content: [] }), onSession: ({ reason }) => reason === "shutdown" ? new Promise(() => {}) : undefined });
  };`;
  const made = await extendedAgent({
    cwd: folder,
    timeoutMs: 60_000_000,
    hurryMs: 1,
    model: scriptedModel(["one"]),
    extensions: [script(folder, "hangs.ts", hanging)],
  });
  await made.agent.prompt("first");
  await made.agent.dispose();
  expect(made.problems).toEqual([
    { extension: "hangs", event: "session_shutdown", message: UNSTOPPED },
    { extension: "hangs", event: "onSession of slow", message: UNSTOPPED },
  ]);
  expect(() => made.session.appendSessionInfo("late")).toThrow("closed");
});

test("a prompt can be stopped while an extension looks at it: nothing is sent", async () => {
  const folder = tempFolder();
  const asked = opened();
  (globalThis as unknown as { asked: () => void }).asked = asked.open;
  const hanging = `export default (bough) => bough.on("input", ({ text }) => {
    if (text === "first") { globalThis.asked(); return new Promise(() => {}); }
  });`;
  const made = await extendedAgent({
    cwd: folder,
    timeoutMs: 60_000_000,
    model: scriptedModel(["one"]),
    extensions: [script(folder, "hangs.ts", hanging)],
  });
  const run = made.agent.prompt("first");
  await asked.promise;
  made.agent.abort();
  expect(await run).toEqual({ kind: "aborted" });
  expect([lines(made.session), made.problems]).toEqual([[], []]);
  expect(await made.agent.prompt("second")).toMatchObject({ kind: "done" });
});

test("a person may take longer to answer than an extension may take", async () => {
  const folder = tempFolder();
  const waits = `export default (bough) => bough.on("tool_call", async (event, ctx) => {
    if (!(await ctx.ui.confirm("Run?", "look"))) return { block: true, reason: "the person said no" };
  });`;
  const made = await withBad("throws", {
    cwd: folder,
    extensions: [script(folder, "waits.ts", waits)],
    // The limit would have passed first: its timer is the shorter one, and starts no later.
    answers: [() => new Promise((answer) => setTimeout(() => answer(false), LIMIT * 10))],
  });
  await made.agent.prompt("first");
  expect(lines(made.session)).toContain("result#c1!: the person said no");
  expect(made.problems).toEqual([]);
});

test("a tool that hangs while it follows the session does not hold up a move", async () => {
  const folder = tempFolder();
  const follows = `export default (bough) => bough.registerTool({ name: "slow", description: "", parameters: { type: "object" },
    execute: async () => ({ content: [] }), onSession: ({ reason }) => reason === "move" ? new Promise(() => {}) : undefined });`;
  const made = await withBad("throws", {
    cwd: folder,
    model: scriptedModel(["one"]),
    extensions: [script(folder, "follows.ts", follows)],
  });
  await made.agent.prompt("first");
  expect(await made.agent.navigateTree(made.session.getBranch()[0]?.id ?? "")).toEqual({
    kind: "done",
    cancelled: false,
  });
  expect(made.problems).toEqual([{ extension: "follows", event: "onSession of slow", message: MESSAGE.hangs }]);
});

test("a command that throws is reported and its operation is over", async () => {
  const folder = tempFolder();
  const fails = `export default (bough) => bough.registerCommand("fail", { handler: async (_args, ctx) => { await ctx.navigateTree("nowhere"); } });`;
  const made = await withBad("throws", {
    cwd: folder,
    model: scriptedModel(["one"]),
    extensions: [script(folder, "fails.ts", fails)],
  });
  expect(await made.command("fail")).toEqual({ kind: "failed", message: "Entry nowhere not found" });
  expect(made.problems).toEqual([{ extension: "fails", event: "command fail", message: "Entry nowhere not found" }]);
  expect(await made.agent.prompt("first")).toMatchObject({ kind: "done" });
});

test("an extension that moves in the middle of a turn is told that it cannot, and the turn goes on", async () => {
  const folder = tempFolder();
  const moves = `export default (bough) => bough.on("turn_end", (event, ctx) => ctx.navigateTree(ctx.currentPath[0].id));`;
  const made = await withBad("throws", {
    cwd: folder,
    model: scriptedModel(["one"]),
    extensions: [script(folder, "moves.ts", moves)],
  });
  expect(await made.agent.prompt("first")).toMatchObject({ kind: "done" });
  expect(made.problems).toEqual([
    { extension: "moves", event: "turn_end", message: "Cannot start a move: a model run is still running" },
  ]);
});

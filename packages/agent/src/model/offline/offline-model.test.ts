import type { AgentMessage, AssistantMessage, ToolCallBlock } from "@bough/session/entry/index.js";
import { describe, expect, test } from "vitest";
import type { ModelEvent, ModelRequest, OfferedTool } from "../language-model.js";
import { offlineModel } from "./offline-model.js";

const object = (...names: readonly string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
});
const TOOLS: readonly OfferedTool[] = [
  { name: "ls", description: "", parameters: object("path") },
  { name: "read", description: "", parameters: object("path", "offset") },
  { name: "grep", description: "", parameters: object("pattern", "path", "literal") },
  { name: "bash", description: "", parameters: object("command") },
  { name: "write", description: "", parameters: object("path", "content") },
  {
    name: "edit",
    description: "",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, edits: { type: "array", items: object("oldText", "newText") } },
    },
  },
];

const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1 });
const result = (call: ToolCallBlock, text: string, isError = false): AgentMessage => ({
  role: "toolResult",
  toolCallId: call.id,
  toolName: call.name,
  content: [{ type: "text", text }],
  isError,
  timestamp: 2,
});

function request(messages: readonly AgentMessage[], change: Partial<ModelRequest> = {}): ModelRequest {
  return { system: "You are an agent.", messages, tools: TOOLS, thinkingLevel: "off", ...change };
}

async function step(asked: ModelRequest, signal?: AbortSignal) {
  const events: ModelEvent[] = [];
  for await (const event of offlineModel().stream(asked, { now: () => 9, ...(signal && { signal }) }))
    events.push(event);
  const end = events.at(-1);
  if (end?.type !== "end") throw new Error("bug: the last event is not an end");
  return { events, message: end.message, text: textOf(end.message), calls: callsOf(end.message) };
}

const textOf = (message: AssistantMessage) =>
  message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
const callsOf = (message: AssistantMessage) => message.content.filter((block) => block.type === "toolCall");

describe("a turn", () => {
  test("asks for a tool, then answers from its result and says that rules did it", async () => {
    const first = await step(request([user("what is in this folder?")]));
    expect(first.message).toMatchObject({
      role: "assistant",
      content: [{ type: "toolCall", id: "offline_1", name: "ls", arguments: { path: "." } }],
      api: "offline",
      provider: "offline",
      model: "rules",
      stopReason: "toolUse",
      timestamp: 9,
    });
    expect(first.message.usage).not.toHaveProperty("cost");
    expect(first.events.map((event) => event.type)).toEqual(["tool_input", "tool_call", "end"]);

    const [call] = first.calls as [ToolCallBlock];
    const second = await step(request([user("what is in this folder?"), first.message, result(call, "a.txt\nsrc/")]));
    expect(second.text).toBe("`ls .`:\na.txt\nsrc/\n\n(offline/rules: found by rules, not by a language model.)");
    expect(second.message.stopReason).toBe("stop");
    expect(second.events.filter((event) => event.type === "text").length).toBeGreaterThan(2);
    expect(second.events.map((event) => (event.type === "text" ? event.delta : "")).join("")).toBe(second.text);
  });

  test("looks in parallel, but changes things one at a time and in order", async () => {
    const messages: AgentMessage[] = [user('read a.txt and list the files, then write "x" to b.txt and read b.txt')];
    const rounds: string[][] = [];
    for (let round = 0; round < 5; round++) {
      const { message, calls } = await step(request(messages));
      messages.push(message);
      if (calls.length === 0) break;
      rounds.push(calls.map((call) => `${call.id} ${call.name} ${JSON.stringify(call.arguments)}`));
      for (const call of calls) messages.push(result(call, `done ${call.id}`));
    }
    expect(rounds).toEqual([
      ['offline_1 read {"path":"a.txt"}', 'offline_2 ls {"path":"."}'],
      ['offline_3 write {"content":"x","path":"b.txt"}'],
      ['offline_4 read {"path":"b.txt"}'],
    ]);
    expect(textOf(messages.at(-1) as AssistantMessage)).toContain("done offline_4");
  });

  test("gives arguments the names the tools have", async () => {
    const { calls } = await step(request([user('replace "a" with "b" in c.txt')]));
    expect(calls[0]?.arguments).toEqual({ path: "c.txt", edits: [{ oldText: "a", newText: "b" }] });
    const search = await step(request([user("search for a( in src")]));
    expect(search.calls[0]?.arguments).toEqual({ pattern: "a(", path: "src", literal: true });
    const other: OfferedTool = { name: "read", description: "", parameters: object("file_path") };
    const renamed = await step(request([user("read c.txt")], { tools: [other] }));
    expect(renamed.calls[0]?.arguments).toEqual({ file_path: "c.txt" });
  });

  test("reports failures and shortens long output", async () => {
    const asked = [user("run make and read big.txt")];
    const first = await step(request(asked));
    const afterRun = [...asked, first.message, result(first.calls[0] as ToolCallBlock, "make: no rule", true)];
    const second = await step(request(afterRun));
    const long = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`).join("\n");
    const { text } = await step(request([...afterRun, second.message, result(second.calls[0] as ToolCallBlock, long)]));
    expect(text).toContain("`bash make` failed:\nmake: no rule");
    expect(text).toContain("line 20\n… 80 more lines");
  });

  test("says so if a tool is missing, and calls nothing", async () => {
    const { text, calls } = await step(request([user("run make")], { tools: TOOLS.slice(0, 2) }));
    expect(calls).toEqual([]);
    expect(text).toContain("the tool bash is not available");
  });

  test("explains what it can do where no rule fits", async () => {
    const { text } = await step(request([user("Why is the sky blue?")]));
    expect(text).toContain("not a language model");
    expect(text).toContain("ANTHROPIC_API_KEY");
    expect(text).toContain("read README.md");
  });

  test("follows the last request, also when it came in between", async () => {
    const asked = [user("read a.txt")];
    const first = await step(request(asked));
    const steered = [...asked, first.message, result(first.calls[0] as ToolCallBlock, "A"), user("no, read b.txt")];
    const { calls } = await step(request(steered));
    expect(calls).toEqual([{ type: "toolCall", id: "offline_2", name: "read", arguments: { path: "b.txt" } }]);
  });

  test("is the same for the same request", async () => {
    const asked = request([user("list the files")]);
    expect((await step(asked)).events).toEqual((await step(asked)).events);
  });

  test("stops on request and keeps its partial answer", async () => {
    const abort = new AbortController();
    const events: ModelEvent[] = [];
    for await (const event of offlineModel().stream(request([user("Hello")]), { now: () => 9, signal: abort.signal })) {
      events.push(event);
      abort.abort();
    }
    const said = events[0] as Extract<ModelEvent, { type: "text" }>;
    expect(events).toHaveLength(2);
    expect(events[1]).toMatchObject({
      type: "end",
      message: { content: [{ type: "text", text: said.delta }], stopReason: "aborted" },
    });
  });
});

describe("a request for a summary", () => {
  const FORMAT = [
    "Summarize the conversation in exactly this format:",
    "## Goal",
    "## Constraints & Preferences",
    "## Progress",
    "### Done",
    "### In progress",
    "### Blocked",
    "## Key Decisions",
    "## Next Steps",
    "## Critical Context",
  ].join("\n");
  const CONVERSATION = "[User]: Build a kite.\n\n[Assistant]: Built.";

  test.each([
    ["in the instructions", { system: FORMAT }, [user(`<conversation>\n${CONVERSATION}\n</conversation>`)]],
    ["in the message", {}, [user(`<conversation>\n${CONVERSATION}\n</conversation>\n\n${FORMAT}`)]],
    ["without tags", {}, [user(`${FORMAT}\n\n${CONVERSATION}`)]],
    ["after the messages themselves", { system: FORMAT }, [user("Build a kite."), user("Now sum up.")]],
  ])("%s gets an extractive one", async (_name, change, messages) => {
    const { text, calls, message } = await step(request(messages, { tools: [], ...change }));
    expect({ calls, stopReason: message.stopReason }).toEqual({ calls: [], stopReason: "stop" });
    expect([...text.matchAll(/^#+ .+$/gm)].map((match) => match[0])).toEqual([
      "## Goal",
      "## Constraints & Preferences",
      "## Progress",
      "### Done",
      "### In progress",
      "### Blocked",
      "## Key Decisions",
      "## Next Steps",
      "## Critical Context",
    ]);
    expect(text).toMatch(/^## Goal\nBuild a kite\.$/m);
  });

  test("with instructions of one's own still gets one from the conversation", async () => {
    const { text } = await step(request([user(`Write a short summary.\n\n${CONVERSATION}`)], { tools: [] }));
    expect(text).toMatch(/^## Goal\nBuild a kite\.$/m);
  });

  test("is not what a summary in the context makes of an ordinary request", async () => {
    const messages: AgentMessage[] = [
      { role: "compactionSummary", summary: FORMAT, tokensBefore: 1, timestamp: 1 },
      user("read a.txt"),
    ];
    expect((await step(request(messages))).calls).toHaveLength(1);
    expect((await step(request([messages[0] as AgentMessage, user("Hello")], { tools: [] }))).text).toContain(
      "No rule fits",
    );
  });
});

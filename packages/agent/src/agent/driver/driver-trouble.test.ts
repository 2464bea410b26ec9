/** What becomes of a session when the agent that drives it misbehaves. */
import { appendFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { TURN_VERSION, TurnJournal } from "../../driver/internal.js";
import type { AgentEvent } from "../agent-events.js";
import { drivenPlace, type Opening, steps, told } from "./driven-place.test-support.js";

const notices = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === "notice" ? [event.message] : []));

test.each([
  ["hangs while it creates a session", "hang-new", "Scripted did not create a session within 0 s"],
  ["dies while it creates a session", "dies-at-new", "Scripted was ended by SIGKILL"],
  ["gives its session no ID", "no-id", "Scripted created a session without an ID"],
])("an agent that %s: nothing is sent, and the text is in the editor again", async (_what, habits, message) => {
  const { open, events } = drivenPlace();
  const agent = await open({ habits, ...(habits === "hang-new" ? { limits: { create: 300 } } : {}) });
  expect(await agent.prompt("Hello")).toMatchObject({ kind: "failed", failure: { message } });
  expect(agent.session.getEntries()).toEqual([]);
  expect(events.filter(({ type }) => type === "queue_returned")).toMatchObject([{ steering: ["Hello"] }]);
});

test.each([
  [
    "hangs at load",
    { habits: "hang-load", limits: { load: 300 } },
    "Scripted did not load the conversation within 0 s",
  ],
  ["dies at load", { habits: "dies-at-load" }, "Scripted was ended by SIGKILL"],
  [
    "announces that it can load, and cannot",
    { habits: "no-method" },
    "Scripted does not support what it announced: continuing a stored session",
  ],
  [
    "no longer has the model of the session",
    { habits: "gone-model" },
    "Scripted answered with an error: Model opus-1 is not available",
  ],
] as const)("an agent that %s: nothing is sent, and later it continues with the whole history", async (...given) => {
  const [, opening, message] = given;
  const { open, requests, sessions, events } = drivenPlace();
  const agent = await open();
  await agent.prompt("One");
  const before = told(agent);
  const file = agent.session.getSessionFile() as string;
  await agent.dispose();
  const worse = await open(opening as Opening, SessionManager.open(file, sessions));
  expect(await worse.prompt("Two")).toMatchObject({ kind: "failed", failure: { message } });
  expect(told(worse)).toEqual(before);
  expect(requests()).toHaveLength(1);
  expect(events.filter(({ type }) => type === "queue_returned")).toMatchObject([{ steering: ["Two"] }]);
  await worse.dispose();
  const again = await open({}, SessionManager.open(file, sessions));
  expect(await again.prompt("Two")).toMatchObject({ kind: "done" });
  expect(requests().at(-1)).toEqual([
    ["user", "One"],
    ["assistant", "You said: One"],
    ["user", "Two"],
  ]);
});

test("an agent that dies when it is told to stop keeps what was shown, and is started again", async () => {
  const { open, requests } = drivenPlace();
  const agent = await open({ habits: "dies-at-cancel" });
  const stop = agent.subscribe((event) => {
    if (event.type === "message_update" && event.delta.includes("half")) agent.abort();
  });
  expect(await agent.prompt(steps(["say", "Whole."], ["whisper", "Only half of"], ["wait"]))).toEqual({
    kind: "aborted",
  });
  stop();
  expect(told(agent).slice(1)).toEqual(["assistant: Whole.", "assistant (aborted): Only half of"]);
  expect(await agent.prompt("Go on")).toMatchObject({ kind: "done" });
  expect(requests().at(-1)?.at(-1)).toEqual(["user", "Go on"]);
});

test("with a deny rule that can hold so, the agent is made to ask", async () => {
  const { open, requests } = drivenPlace();
  const toAsk = {
    holds: ({ text }: { readonly text: string }) => text.startsWith("read"),
    start: ({ env }: { readonly env: NodeJS.ProcessEnv }) => ({ env: { ...env, SCRIPTED_AGENT: "options" } }),
  };
  const offers = async (deny: readonly string[]) => {
    const agent = await open({ toAsk, deny });
    expect(await agent.prompt("Hello")).toMatchObject({ kind: "done" });
    return (await agent.driverOptions()).map(({ option }) => option);
  };
  expect([await offers([]), await offers(["bash(rm:*)"])]).toEqual([["mode"], ["mode"]]);
  expect(await offers(["read(.env)"])).toContain("model");
  expect(requests()).toHaveLength(3);
});

test("an answer that was shown in part, and that the transcript has whole, is in the session once", async () => {
  const { open } = drivenPlace();
  const agent = await open();
  const prompt = steps(["say", "First."], ["ahead", "This was written, and then the agent died."], ["die"]);
  expect(await agent.prompt(prompt)).toMatchObject({ kind: "failed" });
  expect(told(agent).slice(1)).toEqual(["assistant: First.", "assistant: This was written, and then the agent died."]);
});

test("a login that expires in a turn keeps the turn, and the next prompt continues after a login", async () => {
  const { open, requests } = drivenPlace();
  const agent = await open({ login: "it login" });
  const prompt = steps(["say", "Working."], ["error", -32_000, "expired"]);
  expect(await agent.prompt(prompt)).toMatchObject({
    kind: "failed",
    failure: { kind: "auth", message: "Scripted is not logged in", hint: "Log in with: it login" },
  });
  expect(told(agent)).toEqual([`user: ${prompt}`, "assistant: Working."]);
  expect(await agent.prompt("Again")).toMatchObject({ kind: "done" });
  expect(requests().at(-1)).toEqual([
    ["user", prompt],
    ["assistant", "Working."],
    ["user", "Again"],
  ]);
});

test.each([
  ["is damaged", "damage"],
  ["becomes one of a newer version", "upgrade"],
  ["is rewritten", "rewrite"],
  ["is gone", "vanish"],
])(
  "a transcript that %s in a turn: what was shown is there once, and is given to the agent again",
  async (...given) => {
    const [, step] = given;
    const { open, requests } = drivenPlace();
    const agent = await open();
    await agent.prompt("One");
    const prompt = steps(["say", "Before."], [step], ["whisper", "After."]);
    await agent.prompt(prompt);
    expect(told(agent).slice(0, 3)).toEqual(["user: One", "assistant: You said: One", `user: ${prompt}`.slice(0, 60)]);
    const said = agent.session
      .getEntries()
      .map((entry) => JSON.stringify(entry))
      .join("\n");
    expect(said.match(/"text":"[^"]*Before\./g)).toHaveLength(1);
    expect(said).toContain("After.");
    expect(await agent.prompt("Two")).toMatchObject({ kind: "done" });
    const asked = requests()
      .at(-1)
      ?.filter(([role]) => role === "user");
    expect(asked).toEqual([
      ["user", "One"],
      ["user", prompt],
      ["user", "Two"],
    ]);
  },
);

test("a transcript that was damaged between two starts is written again", async () => {
  const { open, requests, transcript, sessions } = drivenPlace();
  const agent = await open();
  await agent.prompt("One");
  const file = agent.session.getSessionFile() as string;
  await agent.dispose();
  appendFileSync(transcript(), '{"type":"message","id":\n\u0000\n');
  const again = await open({}, SessionManager.open(file, sessions));
  expect(await again.prompt("Two")).toMatchObject({ kind: "done" });
  expect(
    requests()
      .at(-1)
      ?.map(([role]) => role),
  ).toEqual(["user", "assistant", "user"]);
});

test("in a folder that was moved, the agent is given the whole history", async () => {
  const { root, open, requests, sessions } = drivenPlace();
  const agent = await open();
  await agent.prompt("One");
  const file = agent.session.getSessionFile() as string;
  await agent.dispose();
  const moved = join(tempFolder(), "moved");
  renameSync(root, moved);
  const again = await open({ cwd: moved }, SessionManager.open(file, sessions));
  expect(await again.prompt("Two")).toMatchObject({ kind: "done" });
  expect(requests().at(-1)).toEqual([
    ["user", "One"],
    ["assistant", "You said: One"],
    ["user", "Two"],
  ]);
});

test("a call that is reported twice under one ID is in the session once", async () => {
  const { open } = drivenPlace();
  const agent = await open();
  await agent.prompt(steps(["twice", "a.txt", "new\n"], ["say", "Done."]));
  expect(told(agent).slice(1)).toEqual([
    "assistant: toolCall",
    "toolResult: written",
    "files by tool: a.txt",
    "assistant: Done.",
  ]);
});

test("escape sequences in what an agent says about itself reach no notice, error or name", async () => {
  const { open, events } = drivenPlace();
  const agent = await open({ habits: "painted no-transcript" });
  await agent.prompt(steps(["garbage"], ["paint"], ["say", "Done."]));
  const failed = await agent.prompt(steps(["error", 1, "bad"]));
  const names = agent.session.getEntries().flatMap((entry) => {
    if (entry.type === "custom") return [(entry.data as { version?: string }).version];
    if (entry.type !== "message" || entry.message.role !== "assistant") return [];
    return entry.message.content.flatMap((block) => (block.type === "toolCall" ? [block.name] : []));
  });
  const said = [...notices(events), JSON.stringify(failed), ...names].join("\n");
  expect(said).toContain("1.2.3");
  expect(said).toContain("bad");
  expect(said).toContain("tool");
  expect(said).not.toMatch(/\\u001b|\\u202e|[\u001b\u202e]/);
});

test("a turn keeps at most 64 MB in its journal and in memory, and how each call ended", () => {
  const file = join(tempFolder(), "s.jsonl");
  const head = {
    version: TURN_VERSION,
    sessionId: "s",
    leaf: null,
    driver: "d",
    nativeId: "n",
    model: "m",
    cwd: "/",
  } as const;
  const journal = new TurnJournal(file, { ...head, prompt: "p", timestamp: 1 });
  for (let at = 0; at < 20; at++) journal.add({ kind: "text", text: "x".repeat(4 << 20) });
  journal.add({ kind: "call", call: { id: "c", name: "bash", input: { command: "x".repeat(8 << 20) } } });
  journal.add({ kind: "call", call: { id: "c", status: "done" } });
  journal.add({ kind: "end", end: "done" });
  const { parts, calls, end } = journal.record;
  expect(parts.map((part) => (part.kind === "text" ? part.text.length >> 20 : part.kind))).toEqual([60, "call"]);
  expect([journal.isFull, end]).toEqual([true, "done"]);
  expect(calls.get("c")).toMatchObject({ id: "c", name: "bash", status: "done" });
  journal.discard();
});

/** Transcripts that reuse call IDs, as with local servers that write `call_0` in every answer. */
import { tmpdir } from "node:os";
import type { SessionEntry } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { pathOf } from "../../../../../test/support/interop-source.js";
import { answer, call, convertRecords, result, text, user } from "./claude-records.test-support.js";
import { claudeWriter } from "./claude-writer.js";

const TURNS = 4;

/** Each turn has a call `call_0`, whose result names the turn. */
function turns(answerId: (turn: number) => string) {
  return Array.from({ length: TURNS }, (_, turn) => [
    user(`Turn ${turn}.`),
    answer(answerId(turn), { ...call("call_0"), name: `Tool${turn}` }),
    {
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: "call_0", content: `r${turn}` }] },
    },
    answer(`${answerId(turn)}-end`, text(`Done ${turn}.`)),
  ]).flat();
}

function said(entry: SessionEntry): string {
  if (entry.type !== "message") return entry.type;
  const { message } = entry;
  if (message.role === "toolResult") return `${message.toolName}: ${JSON.stringify(message.content)}`;
  return message.role;
}

/** The only path, from the first to the last entry. */
function onlyPath(entries: readonly SessionEntry[]): SessionEntry[] {
  const path = pathOf(entries, entries.at(-1)?.id as string);
  expect(path).toHaveLength(entries.length);
  return path;
}

describe("a transcript whose calls all have one id", () => {
  it.each([
    ["answers of their own ids", (turn: number) => `msg_${turn}`],
    ["answers of one id too", () => "msg_0"],
  ])("is one path, each result below its own call: %s", async (_, answerId) => {
    const { entries } = await convertRecords(turns(answerId));
    const path = onlyPath(entries);
    expect(path.map(said).filter((words) => words.startsWith("Tool"))).toEqual(
      Array.from({ length: TURNS }, (_, turn) => `Tool${turn}: [{"type":"text","text":"r${turn}"}]`),
    );
  });

  it("attaches a result to the call above it if another branch reused the ID", async () => {
    const { entries } = await convertRecords([
      user("Go."),
      answer("m1", call("call_0")),
      result("call_0"),
      answer("m2", text("One.")),
      { ...user("Again."), parentUuid: "u0", uuid: "b0" },
      answer("m3", call("call_0")),
      result("call_0"),
      { ...user("Back."), parentUuid: "u3", uuid: "c0" },
    ]);
    const back = pathOf(entries, entries.at(-1)?.id as string);
    expect(back.map(said)).toEqual(["user", "assistant", expect.stringContaining("of call_0"), "assistant", "user"]);
  });

  it("is written for Claude Code with a unique ID per call, and the same for its result", async () => {
    const { entries } = await convertRecords(turns((turn) => `msg_${turn}`));
    expectPaired(onlyPath(entries));
  });

  it("is written like that from any other program", () => {
    const session = SessionManager.inMemory(tmpdir());
    for (let turn = 0; turn < TURNS; turn++) {
      session.appendMessage({
        ...{ role: "assistant", content: [{ type: "toolCall", id: "call_0", name: "read", arguments: { turn } }] },
        ...{ api: "a", provider: "b", model: "c", usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } },
        ...{ stopReason: "toolUse", timestamp: 0 },
      });
      session.appendMessage({
        ...{ role: "toolResult", toolCallId: "call_0", toolName: "read", content: [text(`r${turn}`) as never] },
        ...{ isError: false, timestamp: 0 },
      });
    }
    expectPaired(session.getBranch());
  });
});

function expectPaired(entries: readonly SessionEntry[]): void {
  const plan = claudeWriter.planWrite({
    entries,
    cwd: "/home/dev/project",
    places: { home: "/home/dev" },
    now: () => new Date(0),
    newId: () => "00000000-0000-4000-8000-000000000001",
  });
  const blocks = [...plan.lines].flatMap((line) => {
    const content = JSON.parse(line).message?.content;
    return Array.isArray(content) ? content : [];
  });
  const calls = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id);
  const results = blocks.filter(({ type }) => type === "tool_result").map(({ tool_use_id }) => tool_use_id);
  expect(new Set(calls).size).toBe(TURNS);
  expect(results).toEqual(calls);
  const contents = blocks.filter(({ type }) => type === "tool_result").map(({ content }) => JSON.stringify(content));
  expect(contents.map((content) => /r\d/.exec(content)?.[0])).toEqual(["r0", "r1", "r2", "r3"]);
}

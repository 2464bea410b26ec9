/** What the real Claude Code needed to resume transcripts written by Bough (`scripts/resume-claude-code.mjs`). */

import { INTERRUPTED_RESULT } from "@bough/session/context/index.js";
import type { AssistantBlock, SessionEntry } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import type { WritePlan } from "../contract.js";
import type { JsonObject } from "./claude-record.js";
import { claudeWriter } from "./claude-writer.js";

function planOf(entries: readonly SessionEntry[], notes: "leave-out" | "keep" = "leave-out"): WritePlan {
  let made = 0;
  return claudeWriter.planWrite({
    entries,
    cwd: "/home/dev/project",
    places: { home: "/home/dev" },
    notes,
    now: () => new Date("2026-01-02T03:04:05.000Z"),
    newId: () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`,
  });
}

const recordsOf = (plan: WritePlan) => [...plan.lines].map((line) => JSON.parse(line) as JsonObject);
const chainOf = (plan: WritePlan) => recordsOf(plan).filter(({ uuid }) => uuid !== undefined);
const contentOf = (record: JsonObject | undefined) => (record?.message as JsonObject | undefined)?.content;

function conversation(): SessionManager {
  return SessionManager.inMemory("/home/dev/project", { now: () => new Date("2026-01-01T00:00:00.000Z") });
}

function ask(session: SessionManager, content: string): string {
  return session.appendMessage({ role: "user", content, timestamp: 0 });
}

function say(session: SessionManager, ...content: AssistantBlock[]): string {
  const usage = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 };
  const by = { api: "openai-responses", provider: "openai", model: "gpt", usage };
  return session.appendMessage({ role: "assistant", content, ...by, stopReason: "stop", timestamp: 0 });
}

const text = (words: string) => ({ type: "text" as const, text: words });
const call = (id: string, name = "bash") => ({ type: "toolCall" as const, id, name, arguments: {} });

function result(session: SessionManager, toolCallId: string): string {
  const content = [text("done")];
  return session.appendMessage({
    role: "toolResult",
    toolCallId,
    toolName: "x",
    content,
    isError: false,
    timestamp: 0,
  });
}

describe("a call without a result", () => {
  it("gets one that says so, because Claude Code would drop the whole answer otherwise", () => {
    const session = conversation();
    ask(session, "Run it.");
    say(session, text("Running."), call("toolu_1"));
    ask(session, "Never mind.");
    const plan = planOf(session.getBranch());
    const [, answer, made, next] = chainOf(plan);
    expect(contentOf(made)).toEqual([
      { type: "tool_result", tool_use_id: "toolu_1", content: INTERRUPTED_RESULT, is_error: true },
    ]);
    expect(made).toMatchObject({ parentUuid: answer?.uuid, sourceToolAssistantUUID: answer?.uuid });
    expect(next).toMatchObject({ parentUuid: made?.uuid });
    expect(plan.losses).toMatchObject([{ what: "a call without a result" }]);
  });

  it("in Claude Code's own records gets one next to what follows, whose parent does not change", () => {
    const session = conversation();
    const origin = (record: JsonObject, message: JsonObject = {}) => ({
      origin: { agent: "claude-code", records: [{ line: 1, record, message, blocks: 1 }] },
    });
    ask(session, "Run it.");
    say(session, call("toolu_1"));
    ask(session, "Never mind.");
    const [first, second, third] = session.getBranch();
    const entries = [
      { ...first, ...origin({ type: "user", uuid: "u1", parentUuid: null }) },
      { ...second, ...origin({ type: "assistant", uuid: "u2", parentUuid: "u1" }) },
      { ...third, ...origin({ type: "user", uuid: "u3", parentUuid: "u2" }) },
    ] as SessionEntry[];
    const links = chainOf(planOf(entries)).map(({ uuid, parentUuid }) => [uuid, parentUuid]);
    expect(links).toEqual([
      ["u1", null],
      ["u2", "u1"],
      [expect.stringMatching(/^0000/), "u2"],
      ["u3", "u2"],
    ]);
    expect(chainOf(planOf(entries, "keep"))).toHaveLength(3);
  });
});

describe("compactions", () => {
  it("are not written if a later one keeps entries before them, which their boundary would cut off", () => {
    const session = conversation();
    ask(session, "Old.");
    const kept = ask(session, "Kept.");
    say(session, text("Also kept."));
    session.appendCompaction("First summary.", kept, 1);
    say(session, text("Between."));
    session.appendCompaction("Second summary.", kept, 2);
    const plan = planOf(session.getBranch());
    const [, keptRecord, also, between, boundary, summary] = chainOf(plan);
    expect(chainOf(plan)).toHaveLength(6);
    expect(between).toMatchObject({ parentUuid: also?.uuid });
    expect(boundary).toMatchObject({
      compactMetadata: { preservedSegment: { headUuid: keptRecord?.uuid, tailUuid: between?.uuid } },
    });
    expect(contentOf(summary)).toBe("Second summary.");
    expect(plan.losses).toMatchObject([{ what: "an earlier summary" }]);
  });

  it("keep everything from the next record if their first kept entry is not written", () => {
    const session = conversation();
    ask(session, "Old.");
    const kept = session.appendModelChange("openai", "gpt-2");
    ask(session, "Kept.");
    session.appendCompaction("Summary.", kept, 1);
    const [, keptRecord, boundary] = chainOf(planOf(session.getBranch()));
    expect(contentOf(keptRecord)).toBe("Kept.");
    expect(boundary).toMatchObject({ compactMetadata: { preservedSegment: { headUuid: keptRecord?.uuid } } });
  });
});

describe("what a provider rejects", () => {
  it("is not written: IDs and names with other characters, images whose data is elsewhere", () => {
    const session = conversation();
    const image = { type: "image" as const, data: "blob:sha256:00", mimeType: "image/png" };
    session.appendMessage({ role: "user", content: [text("See."), image], timestamp: 0 });
    say(session, call("call_1|fc_2", "server.tool"));
    result(session, "call_1|fc_2");
    const [prompt, answer, answered] = chainOf(planOf(session.getBranch()));
    expect(JSON.stringify(contentOf(prompt))).not.toContain("blob:");
    expect(contentOf(answer)).toMatchObject([{ id: "call_1_fc_2", name: "server_tool" }]);
    expect(contentOf(answered)).toMatchObject([{ tool_use_id: "call_1_fc_2" }]);
  });

  it("is reordered: a result comes before messages sent in the meantime", () => {
    const session = conversation();
    say(session, call("toolu_1"));
    ask(session, "Hurry.");
    result(session, "toolu_1");
    const [, answered, prompt] = chainOf(planOf(session.getBranch()));
    expect(contentOf(answered)).toMatchObject([{ type: "tool_result" }]);
    expect(contentOf(prompt)).toBe("Hurry.");
  });
});

describe("the directory to resume in", () => {
  it("must be an absolute path", () => {
    const session = conversation();
    ask(session, "Go.");
    const request = { entries: session.getBranch(), places: {}, now: () => new Date(0), newId: () => "id" };
    expect(() => claudeWriter.planWrite({ ...request, cwd: "project" })).toThrow(
      expect.objectContaining({ code: "cannot-write" }),
    );
  });
});

/** What the real pi needed to resume sessions written by Bough (`scripts/resume-pi.mjs`). */
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AssistantMessage, SessionEntry } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import type { WritePlan } from "../contract.js";
import { piWriter } from "./pi-writer.js";

/** pi can only resume in an existing directory. */
const cwd = tmpdir();

function planOf(entries: readonly SessionEntry[], folder = cwd): WritePlan {
  return piWriter.planWrite({
    entries,
    cwd: folder,
    places: { home: cwd },
    now: () => new Date("2026-01-02T03:04:05.000Z"),
    newId: () => "00000000-0000-4000-8000-000000000001",
  });
}

const written = (plan: WritePlan) => [...plan.lines].slice(1).map((line) => JSON.parse(line));

function ask(session: SessionManager, content: string): string {
  return session.appendMessage({ role: "user", content, timestamp: 0 });
}

function say(session: SessionManager, fields: Partial<AssistantMessage>): string {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const usage = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 3, cost };
  const by = { api: "a", provider: "b", model: "c", usage, stopReason: "stop" as const, timestamp: 0 };
  return session.appendMessage({ role: "assistant", content: [], ...by, ...fields });
}

const text = (words: string) => ({ type: "text" as const, text: words });
const call = (id: string) => ({ type: "toolCall" as const, id, name: "bash", arguments: {} });

function result(session: SessionManager, toolCallId: string): string {
  const message = { role: "toolResult" as const, toolCallId, toolName: "bash", content: [text("done")], timestamp: 0 };
  return session.appendMessage({ ...message, isError: false });
}

describe("an aborted answer", () => {
  it("whose calls have results is written as finished, since pi would send only the results", () => {
    const session = SessionManager.inMemory(cwd);
    ask(session, "Go.");
    say(session, { content: [call("c1")], stopReason: "aborted", errorMessage: "stopped" });
    result(session, "c1");
    const plan = planOf(session.getBranch());
    expect(written(plan)[1].message).toMatchObject({ content: [call("c1")], stopReason: "toolUse" });
    expect(written(plan)[1].message).not.toHaveProperty("errorMessage");
    expect(plan.losses).toMatchObject([{ effect: "written as finished, because its calls have results" }]);
  });

  it("otherwise stays unchanged, with a report that pi does not send it", () => {
    const session = SessionManager.inMemory(cwd);
    ask(session, "Go.");
    const id = say(session, { content: [text("Half a")], stopReason: "aborted" });
    const plan = planOf(session.getBranch());
    expect(written(plan)[1]).toEqual(session.getEntry(id));
    expect(plan.losses).toEqual([
      { entryId: id, what: "a message (assistant)", effect: "kept, but pi does not send it to the model" },
    ]);
  });
});

describe("what pi cannot load or send", () => {
  it("is repaired: a result in one string, two calls with one ID", () => {
    const session = SessionManager.inMemory(cwd);
    say(session, { content: [call("c1"), call("c1")], stopReason: "toolUse" });
    result(session, "c1");
    const entries = session.getBranch().map((entry) => {
      const isResult = entry.type === "message" && entry.message.role === "toolResult";
      return isResult ? { ...entry, message: { ...entry.message, content: "done" } } : entry;
    });
    const plan = planOf(entries as unknown as SessionEntry[]);
    const [answer, answered] = written(plan);
    expect(plan.losses).toMatchObject([{ effect: "a second call with the same ID is left out" }]);
    expect(answer.message.content).toEqual([call("c1")]);
    expect(answered.message.content).toEqual([text("done")]);
  });

  it("becomes an extension message if pi does not know the role", () => {
    const session = SessionManager.inMemory(cwd);
    const id = ask(session, "Reminder.");
    const entry = { ...session.getEntry(id), message: { role: "developer", content: "Reminder.", timestamp: 0 } };
    const plan = planOf([entry as unknown as SessionEntry]);
    expect(written(plan)).toMatchObject([
      { type: "custom_message", id, customType: "developer", content: [text("Reminder.")] },
    ]);
    expect(plan.losses).toMatchObject([{ effect: "written as an extension message" }]);
  });

  it("is omitted: results without their call, and images whose data is elsewhere", () => {
    const session = SessionManager.inMemory(cwd);
    const image = { type: "image" as const, data: "blob:sha256:00", mimeType: "image/png" };
    session.appendMessage({ role: "user", content: [text("See."), image], timestamp: 0 });
    result(session, "nobody");
    const plan = planOf(session.getBranch());
    expect(written(plan)).toHaveLength(1);
    expect([...plan.lines].join()).not.toContain("blob:");
    expect(plan.losses).toMatchObject([{ what: "a message (toolResult)" }]);
  });

  it("is reordered: a result comes before messages sent in the meantime, and the path stays connected", () => {
    const session = SessionManager.inMemory(cwd);
    const answer = say(session, { content: [call("c1")], stopReason: "toolUse" });
    const prompt = ask(session, "Hurry.");
    const answered = result(session, "c1");
    expect(written(planOf(session.getBranch())).map(({ id, parentId }) => [id, parentId])).toEqual([
      [answer, null],
      [answered, answer],
      [prompt, answered],
    ]);
  });
});

describe("a context edit", () => {
  it("is applied, because not every version of pi does, and a compaction keeps the same entries", () => {
    const session = SessionManager.inMemory(cwd);
    ask(session, "Old.");
    const secret = ask(session, "The word is cobalt.");
    const kept = ask(session, "Kept.");
    session.appendContextEdit(secret, null);
    session.appendCompaction("Summary.", secret, 1);
    const plan = planOf(session.getBranch());
    expect([...plan.lines].join()).not.toContain("cobalt");
    expect(written(plan).at(-1)).toMatchObject({ type: "compaction", firstKeptEntryId: kept });
    expect(plan.losses).toMatchObject([{ what: "context_edit", effect: "applied to its target" }]);
  });
});

describe("an edit that pi wrote", () => {
  /** In the format of pi 0.87 and later: the text is in an object. */
  const edit = (targetId: string, replacement: unknown, id = "e0000001", parentId = targetId) => ({
    ...{ type: "context_edit", id, parentId, timestamp: "2026-01-01T00:00:09.000Z" },
    ...{ targetId, replacement },
  });

  function pathWith(makeEdits: (id: string) => readonly unknown[]): SessionEntry[] {
    const session = SessionManager.inMemory(cwd);
    const id = ask(session, "The word is cobalt.");
    return [...session.getBranch(), ...(makeEdits(id) as SessionEntry[])];
  }

  it("is applied and stays an edit, in pi's format", () => {
    const plan = planOf(pathWith((id) => [edit(id, { content: "The word is gone." })]));
    expect([...plan.lines].join()).not.toContain("cobalt");
    expect(written(plan)).toMatchObject([
      { message: { role: "user", content: [text("The word is gone.")] } },
      { type: "context_edit", replacement: { content: "The word is gone." } },
    ]);
    expect(plan.losses).toMatchObject([{ what: "context_edit", effect: "applied to its target" }]);
  });

  it("is removed if a later one keeps less", () => {
    const edits = (id: string) => [
      edit(id, { content: "It begins with cob." }),
      edit(id, { content: [text("No word.")] }, "e0000002", "e0000001"),
    ];
    const plan = planOf(pathWith(edits));
    expect([...plan.lines].join()).not.toContain("cob");
    expect(written(plan).map(({ type }) => type)).toEqual(["message", "context_edit"]);
  });

  it("is omitted and reported if its format is unknown, since pi would crash", () => {
    const plan = planOf(pathWith((id) => [edit(id, { text: "The word is gone." })]));
    expect(written(plan)).toMatchObject([{ message: { content: "The word is cobalt." } }]);
    expect(plan.losses).toMatchObject([
      { what: "context_edit", effect: "not applied; its target is written unchanged" },
    ]);
  });
});

describe("usage that pi sums up for its footer", () => {
  it("is complete in every entry that has it, since pi crashes if a cost is missing", () => {
    const session = SessionManager.inMemory(cwd);
    ask(session, "Go.");
    const usage = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 3 };
    say(session, { stopReason: "aborted", usage });
    say(session, { stopReason: "error", errorMessage: "429", usage: {} as never });
    say(session, { content: [call("c1")], stopReason: "toolUse", usage: { ...usage, cost: { total: 0.5 } as never } });
    result(session, "c1");
    session.appendUsage({ kind: "summary", provider: "acme", model: "m", usage });
    session.appendCompaction("Summary.", session.getLeafId() as string, 1);
    const entries = session.getBranch().map((entry) => {
      if (entry.type === "compaction") return { ...entry, usage };
      const isResult = entry.type === "message" && entry.message.role === "toolResult";
      return isResult ? { ...entry, message: { ...entry.message, usage } } : entry;
    });
    const costs = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const whole = { ...usage, cost: { ...costs, total: 0 } };
    const usages = written(planOf(entries as SessionEntry[])).map((entry) => entry.message?.usage ?? entry.usage);
    expect(usages).toEqual([
      undefined,
      whole,
      { ...costs, totalTokens: 0, cost: { ...costs, total: 0 } },
      { ...usage, cost: { ...costs, total: 0.5 } },
      whole,
      whole,
      whole,
    ]);
  });
});

describe("an edit of an answer that failed", () => {
  it("stays as pi wrote it, since no version sends the answer", () => {
    const session = SessionManager.inMemory(cwd);
    ask(session, "Go.");
    session.appendContextEdit(say(session, { stopReason: "error", errorMessage: "429" }), null);
    say(session, { content: [text("Gone.")] });
    const plan = planOf(session.getBranch());
    expect(written(plan)).toEqual(session.getBranch());
    expect(plan.losses).toEqual([]);
  });
});

describe("Bough's own records", () => {
  it("are not written for pi, and the entries after them keep a parent", () => {
    const session = SessionManager.inMemory(cwd);
    const first = ask(session, "One.");
    session.appendCustomEntry("bough.import", { agent: "codex" });
    session.appendCustomEntry("mine", { count: 1 });
    expect(written(planOf(session.getBranch()))).toMatchObject([
      { id: first },
      { customType: "mine", parentId: first },
    ]);
  });
});

describe("the directory to resume in", () => {
  it("must exist, because pi refuses a session whose directory is gone", () => {
    const session = SessionManager.inMemory(cwd);
    ask(session, "Go.");
    for (const folder of ["project", join(cwd, "gone")]) {
      expect(() => planOf(session.getBranch(), folder)).toThrow(expect.objectContaining({ code: "cannot-write" }));
    }
  });
});

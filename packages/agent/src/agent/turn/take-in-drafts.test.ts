import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { AnswerDraft } from "@bough/session/session/internal.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import type { AgentEvent } from "../agent-events.js";
import { countingClock, harness, lines } from "../agent-harness.test-support.js";
import { scriptedModel } from "../scripted-model.test-support.js";
import { runAndKill } from "./killed-turn.test-support.js";
import { takeInDrafts } from "./take-in-drafts.js";

const MODEL = { api: "offline", provider: "scripted", model: "script", timestamp: 7 };

function drafts(file: string): string[] {
  return readdirSync(dirname(file)).filter((name) => name.endsWith(".draft"));
}

/** A session with one prompt, and what a process left of the answer to it. */
function withDraft(owner: "dead" | "alive"): { readonly session: SessionManager; readonly file: string } {
  const session = SessionManager.create("/w", tempFolder(), { now: countingClock() });
  const parentId = session.appendMessage({ role: "user", content: "go", timestamp: 1 });
  const file = session.getSessionFile() as string;
  const draft = new AnswerDraft(file, { sessionId: session.getSessionId(), parentId, ...MODEL });
  draft.add({ type: "text", delta: "half an " });
  draft.add({ type: "text", delta: "answer" });
  if (owner === "dead") pretendDead(file);
  return { session, file };
}

/** As if the process of every draft had ended: no process has this pid. */
function pretendDead(file: string): void {
  for (const name of drafts(file)) {
    const path = join(dirname(file), name);
    renameSync(path, `${file}.4194999-00000000-abcdef.draft`);
  }
}

function takenIn(session: SessionManager): AgentEvent[] {
  const heard: AgentEvent[] = [];
  takeInDrafts({ session, emit: (event) => heard.push(event) });
  return heard;
}

describe("an answer that was cut off by a kill", () => {
  test("kill -9 in the middle keeps what had arrived, and the next agent reports it", async () => {
    const file = runAndKill(-1);
    expect(drafts(file)).toHaveLength(1);
    expect(statSync(join(dirname(file), drafts(file)[0] as string)).mode & 0o777).toBe(0o600);
    const session = SessionManager.open(file);
    const { agent } = harness({ session, model: scriptedModel(["the rest"]) });
    const notices: string[] = [];
    agent.subscribe((event) => {
      if (event.type === "notice") notices.push(event.message);
    });
    await agent.start();
    expect(lines(session)).toEqual(["model_change", "user: go", "assistant(aborted): thinking half an answer"]);
    expect(notices).toEqual(["The last run was killed in the middle of an answer; the partial answer was kept"]);
    expect(drafts(file)).toEqual([]);
    await agent.prompt("continue");
    expect(lines(session).slice(-2)).toEqual(["user: continue", "assistant(stop): the rest"]);
  });

  test("is recovered once, at its position, and the leaf stays where it was moved in the meantime", () => {
    const { session, file } = withDraft("dead");
    const leaf = session.appendMessage({ role: "user", content: "something else", timestamp: 2 });
    expect(takenIn(session).map(({ type }) => type)).toEqual(["entries", "notice"]);
    expect(session.getLeafId()).toBe(leaf);
    const entries = session.getEntries().filter(({ type }) => type === "message");
    expect(entries.at(-1)).toMatchObject({
      parentId: entries[0]?.id,
      message: { role: "assistant", stopReason: "aborted", content: [{ type: "text", text: "half an answer" }] },
    });
    expect([takenIn(session), drafts(file)]).toEqual([[], []]);
    session.close();
  });

  test("is recovered when a read-only session is reopened for writing", async () => {
    const { session: writer, file } = withDraft("alive");
    const session = SessionManager.open(file, undefined, { readOnly: true });
    const { agent, events } = harness({ session, model: scriptedModel([]) });
    await agent.start();
    writer.close();
    pretendDead(file);
    expect(drafts(file)).toHaveLength(1);
    await agent.reopenForWriting();
    expect(lines(session)).toEqual(["user: go", "assistant(aborted): half an answer"]);
    expect([events.filter(({ type }) => type === "notice").length, drafts(file)]).toEqual([1, []]);
  });

  test("that a live process is writing is left alone", () => {
    const { session, file } = withDraft("alive");
    expect([takenIn(session), drafts(file)]).toEqual([[], [expect.stringContaining(basename(file))]]);
    session.close();
  });

  test("whose whole answer got into the session is removed", () => {
    const { session, file } = withDraft("dead");
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
    session.appendMessage({
      ...{ role: "assistant", api: "offline", provider: "scripted", model: "script", usage, stopReason: "stop" },
      content: [{ type: "text", text: "half an answer and the other half" }],
      timestamp: 8,
    });
    const before = session.getEntries().length;
    expect([takenIn(session), session.getEntries().length, drafts(file)]).toEqual([[], before, []]);
    session.close();
  });

  test("with a last line that was cut off gives what is before it; rubbish is left alone", () => {
    const { session, file } = withDraft("dead");
    const path = join(dirname(file), drafts(file)[0] as string);
    writeFileSync(path, readFileSync(path, "utf8").slice(0, -5));
    const rubbish = `${file}.4194998-00000000-abcdef.draft`;
    writeFileSync(rubbish, "not a draft");
    takenIn(session);
    expect(lines(session).at(-1)).toBe("assistant(aborted): half an");
    expect(existsSync(rubbish)).toBe(true);
    session.close();
  });

  test("a run that ends leaves no draft behind, however it ends", async () => {
    const session = SessionManager.create("/w", tempFolder());
    const model = scriptedModel(["whole", { text: "half", hang: true }]);
    const { agent } = harness({ session, model });
    await agent.prompt("first");
    const run = agent.prompt("second");
    await model.reached(2);
    agent.abort();
    await run;
    expect(drafts(session.getSessionFile() as string)).toEqual([]);
  });
});

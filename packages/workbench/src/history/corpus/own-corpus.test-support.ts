/**
 * Writes sessions of the table as Bough and pi do: real files with branches, moves, merges, restores and compactions.
 */
import { createHash } from "node:crypto";
import type { AgentMessage, AssistantMessage, EntryId } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { assistant, user } from "../../../../../test/support/messages.js";
import type { Fate, TableAttempt, TableSession } from "./attempts-table.test-support.js";

export interface MadeAttempt {
  readonly attempt: TableAttempt;
  readonly branch: number;
  readonly promptId: EntryId;
}

const LEFT: Readonly<Partial<Record<Fate, string>>> = { undo: "undo", pop: "pop", retry: "retry" };
/** Attempts at the end of the session, or after which the work continues. */
const STAYS: ReadonlySet<Fate> = new Set(["kept", "failed-here", "stopped", "restored"]);

export interface OwnSessionOptions {
  readonly dir: string;
  readonly cwd: string;
  readonly now: () => Date;
  /** Whether moves are recorded with their cause, as Bough does. */
  readonly moves: "recorded" | "bare";
}

export function writeOwnSession(
  { title, attempts }: TableSession,
  { dir, cwd, now, moves }: OwnSessionOptions,
): { readonly id: string; readonly made: readonly MadeAttempt[] } {
  const session = SessionManager.create(cwd, dir, { now });
  session.appendMessage(user(`Look at this project first: ${title.toLowerCase()}`));
  const base = session.appendMessage(assistant("I have read the files."));
  session.appendSessionInfo(title);
  const home = session.getLeafId() as EntryId;
  const made: MadeAttempt[] = [];
  let branch = 1;
  for (const [at, attempt] of attempts.entries()) {
    const isLast = at === attempts.length - 1;
    if (isLast) bringBack(session, made);
    const promptId = writeAttempt(session, attempt);
    made.push({ attempt, branch, promptId });
    if (STAYS.has(attempt.fate) || isLast) continue;
    leave(session, attempt, { home: moves === "recorded" ? home : base, moves });
    branch += 1;
  }
  if (attempts.at(-1)?.fate === "kept") {
    session.appendMessage(user("Thank you, that is all."));
    const kept = session.appendMessage(assistant("Good."));
    if (moves === "recorded") session.appendCompaction(`Work on ${title}.`, kept, 90_000);
  }
  session.close();
  return { id: session.getSessionId(), made };
}

function leave(
  session: SessionManager,
  { fate, summary }: TableAttempt,
  { home, moves }: { readonly home: EntryId; readonly moves: "recorded" | "bare" },
): void {
  const cause = LEFT[fate] ?? "tree";
  if (summary !== undefined) {
    session.branchWithSummary(home, summary, { readFiles: [], modifiedFiles: [] }, undefined, undefined, cause);
    return;
  }
  session.branch(home);
  if (moves === "recorded") session.recordPosition({ cause });
}

/** Merges and cherry-picks the attempts that the table says, before the last attempt. */
function bringBack(session: SessionManager, made: readonly MadeAttempt[]): void {
  for (const { attempt, promptId } of made) {
    if (attempt.fate === "merged") {
      const tip = tipBelow(session, promptId);
      session.branchWithSummary(session.getLeafId(), `From the other branch: ${attempt.prompt}`, { mergedTipId: tip });
    }
    if (attempt.fate !== "picked") continue;
    const sources = [promptId, ...session.getChildIds(promptId)];
    session.appendCustomEntry("bough.cherry-pick", { via: "cherry-pick", sourceIds: sources });
    for (const id of sources) {
      const entry = session.getEntry(id);
      if (entry?.type === "message") session.appendMessage(entry.message);
    }
  }
}

function tipBelow(session: SessionManager, id: EntryId): EntryId {
  let tip = id;
  for (let [next] = session.getChildIds(tip); next !== undefined; [next] = session.getChildIds(tip)) tip = next;
  return tip;
}

let calls = 0;

function writeAttempt(session: SessionManager, attempt: TableAttempt): EntryId {
  const { prompt, file, fate, said = "" } = attempt;
  const promptId = session.appendMessage(user(prompt));
  if (fate === "model-error" || fate === "stopped") {
    const stopReason = fate === "stopped" ? "aborted" : "error";
    const message: AssistantMessage = { ...assistant("I will start with"), stopReason };
    session.appendMessage(fate === "stopped" ? message : { ...message, errorMessage: said });
    return promptId;
  }
  if (fate === "tool-error") {
    tool(session, {
      name: "bash",
      input: { command: `node run.mjs ${file}` },
      output: `${said}\nExit code 1`,
      isError: true,
    });
    return promptId;
  }
  tool(session, { name: "edit", input: { path: file, edits: [] }, output: `Edited ${file}` });
  if (fate === "restored") restoredRecords(session, file);
  const failed = fate.startsWith("failed");
  check(session, { failed, said });
  session.appendMessage(assistant(attempt.answer ?? (failed ? "The tests still fail." : "Done, the tests pass.")));
  if (fate === "failed-then-passed") {
    session.appendMessage(user("Use the port the system gives."));
    check(session, { failed: false, said: "" });
    session.appendMessage(assistant("They pass now."));
  }
  return promptId;
}

function check(session: SessionManager, { failed, said }: { readonly failed: boolean; readonly said: string }): void {
  const output = failed ? `${said}\n\nExit code 1` : "12 passed";
  tool(session, { name: "bash", input: { command: "cd app && npm test 2>&1 | tail -20" }, output, isError: failed });
}

interface ToolRun {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: string;
  readonly isError?: boolean;
}

function tool(session: SessionManager, { name, input, output, isError = false }: ToolRun): void {
  calls += 1;
  const id = `call_${calls}`;
  session.appendMessage({ ...assistant({ type: "toolCall", id, name, arguments: input }), stopReason: "toolUse" });
  const content = [{ type: "text" as const, text: output }];
  session.appendMessage({
    role: "toolResult",
    toolCallId: id,
    toolName: name,
    content,
    isError,
    timestamp: 3,
  } as AgentMessage);
}

/** A file change, and the restore that undid it. */
function restoredRecords(session: SessionManager, path: string): void {
  const state = (text: string) => ({
    hash: createHash("sha256").update(text).digest("hex"),
    mode: "644",
    size: text.length,
  });
  const [before, after] = [state("before"), state("after it")];
  session.appendCustomEntry("bough.files", { v: 1, by: "tool", tool: "edit", changes: [{ path, before, after }] });
  session.appendCustomEntry("bough.files", { v: 1, by: "restore", changes: [{ path, before: after, after: before }] });
}

/** What people want to know about a step that wrote a line: its session, branch, and the prompt that led to it. */
import { DRIVER_TYPE, type EntryId, entryText, Kind } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { firstWords, isRecord } from "@bough/session/text/index.js";
import { branchIndexOf, isPromptAt } from "@bough/session/tree/index.js";
import { branchName } from "@bough/session/view/internal.js";
import type { FileHistory, HistoryChange } from "./file-history.js";

export interface DescribedStep {
  readonly session: { readonly id: string; readonly path: string; readonly name: string | null };
  /** The entry of the step: a tool result, a command, or the entry before a change made by the person. */
  readonly entryId: EntryId;
  /** The checkpoint. */
  readonly recordId: EntryId;
  readonly branch: { readonly number: number; readonly name: string };
  readonly prompt: { readonly entryId: EntryId; readonly text: string } | null;
  readonly by: HistoryChange["by"];
  readonly tool: string | null;
  /** The other agent that did the turn, such as `codex`; null if Bough's own did. */
  readonly agent: string | null;
  /** ISO time. */
  readonly time: string;
}

/** A fork copies entries from its source: report the session that wrote them first. */
export function describeStep({ sessions }: Pick<FileHistory, "sessions">, change: HistoryChange): DescribedStep {
  const first = sessions
    .flatMap((session) => {
      const same = [...session.changes.values()]
        .flat()
        .find(({ recordId, path }) => recordId === change.recordId && path === change.path);
      return same === undefined ? [] : [same];
    })
    .sort((a, b) => createdAt(a) - createdAt(b))[0];
  const { session, number, recordId, by, tool, time } = first ?? change;
  const { manager, file } = session;
  const source = manager.getSource();
  const { tree, entryAt } = source;
  const branches = branchIndexOf(tree);
  const said = branches.conversationAt(number);
  const at = said >= 0 ? said : number;
  const branch = branches.branchOf(at);
  let prompt = at;
  while (prompt >= 0 && !isPromptAt(tree, prompt)) prompt = tree.parentOf(prompt);
  return {
    session: { id: manager.getSessionId(), path: file, name: manager.getSessionName() ?? null },
    entryId: tree.ids.textOf(at),
    recordId,
    branch: { number: branch, name: branchName(source, branch) },
    prompt: prompt < 0 ? null : { entryId: tree.ids.textOf(prompt), text: firstWords(entryText(entryAt(prompt)), 200) },
    by,
    tool: tool ?? null,
    agent: agentAt(source, at),
    time: new Date(time).toISOString(),
  };
}

/** Entries of another agent's turn name its session, and so does the entry above them that says who it was. */
function agentAt({ tree, entryAt }: ReturnType<SessionManager["getSource"]>, at: number): string | null {
  const { native } = at < 0 ? {} : (entryAt(at) as { readonly native?: unknown });
  if (typeof native !== "string") return null;
  for (let above = at; above >= 0; above = tree.parentOf(above)) {
    if (tree.kindOf(above) !== Kind.custom) continue;
    const entry = entryAt(above);
    if (entry.type !== "custom" || entry.customType !== DRIVER_TYPE || !isRecord(entry.data)) continue;
    const { agent, nativeId } = entry.data;
    if (typeof agent === "string" && typeof nativeId === "string" && native.startsWith(`${nativeId}/`)) return agent;
  }
  return null;
}

function createdAt({ session }: HistoryChange): number {
  return Date.parse(session.manager.getHeader()?.timestamp ?? "") || 0;
}

/** What people want to know about a step that wrote a line: its session, branch, and the prompt that led to it. */
import { type EntryId, entryText } from "@bough/session/entry/index.js";
import { firstWords } from "@bough/session/text/index.js";
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
    time: new Date(time).toISOString(),
  };
}

function createdAt({ session }: HistoryChange): number {
  return Date.parse(session.manager.getHeader()?.timestamp ?? "") || 0;
}

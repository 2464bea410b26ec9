/** Tells the model which files changed since it last saw them, once, below the next prompt. */

import {
  CHANGED_FILES_TYPE,
  callsIn,
  type EntryId,
  Kind,
  Role,
  type SessionEntry,
} from "@bough/session/entry/index.js";
import { WorkTurns } from "@bough/session/log/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { isConversation } from "@bough/session/tree/index.js";
import type { SessionFiles } from "@bough/workbench/checkpoint/index.js";
import type { AgentParts } from "../agent-parts.js";
import { TouchedFiles } from "../summary/file-tracking.js";

/** Longer lists say how many more there are. */
const MOST_NAMED = 40;

interface ChangedFiles {
  readonly files: readonly string[];
  /** The source: checkpoints, or the calls on other branches. */
  readonly from: "records" | "calls";
  /** Shell commands ran too; their changes are unknown. */
  readonly commands: number;
}

/** From the checkpoints if files are recorded, otherwise from the tool calls. */
export async function planChangedFiles(
  session: SessionManager,
  followed: SessionFiles | undefined,
): Promise<ChangedFiles> {
  if (followed === undefined) return changedOnOtherBranches(session);
  const files = (await followed.changedSince(lastSeen(session))).map(({ path }) => path);
  return { files, from: "records", commands: 0 };
}

/** The last entry the model saw. Hidden commands and notes do not count. */
function lastSeen(session: SessionManager): number {
  const { tree, leaf, entryAt } = session.getSource();
  let n = leaf;
  while (n >= 0 && !(isConversation(tree.kindOf(n)) && !isHiddenCommand(entryAt(n)))) n = tree.parentOf(n);
  return n;
}

function isHiddenCommand(entry: SessionEntry): boolean {
  return (
    entry.type === "message" && entry.message.role === "bashExecution" && entry.message.excludeFromContext === true
  );
}

/**
 * What happened in the folder after the last message here was written, on other branches. Entries are numbered in the order of the file,
 * and the folder is in the state of the latest ones:
 *
 *     1 ─ 2* ─ 3(edit a) ─ 4        told at 2: a
 *          └─ 5 ─ 6(told)           at 6 nothing is later, so nothing is told again
 *
 * Derived from the log alone, so it holds after a restart and for what other processes did. Reads in slices, because a
 * far move leaves much behind.
 */
async function changedOnOtherBranches(session: SessionManager): Promise<ChangedFiles> {
  const source = session.getSource();
  const { tree, leaf, entryAt } = source;
  // Model changes and labels say nothing about files.
  let last = leaf;
  while (last >= 0 && !isConversation(tree.kindOf(last))) last = tree.parentOf(last);
  const turns = new WorkTurns();
  const touched = new TouchedFiles();
  let commands = 0;
  for (let n = last + 1; last >= 0 && n < tree.count; n++) {
    if (turns.isDue) await turns.yieldNow();
    // The file was replaced in the meantime, so entry numbers changed.
    if (source.tree !== tree) return changedOnOtherBranches(session);
    if (tree.kindOf(n) !== Kind.message || tree.roleOf(n) === Role.user) continue;
    const entry = entryAt(n);
    touched.add(entry);
    commands += callsIn(entry).filter(({ name }) => name === "bash").length;
  }
  return { files: touched.details().modifiedFiles, from: "calls", commands };
}

/**
 * Writes the note below the prompt, so that the same path always gives the same bytes, and a branch still starts with
 * what the user said. Nothing if nothing changed.
 */
export function tellChangedFiles(
  parts: Pick<AgentParts, "session" | "emit">,
  changed: ChangedFiles,
): EntryId | undefined {
  const { files } = changed;
  if (files.length === 0) return undefined;
  const id = parts.session.appendCustomMessageEntry(CHANGED_FILES_TYPE, textOf(changed), false, { files });
  parts.emit({ type: "entries", ids: [id] });
  return id;
}

function textOf({ files, from, commands }: ChangedFiles): string {
  const named = files.slice(0, MOST_NAMED).map((file) => `- ${JSON.stringify(file)}`);
  const more = files.length - named.length;
  return [
    from === "records"
      ? "These files are not as you last saw them: they were changed outside of this conversation, or the conversation moved without them. Read them again before relying on them:"
      : "The conversation moved to another branch, but the files stayed as they are. These were changed on other branches since the last message here, so read them again before relying on them:",
    ...named,
    ...(more > 0 ? [`- and ${more} more`] : []),
    ...(commands > 0 ? ["Shell commands ran there too and may have changed others."] : []),
  ].join("\n");
}

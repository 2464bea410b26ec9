/** Going back in the conversation leaves the files as they are: the model is told which of them it no longer knows. */
import { CHANGED_FILES_TYPE, callsIn, type EntryId, Kind, Role } from "../../entry/index.js";
import { WorkTurns } from "../../log/index.js";
import type { SessionManager } from "../../session/index.js";
import { isConversation } from "../../tree/index.js";
import type { AgentParts } from "../agent-parts.js";
import { TouchedFiles } from "../summary/file-tracking.js";

/** Longer lists say how many more there are. */
const MOST_NAMED = 40;

interface ChangedFiles {
  readonly files: readonly string[];
  /** Shell commands ran too: what they changed is not known. */
  readonly commands: number;
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
export async function planChangedFiles(session: SessionManager): Promise<ChangedFiles> {
  const source = session.getSource();
  const { tree, leaf, entryAt } = source;
  // Another model or a label says nothing about files.
  let last = leaf;
  while (last >= 0 && !isConversation(tree.kindOf(last))) last = tree.parentOf(last);
  const turns = new WorkTurns();
  const touched = new TouchedFiles();
  let commands = 0;
  for (let n = last + 1; last >= 0 && n < tree.count; n++) {
    if (turns.isDue) await turns.yieldNow();
    // The file was replaced meanwhile, and entries have other numbers.
    if (source.tree !== tree) return planChangedFiles(session);
    if (tree.kindOf(n) !== Kind.message || tree.roleOf(n) === Role.user) continue;
    const entry = entryAt(n);
    touched.add(entry);
    commands += callsIn(entry).filter(({ name }) => name === "bash").length;
  }
  return { files: touched.details().modifiedFiles, commands };
}

/**
 * Writes the note below the prompt, so that the same path always gives the same bytes, and a branch still starts with
 * what the user said. Nothing if nothing changed.
 */
export function tellChangedFiles(
  parts: Pick<AgentParts, "session" | "emit">,
  { files, commands }: ChangedFiles,
): EntryId | undefined {
  if (files.length === 0) return undefined;
  const id = parts.session.appendCustomMessageEntry(CHANGED_FILES_TYPE, textOf(files, commands), false, { files });
  parts.emit({ type: "entries", ids: [id] });
  return id;
}

function textOf(files: readonly string[], commands: number): string {
  const named = files.slice(0, MOST_NAMED).map((file) => `- ${JSON.stringify(file)}`);
  const more = files.length - named.length;
  return [
    "The conversation moved to another branch, but the files stayed as they are. These were changed on other branches since the last message here, so read them again before relying on them:",
    ...named,
    ...(more > 0 ? [`- and ${more} more`] : []),
    ...(commands > 0 ? ["Shell commands ran there too and may have changed others."] : []),
  ].join("\n");
}

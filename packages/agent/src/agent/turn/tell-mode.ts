/** Plan mode: tells the model once per path that it is on, and once that it is over. */
import { type EntryId, Kind, MODE_TYPE } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { PermissionMode } from "../../tool/index.js";
import type { RunParts } from "../run-parts.js";

const ON = [
  "Plan mode is on: look around and make a plan, but do not act on it.",
  "Files in the working directory can be read and searched. Changes, commands and other tools are refused, so do not try them.",
  "End with the plan: what to change in which files, which commands to run, and what is still open. The user turns plan mode off when you should carry it out.",
].join("\n");
const OVER = "Plan mode is off: you may act again, as far as the user allows it.";
const STILL_READ_ONLY = "Plan mode is off, but files can still only be read.";

/** What to tell the model before its next step; undefined if it knows. */
function planModeNote(session: SessionManager, mode: PermissionMode | undefined): string | undefined {
  const told = toldMode(session);
  if (mode === "plan") return told.mode === "plan" && !told.isCompacted ? undefined : ON;
  if (told.mode !== "plan") return undefined;
  return mode === "read-only" ? STILL_READ_ONLY : OVER;
}

/** Writes the note at the end of the path: what was sent before is unchanged, so the same path always gives the same bytes. */
export async function tellMode(
  parts: Pick<RunParts, "session" | "emit" | "files" | "permissions">,
): Promise<EntryId | undefined> {
  const mode = parts.permissions?.mode;
  const note = planModeNote(parts.session, mode);
  if (note === undefined) return undefined;
  // What a step changed is written directly below it.
  await parts.files?.settled();
  const id = parts.session.appendCustomMessageEntry(MODE_TYPE, note, false, { mode: mode ?? "none" });
  parts.emit({ type: "entries", ids: [id] });
  return id;
}

/** From the log alone, so that it holds after a move, after a restart, and for what another process wrote. */
function toldMode(session: SessionManager): { readonly mode: unknown; readonly isCompacted: boolean } {
  const { tree, leaf, entryAt } = session.getSource();
  let isCompacted = false;
  for (let n = leaf; n >= 0; n = tree.parentOf(n)) {
    const kind = tree.kindOf(n);
    if (kind === Kind.compaction) isCompacted = true;
    if (kind !== Kind.customMessage) continue;
    const entry = entryAt(n);
    if (entry.type !== "custom_message" || entry.customType !== MODE_TYPE) continue;
    return { mode: isRecord(entry.details) ? entry.details.mode : undefined, isCompacted };
  }
  return { mode: undefined, isCompacted };
}

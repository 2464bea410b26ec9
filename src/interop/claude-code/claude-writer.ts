/** Writes a path as a Claude Code transcript that `claude --resume` goes on with. */
import { join } from "node:path";
import type { ForeignWriter, WritePlan, WriteRequest } from "../contract.js";
import { editedEntries } from "../edited-entries.js";
import { isNote } from "../foreign-entry.js";
import { InteropError } from "../interop-error.js";
import { addConverted } from "./claude-conversions.js";
import { claudeOriginOf } from "./claude-origin.js";
import { addNote, addOriginal } from "./claude-originals.js";
import { claudeFolderName, claudeProjects } from "./claude-places.js";
import { ClaudeTranscript } from "./claude-transcript.js";

export const claudeWriter: ForeignWriter = { agent: "claude-code", planWrite: planClaudeWrite };

function planClaudeWrite(request: WriteRequest): WritePlan {
  const { cwd, places, newId } = request;
  const sessionId = newId();
  const transcript = new ClaudeTranscript({ sessionId, cwd, newId });
  const entries = editedEntries(request.entries);
  for (const [at, entry] of entries.entries()) {
    if (claudeOriginOf(entry) !== undefined) addOriginal(transcript, entries, at);
    else if (isNote(entry)) addNote(transcript, entry, request.notes ?? "leave-out");
    else addConverted(transcript, entry);
  }
  const { records, losses } = transcript.finish(request.title);
  if (records.length === 0) {
    throw new InteropError("nothing-to-write", "There is no conversation on this path", {
      hint: "Choose an entry with something said above it.",
    });
  }
  // A longer name ends in a hash only the program knows; it finds a session by its id in any folder.
  const folder = claudeFolderName(cwd) ?? `${cwd.replace(/[^A-Za-z0-9]/g, "-").slice(0, 200)}-bough`;
  return {
    agent: "claude-code",
    path: join(claudeProjects(places), folder, `${sessionId}.jsonl`),
    sessionId,
    lines: records.map((record) => JSON.stringify(record)),
    losses,
    resume: { command: ["claude", "--resume", sessionId], cwd },
  };
}

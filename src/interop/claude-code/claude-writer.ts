/** Writes a path as a Claude Code transcript that `claude --resume` goes on with. */
import { join } from "node:path";
import type { ForeignWriter, WritePlan, WriteRequest } from "../contract.js";
import { type PathStep, pairedSteps } from "../conversion/paired-steps.js";
import { checkResumeFolder } from "../conversion/resume-folder.js";
import { editedEntries } from "../edited-entries.js";
import { isNote } from "../foreign-entry.js";
import { InteropError } from "../interop-error.js";
import { replacedCompactions } from "./claude-compaction.js";
import { addConverted, addMadeResult } from "./claude-conversions.js";
import { claudeOriginOf } from "./claude-origin.js";
import { addNote, addOriginal } from "./claude-originals.js";
import { claudeFolderName, claudeProjects } from "./claude-places.js";
import { ClaudeTranscript } from "./claude-transcript.js";

export const claudeWriter: ForeignWriter = { agent: "claude-code", planWrite: planClaudeWrite };

function planClaudeWrite(request: WriteRequest): WritePlan {
  const { cwd, places, newId } = request;
  checkResumeFolder("claude-code", cwd);
  const sessionId = newId();
  const transcript = new ClaudeTranscript({ sessionId, cwd, newId });
  const notes = request.notes ?? "leave-out";
  const steps = stepsOf(request, notes);
  const entries = steps.map(({ entry }) => entry);
  const replaced = replacedCompactions(entries);
  transcript.begin(request.entries);
  for (const [at, { entry, kind }] of steps.entries()) {
    if (replaced.has(entry.id)) transcript.lose(entry.id, "an earlier summary", "left out: a later one stands for it");
    else if (kind === "repeated") transcript.lose(entry.id, "a second result of a call", "left out");
    else if (kind === "made") addMadeResult(transcript, entry);
    else if (claudeOriginOf(entry) !== undefined) addOriginal(transcript, entries, at);
    else if (isNote(entry)) addNote(transcript, entry, notes);
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

/** Records of the program's own stay in their places; a result they lack is made, unless they are wanted as they were. */
function stepsOf(request: WriteRequest, notes: "leave-out" | "keep"): PathStep[] {
  const steps = pairedSteps(editedEntries(request.entries), (entry) => claudeOriginOf(entry) !== undefined);
  return notes === "keep" ? steps.filter(({ kind }) => kind !== "made") : steps;
}

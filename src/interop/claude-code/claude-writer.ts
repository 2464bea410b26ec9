/** Writes a path as a Claude Code transcript that `claude --resume` continues with. */
import { join } from "node:path";
import type { EntryId } from "../../entry/index.js";
import type { ForeignWriter, WritePlan, WriteRequest } from "../contract.js";
import { pairedSteps } from "../conversion/paired-steps.js";
import type { PathSteps } from "../conversion/path-steps.js";
import { countOf, plannedLines, RepeatedIds } from "../conversion/planned-lines.js";
import { checkResumeFolder } from "../conversion/resume-folder.js";
import { isNote } from "../foreign-entry.js";
import { editedEntries } from "../import/edited-entries.js";
import { InteropError } from "../interop-error.js";
import { replacedCompactions } from "./claude-compaction.js";
import { addConverted, addMadeResult } from "./claude-conversions.js";
import { claudeOriginOf } from "./claude-origin.js";
import { addNote, addOriginal } from "./claude-originals.js";
import { claudeFolderName, claudeProjects } from "./claude-places.js";
import type { JsonObject } from "./claude-record.js";
import { ClaudeTranscript } from "./claude-transcript.js";

export const claudeWriter: ForeignWriter = { agent: "claude-code", planWrite: planClaudeWrite };

function planClaudeWrite(request: WriteRequest): WritePlan {
  const { cwd, places, newId } = request;
  checkResumeFolder("claude-code", cwd);
  const sessionId = newId();
  const ids = new RepeatedIds(newId);
  const path = pathOf(request);
  const found = new ClaudeTranscript({ sessionId, cwd, newId: ids.again() });
  const count = countOf(recordsOf(found, path));
  if (count === 0) {
    throw new InteropError("nothing-to-write", "There is no conversation on this path", {
      hint: "Choose an entry with something said above it.",
    });
  }
  const { settlements: settled, losses } = found;
  const records = (): Iterable<JsonObject> =>
    recordsOf(new ClaudeTranscript({ sessionId, cwd, newId: ids.again(), settled }), path);
  // A longer name ends in a hash only the program knows; it finds a session by its id in any folder.
  const folder = claudeFolderName(cwd) ?? `${cwd.replace(/[^A-Za-z0-9]/g, "-").slice(0, 200)}-bough`;
  return {
    agent: "claude-code",
    path: join(claudeProjects(places), folder, `${sessionId}.jsonl`),
    sessionId,
    lines: plannedLines(count, records),
    losses,
    resume: { command: ["claude", "--resume", sessionId], cwd },
  };
}

interface ClaudePath {
  readonly request: WriteRequest;
  readonly notes: "leave-out" | "keep";
  /** The whole path, with what is omitted from the steps. */
  readonly ids: readonly EntryId[];
  readonly steps: PathSteps;
  readonly replaced: ReadonlySet<EntryId>;
}

/** Records of the program's own stay in their places; a result they lack is made, unless they are wanted as they were. */
function pathOf(request: WriteRequest): ClaudePath {
  const notes = request.notes ?? "leave-out";
  const paired = pairedSteps(editedEntries(request.entries), (entry) => claudeOriginOf(entry) !== undefined);
  const steps = notes === "keep" ? paired.withoutMade() : paired;
  const ids = Array.from(request.entries, ({ id }) => id);
  return { request, notes, ids, steps, replaced: replacedCompactions(steps) };
}

function* recordsOf(transcript: ClaudeTranscript, path: ClaudePath): Generator<JsonObject> {
  const { request, notes, ids, steps, replaced } = path;
  transcript.begin(ids);
  let at = -1;
  for (const { entry, kind } of steps) {
    at += 1;
    if (replaced.has(entry.id)) transcript.lose(entry.id, "an earlier summary", "left out: a later one replaces it");
    else if (kind === "repeated") transcript.lose(entry.id, "a second result of a call", "left out");
    else if (kind === "made") addMadeResult(transcript, entry);
    else if (claudeOriginOf(entry) !== undefined) addOriginal(transcript, steps, at);
    else if (isNote(entry)) addNote(transcript, entry, notes);
    else addConverted(transcript, entry);
    yield* transcript.take();
  }
  transcript.finish(request.title);
  yield* transcript.take();
}

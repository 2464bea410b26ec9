/** A part of a session as a session file of its own. */
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { CURRENT_SESSION_VERSION, type EntryId, type SessionHeader } from "../entry/index.js";
import type { SessionManager } from "../session/index.js";
import { AgentError } from "./agent-error.js";
import type { AgentParts } from "./agent-parts.js";
import { entryNotFound } from "./entry-not-found.js";
import { exportedEntries } from "./exported-entries.js";
import { errorText } from "./stream-step.js";

export interface ExportRequest {
  readonly entryId: EntryId;
  /** `subtree` (default): the entry as the root and everything below it. `path`: from the root to the entry. */
  readonly scope?: "subtree" | "path";
  /** Must not exist yet. */
  readonly file: string;
  readonly newSessionId?: () => string;
}

export interface ExportPlan {
  readonly entryId: EntryId;
  readonly scope: "subtree" | "path";
  readonly file: string;
  readonly header: SessionHeader;
}

/** What would be written, and where. Throws `Entry <id> not found`, and `export-failed` where the file exists. */
export function planExportBranch(parts: Pick<AgentParts, "session" | "now">, request: ExportRequest): ExportPlan {
  const { session, now } = parts;
  const { entryId, scope = "subtree", newSessionId = randomUUID } = request;
  if (session.getEntry(entryId) === undefined) throw entryNotFound(entryId);
  const file = resolve(request.file);
  if (existsSync(file)) throw exportFailed(file, "there is a file already");
  const parentSession = session.getSessionFile();
  return {
    entryId,
    scope,
    file,
    header: {
      type: "session",
      version: CURRENT_SESSION_VERSION,
      id: newSessionId(),
      timestamp: now().toISOString(),
      cwd: session.getCwd(),
      ...(parentSession === undefined ? {} : { parentSession }),
    },
  };
}

/** Writes the file, private to its owner: complete and in place, or not there at all. Throws `export-failed`. */
export function applyExportBranch(parts: Pick<AgentParts, "session" | "now">, plan: ExportPlan): ExportedBranch {
  const { file } = plan;
  const temporary = `${file}.${process.pid}.new`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const entries = writeLines(temporary, linesOf(parts.session, plan));
    renameSync(temporary, file);
    return { file, entries };
  } catch (error) {
    if (existsSync(temporary)) rmSync(temporary);
    throw exportFailed(file, errorText(error), error);
  }
}

export interface ExportedBranch {
  readonly file: string;
  readonly entries: number;
}

/** Plans and applies. */
export function exportBranch(parts: Pick<AgentParts, "session" | "now">, request: ExportRequest): ExportedBranch {
  return applyExportBranch(parts, planExportBranch(parts, request));
}

function* linesOf(session: SessionManager, plan: ExportPlan): Generator<string> {
  yield `${JSON.stringify(plan.header)}\n`;
  for (const entry of exportedEntries(session, plan)) {
    const { type, id, parentId, timestamp, ...fields } = entry;
    yield `${JSON.stringify({ type, id, parentId, timestamp, ...fields })}\n`;
  }
}

/** Returns how many lines followed the first. */
function writeLines(path: string, lines: Iterable<string>): number {
  const target = openSync(path, "wx", 0o600);
  let written = -1;
  try {
    for (const line of lines) {
      const bytes = Buffer.from(line);
      for (let sent = 0; sent < bytes.length; ) sent += writeSync(target, bytes, sent);
      written += 1;
    }
    fsyncSync(target);
  } finally {
    closeSync(target);
  }
  return written;
}

function exportFailed(file: string, reason: string, cause?: unknown): AgentError {
  return new AgentError("export-failed", `The export could not be written: ${reason}: ${file}`, {
    data: { file },
    hint: "Choose another file name, or a folder that can be written to.",
    ...(cause === undefined ? {} : { cause }),
  });
}

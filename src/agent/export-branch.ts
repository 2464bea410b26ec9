/** A part of a session as a session file of its own. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { CURRENT_SESSION_VERSION, type EntryId, type SessionHeader } from "../entry/index.js";
import type { AgentParts } from "./agent-parts.js";
import { entryNotFound } from "./entry-not-found.js";
import { exportFailed, TAKEN } from "./export-failure.js";
import { writeExportFile } from "./export-file.js";
import { exportedEntries } from "./exported-entries.js";

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
  if (existsSync(file)) throw exportFailed(file, TAKEN);
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
  let entries = 0;
  function* counted(): Generator<string> {
    yield lineOf(plan.header);
    for (const entry of exportedEntries(parts.session, plan)) {
      entries += 1;
      const { type, id, parentId, timestamp, ...fields } = entry;
      yield lineOf({ type, id, parentId, timestamp, ...fields });
    }
  }
  writeExportFile({ file, existing: "refuse" }, counted());
  return { file, entries };
}

export interface ExportedBranch {
  readonly file: string;
  readonly entries: number;
}

/** Plans and applies. */
export function exportBranch(parts: Pick<AgentParts, "session" | "now">, request: ExportRequest): ExportedBranch {
  return applyExportBranch(parts, planExportBranch(parts, request));
}

function lineOf(record: object): string {
  return `${JSON.stringify(record)}\n`;
}

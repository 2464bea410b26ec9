/**
 * The one door for everything that leaves a session as a file: `bough export`, `/export`, RPC and programs.
 *
 * How it works. The entries of the scope are scanned for secrets, every text of them, abandoned branches included. They
 * are then written, masked, as a session of their own into a private folder (`stage-export.ts`). HTML, Markdown and JSONL
 * are made from that copy and never from the original, so no format can contain more than was scanned. The result gets a
 * temporary name next to its target and is renamed at the end: a cancelled or failed export leaves nothing behind, and an
 * existing file is replaced only if the caller said so.
 */
import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { type EntryId, ExportError } from "../entry/index.js";
import { entryNotFound } from "../entry/internal.js";
import { temporaryFolderInSlices } from "../log/index.js";
import type { SecretFinding } from "../secrets/index.js";
import type { SessionManager } from "../session/index.js";
import type { FileDiffsOf } from "./carried-diffs.js";
import { exportFailed, TAKEN } from "./export-failure.js";
import type { ExportFormat, ExportScope, LeaveOutOptions, StageOptions } from "./export-options.js";
import { branchStart } from "./session-markdown.js";
import { stageExport } from "./stage-export.js";
import { writeExport } from "./write-export.js";

export interface ExportRequest {
  readonly format: ExportFormat;
  /** Default: `all` for HTML, which shows the whole tree; `path` for the others. */
  readonly scope?: ExportScope;
  /** The entry that a path ends with or a subtree starts from. Default: the current position. */
  readonly entryId?: EntryId;
  readonly file: string;
  /** What to do with a file that already exists. Default: refuse. */
  readonly existing?: "refuse" | "replace";
  /** Default: mask. */
  readonly secrets?: "mask" | "keep";
  /** Default: system prompts only. */
  readonly leaveOut?: Partial<LeaveOutOptions>;
  readonly newSessionId?: () => string;
  readonly now?: () => Date;
  readonly signal?: AbortSignal;
  /** Diffs that the records of files carry, for HTML and Markdown. Default: none. */
  readonly fileDiffs?: FileDiffsOf;
  /** Called with the number of entries scanned so far. */
  readonly onProgress?: (entries: number) => void;
}

export interface ExportedSession {
  readonly file: string;
  readonly bytes: number;
  readonly entries: number;
  /** What looked like a secret, and whether it was kept. The values themselves are not in it. */
  readonly findings: readonly (SecretFinding & { readonly kept: boolean })[];
}

/** How much of a session a format holds unless something else is asked for. */
export function defaultExportScope(format: ExportFormat): "all" | "path" {
  return format === "html" ? "all" : "path";
}

/**
 * Writes a session or a part of it to a file: complete, readable by its owner only, secrets masked. Changes nothing in the
 * session. Throws `export-failed`, `no-content`, and `entry-not-found` for an `entryId` that does not exist.
 */
export async function exportSession(session: SessionManager, request: ExportRequest): Promise<ExportedSession> {
  const { format, existing = "refuse", now = () => new Date(), newSessionId = randomUUID } = request;
  const { signal = new AbortController().signal, onProgress = () => {} } = request;
  const file = resolve(request.file);
  const wanted = request.scope ?? defaultExportScope(format);
  const { scope, entryId } = exportPlace(session, wanted, request.entryId);
  checkContent(session, scope, entryId);
  refuseSessionFile(session, file);
  if (existing === "refuse" && existsSync(file)) throw exportFailed(file, TAKEN);
  const keeps = request.secrets === "keep";
  const options: StageOptions = {
    scope,
    keep: keeps ? "all" : new Set(),
    keepHome: keeps,
    leaveOut: { images: false, toolOutputs: false, systemPrompts: true, ...request.leaveOut },
  };
  const time = now();
  const { path: folder, remove } = await temporaryFolderInSlices("export");
  try {
    // Read in place it is this session; opened with Bough it is another one.
    const id = format === "jsonl" ? newSessionId() : session.getSessionId();
    const from = entryId === undefined ? {} : { entryId };
    const leafId = session.getLeafId();
    // A session that is opened again reads the stored contents themselves.
    const fileDiffs = format === "jsonl" ? undefined : request.fileDiffs;
    const stage = { session, ...from, leafId, options, id, now: time, folder, signal, onProgress, fileDiffs };
    const { title, entries, findings, file: staged } = await stageExport(stage);
    const target = { file, existing };
    const bytes = await writeExport({ format, scope, staged, folder, title, now: time, signal, target });
    return { file, bytes, entries, findings };
  } finally {
    remove();
  }
}

export interface ExportPlace {
  readonly scope: StageOptions["scope"];
  readonly entryId: EntryId | undefined;
}

/** Where an export begins or ends. A branch is the subtree below the nearest fork; without a fork it is the path. */
export function exportPlace(session: SessionManager, scope: ExportScope, entryId?: EntryId): ExportPlace {
  if (entryId !== undefined && session.getEntry(entryId) === undefined) throw entryNotFound(entryId);
  if (scope !== "branch") return { scope, entryId };
  const start = branchStart(session);
  return start === null ? { scope: "path", entryId: undefined } : { scope: "subtree", entryId: start };
}

function checkContent(session: SessionManager, scope: ExportScope, entryId: EntryId | undefined): void {
  const { count } = session.getSource().tree;
  const isEmpty = scope === "all" ? count === 0 : (entryId ?? session.getLeafId()) === null;
  if (!isEmpty) return;
  throw new ExportError("no-content", "There is nothing to export yet", {
    hint: count === 0 ? "Send a prompt first." : "Export all branches, or move to an entry first.",
  });
}

/** Also through a link, and also when replacing is allowed: a session file is only ever appended to. */
function refuseSessionFile(session: SessionManager, file: string): void {
  const own = session.getSessionFile();
  if (own === undefined) return;
  const [one, other] = [own, file].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (one === undefined || other === undefined || one.ino !== other.ino || one.dev !== other.dev) return;
  throw exportFailed(file, "it is the session file itself");
}

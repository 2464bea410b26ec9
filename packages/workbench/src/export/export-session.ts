/**
 * Every export goes through here: `bough export`, `/export`, RPC and programs.
 *
 * How it works. All text in the entries of the scope is scanned for secrets, including abandoned branches. The masked
 * entries are then written as a new session to a private folder (`stage-export.ts`). HTML, Markdown and JSONL are made
 * from that copy and never from the original, so no format can contain more than was scanned. The result is written
 * under a temporary name next to its target and renamed at the end: a cancelled or failed export leaves nothing behind,
 * and an existing file is replaced only if the caller asked for that.
 */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { type EntryId, ExportError } from "@bough/session/entry/index.js";
import { entryNotFound } from "@bough/session/entry/internal.js";
import { temporaryFolderInSlices } from "@bough/session/log/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { defined } from "@bough/session/text/index.js";
import type { SecretFinding } from "../secrets/index.js";
import type { FileDiffsOf } from "./carried-diffs.js";
import { suggestedExportName } from "./export-name.js";
import type { ExportFormat, ExportScope, LeaveOutOptions, StagedScope, StageOptions } from "./export-options.js";
import { checkExportTarget } from "./export-target.js";
import { branchStart } from "./session-markdown.js";
import { type StagedExport, stageExport } from "./stage-export.js";
import { writeExport } from "./write-export.js";

export interface ExportRequest {
  readonly format: ExportFormat;
  /** Default: `all` for HTML, which shows the whole tree; `path` for the others. */
  readonly scope?: ExportScope;
  /** The last entry of a path, or the root of a subtree. Default: the current position. */
  readonly entryId?: EntryId;
  /** Default: the masked session name as a file name in `folder`. */
  readonly file?: string;
  /** Folder of the default file name. Default: the current directory. */
  readonly folder?: string;
  /** What to do with a file that already exists. Default: refuse. */
  readonly existing?: "refuse" | "replace";
  /**
   * Target other than a file: a function that takes the finished export (for stdout), or `nowhere`, to learn its size.
   */
  readonly instead?: "nowhere" | ((made: string) => Promise<void>);
  /** Files that the session was read from; they are never replaced. Default: the session file. */
  readonly sources?: readonly string[];
  /** Title from another agent, used if the session has no name. */
  readonly title?: string;
  /** Default: mask. */
  readonly secrets?: "mask" | "keep";
  /** Numbers of findings to leave unmasked. A dry run lists them. */
  readonly keep?: ReadonlySet<number>;
  /** Do not shorten the home folder to `~`. Default: only if secrets are kept. */
  readonly keepHome?: boolean;
  /** Default: system prompts only. */
  readonly leaveOut?: Partial<LeaveOutOptions>;
  readonly newSessionId?: () => string;
  readonly now?: () => Date;
  readonly signal?: AbortSignal;
  /** Computes the diffs to embed in file records, for HTML and Markdown. Default: none. */
  readonly fileDiffs?: FileDiffsOf;
  /** Called with the number of entries scanned so far. */
  readonly onProgress?: (entries: number) => void;
  /** Called with what was found and masked, before anything is written. */
  readonly onStaged?: (staged: ExportStaged) => void;
}

/** An export that is about to be written. */
export interface ExportStaged extends StagedExport {
  /** The requested scope, with `branch` resolved to `path` or `subtree`. */
  readonly scope: StagedScope;
  /** The target file, or the file name it would have if it is not written to a file. */
  readonly target: string;
}

export interface ExportedSession {
  readonly file: string;
  readonly bytes: number;
  readonly entries: number;
  /** Possible secrets, and whether each was kept. Never contains the values. */
  readonly findings: readonly (SecretFinding & { readonly kept: boolean })[];
}

/** The scope of a format if none is requested. */
export function defaultExportScope(format: ExportFormat): "all" | "path" {
  return format === "html" ? "all" : "path";
}

/**
 * Writes a session or a part of it to a file, atomically, readable by its owner only, with secrets masked. Does not
 * change the session. Throws `export-failed`, `no-content`, and `entry-not-found` for an `entryId` that does not exist.
 */
export async function exportSession(session: SessionManager, request: ExportRequest): Promise<ExportedSession> {
  const { format, existing = "refuse", now = () => new Date(), newSessionId = randomUUID, instead } = request;
  const { signal = new AbortController().signal, onProgress = () => {} } = request;
  const wanted = request.scope ?? defaultExportScope(format);
  const { scope, entryId } = exportPlace(session, wanted, request.entryId);
  checkContent(session, scope, entryId);
  const sources = request.sources ?? [session.getSessionFile() ?? ""];
  // Check the target first: a scan can take long, and would be wasted.
  if (instead === undefined) checkExportTarget({ file: fileFor(session, request), existing, sources });
  const keeps = request.secrets === "keep";
  const options: StageOptions = {
    scope,
    keep: keeps ? "all" : (request.keep ?? new Set()),
    keepHome: request.keepHome ?? keeps,
    leaveOut: { images: false, toolOutputs: false, systemPrompts: true, ...defined(request.leaveOut) },
  };
  const time = now();
  const { path: folder, remove } = await temporaryFolderInSlices("export");
  try {
    // An exported page shows this session; a JSONL copy that Bough opens is a session of its own.
    const id = format === "jsonl" ? newSessionId() : session.getSessionId();
    const from = entryId === undefined ? {} : { entryId };
    const leafId = session.getLeafId();
    // A JSONL copy needs no diffs: Bough reads the stored file contents instead.
    const fileDiffs = format === "jsonl" ? undefined : request.fileDiffs;
    const about = { title: request.title, options, id, now: time, folder, signal, onProgress, fileDiffs };
    const staged = await stageExport({ session, ...from, leafId, ...about });
    const { title, entries, findings } = staged;
    const file = fileFor(session, request, title);
    if (instead === undefined) checkExportTarget({ file, existing, sources });
    request.onStaged?.({ ...staged, scope, target: file });
    const target = instead === undefined ? { file, existing, sources } : instead === "nowhere" ? undefined : instead;
    const bytes = await writeExport({ format, scope, staged: staged.file, folder, title, now: time, signal, target });
    return { file, bytes, entries, findings };
  } finally {
    remove();
  }
}

/** A file named after the session must not reveal what was masked, so the name is masked too. */
function fileFor(session: SessionManager, { file, folder = ".", format }: ExportRequest, masked?: string): string {
  if (file !== undefined) return resolve(file);
  const name = session.getSessionName();
  const named = {
    getSessionId: () => session.getSessionId(),
    getSessionName: () => (name === undefined ? undefined : (masked ?? name)),
  };
  return resolve(folder, suggestedExportName(named, format));
}

export interface ExportPlace {
  readonly scope: StagedScope;
  readonly entryId: EntryId | undefined;
}

/**
 * Resolves a scope. A `branch` becomes the subtree below the nearest fork above the entry, or the path to the entry if
 * there is no fork.
 */
export function exportPlace(session: SessionManager, scope: ExportScope, entryId?: EntryId): ExportPlace {
  if (entryId !== undefined && session.getEntry(entryId) === undefined) throw entryNotFound(entryId);
  if (scope !== "branch") return { scope, entryId };
  const start = branchStart(session, entryId);
  return start === null ? { scope: "path", entryId } : { scope: "subtree", entryId: start };
}

function checkContent(session: SessionManager, scope: ExportScope, entryId: EntryId | undefined): void {
  const { count } = session.getSource().tree;
  const isEmpty = scope === "all" ? count === 0 : (entryId ?? session.getLeafId()) === null;
  if (!isEmpty) return;
  throw new ExportError("no-content", "There is nothing to export yet", {
    hint: count === 0 ? "Send a prompt first." : "Export all branches, or move to an entry first.",
  });
}

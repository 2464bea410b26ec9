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
import { resolve } from "node:path";
import { type EntryId, ExportError } from "@bough/session/entry/index.js";
import { entryNotFound } from "@bough/session/entry/internal.js";
import { temporaryFolderInSlices } from "@bough/session/log/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { defined } from "@bough/session/text/index.js";
import type { SecretFinding } from "../secrets/index.js";
import type { FileDiffsOf } from "./carried-diffs.js";
import { suggestedExportName } from "./export-name.js";
import type { ExportFormat, ExportScope, LeaveOutOptions, StageOptions } from "./export-options.js";
import { checkExportTarget } from "./export-target.js";
import { branchStart } from "./session-markdown.js";
import { type StagedExport, stageExport } from "./stage-export.js";
import { writeExport } from "./write-export.js";

export interface ExportRequest {
  readonly format: ExportFormat;
  /** Default: `all` for HTML, which shows the whole tree; `path` for the others. */
  readonly scope?: ExportScope;
  /** The entry that a path ends with or a subtree starts from. Default: the current position. */
  readonly entryId?: EntryId;
  /** Default: a name made from the session's own, masked, in `folder`. */
  readonly file?: string;
  /** Where such a name is. Default: the current directory. */
  readonly folder?: string;
  /** What to do with a file that already exists. Default: refuse. */
  readonly existing?: "refuse" | "replace";
  /** Where it goes instead of a file: to a function that takes it, as for standard output, or nowhere, to learn its size. */
  readonly instead?: "nowhere" | ((made: string) => Promise<void>);
  /** Files the session was read from, if not from its own: they are never replaced. */
  readonly sources?: readonly string[];
  /** What another agent calls the session, if it has no name here. */
  readonly title?: string;
  /** Default: mask. */
  readonly secrets?: "mask" | "keep";
  /** Numbers of findings that are kept all the same. A dry run tells them. */
  readonly keep?: ReadonlySet<number>;
  /** Keep paths of the home folder as they are, instead of `~`. Default: only if secrets are kept. */
  readonly keepHome?: boolean;
  /** Default: system prompts only. */
  readonly leaveOut?: Partial<LeaveOutOptions>;
  readonly newSessionId?: () => string;
  readonly now?: () => Date;
  readonly signal?: AbortSignal;
  /** Diffs that the records of files carry, for HTML and Markdown. Default: none. */
  readonly fileDiffs?: FileDiffsOf;
  /** Called with the number of entries scanned so far. */
  readonly onProgress?: (entries: number) => void;
  /** Told what was found and masked, before anything is written. */
  readonly onStaged?: (staged: ExportStaged) => void;
}

/** What is about to be written. */
export interface ExportStaged extends StagedExport {
  /** The scope that was meant by `branch`, or the one that was asked for. */
  readonly scope: StageOptions["scope"];
  /** Its name; where it does not go to a file, the one it would have. */
  readonly target: string;
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
  const { format, existing = "refuse", now = () => new Date(), newSessionId = randomUUID, instead } = request;
  const { signal = new AbortController().signal, onProgress = () => {} } = request;
  const wanted = request.scope ?? defaultExportScope(format);
  const { scope, entryId } = exportPlace(session, wanted, request.entryId);
  checkContent(session, scope, entryId);
  const sources = request.sources ?? [session.getSessionFile() ?? ""];
  // Before anything is read: a scan can take long, and be for nothing.
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
    // Read in place it is this session; opened with Bough it is another one.
    const id = format === "jsonl" ? newSessionId() : session.getSessionId();
    const from = entryId === undefined ? {} : { entryId };
    const leafId = session.getLeafId();
    // A session that is opened again reads the stored contents themselves.
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

/** A file that is named after the session must not tell what was masked in it. */
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
  readonly scope: StageOptions["scope"];
  readonly entryId: EntryId | undefined;
}

/** Where an export begins or ends. A branch is the subtree below the nearest fork above the entry; without a fork it is the path to the entry. */
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

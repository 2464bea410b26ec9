/** A session, or a part of it, as a file for somebody else: JSONL that Bough can open, or Markdown to read. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import {
  CURRENT_SESSION_VERSION,
  type EntryId,
  Kind,
  kindOf,
  type SessionEntry,
  withoutControls,
} from "../entry/index.js";
import type { SessionManager } from "../session/index.js";
import { AgentError } from "./agent-error.js";
import type { AgentParts } from "./agent-parts.js";
import { writeExportFile } from "./export-file.js";
import { exportedEntries } from "./exported-entries.js";
import { branchStart, sessionMarkdown } from "./session-markdown.js";

export const EXPORT_FORMATS = ["jsonl", "markdown"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/**
 * `path`: from the first entry to the leaf. `branch`: from where this branch begins, and in JSONL whatever hangs below.
 * `all`: everything that ever happened in the session.
 */
export const EXPORT_SCOPES = ["path", "branch", "all"] as const;
export type ExportScope = (typeof EXPORT_SCOPES)[number];

export interface ExportSessionRequest {
  readonly format: ExportFormat;
  readonly scope: ExportScope;
  readonly file: string;
  /** What to do with a file that is there already. Default: refuse. */
  readonly existing?: "refuse" | "replace";
  readonly newSessionId?: () => string;
}

export interface ExportSessionPlan extends Required<Omit<ExportSessionRequest, "newSessionId">> {
  /** There is a file with this name now. */
  readonly exists: boolean;
  /** Where the branch begins; `null` where it is the whole path. */
  readonly from: EntryId | null;
  readonly newSessionId: () => string;
}

export interface ExportedSession {
  readonly file: string;
  readonly entries: number;
}

type ExportParts = Pick<AgentParts, "session" | "now">;

/** The format a file name asks for. Pages are made by `AgentSession.share`. */
export function exportFormatOf(file: string): ExportFormat | "html" | undefined {
  const ending = extname(file).toLowerCase();
  if (ending === ".jsonl") return "jsonl";
  if (ending === ".md" || ending === ".markdown") return "markdown";
  return ending === ".html" || ending === ".htm" ? "html" : undefined;
}

/** A name from the session's own: `parser-session.md`. Only letters that every file system takes. */
export function suggestedExportName(
  session: Pick<SessionManager, "getSessionId" | "getSessionName">,
  format: ExportFormat,
): string {
  // Of an escape sequence nothing is left, not its letters either.
  const words = withoutControls(session.getSessionName() ?? "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-");
  const name = words.slice(0, 60).replace(/^-+|-+$/g, "");
  const stem =
    name === ""
      ? `session-${session
          .getSessionId()
          .slice(0, 8)
          .replace(/[^A-Za-z0-9]/g, "")}`
      : name;
  return `${stem}.${format === "jsonl" ? "jsonl" : "md"}`;
}

/** What would be written, and where. Throws `no-content` for a session without entries; `export-failed` for HTML. */
export function planExportSession({ session }: ExportParts, request: ExportSessionRequest): ExportSessionPlan {
  const { format, scope, existing = "refuse", newSessionId = randomUUID } = request;
  const file = resolve(request.file);
  if (exportFormatOf(file) === "html") {
    throw new AgentError("export-failed", "Pages are not made here", {
      data: { file },
      hint: "Use share or exportHtml of the agent; or a name that ends in .md or .jsonl.",
    });
  }
  if (session.getLeafId() === null && (scope !== "all" || session.getCounts().entries === 0)) {
    throw new AgentError("no-content", "There is nothing to export yet", {
      hint: scope === "all" ? "Send a prompt first." : "Export all of the session, or move to a place in it.",
    });
  }
  return { format, scope, file, existing, exists: existsSync(file), from: branchStart(session), newSessionId };
}

/**
 * Writes the file, private to its owner: complete and in place, or not there at all. A file that is there is replaced
 * only where the plan says so, and never a folder. Throws `export-failed`.
 */
export function applyExportSession(parts: ExportParts, plan: ExportSessionPlan): ExportedSession {
  let entries = 0;
  function* counted(): Generator<string> {
    for (const { text, count } of piecesOf(parts, plan)) {
      entries += count;
      yield text;
    }
  }
  writeExportFile(plan, counted());
  return { file: plan.file, entries };
}

/** Plans and applies. */
export function exportSession(parts: ExportParts, request: ExportSessionRequest): ExportedSession {
  return applyExportSession(parts, planExportSession(parts, request));
}

interface Piece {
  readonly text: string;
  readonly count: number;
}

function* piecesOf({ session, now }: ExportParts, plan: ExportSessionPlan): Generator<Piece> {
  const { scope, from, format } = plan;
  if (format === "markdown") {
    const title = session.getSessionName() ?? "Session";
    yield* sessionMarkdown(session, { scope, from, title, madeAt: now().toISOString().slice(0, 10) });
    return;
  }
  const parentSession = session.getSessionFile();
  const header = {
    type: "session",
    version: CURRENT_SESSION_VERSION,
    id: plan.newSessionId(),
    timestamp: now().toISOString(),
    cwd: session.getCwd(),
    ...(parentSession === undefined ? {} : { parentSession }),
  };
  yield { text: `${JSON.stringify(header)}\n`, count: 0 };
  for (const entry of entriesOf(session, plan)) {
    const { type, id, parentId, timestamp, ...fields } = entry;
    yield { text: `${JSON.stringify({ type, id, parentId, timestamp, ...fields })}\n`, count: 1 };
  }
}

function* entriesOf(session: SessionManager, { scope, from }: ExportSessionPlan): Generator<SessionEntry> {
  if (scope === "all") {
    // In the order of the file, positions included, so that the copy opens where this session stands.
    const { tree, entryAt } = session.getSource();
    for (let n = 0; n < tree.count; n++) {
      const entry = entryAt(n);
      if (kindOf(entry) !== Kind.unreadable) yield entry;
    }
    return;
  }
  const leafId = session.getLeafId() as EntryId;
  const part = scope === "branch" && from !== null ? ({ entryId: from, scope: "subtree" } as const) : undefined;
  yield* exportedEntries(session, part ?? { entryId: leafId, scope: "path" });
}

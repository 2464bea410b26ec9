/** File names of exports. */
import { extname } from "node:path";
import type { SessionManager } from "@bough/session/session/index.js";
import { withoutControls } from "@bough/session/text/index.js";
import type { ExportFormat } from "./export-options.js";

const ENDINGS: Readonly<Record<ExportFormat, string>> = { html: "html", markdown: "md", jsonl: "jsonl" };

/** The export format implied by a file extension. */
export function exportFormatOf(file: string): ExportFormat | undefined {
  const ending = extname(file).toLowerCase();
  if (ending === ".jsonl") return "jsonl";
  if (ending === ".md" || ending === ".markdown") return "markdown";
  return ending === ".html" || ending === ".htm" ? "html" : undefined;
}

/** A file name from the session's name, such as `parser-session.md`, with characters that every file system accepts. */
export function suggestedExportName(
  session: Pick<SessionManager, "getSessionId" | "getSessionName">,
  format: ExportFormat,
): string {
  // Strip whole escape sequences, not just the escape character.
  const words = withoutControls(session.getSessionName() ?? "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-");
  const name = words.slice(0, 60).replace(/^-+|-+$/g, "");
  const id = session.getSessionId().slice(0, 8);
  const stem = name === "" ? `session-${id.replace(/[^A-Za-z0-9]/g, "")}` : name;
  return `${stem}.${ENDINGS[format]}`;
}

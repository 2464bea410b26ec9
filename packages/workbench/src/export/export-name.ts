/** File names of exports. */
import { extname } from "node:path";
import type { SessionManager } from "@bough/session/session/index.js";
import { withoutControls } from "@bough/session/text/index.js";
import type { ExportFormat } from "./export-options.js";

const ENDINGS: Readonly<Record<ExportFormat, string>> = { html: "html", markdown: "md", jsonl: "jsonl" };

/** The format that a file name asks for. */
export function exportFormatOf(file: string): ExportFormat | undefined {
  const ending = extname(file).toLowerCase();
  if (ending === ".jsonl") return "jsonl";
  if (ending === ".md" || ending === ".markdown") return "markdown";
  return ending === ".html" || ending === ".htm" ? "html" : undefined;
}

/** A name made from the session's own, such as `parser-session.md`, with characters that every file system accepts. */
export function suggestedExportName(
  session: Pick<SessionManager, "getSessionId" | "getSessionName">,
  format: ExportFormat,
): string {
  // Escape sequences go as a whole, letters included.
  const words = withoutControls(session.getSessionName() ?? "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-");
  const name = words.slice(0, 60).replace(/^-+|-+$/g, "");
  const id = session.getSessionId().slice(0, 8);
  const stem = name === "" ? `session-${id.replace(/[^A-Za-z0-9]/g, "")}` : name;
  return `${stem}.${ENDINGS[format]}`;
}

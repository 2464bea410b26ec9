/** Writes the staged session in the requested format to a file or another target. */
import { createReadStream, statSync } from "node:fs";
import { join } from "node:path";
import { WorkTurns } from "@bough/session/log/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { streamExportFile } from "./export-file.js";
import type { ExportFormat, StagedScope } from "./export-options.js";
import type { ExportTarget } from "./export-target.js";
import { sessionMarkdown } from "./session-markdown.js";
import { writePieces } from "./write-pieces.js";

export interface WriteRequest {
  readonly format: ExportFormat;
  readonly scope: StagedScope;
  /** File of the staged session. */
  readonly staged: string;
  /** Must be private; the caller removes it. */
  readonly folder: string;
  readonly title: string;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** A file, a function that takes the path of the finished file (for stdout), or undefined to learn the size only. */
  readonly target: ExportTarget | ((made: string) => Promise<void>) | undefined;
}

/** Returns the number of bytes. Files are written atomically. Throws `export-failed`. */
export async function writeExport(request: WriteRequest): Promise<number> {
  const { target, signal } = request;
  const made = await inFormat(request);
  const { size } = statSync(made);
  if (typeof target === "function") await target(made);
  else if (target !== undefined) await streamExportFile(target, createReadStream(made, { signal }));
  return size;
}

async function inFormat({ format, scope, staged, folder, title, now, signal }: WriteRequest): Promise<string> {
  if (format === "jsonl") return staged;
  // Entries are read once or twice in quick succession, so a larger cache would only burden the garbage collector.
  const session = await SessionManager.openInSlices(staged, undefined, { readOnly: true, cacheBytes: 1 << 20 });
  const turns = new WorkTurns();
  try {
    // The last step of opening and the first of writing are both long, so let other work run in between.
    await turns.yieldNow();
    if (format === "html") {
      // Loaded only for HTML, because it pulls in the Markdown renderer.
      const { exportHtml } = await import("./export-html.js");
      await turns.yieldNow();
      const file = join(folder, "session.html");
      const [source, header] = [session.getSource(), session.getHeader()];
      await exportHtml({ source, header, file, title, now, newSessionId: () => session.getSessionId(), signal });
      return file;
    }
    const madeAt = now.toISOString().slice(0, 10);
    const file = join(folder, "session.md");
    const part = scope === "path" ? "path" : "all";
    await writePieces(file, sessionMarkdown(session, { scope: part, title, madeAt }), signal);
    return file;
  } finally {
    session.close();
  }
}

/** From the staged session to the file that was asked for, or to another target. */
import { createReadStream, statSync } from "node:fs";
import { join } from "node:path";
import { WorkTurns } from "@bough/session/log/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { streamExportFile } from "./export-file.js";
import type { ExportFormat, StageOptions } from "./export-options.js";
import type { ExportTarget } from "./export-target.js";
import { sessionMarkdown } from "./session-markdown.js";
import { writePieces } from "./write-pieces.js";

export interface WriteRequest {
  readonly format: ExportFormat;
  readonly scope: StageOptions["scope"];
  /** The staged session. */
  readonly staged: string;
  /** Private, and removed by the caller. */
  readonly folder: string;
  readonly title: string;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** A file; or a function that takes the finished file, as for standard output; or nothing, to learn the size. */
  readonly target: ExportTarget | ((made: string) => Promise<void>) | undefined;
}

/** Returns the number of bytes. A file is complete and in place, or not there at all. Throws `export-failed`. */
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
  // Each entry is read once or twice, close together: keeping more of them only makes work for the collector.
  const session = await SessionManager.openInSlices(staged, undefined, { readOnly: true, cacheBytes: 1 << 20 });
  const turns = new WorkTurns();
  try {
    // The last step of opening and the first of writing are long enough one by one.
    await turns.yieldNow();
    if (format === "html") {
      // Loaded for pages only: it brings the Markdown renderer along.
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

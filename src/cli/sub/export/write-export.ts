/** From the staged session to the file that was asked for, or to standard output. */
import { createReadStream, statSync } from "node:fs";
import { join } from "node:path";
import { sessionMarkdown, streamExportFile } from "../../../agent/index.js";
import { SessionManager } from "../../../session/index.js";
import { withoutControls } from "../../../view/index.js";
import { exportHtml } from "../../../web/index.js";
import type { Output } from "../output.js";
import type { ExportWish } from "./export-wish.js";
import { writePieces } from "./write-pieces.js";

export interface WriteRequest {
  readonly wish: ExportWish;
  /** The staged session. */
  readonly staged: string;
  /** Private, and removed by the caller. */
  readonly folder: string;
  readonly title: string;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** For what goes to standard output. */
  readonly out?: Output;
}

/** Answers how many bytes there are. The file is complete and in place, or not there at all. Throws `export-failed`. */
export async function writeExport(request: WriteRequest): Promise<number> {
  const { wish, out } = request;
  const made = await inFormat(request);
  const { size } = statSync(made);
  if (wish.dryRun) return size;
  if (wish.file === undefined) await out?.raw(out.isTerminal ? shown(made) : createReadStream(made));
  else {
    const existing = wish.replace ? "replace" : "refuse";
    await streamExportFile({ file: wish.file, existing }, createReadStream(made, { signal: request.signal }));
  }
  return size;
}

/** For a terminal, which obeys control characters; a file or a pipe gets every byte. */
async function* shown(file: string): AsyncGenerator<string> {
  for await (const text of createReadStream(file, "utf8")) yield withoutControls(text as string);
}

async function inFormat({ wish, staged, folder, title, now, signal }: WriteRequest): Promise<string> {
  if (wish.format === "jsonl") return staged;
  const session = SessionManager.open(staged, undefined, { readOnly: true });
  try {
    if (wish.format === "html") {
      const file = join(folder, "session.html");
      await exportHtml({
        source: session.getSource(),
        header: session.getHeader(),
        file,
        title,
        now,
        newSessionId: () => session.getSessionId(),
        signal,
      });
      return file;
    }
    const scope = wish.scope === "path" ? "path" : "all";
    const madeAt = now.toISOString().slice(0, 10);
    const file = join(folder, "session.md");
    const pieces = sessionMarkdown(session, { scope, from: null, title, madeAt });
    await writePieces(file, texts(pieces), signal);
    return file;
  } finally {
    session.close();
  }
}

function* texts(pieces: Iterable<{ readonly text: string }>): Generator<string> {
  for (const { text } of pieces) yield text;
}

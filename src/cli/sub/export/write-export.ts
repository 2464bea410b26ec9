/** From the staged session to the file that was asked for, or to standard output. */
import {
  closeSync,
  constants,
  copyFileSync,
  createReadStream,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { AgentError, sessionMarkdown } from "../../../agent/index.js";
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
  else putInPlace(made, wish.file, wish);
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
        scope: { kind: "all" },
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

/** Unlike a rename, a second name is refused where somebody made the file in the meantime. */
function linkOrRename(temporary: string, file: string): void {
  try {
    linkSync(temporary, file);
    rmSync(temporary);
  } catch (error) {
    // A file system without second names: the look before has to do.
    if (existsSync(file)) throw error;
    renameSync(temporary, file);
  }
}

function putInPlace(made: string, file: string, { replace }: ExportWish): void {
  const temporary = `${file}.${process.pid}.new`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    copyFileSync(made, temporary, constants.COPYFILE_EXCL);
    const written = openSync(temporary, "r+");
    fsyncSync(written);
    closeSync(written);
    if (replace) renameSync(temporary, file);
    else {
      linkOrRename(temporary, file);
    }
  } catch (cause) {
    if (existsSync(temporary)) rmSync(temporary);
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason =
      code === "EEXIST" ? "there is a file already" : code === "EACCES" ? "the folder is not writable" : message;
    throw new AgentError("export-failed", `${file} was not written: ${reason}`, {
      data: { file },
      hint: "Choose another file name with -o, or a folder that can be written to.",
      cause,
    });
  }
}

/** Files as an editor has them, including unsaved changes. */
import { errorText } from "@bough/session/text/index.js";
import { ToolFailure } from "../tool-failure.js";
import { type FileStamp, fileStamp } from "./replace-file.js";

/** The files of an editor that runs the agent. Paths are absolute and without links. */
export interface EditorFiles {
  /** The text in the editor; undefined if the editor does not know it. Never rejects. */
  readonly read?: (path: string, signal: AbortSignal) => Promise<string | undefined>;
  /** Writes and saves; rejects if the editor fails to. If omitted, files are written to disk. */
  readonly write?: (path: string, text: string, signal: AbortSignal) => Promise<void>;
}

/** Larger files are not requested: they are unlikely to be open, and the answer would be one huge message. */
export const MOST_EDITOR_BYTES = 8 * 1024 * 1024;

/** An editor's view of a file. */
export interface EditorLook {
  /** The text it returned; undefined if it does not know the file. */
  readonly seen: string | undefined;
  /** The same text, if it differs from the disk. */
  readonly unsaved: string | undefined;
}

export const NO_EDITOR: EditorLook = { seen: undefined, unsaved: undefined };

interface EditorQuestion {
  readonly path: string;
  /** Content on disk; undefined if there is no file. */
  readonly disk: string | undefined;
  readonly signal: AbortSignal;
}

/** Ignores differences in line endings: many editors store them separately from the text. */
export async function lookInEditor(
  files: EditorFiles | undefined,
  { path, disk, signal }: EditorQuestion,
): Promise<EditorLook> {
  const seen = await files?.read?.(path, signal);
  if (seen === undefined) return NO_EDITOR;
  // Some editors return an empty text for a file that does not exist.
  if (disk === undefined) return seen === "" ? NO_EDITOR : { seen, unsaved: seen };
  return { seen, unsaved: withoutReturns(seen) === withoutReturns(disk) ? undefined : seen };
}

interface EditorWrite {
  readonly path: string;
  readonly shown: string;
  readonly look: EditorLook;
  /** State on disk when the change was planned. */
  readonly stamp: FileStamp;
  readonly data: Buffer;
  readonly signal: AbortSignal;
}

/**
 * Lets the editor write the file. Throws a `ToolFailure` if its text or the file changed meanwhile. False if the caller
 * must write to disk: the editor does not write, or does not know an existing file, such as one outside its project.
 */
export async function writeInEditor(files: EditorFiles | undefined, request: EditorWrite): Promise<boolean> {
  const { path, shown, look, stamp, data, signal } = request;
  if (look.seen !== undefined && (await files?.read?.(path, signal)) !== look.seen) {
    throw new ToolFailure(`${shown} was changed in the editor meanwhile. Nothing was written; read it again`);
  }
  const isUnknown = files?.read !== undefined && look.seen === undefined && stamp !== "none";
  if (files?.write === undefined || isUnknown) return false;
  if ((await fileStamp(path)) !== stamp) {
    throw new ToolFailure(`${path} was changed by another program. Nothing was written. Read it and try again`);
  }
  try {
    await files.write(path, data.toString("utf8"), signal);
    return true;
  } catch (error) {
    throw new ToolFailure(`The editor did not write ${shown}: ${errorText(error)}`);
  }
}

function withoutReturns(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

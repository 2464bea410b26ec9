/** Files as an editor has them: what is typed and not saved yet counts. */
import { errorText } from "@bough/session/text/index.js";
import { ToolFailure } from "../tool-failure.js";
import { type FileStamp, fileStamp } from "./replace-file.js";

/** The files of an editor that runs the agent. Paths are absolute and without links. */
export interface EditorFiles {
  /** The text as the editor has it; undefined if it cannot tell. Never rejects. */
  readonly read?: (path: string, signal: AbortSignal) => Promise<string | undefined>;
  /** Writes and saves; rejects if the editor does not. Omitted, files are written to disk. */
  readonly write?: (path: string, text: string, signal: AbortSignal) => Promise<void>;
}

/** Larger files are not asked for: an editor does not have them open, and the answer is one message. */
export const MOST_EDITOR_BYTES = 8 * 1024 * 1024;

/** What an editor says about a file. */
export interface EditorLook {
  /** Its text, as it was answered; undefined if it cannot tell. */
  readonly seen: string | undefined;
  /** The same, if it is not what is on disk. */
  readonly unsaved: string | undefined;
}

export const NO_EDITOR: EditorLook = { seen: undefined, unsaved: undefined };

interface EditorQuestion {
  readonly path: string;
  /** What is on disk; undefined if there is no file. */
  readonly disk: string | undefined;
  readonly signal: AbortSignal;
}

/** Line endings alone are not a difference: many editors keep them apart from the text. */
export async function lookInEditor(
  files: EditorFiles | undefined,
  { path, disk, signal }: EditorQuestion,
): Promise<EditorLook> {
  const seen = await files?.read?.(path, signal);
  if (seen === undefined) return NO_EDITOR;
  // Some editors answer for a file that does not exist.
  if (disk === undefined) return seen === "" ? NO_EDITOR : { seen, unsaved: seen };
  return { seen, unsaved: withoutReturns(seen) === withoutReturns(disk) ? undefined : seen };
}

interface EditorWrite {
  readonly path: string;
  readonly shown: string;
  readonly look: EditorLook;
  /** What was on disk when the change was planned. */
  readonly stamp: FileStamp;
  readonly data: Buffer;
  readonly signal: AbortSignal;
}

/**
 * Has the editor write, unless its text is another one by now. False if it is the disk that is written: the editor does
 * not write, or does not know a file that exists, such as one outside of its project.
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

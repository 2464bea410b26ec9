/** Writes a file that only its owner can read: complete and in place, or not there at all. */
import { link, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { AgentError } from "../../agent/index.js";

export interface PrivateFile {
  readonly file: string;
  readonly existing: "refuse" | "replace";
}

/** Bytes that are gathered before they are written. */
const BUFFER_LENGTH = 1024 * 1024;

/** Gives the number of bytes. Throws `export-failed`, and whatever the pieces throw; nothing is left behind then. */
export async function writePrivateFile(
  { file, existing }: PrivateFile,
  pieces: AsyncIterable<string>,
): Promise<number> {
  if (existing === "refuse" && (await isThere(file))) throw exportFailed(file, "there is a file already");
  const temporary = `${file}.${process.pid}.new`;
  await rightly(file, () => mkdir(dirname(file), { recursive: true, mode: 0o700 }));
  try {
    const bytes = await writePieces(file, temporary, pieces);
    await rightly(file, () => (existing === "replace" ? rename(temporary, file) : linkOrRename(temporary, file)));
    return bytes;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writePieces(file: string, temporary: string, pieces: AsyncIterable<string>): Promise<number> {
  const target = await rightly(file, () => open(temporary, "wx", 0o600));
  try {
    let bytes = 0;
    let waiting: string[] = [];
    let length = 0;
    const flush = async () => {
      const block = Buffer.from(waiting.join(""));
      waiting = [];
      length = 0;
      bytes += block.length;
      await rightly(file, () => target.writeFile(block));
    };
    for await (const piece of pieces) {
      waiting.push(piece);
      length += piece.length;
      if (length >= BUFFER_LENGTH) await flush();
    }
    await flush();
    await rightly(file, () => target.sync());
    return bytes;
  } finally {
    await target.close();
  }
}

/** Unlike a rename, a second name is refused where somebody made the file in the meantime. */
async function linkOrRename(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
    await rm(temporary);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw new Error("there is a file already");
    // A file system without second names: the look before has to do.
    await rename(temporary, file);
  }
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

async function rightly<Value>(file: string, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    throw exportFailed(file, error instanceof Error ? error.message : String(error), error);
  }
}

function exportFailed(file: string, reason: string, cause?: unknown): AgentError {
  return new AgentError("export-failed", `${basename(file)} was not written: ${reason}`, {
    data: { file },
    hint: "Choose another file name, or a folder that can be written to.",
    ...(cause === undefined ? {} : { cause }),
  });
}

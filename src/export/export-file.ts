/** A file for someone else: private to its owner, complete and in place, or not there at all. */
import { existsSync, statSync } from "node:fs";
import { type Piece, WholeFile } from "../log/index.js";
import { exportFailed, exportFailure, TAKEN } from "./export-failure.js";

export interface ExportTarget {
  readonly file: string;
  /** What to do with a file that is already there. Folders, devices and pipes are never replaced. */
  readonly existing: "refuse" | "replace";
}

/**
 * Answers the number of bytes. Pieces come by and by, so that keys and signals are handled meanwhile. Throws
 * `export-failed`, and whatever the pieces throw; nothing is left behind then.
 */
export async function streamExportFile(target: ExportTarget, pieces: AsyncIterable<Piece>): Promise<number> {
  const { file: path, existing } = target;
  refuseWhatIsThere(target);
  const file = new WholeFile(path, {
    existing,
    durable: true,
    failure: (cause, step) => exportFailure(path, { step, cause }),
  });
  try {
    for await (const piece of pieces) file.write(piece);
    await file.sync();
    // Another program may have made one while this one was written.
    refuseWhatIsThere(target);
    file.moveIntoPlace();
    return file.written;
  } finally {
    file.close();
  }
}

function refuseWhatIsThere({ file, existing }: ExportTarget): void {
  // What a link leads to counts: the place where standard output is written must not become a file.
  if (!existsSync(file)) return;
  const there = statSync(file);
  if (there.isDirectory()) throw exportFailed(file, "there is a folder with this name");
  if (existing === "refuse") throw exportFailed(file, TAKEN);
  if (!there.isFile()) throw exportFailed(file, "it is a device, a pipe or a socket");
}

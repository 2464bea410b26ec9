/** A file for someone else: private to its owner, complete and in place, or not there at all. */
import { type Piece, WholeFile } from "@bough/session/log/index.js";
import { exportFailure } from "./export-failure.js";
import { checkExportTarget, type ExportTarget } from "./export-target.js";

/**
 * Answers the number of bytes. Pieces come by and by, so that keys and signals are handled meanwhile. Throws
 * `export-failed`, and whatever the pieces throw; nothing is left behind then.
 */
export async function streamExportFile(target: ExportTarget, pieces: AsyncIterable<Piece>): Promise<number> {
  const { file: path, existing } = target;
  checkExportTarget(target);
  const file = new WholeFile(path, {
    existing,
    durable: true,
    failure: (cause, step) => exportFailure(path, { step, cause }),
  });
  try {
    for await (const piece of pieces) file.write(piece);
    await file.sync();
    // Another program may have made one while this one was written.
    checkExportTarget(target);
    file.moveIntoPlace();
    return file.written;
  } finally {
    file.close();
  }
}

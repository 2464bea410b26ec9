/** Writes an exported file atomically, readable by its owner only. */
import { type Piece, WholeFile } from "@bough/session/log/index.js";
import { exportFailure } from "./export-failure.js";
import { checkExportTarget, type ExportTarget } from "./export-target.js";

/**
 * Returns the number of bytes written. The pieces are asynchronous, so that keys and signals are handled in between.
 * Throws `export-failed`, or what the pieces throw; nothing is left behind then.
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
    // Another program may have created the target in the meantime.
    checkExportTarget(target);
    file.moveIntoPlace();
    return file.written;
  } finally {
    file.close();
  }
}

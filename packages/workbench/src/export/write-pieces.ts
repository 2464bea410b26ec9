/** Writes pieces of text to a private file, yielding regularly so that keys and signals are handled. */
import { closeSync, openSync, writeSync } from "node:fs";
import { WorkTurns } from "@bough/session/log/index.js";

const BATCH = 1 << 18;

/** The file must not exist yet. Throws the signal's reason if aborted. */
export async function writePieces(path: string, pieces: Iterable<string>, signal: AbortSignal): Promise<void> {
  const target = openSync(path, "wx", 0o600);
  const turns = new WorkTurns();
  let batch = "";
  const send = () => {
    const bytes = Buffer.from(batch);
    for (let sent = 0; sent < bytes.length; ) sent += writeSync(target, bytes, sent);
    batch = "";
  };
  const rest = async () => {
    await turns.yieldNow();
    signal.throwIfAborted();
  };
  try {
    for (const piece of pieces) {
      batch += piece;
      if (batch.length >= BATCH) send();
      if (turns.isDue) await rest();
    }
    send();
    await rest();
  } finally {
    closeSync(target);
  }
}

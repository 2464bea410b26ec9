import { fstatSync } from "node:fs";

/** How long nothing may come before the person is told what is waited for. */
const PATIENCE_MS = 3000;

/**
 * All text on standard input where something is piped or redirected into it; otherwise nothing, at once. Many programs
 * give their children a pipe that they never close: `onWait` is called where nothing has come for a while.
 */
export async function readPiped({ onWait }: { readonly onWait: () => void }): Promise<string> {
  if (!isPiped()) return "";
  const chunks: Buffer[] = [];
  const waiting = setTimeout(onWait, PATIENCE_MS);
  for await (const chunk of process.stdin) {
    clearTimeout(waiting);
    chunks.push(chunk as Buffer);
  }
  clearTimeout(waiting);
  return Buffer.concat(chunks).toString("utf8").trim();
}

/** A terminal and `/dev/null` are devices: nobody would ever end the first, and the second is empty. */
export function isPiped(): boolean {
  try {
    const stats = fstatSync(0);
    return stats.isFIFO() || stats.isFile() || stats.isSocket();
  } catch {
    // There is no standard input at all.
    return false;
  }
}

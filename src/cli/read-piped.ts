import { fstatSync } from "node:fs";

/** All text on standard input where something is piped or redirected into it; otherwise nothing, at once. */
export async function readPiped(): Promise<string> {
  if (!isPiped()) return "";
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
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

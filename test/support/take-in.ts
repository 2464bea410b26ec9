import type { Log } from "@bough/session/log/index.js";

/** The lines of a log from some offset on, as text, and its end taken in. */
export function takeIn(log: Log, from = 0): string[] {
  const lines: string[] = [];
  const end = log.scan(from, ({ bytes, start, end: stop, terminated }) => {
    lines.push(bytes.toString("utf8", start, stop) + (terminated ? "" : "…"));
  });
  log.accept(end);
  return lines;
}

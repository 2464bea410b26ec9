/** A cursor over files that only grow: how much of each was read, and a checksum of what was there. */
import { createHash } from "node:crypto";
import { isRecord, parsedJson } from "@bough/session/text/index.js";

export interface Mark {
  readonly at: number;
  /** Checksum of what came before `at`: if it differs now, the file is not the one that was read. */
  readonly check: string;
}

export type Marks = Readonly<Record<string, Mark>>;

export function markAt(at: number, before: string | Uint8Array): Mark {
  return { at, check: createHash("sha256").update(before).digest("hex").slice(0, 12) };
}

export function isSameMark(a: Mark | undefined, b: Mark | undefined): boolean {
  return (a?.at ?? 0) === (b?.at ?? 0) && (a === undefined || b === undefined || a.check === b.check);
}

/** Equal for equal marks, regardless of their order. */
export function cursorOf(marks: Marks): string {
  const entries = Object.entries(marks).filter(([, { at }]) => at > 0);
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(sorted.map(([name, { at, check }]) => [name, [at, check]])));
}

/** Empty for an unreadable cursor, so that everything is read again. */
export function marksIn(cursor: string | undefined): Marks {
  const value = cursor === undefined ? undefined : parsedJson(cursor);
  if (!isRecord(value)) return {};
  const marks = Object.entries(value).flatMap(([name, mark]) => {
    const [at, check] = Array.isArray(mark) ? mark : [];
    return Number.isSafeInteger(at) && at >= 0 && typeof check === "string" ? [[name, { at, check }] as const] : [];
  });
  return Object.fromEntries(marks);
}

/** A cursor over files that only grow: how much of each was read. */
import { isRecord, parsedJson } from "../text/index.js";

export type Offsets = Readonly<Record<string, number>>;

/** The same for the same offsets, whatever order they came in. */
export function cursorOf(offsets: Offsets): string {
  const entries = Object.entries(offsets).filter(([, at]) => at > 0);
  return JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Nothing for a cursor that cannot be read: then everything is read again. */
export function offsetsIn(cursor: string | undefined): Offsets {
  const value = cursor === undefined ? undefined : parsedJson(cursor);
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([, at]) => Number.isSafeInteger(at))) as Offsets;
}

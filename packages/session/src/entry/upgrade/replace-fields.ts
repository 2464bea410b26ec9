import { type RawField, rawFields } from "../raw-fields.js";

/** A new name, a new value as JSON text, or both. A value for a missing field adds it. */
export interface FieldChange {
  readonly key?: string;
  readonly value?: string;
}

interface FieldChanges {
  /** Keys written first, in this order; the others follow in their original order. */
  readonly first: readonly string[];
  readonly changes: ReadonlyMap<string, FieldChange | "drop">;
}

/** The order of keys in an entry, so that a scanner finds ID and parent in the first bytes of the line. */
export const ENTRY_KEYS: readonly string[] = ["type", "id", "parentId", "timestamp"];

/**
 * Rewrites a line with some fields set, renamed or dropped. All other values keep their bytes, and so does everything
 * before and after the object. `text` must hold an object.
 *
 * If a key among `first` occurs twice, the last value counts, as it does for `JSON.parse`.
 */
export function replaceFields(text: string, { first, changes }: FieldChanges): string {
  const fields = rawFields(text);
  if (fields === undefined)
    throw new Error(`bug: fields replaced on a line that is not an object: ${text.slice(0, 80)}`);
  const head = new Map<string, string>();
  const rest: string[] = [];
  const write = (key: string, pair: string) => {
    if (first.includes(key)) head.set(key, pair);
    else rest.push(pair);
  };
  const present = new Set<string>();
  for (const field of fields) {
    const change = changes.get(field.key);
    present.add(field.key);
    if (change !== "drop") write(change?.key ?? field.key, changedPair(text, field, change));
  }
  for (const [key, change] of changes) {
    if (change === "drop" || change.value === undefined || present.has(key)) continue;
    write(change.key ?? key, pairOf(change.key ?? key, change.value));
  }
  const ordered = first.flatMap((key) => head.get(key) ?? []);
  for (const pair of rest) ordered.push(pair);
  return text.slice(0, text.indexOf("{") + 1) + ordered.join(",") + text.slice(text.lastIndexOf("}"));
}

function changedPair(text: string, field: RawField, change: FieldChange | undefined): string {
  if (change === undefined) return text.slice(field.start, field.end);
  return pairOf(change.key ?? field.key, change.value ?? text.slice(field.valueStart, field.valueEnd));
}

function pairOf(key: string, value: string): string {
  return `${JSON.stringify(key)}:${value}`;
}

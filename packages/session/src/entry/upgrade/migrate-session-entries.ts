import { isObject, isRecord } from "../../text/index.js";
import type { FileEntry, SessionHeader } from "../entry.js";
import type { RawRecord } from "../parse-entries.js";
import { createUpgrade } from "./create-upgrade.js";
import { needsUpgrade } from "./session-version.js";

/**
 * Upgrades the header and entries of any dialect to version 3: like `createUpgrade`, but for parsed entries instead of
 * lines. The entries are not modified: a changed entry is replaced with a new object.
 *
 * The array is modified in place and returned, because users of this API expect to see the change in theirs. Values
 * that are not entries are left unchanged.
 */
export function migrateSessionEntries(entries: FileEntry[]): FileEntry[] {
  const header = entries.find((entry) => isRecord(entry) && entry.type === "session") as SessionHeader | undefined;
  if (header === undefined || !needsUpgrade(header)) return entries;
  const upgrade = createUpgrade(outlineOf(header).text);
  for (const [at, entry] of entries.entries()) {
    // A value that is not an entry is kept, and counts as a line.
    if (!isRecord(entry)) {
      upgrade.upgradeLine("0");
      continue;
    }
    const outline = outlineOf(entry);
    const upgraded = upgrade.upgradeLine(outline.text);
    if (upgraded !== outline.text) entries[at] = filledIn(upgraded, outline.parts);
  }
  return entries;
}

/**
 * The text of an entry down to the fields of its `message`. Arrays and deeper values are moved to `parts`, and `[n]` in
 * the text replaces part n: an upgrade looks no deeper, and `JSON.stringify` of a deeply nested value would overflow
 * the stack.
 */
function outlineOf(entry: FileEntry): { readonly text: string; readonly parts: readonly unknown[] } {
  const parts: unknown[] = [];
  const outline = mapTwoLevels(entry, (value) => (isObject(value) ? [parts.push(value) - 1] : value));
  return { text: JSON.stringify(outline), parts };
}

function filledIn(text: string, parts: readonly unknown[]): FileEntry {
  const outline = JSON.parse(text) as RawRecord;
  return mapTwoLevels(outline, (value) => (Array.isArray(value) ? parts[value[0]] : value)) as unknown as FileEntry;
}

/** A copy with `change` applied to every field, and to the fields of every object among them. */
function mapTwoLevels(record: object, change: (value: unknown) => unknown): RawRecord {
  const inner = ([key, value]: [string, unknown]) => [key, change(value)] as const;
  // `Object.fromEntries` defines its properties, so a `__proto__` among the keys stays an ordinary one.
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) =>
      isRecord(value) ? [key, Object.fromEntries(Object.entries(value).map(inner))] : inner([key, value]),
    ),
  );
}

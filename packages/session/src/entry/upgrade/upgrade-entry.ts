import type { RawRecord } from "../parse-entries.js";
import { rawFields, withField } from "../raw-fields.js";
import { ENTRY_KEYS, type FieldChange, replaceFields } from "./replace-fields.js";

/** An entry of an old file, and what the lines before it determine about it. */
interface OldEntry {
  readonly text: string;
  readonly record: RawRecord;
  readonly version: 1 | 2;
  /** The ID for an entry that has none. */
  readonly newId: string;
  /** The entry before this one; `null` for the first. */
  readonly previousId: string | null;
  /** IDs by which entries name the header as their parent. */
  readonly headerIds: ReadonlySet<string>;
  /** The time for an entry that has none. */
  readonly timestamp: string;
  /**
   * The ID of the record with this ordinal, if it is an entry and comes before this one. The header counts as the first
   * entry.
   */
  readonly idAt: (ordinal: number) => string | undefined;
  /** The first entry on the path to this one, given its parent; undefined if there is none. */
  readonly rootOf: (parentId: string | null) => string | undefined;
}

export interface EntryUpgrade {
  readonly text: string;
  readonly id: string;
  readonly parentId: string | null;
}

/**
 * Upgrades one entry of version 1 or 2 to a line of version 3; `undefined` if its ID or parent is invalid (such as a
 * number).
 *
 * Each line is read by the fields it has, not by the version in its header, because several programs may have written
 * to one file:
 *
 * | has                                          | becomes                                                   |
 * |----------------------------------------------|-----------------------------------------------------------|
 * | `id`, else `uuid`, else nothing              | `id`, made from the ordinal in the last case              |
 * | `parentId`, else `parentUuid`, else nothing  | `parentId`; the previous entry if there were no links yet |
 * | no `timestamp`                               | the header's time                                         |
 * | type `stack_summary`                         | type `branch_summary`                                     |
 * | `branch_summary` without `fromId`            | `fromId` is the parent, or `"root"`                       |
 * | `firstKeptEntryUuid`, `firstKeptEntryIndex`  | `firstKeptEntryId`                                        |
 * | a message with role `hookMessage`            | role `custom`                                             |
 *
 * A line with nothing to change is returned unchanged; one with only a role to change keeps the order of its keys.
 */
export function upgradeEntry(old: OldEntry): EntryUpgrade | undefined {
  const { text, record } = old;
  const changes: Changes = new Map();
  const id = changeId(old, changes);
  const parentId = changeParent(old, changes);
  if (id === undefined || parentId === undefined) return undefined;
  if (record.timestamp === undefined) changes.set("timestamp", { value: JSON.stringify(old.timestamp) });
  if (record.type === "stack_summary") changes.set("type", { value: '"branch_summary"' });
  if (isSummary(record) && record.fromId === undefined) {
    changes.set("fromId", { value: JSON.stringify(parentId ?? "root") });
  }
  if (record.type === "compaction" && record.firstKeptEntryId === undefined) changeAnchor(old, parentId, changes);

  const message = renamedRole(old);
  if (changes.size === 0)
    return { id, parentId, text: message === undefined ? text : withField(text, "message", message) };
  if (message !== undefined) changes.set("message", { value: message });
  return { id, parentId, text: replaceFields(text, { first: ENTRY_KEYS, changes }) };
}

type Changes = Map<string, FieldChange | "drop">;

function changeId({ record, newId }: OldEntry, changes: Changes): string | undefined {
  if (lacksId(record)) {
    changes.set("id", { value: JSON.stringify(newId) });
    return newId;
  }
  // A null `id` next to the `uuid` must go, or it would take precedence.
  const own = record.id ?? record.uuid;
  if ((record.id ?? null) === null) changes.set("id", "drop").set("uuid", { key: "id" });
  return typeof own === "string" && own !== "" ? own : undefined;
}

function changeParent(old: OldEntry, changes: Changes): string | null | undefined {
  const { record } = old;
  const from = record.parentId === undefined ? "parentUuid" : "parentId";
  const link = record[from];
  if (link === undefined) {
    // Before links existed, the order of lines was the tree. An entry with an ID but without a parent is a root.
    const parentId = old.version === 1 || lacksId(record) ? old.previousId : null;
    changes.set("parentId", { value: JSON.stringify(parentId) });
    return parentId;
  }
  if (link !== null && typeof link !== "string") return undefined;
  if (link !== null && old.headerIds.has(link)) {
    changes.set(from, { key: "parentId", value: "null" });
    return null;
  }
  if (from === "parentUuid") changes.set(from, { key: "parentId" });
  return link;
}

/**
 * An anchor that names the header means the first entry: programs that kept everything wrote it that way. One that
 * names a later record or a line that is not an entry gives no `firstKeptEntryId`; the old field is then kept as an
 * unknown field, so that nothing in the file is lost.
 */
function changeAnchor({ record, headerIds, idAt, rootOf }: OldEntry, parentId: string | null, changes: Changes): void {
  const uuid = record.firstKeptEntryUuid;
  if (typeof uuid === "string") {
    const root = headerIds.has(uuid) ? rootOf(parentId) : uuid;
    if (root !== undefined) changes.set("firstKeptEntryUuid", { key: "firstKeptEntryId", value: JSON.stringify(root) });
    return;
  }
  const index = record.firstKeptEntryIndex;
  const id = typeof index === "number" ? idAt(index) : undefined;
  if (id !== undefined) changes.set("firstKeptEntryIndex", { key: "firstKeptEntryId", value: JSON.stringify(id) });
}

/** The text of the `message` field with role `custom` for `hookMessage`, or `undefined` if it has another role. */
function renamedRole({ text, record }: OldEntry): string | undefined {
  const message = record.message as { readonly role?: unknown } | null | undefined;
  if (record.type !== "message" || message?.role !== "hookMessage") return undefined;
  const field = rawFields(text)?.findLast(({ key }) => key === "message");
  if (field === undefined) throw new Error("bug: a message that was parsed is not in the text of its line");
  return withField(text.slice(field.valueStart, field.valueEnd), "role", '"custom"');
}

function lacksId(record: RawRecord): boolean {
  return (record.id ?? record.uuid ?? null) === null;
}

function isSummary(record: RawRecord): boolean {
  return record.type === "stack_summary" || record.type === "branch_summary";
}

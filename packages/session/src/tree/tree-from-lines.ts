/** A session in memory from its lines, for viewing without files. */
import {
  type BadRecordReason,
  type EntryId,
  type FileEntry,
  kindOf,
  migrateSessionEntries,
  parseSessionEntries,
  roleOf,
  type SessionEntry,
} from "../entry/index.js";
import { parseObject } from "../entry/internal.js";
import { Labels } from "./labels.js";
import { TreeIndex } from "./tree-index.js";
import type { TreeSource } from "./tree-source.js";

/** A line that is not in the tree. */
export interface UnreadLine {
  /** Starts at 1. */
  readonly line: number;
  readonly reason: BadRecordReason;
}

/** A session read from lines; everything that draws trees accepts it. */
export interface LinesTree extends TreeSource {
  /** Damaged lines. Their children are shown as roots. */
  readonly unread: readonly UnreadLine[];
}

/**
 * The tree of a session file's text or lines, without a file and in any version of the format. Everything is parsed at
 * once and held in memory; `SessionManager` of `bough/session` reads large files and recovers more of damaged ones.
 */
export function treeFromLines(lines: string | Iterable<string>): LinesTree {
  const text = typeof lines === "string" ? lines : [...lines].map((line) => line.replace(/\n$/, "")).join("\n");
  const entries = migrateSessionEntries(parseSessionEntries(text)).filter(isEntry);
  const tree = new TreeIndex();
  for (const [at, entry] of entries.entries()) {
    const place = { kind: kindOf(entry), role: roleOf(entry), offset: at, length: 1 };
    const parentId = typeof entry.parentId === "string" ? entry.parentId : null;
    if (tree.add(entry.id, parentId, place) >= 0) tree.addDuplicate(entry.id, place);
  }
  tree.settle();
  tree.times.readBy((n) => Date.parse(entryAt(n).timestamp));
  const entryAt = (n: number): SessionEntry => entries[tree.offsetOf(n)] as SessionEntry;
  const labels = new Labels().resolve(tree, entryAt);
  return {
    tree,
    leaf: tree.loadedLeaf,
    name: nameOf(tree, entryAt),
    unread: unreadLines(text),
    entryAt,
    labelOf: (n) => labels.get(tree.ids.textOf(n)),
    labelTargets: () => labels.keys() as Iterable<EntryId>,
  };
}

function isEntry(entry: FileEntry): entry is SessionEntry {
  return entry.type !== "session" && typeof entry.id === "string" && entry.id !== "";
}

/** The latest name. */
function nameOf(tree: TreeIndex, entryAt: (n: number) => SessionEntry): string | undefined {
  for (const n of tree.nameEntries.toReversed()) {
    const { name } = entryAt(n) as { readonly name?: unknown };
    if (typeof name === "string" && name.trim() !== "") return name;
  }
  return undefined;
}

function unreadLines(text: string): UnreadLine[] {
  return text.split("\n").flatMap((line, at): UnreadLine[] => {
    if (line.trim() === "") return [];
    const read = parseObject(line);
    if (read.kind === "bad") return [{ line: at + 1, reason: read.reason }];
    return typeof read.record.type === "string" ? [] : [{ line: at + 1, reason: "no-type" }];
  });
}

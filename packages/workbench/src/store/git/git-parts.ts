/** What each replica has of one session in a git store, and which of it comes after a cursor. */
import { cursorOf, isSameMark, type Mark, type Marks, markAt } from "../file-cursor.js";
import type { Replica, SessionAbout, StoredSession } from "../store.js";
import type { TreeFile } from "./git-import.js";
import { isRemovedBy } from "./git-removal.js";

/** What one replica has of one session. */
export interface Part {
  readonly ref: string;
  readonly replica: Replica;
  readonly lines: readonly TreeFile[];
  readonly about: SessionAbout;
  /** See `isRemovedBy`. */
  readonly marks: readonly string[];
}

export function isRemoved(parts: readonly Part[]): boolean {
  return isRemovedBy(parts.flatMap(({ marks }) => marks));
}

export function sessionOf(id: string, parts: readonly Part[]): StoredSession {
  return {
    id,
    cursor: cursorOf(marksOf(parts)),
    ...updatedAt(parts),
    replicas: parts.filter(({ lines }) => lines.length > 0).map(({ replica }) => replica),
    ...Object.assign({}, ...parts.map(({ about }) => about)),
    ...(isRemoved(parts) ? { removed: true } : {}),
  };
}

/** The names of files begin with the time of their push. */
function updatedAt(parts: readonly Part[]): { updated?: Date } {
  const times = parts.flatMap(({ lines }) => lines.map(({ path }) => Number(/\/(\d{15})-[^/]*$/.exec(path)?.[1])));
  const latest = Math.max(0, ...times.filter((time) => time > 0));
  return latest === 0 ? {} : { updated: new Date(latest) };
}

export interface UnreadFile {
  readonly ref: string;
  readonly replica: Replica;
  readonly file: TreeFile;
  /** The mark of the ref after this file. */
  readonly end: () => Mark;
}

export interface Rest {
  readonly files: readonly UnreadFile[];
  /** Marks that still match. */
  readonly marks: ReadonlyMap<string, Mark>;
  /** A mark does not match: its ref is gone, or has other files before it. */
  readonly isLost: boolean;
}

/**
 * What comes after a cursor, in the order of the pushes, so that a full pull ends where the last push left off. If the
 * files before a ref's mark have changed, the whole ref is read again; callers skip lines they know. It may have been
 * rewritten, or a file pushed from a machine with a slower clock arrived late.
 */
export function restAfter(parts: readonly Part[], known: Marks): Rest {
  const fitting = parts.flatMap(({ ref, lines }) => {
    const mark = known[ref];
    return mark !== undefined && isSameMark(mark, markAfter(lines.slice(0, mark.at))) ? [[ref, mark] as const] : [];
  });
  const marks = new Map(fitting);
  const files = parts.flatMap(({ ref, replica, lines }) => {
    const from = marks.get(ref)?.at ?? 0;
    return lines
      .slice(from)
      .map((file, n) => ({ ref, replica, file, end: () => markAfter(lines.slice(0, from + n + 1)) }));
  });
  files.sort((a, b) => (a.file.path < b.file.path ? -1 : 1));
  return { files, marks, isLost: marks.size < Object.keys(known).length };
}

export function marksOf(parts: readonly Part[]): Marks {
  return Object.fromEntries(parts.map(({ ref, lines }) => [ref, markAfter(lines)]));
}

export function markAfter(files: readonly TreeFile[]): Mark {
  return markAt(files.length, files.map(({ path, blob }) => `${path} ${blob}`).join("\n"));
}

export function isSame(a: Marks, b: Marks): boolean {
  return Object.keys({ ...a, ...b }).every((name) => isSameMark(a[name], b[name]));
}

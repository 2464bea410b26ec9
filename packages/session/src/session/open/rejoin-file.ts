/**
 * A running session finds another file at its path, or its own file truncated (keeps I7).
 *
 * If it is the same session, the missing entries are added to it, so that two programs restoring one session agree.
 * Otherwise the file is renamed and everything known is written again. Nothing is overwritten.
 */
import { existsSync, renameSync } from "node:fs";
import type { EntryId, SessionHeader } from "../../entry/index.js";
import { type Durability, FileLog } from "../../log/index.js";
import type { TreeIndex } from "../../tree/index.js";
import { entryIn } from "../entry-reader.js";
import type { RecentLines } from "../memory/recent-lines.js";
import { SessionIndex } from "../scan/session-index.js";
import { headerLine } from "../write/entry-line.js";

interface KnownLine {
  readonly id: EntryId;
  /** The line with its newline; undefined if its bytes are gone. */
  readonly line: () => Buffer | undefined;
}

interface RejoinOptions {
  readonly path: string;
  readonly header: SessionHeader;
  /** What the session knows, in the order of the old file. */
  readonly known: Iterable<KnownLine>;
  readonly now: () => Date;
  readonly durability?: Durability;
}

interface Rejoined {
  readonly log: FileLog;
  /** Entries whose bytes are gone. */
  readonly lost: readonly EntryId[];
}

export function rejoinFile(options: RejoinOptions): Rejoined {
  const { path, header, durability } = options;
  const access = { access: "write" as const, ...(durability === undefined ? {} : { durability }) };
  let log = new FileLog(path, access);
  let index = new SessionIndex(log);
  index.load();
  if (index.header?.id !== header.id) {
    log.close();
    if (existsSync(path)) renameSync(path, asideName(path, options.now()));
    log = new FileLog(path, access);
    index = new SessionIndex(log);
    log.write(Buffer.from(`${headerLine(header)}\n`));
  }
  const lost: EntryId[] = [];
  for (const { id, line } of options.known) {
    const n = index.tree.ids.findText(id);
    if (n >= 0 && index.isReadable(n)) continue;
    const bytes = line();
    if (bytes === undefined) lost.push(id);
    else log.write(bytes);
  }
  return { log, lost };
}

/** The lines a session knows: those it wrote, as written, and those still in its old file. */
export function* knownLines({ tree, recent, old }: KnownSources): Generator<KnownLine> {
  for (let n = 0; n < tree.count; n++) {
    const id = tree.ids.textOf(n);
    const offset = tree.offsetOf(n);
    const length = tree.lengthOf(n);
    if (offset >= 0) yield { id, line: () => recent.find(id) ?? oldLine(old.readAt(offset, length), id) };
  }
}

interface KnownSources {
  readonly tree: TreeIndex;
  readonly recent: RecentLines;
  readonly old: FileLog;
}

function oldLine(bytes: Buffer, id: EntryId): Buffer | undefined {
  return entryIn(bytes, id) === undefined ? undefined : Buffer.concat([bytes, Buffer.from("\n")]);
}

function asideName(path: string, now: Date): string {
  const stamp = now.toISOString().replace(/[:.]/g, "-");
  for (let i = 0; ; i++) {
    const name = `${path}.replaced-${stamp}${i === 0 ? "" : `-${i}`}`;
    if (!existsSync(name)) return name;
  }
}

/** The entry itself, or if it was lost with a part of the file, its nearest ancestor that is left. */
export function survivorOf(id: EntryId, former: TreeIndex, now: TreeIndex): EntryId | null {
  if (now.ids.findText(id) >= 0) return id;
  for (let n = former.ids.findText(id); n >= 0; n = former.parentOf(n)) {
    const above = former.ids.textOf(n);
    if (now.ids.findText(above) >= 0) return above;
  }
  return null;
}

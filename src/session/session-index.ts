/**
 * One log read into one tree: takes in lines as bytes, keeps the header, and reports what is damaged instead of hiding
 * it (keeps I6, I8).
 */
import {
  BAD_RECORD_REASONS,
  Kind,
  kindOf,
  newRecordScan,
  type Problem,
  type ProblemCode,
  Role,
  roleOf,
  Scan,
  type SessionEntry,
  type SessionHeader,
  scanRecord,
  type TitleLine,
} from "../entry/index.js";
import type { Log, ScannedLine } from "../log/index.js";
import { TreeIndex } from "../tree/index.js";
import { recordIn, wholeLine } from "./line-text.js";
import { quickLoad } from "./quick-load.js";
import { placeOfDamaged, recordsWithin } from "./recover-line.js";

const BRACE = 0x7d;

/** Bytes of a line in the log. */
interface Span {
  readonly offset: number;
  readonly length: number;
}

export class SessionIndex {
  tree = new TreeIndex();
  header: SessionHeader | undefined;
  title: TitleLine | undefined;
  readonly #log: Log;
  readonly #problems: Problem[] = [];
  readonly #scan = newRecordScan();
  /** Where damaged lines would stand in the tree, by their id. */
  readonly #damaged = new Map<string, Span & { readonly parentId: string | null }>();
  readonly #reportedMissing = new Set<number>();
  /** Line number of the next line while the whole log is read; -1 later, when it is counted on demand. */
  #line = 0;
  /** Entries at or behind this offset may turn up somewhere else. */
  #movable = Number.POSITIVE_INFINITY;

  constructor(log: Log) {
    this.#log = log;
  }

  /** What was odd so far. Entries are read on demand, so this grows as they are looked at. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** Reads the whole log: quickly where it is in order, again and entry by entry where it is not. */
  load(): void {
    const quick = quickLoad(this.#log);
    if (quick !== undefined) {
      this.tree = quick.tree;
      this.header = quick.header;
      this.title = quick.title;
      this.#line = -1;
      return;
    }
    const end = this.#log.scan(0, (line) => {
      this.#line += 1;
      this.#takeLine(line);
    });
    this.#log.accept(end);
    if (this.header === undefined && end.end > 0) {
      this.report("no-header", { offset: 0, length: 0 }, "no line of the file is a readable header", {
        effect: "the session can be read, never written to; copy or repair it to go on",
        line: 0,
      });
    }
    this.#line = -1;
    this.settle();
  }

  /** Takes in what the log holds behind its certain part. Lines already known are found again by their id. */
  catchUp(): void {
    const from = this.#log.certain;
    for (let i = this.#problems.length - 1; i >= 0; i--) {
      if ((this.#problems[i] as Problem).offset >= from) this.#problems.splice(i, 1);
    }
    this.#movable = from;
    const end = this.#log.scan(from, (line) => this.#takeLine(line));
    this.#movable = Number.POSITIVE_INFINITY;
    this.#log.accept(end);
    this.settle();
  }

  /** Connects what came in out of order, and puts damaged lines back where their children say they were. */
  settle(): void {
    let open = this.tree.settle();
    for (let restored = 1; restored > 0; ) {
      restored = 0;
      for (const n of open.missing) {
        const id = this.tree.missingParentOf(n) as string;
        const place = this.#damaged.get(id);
        if (place === undefined || this.tree.ids.findText(id) >= 0) continue;
        this.tree.add(id, place.parentId, { kind: Kind.unreadable, role: Role.none, ...place });
        restored += 1;
      }
      if (restored > 0) open = { ...this.tree.settle(), cycles: open.cycles };
    }
    for (const n of open.missing) this.#reportMissing(n);
    for (const n of open.cycles) {
      this.report("cycle", this.#spanOf(n), "following the parents comes back to this entry", {
        effect: "shown as a root of its own",
        entryId: this.tree.ids.textOf(n),
      });
    }
  }

  /**
   * Handles an entry whose line turned out not to be what its first bytes promised: finds the records that are whole
   * inside it, or says that it cannot be read. Returns whether entry `n` can be read now.
   */
  recover(n: number, bytes: Buffer): boolean {
    const span = this.#spanOf(n);
    const id = this.tree.ids.textOf(n);
    const within = recordsWithin(bytes);
    let found = false;
    for (const record of within) {
      const offset = span.offset + record.start;
      const length = record.end - record.start;
      if (record.entry.id === id) {
        this.tree.relocate(n, offset, length);
        found = true;
      } else this.#add(record.entry, { offset, length });
    }
    if (within.length > 0) this.#reportJoined(span, within.length);
    if (!found) {
      this.tree.setUnreadable(n);
      this.report("unreadable-entry", span, "the first bytes name an entry, the rest is not JSON", {
        effect: "the entry keeps its place in the tree; its content cannot be shown",
        entryId: id,
      });
    }
    this.settle();
    return found;
  }

  /** Whether the entry can be parsed as what the index says it is. */
  isReadable(n: number): boolean {
    const record = recordIn(this.#log.readAt(this.tree.offsetOf(n), this.tree.lengthOf(n)));
    return record.kind === "entry" && record.entry.id === this.tree.ids.textOf(n);
  }

  report(
    code: ProblemCode,
    span: Span,
    cause: string,
    more: { readonly effect: string; readonly entryId?: string; readonly line?: number },
  ): void {
    const line = more.line ?? (this.#line >= 0 ? this.#line : this.#countLines(span.offset));
    this.#problems.push({
      code,
      line,
      offset: span.offset,
      bytes: span.length,
      cause,
      effect: more.effect,
      ...(more.entryId === undefined ? {} : { entryId: more.entryId }),
    });
  }

  #takeLine(line: ScannedLine): void {
    if (line.last < 0) return;
    const start = line.offset === 0 ? line.start + byteOrderMark(line) : line.start;
    if (line.last === BRACE && line.terminated) {
      const scanned = scanRecord(line.bytes, start, line.end, this.#scan);
      if (scanned === Scan.entry) {
        const earlier = this.tree.addScanned(line.bytes, this.#scan, line.offset, line.length);
        if (earlier < 0) return;
        const id = line.bytes.toString("utf8", this.#scan.idStart, this.#scan.idEnd);
        this.#takeKnownId(earlier, id, this.#scan.kind, this.#scan.role, line);
        return;
      }
    }
    this.#takeUnclear(line);
  }

  /** A line whose first bytes do not tell: parse it. */
  #takeUnclear(line: ScannedLine): void {
    const bytes = wholeLine(this.#log, line);
    const record = recordIn(bytes);
    switch (record.kind) {
      case "entry":
        this.#add(record.entry, line);
        return;
      case "header":
        this.#takeHeader(record.header, line);
        return;
      case "title":
        this.title ??= record.title;
        return;
      case "bad":
        this.#takeBad(bytes, line, BAD_RECORD_REASONS[record.reason]);
    }
  }

  #add(entry: SessionEntry, span: Span): void {
    const kind = kindOf(entry);
    const role = roleOf(entry);
    const { offset, length } = span;
    const earlier = this.tree.add(entry.id, entry.parentId, { kind, role, offset, length });
    if (earlier >= 0) this.#takeKnownId(earlier, entry.id, kind, role, span);
  }

  /** A second line with an id that is taken: ours again, the same line twice, a line written anew, or a clash. */
  #takeKnownId(earlier: number, id: string, kind: Kind, role: Role, span: Span): void {
    const { offset, length } = span;
    const at = this.tree.offsetOf(earlier);
    if (at === offset) return;
    if (at < 0 || at >= this.#movable) {
      this.tree.relocate(earlier, offset, length);
      return;
    }
    // Copied, because both may lie in the same read window.
    const first = Buffer.from(this.#log.readAt(at, this.tree.lengthOf(earlier)));
    if (length === first.length && first.equals(this.#log.readAt(offset, length))) {
      this.report("repeated-line", span, "the same line stands further up", { effect: "shown once", entryId: id });
      return;
    }
    const record = recordIn(first);
    if (record.kind !== "entry" || record.entry.id !== id) {
      this.report(
        "unreadable-line",
        { offset: at, length: first.length },
        "the line was cut off, and written again later",
        {
          effect: "the later line counts",
          entryId: id,
          line: this.#countLines(at),
        },
      );
      this.tree.revive(earlier, { kind, role, offset, length });
      return;
    }
    this.tree.addDuplicate(id, { kind, role, offset, length });
    this.report("duplicate-id", span, `the id ${id} is taken by another entry`, {
      effect: "shown as a root of its own; the id leads to the first",
      entryId: id,
    });
  }

  #takeHeader(header: SessionHeader, line: ScannedLine): void {
    if (this.header !== undefined) {
      this.report("second-header", line, "another header line", { effect: "ignored; the first one counts" });
      return;
    }
    this.header = header;
    if (this.tree.count > 0 && this.#line >= 0) {
      this.report("late-header", line, "entries stand before the header", { effect: "they are read all the same" });
    }
  }

  #takeBad(bytes: Buffer, line: ScannedLine, reason: string): void {
    const within = recordsWithin(bytes);
    if (within.length > 0) {
      for (const { entry, start, end } of within)
        this.#add(entry, { offset: line.offset + start, length: end - start });
      this.#reportJoined(line, within.length);
      return;
    }
    const place = placeOfDamaged(bytes);
    if (place !== undefined) {
      this.#damaged.set(place.id, { parentId: place.parentId, offset: line.offset, length: line.length });
    }
    const entryId = place === undefined ? {} : { entryId: place.id };
    if (line.terminated) {
      this.report("unreadable-line", line, reason, {
        effect: "this line cannot be read; it stays in the file",
        ...entryId,
      });
    } else {
      this.report("torn-tail", line, "the last line was cut off while it was written", {
        effect: "this line cannot be read; the next one starts afresh",
        ...entryId,
      });
    }
  }

  #reportJoined(span: Span, count: number): void {
    this.report(
      "joined-records",
      span,
      `the line holds ${count === 1 ? "a record" : `${count} records`} and other bytes`,
      {
        effect:
          count === 1 ? "the record was read, the other bytes stay in the file" : "the records were read one by one",
      },
    );
  }

  #reportMissing(n: number): void {
    if (this.#reportedMissing.has(n)) return;
    this.#reportedMissing.add(n);
    this.report("missing-parent", this.#spanOf(n), `the parent ${this.tree.missingParentOf(n)} is not in the file`, {
      effect: "shown as a root of its own",
      entryId: this.tree.ids.textOf(n),
    });
  }

  #spanOf(n: number): Span {
    return { offset: this.tree.offsetOf(n), length: this.tree.lengthOf(n) };
  }

  /** Number of the line at `offset`. Reads the log up to there: only for problems, which are rare. */
  #countLines(offset: number): number {
    let count = 0;
    this.#log.scan(0, (line) => {
      if (line.offset <= offset) count += 1;
    });
    return count;
  }
}

function byteOrderMark(line: ScannedLine): number {
  const { bytes, start } = line;
  return bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf ? 3 : 0;
}

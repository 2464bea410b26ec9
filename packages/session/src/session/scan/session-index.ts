/**
 * Reads one log into one tree: indexes lines as bytes, keeps the header, and reports damage instead of hiding it (keeps
 * I6, I8).
 */
import {
  BAD_RECORD_REASONS,
  Kind,
  kindOf,
  type Problem,
  type Role,
  roleOf,
  type SessionEntry,
  type SessionHeader,
  type TitleLine,
} from "../../entry/index.js";
import { newRecordScan, Scan, scanRecord } from "../../entry/internal.js";
import { inOneGo, type Log, type ScannedLine } from "../../log/index.js";
import type { Steps } from "../../text/index.js";
import { TreeIndex } from "../../tree/index.js";
import { isSameId } from "../entry-reader.js";
import { DamagedPlaces } from "./damaged-places.js";
import { readTimes } from "./entry-time.js";
import {
  cycle,
  duplicateId,
  lateHeader,
  lineWrittenAgain,
  missingParent,
  noHeader,
  repeatedLine,
  secondHeader,
  tornTail,
  unreadableEntry,
  unreadableLine,
} from "./index-reports.js";
import { JoinedLines } from "./joined-lines.js";
import { byteOrderMark, recordIn, wholeLine } from "./line-text.js";
import { LooseParents } from "./loose-parents.js";
import { ProblemList, type ProblemReport, type Span } from "./problem-list.js";
import { type QuickLoaded, quickLoad } from "./quick-load.js";
import { headerWithin, idAndParentIn, recordsWithin } from "./recover-line.js";
import { scanSteps } from "./scan-steps.js";

const BRACE = 0x7d;

export class SessionIndex {
  tree = new TreeIndex();
  header: SessionHeader | undefined;
  title: TitleLine | undefined;
  readonly #log: Log;
  readonly #problems: ProblemList;
  readonly #scan = newRecordScan();
  readonly #damaged = new DamagedPlaces();
  readonly #reportedMissing = new Set<number>();
  /** Entries cut from a cycle but not reported yet. */
  readonly #cycles: number[] = [];
  /** Entries whose ID was taken, by offset. */
  readonly #duplicatesAt = new Map<number, number>();
  readonly #joined: JoinedLines;
  readonly #loose = new LooseParents();
  #headerAt = -1;
  /** The current line number while the whole log is read; -1 afterwards, when it is counted on demand. */
  #line = 0;
  #lineOffset = 0;
  /** Entries from this offset on may be found again at another offset. */
  #movable = Number.POSITIVE_INFINITY;

  constructor(log: Log) {
    this.#log = log;
    this.#problems = new ProblemList(log);
    this.#joined = new JoinedLines(log, this);
    readTimes(this.tree, log);
  }

  /** The problems found so far. Entries are read on demand, so this grows as they are read. */
  get problems(): readonly Problem[] {
    return this.#problems.list();
  }

  /** Reads the whole log: quickly if it is in order, otherwise again, entry by entry. */
  load(): void {
    inOneGo(this.loadSteps(quickLoad(this.#log) ?? null));
  }

  /** Like `load`, in steps, after the quick attempt: `null` if that found an irregularity. */
  *loadSteps(quick: QuickLoaded | null): Steps<void> {
    if (quick !== null) {
      this.tree = quick.tree;
      readTimes(this.tree, this.#log);
      this.header = quick.header;
      this.title = quick.title;
      this.#line = -1;
      return;
    }
    const end = yield* scanSteps(this.#log, 0, (line) => {
      this.#line += 1;
      this.#lineOffset = line.offset;
      this.#takeLine(line);
    });
    this.#log.accept(end);
    this.#line = -1;
    this.settle({ report: false });
    yield;
    if (this.tree.hasMissing) yield* this.#recoverJoined();
    if (this.header === undefined && end.end > 0) this.report(noHeader());
    this.settle();
  }

  /** Reads what the log holds after its certain part. Known lines are recognized by their ID. */
  catchUp(): void {
    const from = this.#log.certain;
    this.#forgetProblemsFrom(from);
    this.#movable = from;
    const end = this.#log.scan(from, (line) => {
      // The first line may be a torn one that has been completed since, so its first bytes prove nothing.
      if (line.offset === from && line.last >= 0) this.#takeUnclear(line);
      else this.#takeLine(line);
    });
    this.#movable = Number.POSITIVE_INFINITY;
    this.#log.accept(end);
    this.settle();
  }

  /** Connects entries that came out of order, and restores damaged lines where their children say they were. */
  settle(options: { readonly report: boolean } = { report: true }): void {
    let missing = this.#settleTree();
    while (this.#damaged.restore(this.tree, missing)) missing = this.#settleTree();
    if (!options.report) return;
    const left = this.#loose.connect(missing, { log: this.#log, tree: this.tree, header: this.header });
    for (const n of left.missing) this.#reportMissing(n);
    for (const n of this.#cycles.splice(0).concat(left.cycles))
      this.report(cycle(this.#spanOf(n), this.tree.ids.textOf(n)));
  }

  #settleTree(): readonly number[] {
    const { missing, cycles } = this.tree.settle();
    for (const n of cycles) this.#cycles.push(n);
    return missing;
  }

  /**
   * Handles an entry whose line is not what its first bytes suggested: finds the whole records inside the line, or
   * reports the entry as unreadable. Returns whether entry `n` can be read now.
   */
  recover(n: number, bytes: Buffer): boolean {
    const before = this.tree.count;
    const found = this.#recover(n, bytes);
    this.#takeFound();
    if (this.tree.count > before) {
      // If one newline was lost, others may be: one pass over all lines avoids handling them one at a time.
      inOneGo(this.#recoverJoined());
      this.settle();
    }
    return found;
  }

  #recover(n: number, bytes: Buffer): boolean {
    const span = this.#spanOf(n);
    if (this.#joined.open(n, bytes)) return true;
    this.tree.setUnreadable(n);
    this.report(unreadableEntry(span, this.tree.ids.textOf(n)));
    return false;
  }

  /** Adds the records found inside damaged lines. */
  #takeFound(): void {
    for (const { entry, span } of this.#joined.takeFound()) this.#add(entry, span);
  }

  /** Remembers a header that was just written, so that a later scan does not report it as a second one. */
  wroteHeader(header: SessionHeader, offset: number): void {
    this.header = header;
    this.#headerAt = offset;
  }

  /** Whether the line still parses to the entry that the index has. */
  isReadable(n: number): boolean {
    const record = recordIn(this.#log.readAt(this.tree.offsetOf(n), this.tree.lengthOf(n)));
    return record.kind === "entry" && isSameId(record.entry.id, this.tree.ids.textOf(n));
  }

  readonly report = (problem: ProblemReport): void => {
    // A line can reveal damage in an earlier one; then the current line number is the wrong one.
    const here = this.#line >= 0 && problem.line === undefined && problem.offset >= this.#lineOffset;
    this.#problems.report(here ? { ...problem, line: this.#line } : problem);
  };

  #takeLine(line: ScannedLine): void {
    if (line.last < 0) return;
    const start = line.offset === 0 ? line.start + byteOrderMark(line) : line.start;
    if (line.last === BRACE && line.terminated) {
      const scanned = scanRecord(line.bytes, start, line.end, this.#scan);
      if (scanned === Scan.entry) {
        const earlier = this.tree.addScanned(this.#scan, line.offset, line.length);
        if (earlier < 0) return;
        const id = line.bytes.toString("utf8", this.#scan.idStart, this.#scan.idEnd);
        this.#takeKnownId(earlier, id, this.#scan.kind, this.#scan.role, line);
        this.#takeFound();
        return;
      }
    }
    this.#takeUnclear(line);
  }

  /** Parses a line that its first bytes do not identify. */
  #takeUnclear(line: ScannedLine): void {
    const bytes = wholeLine(this.#log, line);
    const record = recordIn(bytes);
    switch (record.kind) {
      case "entry":
        this.#add(record.entry, line);
        this.#takeFound();
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

  /**
   * Handles a second line with a known ID: our own line read back, a repeated line, a line written again, or a clash.
   */
  #takeKnownId(earlier: number, id: string, kind: Kind, role: Role, span: Span): void {
    const { offset, length } = span;
    const at = this.tree.offsetOf(earlier);
    if (at === offset) return;
    if (at < 0 || at >= this.#movable) {
      this.tree.relocate(earlier, offset, length);
      return;
    }
    // The earlier line may hold more than this entry, or only others: those are read before the two are compared.
    if (!this.#isRepeated(earlier, span) && !this.isReadable(earlier) && !this.#joined.isOpened(at)) {
      this.#joined.open(earlier, this.#copyOf(earlier));
    }
    if (this.#isRepeated(earlier, span)) this.report(repeatedLine(span, id));
    else if (this.isReadable(earlier)) {
      if (this.#openKnown(id, span)) return;
      if (!this.#duplicatesAt.has(offset)) {
        this.tree.addDuplicate(id, { kind, role, offset, length });
        this.#duplicatesAt.set(offset, this.tree.count - 1);
      }
      this.report(duplicateId(span, id));
    } else {
      this.#problems.report(lineWrittenAgain(this.#spanOf(earlier), id));
      this.tree.revive(earlier, { kind, role, offset, length });
    }
  }

  /**
   * Opens a joined line that holds the whole entry with the known ID: it may be a repeat and is compared on its own.
   */
  #openKnown(id: string, span: Span): boolean {
    const bytes = Buffer.from(this.#log.readAt(span.offset, span.length));
    if (recordIn(bytes).kind !== "bad") return false;
    return recordsWithin(bytes).some(({ entry }) => isSameId(entry.id, id)) && this.#joined.openBad(bytes, span);
  }

  #isRepeated(earlier: number, { offset, length }: Span): boolean {
    if (this.tree.lengthOf(earlier) !== length) return false;
    // Copied, because both may share a read window.
    return this.#copyOf(earlier).equals(this.#log.readAt(offset, length));
  }

  #copyOf(n: number): Buffer {
    return Buffer.from(this.#log.readAt(this.tree.offsetOf(n), this.tree.lengthOf(n)));
  }

  #takeHeader(header: SessionHeader, line: Span): void {
    if (this.header !== undefined) {
      if (line.offset === this.#headerAt) return;
      this.report(secondHeader(line));
      return;
    }
    this.header = header;
    this.#headerAt = line.offset;
    if (this.tree.count > 0 && this.#line >= 0) this.report(lateHeader(line));
  }

  #takeBad(bytes: Buffer, line: ScannedLine, reason: string): void {
    const header = headerWithin(bytes);
    if (header !== undefined) this.#takeHeader(header, line);
    if (this.#joined.openBad(bytes, line)) {
      this.#takeFound();
      return;
    }
    const place = idAndParentIn(bytes);
    if (place !== undefined) this.#damaged.add(place.id, place.parentId, line);
    this.report(line.terminated ? unreadableLine(line, reason, place?.id) : tornTail(line, place?.id));
  }

  #forgetProblemsFrom(offset: number): void {
    this.#joined.forgetFrom(offset);
    for (const { code, entryId } of this.#problems.removeFrom(offset)) {
      if (code === "missing-parent") this.#reportedMissing.delete(this.tree.ids.findText(entryId ?? ""));
    }
  }

  /**
   * The number of an entry, or -1. Before an ID counts as unknown, the log is searched once for a line that hides it: a
   * newline may have been lost, which first bytes do not reveal.
   */
  numberOf(id: string): number {
    const n = this.tree.ids.findText(id);
    if (n >= 0 || !this.#joined.isBehind) return n;
    inOneGo(this.#recoverJoined());
    this.settle();
    return this.tree.ids.findText(id);
  }

  /** Finds lines that hold a second record after the one their first bytes suggest, and reads both. */
  *#recoverJoined(): Steps<void> {
    for (const { bytes, ...line } of yield* this.#joined.unopened()) {
      const n = this.#entryOfLine(line, idAndParentIn(bytes)?.id);
      if (n < 0) this.#joined.openBad(bytes, line);
      else if (this.tree.kindOf(n) !== Kind.unreadable) this.#recover(n, bytes);
    }
    this.#takeFound();
  }

  /** The entry that a line's first bytes identified it as, or -1. */
  #entryOfLine({ offset, length }: Span, id: string | undefined): number {
    const n = this.#duplicatesAt.get(offset) ?? (id === undefined ? -1 : this.tree.ids.findText(id));
    // An entry shorter than its line was found inside it before.
    return n >= 0 && this.tree.offsetOf(n) === offset && this.tree.lengthOf(n) === length ? n : -1;
  }

  #reportMissing(n: number): void {
    if (this.#reportedMissing.has(n)) return;
    this.#reportedMissing.add(n);
    this.report(missingParent(this.#spanOf(n), this.tree.ids.textOf(n), this.tree.missingParentOf(n)));
  }

  #spanOf(n: number): Span {
    return { offset: this.tree.offsetOf(n), length: this.tree.lengthOf(n) };
  }
}

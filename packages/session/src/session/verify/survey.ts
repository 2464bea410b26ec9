/**
 * The tree of a file with every line read, by the same rules as `SessionIndex` builds it from the first bytes of lines:
 * whatever the engine reports when it opens a file is found here, under the same code and on the same line.
 */
import { type EntryId, Kind, kindOf, Role, roleOf, type SessionEntry, type SessionHeader } from "../../entry/index.js";
import { TreeIndex } from "../../tree/index.js";
import { connectLoose } from "../scan/loose-parents.js";
import type { DamagedPlace } from "../scan/recover-line.js";
import { headerLine } from "../write/entry-line.js";
import { Findings, type Place, WHOLE_FILE } from "./findings.js";
import type { DamagedLine, JoinedLine, LineContent } from "./read-line.js";
import type { SessionLine, SessionLines } from "./session-lines.js";

/** In `records`: a record that repeats another one byte for byte. */
export const REPEATED = -1;

/** Bytes that no reader can use. */
interface LostBytes extends Place {
  readonly reason: string;
}

export class Survey {
  readonly findings = new Findings();
  readonly tree = new TreeIndex();
  header: SessionHeader | undefined;
  /** The header line in its version 3 form. */
  headerBytes: Buffer | undefined;
  /** The first bytes of a damaged header. */
  damagedHeader: string | undefined;
  /** Readable records in file order: the entry number of each, or `REPEATED`. */
  readonly records: number[] = [];
  /** The location of each entry, by its number. */
  readonly places: Place[] = [];
  readonly lost: LostBytes[] = [];
  /** Entries with unreadable content, and the finding that reports each. */
  readonly unreadable = new Map<number, number>();
  /** Entries whose ID was taken, and the parent that each names. */
  readonly duplicates = new Map<number, EntryId | null>();
  readonly #lines: SessionLines;
  readonly #onEntry: (n: number, entry: SessionEntry) => void;
  readonly #damaged = new Map<EntryId, Place & { readonly parentId: EntryId | null }>();

  constructor(lines: SessionLines, onEntry: (n: number, entry: SessionEntry) => void) {
    this.#lines = lines;
    this.#onEntry = onEntry;
  }

  take(line: SessionLine, content: LineContent): void {
    const place: Place = { line: line.number, offset: line.offset, length: line.length };
    switch (content.kind) {
      case "blank":
      case "title":
        return;
      case "header":
        this.#takeHeader(content.header, line.bytes, place);
        return;
      case "entry":
        this.#takeEntry(content.entry, place, line.raw);
        return;
      case "joined":
        this.#takeJoined(content, line, place);
        return;
      case "unreadable":
        this.#takeUnreadable(content.place, place, content.reason);
        this.lost.push({ ...place, reason: content.reason });
        return;
      case "damaged":
        this.#takeDamaged(content, line);
    }
  }

  /**
   * Connects entries that came out of order and reports those that remain unconnected. `callersOf` returns the entries
   * that made a call.
   */
  finish(callersOf: (call: string) => readonly number[] | undefined): void {
    if (this.header === undefined && this.#lines.size > 0) {
      this.findings.add("no-header", WHOLE_FILE, {
        cause: "no line of the file is a readable header",
        effect: "the session is read-only; copy or repair it to continue",
      });
    }
    const effect = "shown as a separate root";
    const settled = this.#settle();
    const { missing, cycles } = connectLoose(settled.missing, { tree: this.tree, header: this.header, callersOf });
    for (const n of missing) {
      const cause = `the parent ${this.tree.missingParentOf(n)} is not in the file`;
      this.findings.add("missing-parent", this.places[n] as Place, { cause, effect, entryId: this.idOf(n) });
    }
    for (const n of settled.cycles.concat(cycles)) {
      const cause = "the parent chain loops back to this entry";
      this.findings.add("cycle", this.places[n] as Place, { cause, effect, entryId: this.idOf(n) });
    }
  }

  idOf(n: number): EntryId {
    return this.tree.ids.textOf(n);
  }

  /** Restores damaged lines to the tree if an entry names them as its parent. */
  #settle(): { readonly missing: readonly number[]; readonly cycles: readonly number[] } {
    const cycles: number[] = [];
    for (;;) {
      const open = this.tree.settle();
      for (const n of open.cycles) cycles.push(n);
      let restored = 0;
      for (const n of open.missing) {
        const id = this.tree.missingParentOf(n) as EntryId;
        const place = this.#damaged.get(id);
        if (place === undefined || this.tree.ids.findText(id) >= 0) continue;
        this.#place({ id, parentId: place.parentId }, place);
        this.unreadable.set(this.tree.count - 1, -1);
        restored += 1;
      }
      if (restored === 0) return { missing: open.missing, cycles };
    }
  }

  #takeHeader(header: SessionHeader, bytes: Buffer, place: Place): void {
    if (this.header !== undefined) {
      this.findings.add("second-header", place, {
        cause: "another header line",
        effect: "ignored; the first one is used",
      });
      this.lost.push({ ...place, reason: "another header" });
      return;
    }
    this.header = header;
    this.headerBytes = Buffer.from(bytes);
    if (this.tree.count === 0) return;
    this.findings.add("late-header", place, {
      cause: "entries come before the header",
      effect: "they are read anyway",
    });
  }

  #takeEntry(entry: SessionEntry, place: Place, raw: Buffer): void {
    const what = { kind: kindOf(entry), role: roleOf(entry), offset: place.offset, length: place.length };
    const earlier = this.tree.add(entry.id, entry.parentId, what);
    let n = earlier;
    if (earlier < 0) {
      n = this.tree.count - 1;
      this.places[n] = place;
    } else if (this.#isRepeated(earlier, place, raw)) {
      this.lost.push({ ...place, reason: "the same line again" });
      this.records.push(REPEATED);
      return;
    } else if (this.unreadable.has(earlier)) {
      this.#replaceUnreadable(earlier, place);
      this.unreadable.delete(earlier);
    } else {
      n = this.#addDuplicate(entry, place, { kind: what.kind, role: what.role });
    }
    this.records.push(n);
    this.#onEntry(n, entry);
  }

  #takeUnreadable(lost: DamagedPlace, place: Place, reason: string): void {
    const earlier = this.#place(lost, place);
    let n = earlier < 0 ? this.tree.count - 1 : earlier;
    if (earlier >= 0) {
      if (this.#isRepeated(earlier, place, this.#lines.rawAt(place.offset, place.length))) return;
      if (this.unreadable.has(earlier)) this.#replaceUnreadable(earlier, place);
      else n = this.#addDuplicate(lost, place, UNREADABLE);
    }
    const finding = this.findings.add("unreadable-entry", place, {
      cause: reason,
      effect: "the entry keeps its position in the tree; its content cannot be shown",
      entryId: lost.id,
    });
    this.unreadable.set(n, finding);
  }

  #takeJoined({ records, header, lost }: JoinedLine, line: SessionLine, place: Place): void {
    let rest = line.length - this.#takeHeaderWithin(header, place);
    if (lost !== undefined) {
      this.#takeUnreadable(lost, place, "the line starts like an entry, but another record follows");
    }
    for (const { entry, start, end } of records) {
      const within = { line: line.number, offset: line.offset + start, length: end - start };
      this.#takeEntry(entry, within, line.bytes.subarray(start, end));
      rest -= within.length;
    }
    const one = records.length === 1;
    this.findings.add("joined-records", place, {
      cause: `the line holds ${one ? "a record" : `${records.length} records`} and other bytes`,
      effect: one ? "the record was read, the other bytes stay in the file" : "the records were read one by one",
    });
    if (rest > 0) this.lost.push({ ...place, length: rest, reason: "bytes beside the records of a line" });
  }

  #takeDamaged({ place: lost, reason, header }: DamagedLine, line: SessionLine): void {
    const place: Place = { line: line.number, offset: line.offset, length: line.length };
    const rest = line.length - this.#takeHeaderWithin(header, place);
    if (lost !== undefined) this.#damaged.set(lost.id, { ...place, parentId: lost.parentId });
    const head = line.bytes.toString("utf8", 0, 4096);
    if (/^\W*"type":"session"/.test(head)) this.damagedHeader ??= head;
    const entryId = lost === undefined ? {} : { entryId: lost.id };
    if (line.terminated) {
      const effect = "this line cannot be read; it stays in the file";
      this.findings.add("unreadable-line", place, { cause: reason, effect, ...entryId });
    } else {
      const effect = "this line cannot be read; it stays in the file";
      const cause = "the last line was cut off while it was written";
      this.findings.add("torn-tail", place, { cause, effect, ...entryId });
    }
    this.lost.push({ ...place, length: rest, reason });
  }

  /** Takes a header that has something joined to it. Returns how many bytes of the line it accounts for. */
  #takeHeaderWithin(header: SessionHeader | undefined, place: Place): number {
    if (header === undefined) return 0;
    const bytes = Buffer.from(headerLine(header));
    this.#takeHeader(header, bytes, place);
    return Math.min(bytes.length, place.length);
  }

  /** Adds an entry without content. Returns the same as `TreeIndex.add`. */
  #place({ id, parentId }: DamagedPlace, place: Place): number {
    const { offset, length } = place;
    const earlier = this.tree.add(id, parentId, { ...UNREADABLE, offset, length });
    if (earlier < 0) this.places[this.tree.count - 1] = place;
    return earlier;
  }

  #isRepeated(earlier: number, place: Place, raw: Buffer): boolean {
    const length = this.tree.lengthOf(earlier);
    // Copied, because both may share a read window.
    const bytes = Buffer.from(raw);
    if (length !== place.length || !bytes.equals(this.#lines.rawAt(this.tree.offsetOf(earlier), length))) return false;
    this.findings.add("repeated-line", place, {
      cause: "the same line appears earlier",
      effect: "shown once",
      entryId: this.idOf(earlier),
    });
    return true;
  }

  /** A later line repeats the entry of a damaged one. */
  #replaceUnreadable(n: number, place: Place): void {
    const words = { cause: "the line was cut off, and written again later", effect: "the later line is used" };
    this.findings.replace(this.unreadable.get(n) as number, {
      code: "unreadable-line",
      place: this.places[n] as Place,
      words: { ...words, entryId: this.idOf(n) },
    });
    this.tree.relocate(n, place.offset, place.length);
    this.places[n] = place;
  }

  #addDuplicate({ id, parentId }: DamagedPlace, place: Place, what: { kind: Kind; role: Role }): number {
    this.tree.addDuplicate(id, { ...what, offset: place.offset, length: place.length });
    const n = this.tree.count - 1;
    this.places[n] = place;
    this.duplicates.set(n, parentId);
    this.findings.add("duplicate-id", place, {
      cause: `the id ${id} is taken by another entry`,
      effect: "shown as a separate root; the id refers to the first",
      entryId: id,
    });
    return n;
  }
}

const UNREADABLE: { readonly kind: Kind; readonly role: Role } = { kind: Kind.unreadable, role: Role.none };

/** The lines of the repaired file, made while the original is read a second time. */
import { isUtf8 } from "node:buffer";
import { type EntryId, Kind, type SessionEntry } from "../../entry/index.js";
import { withField, withParent } from "../../entry/internal.js";
import { hasByteOrderMark, type LineContent } from "../verify/read-line.js";
import type { SessionLine } from "../verify/session-lines.js";
import { REPEATED, type Survey } from "../verify/survey.js";
import { derivedId } from "./derived-id.js";
import type { Proof } from "./proof.js";
import type { ChangeReason, RepairChange } from "./repair-report.js";

/** The ID and parent of each entry in the repaired file. */
class NewPlaces {
  readonly #survey: Survey;
  readonly #newIds = new Set<EntryId>();
  /** Nearest readable entry above an unreadable one, or -1. */
  readonly #above = new Map<number, number>();

  constructor(survey: Survey) {
    this.#survey = survey;
  }

  isTaken(id: EntryId): boolean {
    return this.#newIds.has(id) || this.#survey.tree.ids.findText(id) >= 0;
  }

  /** The ID of entry `n`; if another entry has its ID, a new one derived from its line. */
  idOf(n: number, line: Buffer): EntryId {
    if (!this.#survey.duplicates.has(n)) return this.#survey.idOf(n);
    const id = derivedId(line, (candidate) => this.isTaken(candidate));
    this.#newIds.add(id);
    return id;
  }

  /**
   * The parent of entry `n`: as the engine shows it, but never an unreadable entry.
   *
   *     a ─ ▓ ─ ▓ ─ d        becomes        a ─ d
   */
  parentOf(n: number): EntryId | null {
    const { tree } = this.#survey;
    const parent = this.#readable(this.#survey.duplicates.has(n) ? this.#namedBy(n) : tree.parentOf(n));
    return parent < 0 ? null : this.#survey.idOf(parent);
  }

  /** A duplicate is drawn as a root because its ID is in doubt, but the parent it names is not. */
  #namedBy(n: number): number {
    const { tree, duplicates } = this.#survey;
    const parentId = duplicates.get(n) ?? null;
    if (parentId === null || parentId === this.#survey.idOf(n)) return -1;
    const parent = tree.ids.findText(parentId);
    return parent >= 0 && tree.kindOf(parent) === Kind.position ? -1 : parent;
  }

  #readable(parent: number): number {
    const { tree, unreadable } = this.#survey;
    const passed: number[] = [];
    let at = parent;
    while (at >= 0 && unreadable.has(at)) {
      const known = this.#above.get(at);
      if (known === undefined) passed.push(at);
      at = known ?? tree.parentOf(at);
    }
    for (const n of passed) this.#above.set(n, at);
    return at;
  }
}

interface RepairedLinesOptions {
  readonly survey: Survey;
  /** The header line, without its newline. */
  readonly header: Buffer;
  readonly proof: Proof;
  /** Receives a line without its newline. */
  readonly write: (line: Buffer) => void;
}

export class RepairedLines {
  kept = 0;
  readonly changed: RepairChange[] = [];
  readonly places: NewPlaces;
  readonly #options: RepairedLinesOptions;
  #headerWritten = false;
  #record = 0;

  constructor(options: RepairedLinesOptions) {
    this.#options = options;
    this.places = new NewPlaces(options.survey);
  }

  take(line: SessionLine, content: LineContent): void {
    if (content.kind === "blank") return;
    // oh-my-pi's title line comes before the header.
    if (content.kind === "title") this.#options.write(Buffer.from(plain(line.bytes)));
    this.finish();
    if (content.kind === "entry") this.#takeRecord(line, content.entry, plain(line.bytes));
    if (content.kind !== "joined") return;
    for (const { entry, start, end } of content.records) {
      this.#takeRecord(line, entry, line.bytes.subarray(start, end));
    }
  }

  /** Writes the header if no line has caused that yet. */
  finish(): void {
    if (this.#headerWritten) return;
    this.#headerWritten = true;
    this.#options.write(this.#options.header);
  }

  #takeRecord(line: SessionLine, entry: SessionEntry, bytes: Buffer): void {
    const { survey, proof, write } = this.#options;
    const n = survey.records[this.#record++];
    if (n === undefined) throw new Error("bug: the second reading of a file has more records than the first");
    if (n === REPEATED) return;
    const id = this.places.idOf(n, bytes);
    const parentId = this.places.parentOf(n);
    const moves = placeChanges(entry, { id, parentId }, bytes);
    const upgraded = !line.bytes.equals(line.raw);
    if (moves.length > 0) {
      proof.expectMoved(bytes, { id, parentId });
      write(placed(bytes, { id, parentId }));
    } else {
      proof.expectSame(bytes);
      write(Buffer.from(bytes));
    }
    const reasons: ChangeReason[] = upgraded ? [{ kind: "upgraded" }, ...moves] : moves;
    if (reasons.length === 0) this.kept += 1;
    else this.changed.push({ line: line.number, id, reasons });
  }
}

interface NewPlace {
  readonly id: EntryId;
  readonly parentId: EntryId | null;
}

function placeChanges(entry: SessionEntry, place: NewPlace, bytes: Buffer): ChangeReason[] {
  const changes: ChangeReason[] = [];
  if (place.id !== entry.id) changes.push({ kind: "new-id", from: entry.id });
  if (place.parentId !== entry.parentId) {
    changes.push({ kind: "new-parent", from: entry.parentId, to: place.parentId });
  }
  // IDs with stray bytes compare equal as text, and stay equal when written as text.
  const replaced = `${entry.id}${entry.parentId ?? ""}`.includes("\uFFFD");
  if (replaced && !isUtf8(bytes)) changes.push({ kind: "encoding" });
  return changes;
}

/** The same line with another ID and parent. One character per byte preserves bytes that are not UTF-8. */
function placed(bytes: Buffer, { id, parentId }: NewPlace): Buffer {
  const text = withField(bytes.toString("latin1"), "id", asBytes(JSON.stringify(id)));
  return Buffer.from(withParent(text, parentId === null ? null : asBytes(parentId)), "latin1");
}

function asBytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** Without a byte order mark and trailing carriage returns. */
export function plain(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0x0d) end--;
  return bytes.subarray(hasByteOrderMark(bytes) ? 3 : 0, end);
}

/**
 * The lines of a log that hold other records than their first bytes suggest: a newline was lost, or a write was cut off
 * and another record follows directly.
 *
 * Taking one record can lead to the next damaged line, so records wait in a list until the caller takes them: nothing
 * here recurses, no matter how the damage is chained (keeps I9).
 */
import type { SessionEntry } from "../../entry/index.js";
import type { Log } from "../../log/index.js";
import type { Steps } from "../../text/index.js";
import type { TreeIndex } from "../../tree/index.js";
import { isSameId } from "../entry-reader.js";
import { joinedRecords } from "./index-reports.js";
import { recordIn, wholeLine } from "./line-text.js";
import { type ProblemReport, type Span, spanOf } from "./problem-list.js";
import { type RecordWithin, recordsWithin } from "./recover-line.js";
import { scanSteps } from "./scan-steps.js";

/** What joined lines need of the index. */
interface JoinedHost {
  readonly tree: TreeIndex;
  readonly report: (problem: ProblemReport) => void;
}

interface FoundRecord {
  readonly entry: SessionEntry;
  readonly span: Span;
}

export class JoinedLines {
  readonly #log: Log;
  readonly #host: JoinedHost;
  /** Offsets of lines whose records have been found. */
  readonly #opened = new Set<number>();
  readonly #found: FoundRecord[] = [];
  /** The end of the part of the log that `unopened` has seen. */
  #upTo = 0;

  constructor(log: Log, host: JoinedHost) {
    this.#log = log;
    this.#host = host;
  }

  isOpened(offset: number): boolean {
    return this.#opened.has(offset);
  }

  /** Whether there are lines that `unopened` has not seen. */
  get isBehind(): boolean {
    return this.#upTo !== this.#log.certain;
  }

  /** Forgets everything after `offset`, because it is read again. */
  forgetFrom(offset: number): void {
    for (const at of this.#opened) if (at >= offset) this.#opened.delete(at);
    this.#upTo = Math.min(this.#upTo, offset);
  }

  /**
   * Searches the line that entry `n` was found in. Returns whether the line holds the whole entry, which is then
   * relocated.
   */
  open(n: number, bytes: Buffer): boolean {
    const { tree, report } = this.#host;
    const span = { offset: tree.offsetOf(n), length: tree.lengthOf(n) };
    const id = tree.ids.textOf(n);
    const within = recordsWithin(bytes);
    this.#opened.add(span.offset);
    if (within.length === 0) return false;
    let isFound = false;
    for (const record of within) {
      if (!isFound && isSameId(record.entry.id, id)) {
        tree.relocate(n, span.offset + record.start, record.end - record.start);
        isFound = true;
      } else this.#find(record, span);
    }
    report(joinedRecords(span, within.length));
    tree.findLeafAgain();
    return isFound;
  }

  /** Searches a line in which no entry was found. Returns whether it holds a whole record. */
  openBad(bytes: Buffer, line: Span): boolean {
    const within = recordsWithin(bytes);
    if (within.length === 0) return false;
    this.#opened.add(line.offset);
    for (const record of within) this.#find(record, line);
    this.#host.report(joinedRecords(line, within.length));
    this.#host.tree.findLeafAgain();
    return true;
  }

  /** Records that were found but are not in the tree. Taking one can add more to the end. */
  *takeFound(): Generator<FoundRecord> {
    if (this.#found.length === 0) return;
    for (let i = 0; i < this.#found.length; i++) yield this.#found[i] as FoundRecord;
    this.#found.length = 0;
  }

  /**
   * The lines since the last call that may hold more records than their first bytes suggest: they name two parents and
   * are not JSON as a whole. Text about records has its quotes escaped, so hardly any other line is parsed.
   */
  *unopened(): Steps<(Span & { readonly bytes: Buffer })[]> {
    const from = this.#upTo;
    this.#upTo = this.#log.certain;
    const lines: (Span & { readonly bytes: Buffer })[] = [];
    yield* scanSteps(this.#log, from, (line) => {
      if (line.last < 0 || this.#opened.has(line.offset)) return;
      const bytes = wholeLine(this.#log, line);
      const first = bytes.indexOf(PARENT_KEY);
      if (first < 0 || bytes.indexOf(PARENT_KEY, first + 1) < 0 || recordIn(bytes).kind !== "bad") return;
      lines.push({ ...spanOf(line), bytes: Buffer.from(bytes) });
    });
    return lines;
  }

  #find({ entry, start, end }: RecordWithin, line: Span): void {
    this.#found.push({ entry, span: { offset: line.offset + start, length: end - start } });
  }
}

const PARENT_KEY = '"parentId":';

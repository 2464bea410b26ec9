/** The lines of a session file for a sync: by ID for pulled lines, in order for pushed ones. */
import { newRecordScan, Scan, scanRecord } from "@bough/session/entry/internal.js";
import type { FileLog, ScannedLine } from "@bough/session/log/index.js";
import { isRecord } from "@bough/session/text/index.js";
import { lineFacts, SYNCED_FROM } from "../stored-line.js";
import type { KnownLines } from "./unite.js";

/** A range of bytes in a file. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export class LocalLines implements KnownLines {
  readonly #log: FileLog;
  readonly #places = new Map<string, Span>();
  readonly #renamed = new Map<string, string>();
  #header: Span | undefined;

  constructor(log: FileLog) {
    this.#log = log;
    const scan = newRecordScan();
    log.accept(log.scan(0, (line) => this.#add(line, scan)));
  }

  get header(): Uint8Array | undefined {
    return this.#header === undefined ? undefined : this.#read(this.#header);
  }

  lineOf(id: string): Uint8Array | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#read(place);
  }

  renamed(replicaId: string, id: string): string | undefined {
    return this.#renamed.get(`${replicaId} ${id}`);
  }

  /** Adds appended lines without reading the file again. */
  added(lines: Iterable<{ readonly id: string; readonly bytes: Uint8Array }>, start: number): void {
    let at = start;
    for (const { id, bytes } of lines) {
      this.#remember(id, { start: at, end: at + bytes.length }, bytes);
      at += bytes.length + 1;
    }
  }

  #add(line: ScannedLine, scan: ReturnType<typeof newRecordScan>): void {
    if (!line.terminated || line.last < 0) return;
    const span = { start: line.offset, end: line.offset + line.length };
    const whole = line.length === line.end - line.start;
    const bytes = line.bytes.subarray(line.start, line.end);
    const kind = whole ? scanRecord(line.bytes, line.start, line.end, scan) : Scan.unclear;
    if (kind === Scan.entry) {
      const id = line.bytes.toString("utf8", scan.idStart, scan.idEnd);
      this.#remember(id, span, bytes);
      return;
    }
    const facts = lineFacts(whole ? bytes : this.#read(span));
    if (facts?.kind === "header") this.#header ??= span;
    else if (facts !== undefined) this.#remember(facts.id, span, whole ? bytes : this.#read(span));
  }

  /** If an ID occurs twice, the first line counts, as when the session is opened. */
  #remember(id: string, span: Span, bytes: Uint8Array): void {
    if (!this.#places.has(id)) this.#places.set(id, span);
    if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(SYNCED_MARK)) return;
    const origin = lineFacts(bytes)?.record[SYNCED_FROM];
    if (!isRecord(origin) || typeof origin.replica !== "string" || typeof origin.id !== "string") return;
    if (origin.id !== id) this.#renamed.set(`${origin.replica} ${origin.id}`, id);
  }

  #read({ start, end }: Span): Buffer {
    return Buffer.from(this.#log.readAt(start, end - start));
  }
}

const SYNCED_MARK = `"${SYNCED_FROM}":`;

/** Standard output for a protocol: whole lines, in order, with back-pressure, and nothing else. */
import type { Writable } from "node:stream";
import { divertStrayOutput, type Outputs } from "./stray-output.js";

/** A client may be this far behind; requests and long histories wait for it. */
const READY_BYTES = 16 << 20;
/** A client that is further behind is not reading at all. */
const MOST_BYTES = 64 << 20;
/** Stop merging lines at this size. */
const JOINED_BYTES = 50_000;

/** A line that a later one can replace or extend while it waits: tool output so far, or a chunk of text. */
export interface UpdateLine<Line extends object> {
  /** What it updates. */
  readonly key: string;
  readonly line: Line;
  /** Merges two consecutive lines into one. If omitted, the later one replaces the earlier. */
  readonly joined?: (earlier: Line) => Line;
}

interface Waiting {
  text: () => string;
  bytes: number;
  readonly key: string | undefined;
  line: object | undefined;
}

export interface ProtocolOutputOptions extends Outputs {
  /** Called once, when the other side has not read for so long that buffering more would fill the memory. */
  readonly onFull: (waitingBytes: number) => void;
  readonly readyBytes?: number;
  readonly mostBytes?: number;
}

/**
 * Takes over standard output: anything else printed there goes to standard error until it is released. Lines wait here
 * while the pipe is full. Nothing is dropped except updates that a later one repeats.
 */
export class ProtocolOutput {
  readonly #options: ProtocolOutputOptions;
  readonly #write: Writable["write"];
  readonly #undivert: () => void;
  #queue: Waiting[] = [];
  #first = 0;
  readonly #replaceable = new Map<string, Waiting>();
  #waitingBytes = 0;
  /** The stream asked to wait. */
  #isFull = false;
  #isGone = false;
  #isOver = false;
  readonly #awaiting = new Set<() => void>();

  constructor(options: ProtocolOutputOptions) {
    const { stdout } = options;
    this.#options = options;
    this.#write = stdout.write.bind(stdout) as Writable["write"];
    stdout.on("drain", this.#drained).on("error", this.#gone).on("close", this.#gone);
    this.#undivert = divertStrayOutput(options);
  }

  /** Bytes that the other side has not read yet. */
  get waitingBytes(): number {
    return this.#waitingBytes + this.#options.stdout.writableLength;
  }

  /** One line, or any text. */
  send(text: string): void {
    this.#add({ text: () => text, bytes: Buffer.byteLength(text), key: undefined, line: undefined });
  }

  /** A line that may be skipped if a later one covers it. */
  update<Line extends object>({ key, line, joined }: UpdateLine<Line>, encode: (line: Line) => string): void {
    const text = encode(line);
    const bytes = Buffer.byteLength(text);
    const item: Waiting = { text: () => text, bytes, key, line };
    if (joined === undefined) {
      this.#drop(this.#replaceable.get(key));
      this.#add(item);
      if (this.#isFull) this.#replaceable.set(key, item);
      return;
    }
    const last = this.#queue.at(-1);
    if (last?.key !== key || last.line === undefined || last.bytes > JOINED_BYTES) {
      this.#add(item);
      return;
    }
    const both = joined(last.line as Line);
    last.line = both;
    last.text = () => encode(both);
    last.bytes += bytes;
    this.#waitingBytes += bytes;
    this.#checkLimit();
  }

  /** Resolves when the other side has read enough, or is gone. */
  async ready(): Promise<void> {
    await this.#until(() => this.waitingBytes <= (this.#options.readyBytes ?? READY_BYTES));
  }

  /** Resolves when the other side has read everything, or is gone. */
  async flushed(): Promise<void> {
    await this.#until(() => this.#waitingBytes === 0 && !this.#isFull);
    if (this.#isGone) return;
    await new Promise<void>((done) => this.#write("", () => done()));
  }

  /** Releases standard output. */
  release(): void {
    const { stdout } = this.#options;
    stdout.off("drain", this.#drained).off("error", this.#gone).off("close", this.#gone);
    this.#undivert();
  }

  #add(item: Waiting): void {
    if (this.#isGone || this.#isOver) return;
    if (!this.#isFull) {
      this.#isFull = !this.#write(item.text());
      return;
    }
    this.#queue.push(item);
    this.#waitingBytes += item.bytes;
    this.#checkLimit();
  }

  #drop(item: Waiting | undefined): void {
    if (item === undefined) return;
    this.#waitingBytes -= item.bytes;
    item.bytes = 0;
    item.text = () => "";
    item.line = undefined;
  }

  #checkLimit(): void {
    if (this.#isOver || this.waitingBytes <= (this.#options.mostBytes ?? MOST_BYTES)) return;
    // Buffered lines are still sent if the client reads again, but no more are buffered.
    this.#isOver = true;
    this.#options.onFull(this.waitingBytes);
  }

  readonly #drained = (): void => {
    this.#isFull = false;
    while (!this.#isFull && this.#first < this.#queue.length) {
      const item = this.#queue[this.#first] as Waiting;
      this.#first += 1;
      if (item.key !== undefined && this.#replaceable.get(item.key) === item) this.#replaceable.delete(item.key);
      this.#waitingBytes -= item.bytes;
      const text = item.text();
      if (text !== "") this.#isFull = !this.#write(text);
    }
    if (this.#first === this.#queue.length) {
      this.#queue = [];
      this.#first = 0;
    } else if (this.#first > 1_000 && this.#first * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#first);
      this.#first = 0;
    }
    this.#look();
  };

  readonly #gone = (): void => {
    this.#isGone = true;
    this.#queue = [];
    this.#first = 0;
    this.#waitingBytes = 0;
    this.#replaceable.clear();
    this.#look();
  };

  #look(): void {
    for (const look of [...this.#awaiting]) look();
  }

  #until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!this.#isGone && !holds()) return;
        this.#awaiting.delete(look);
        resolve();
      };
      this.#awaiting.add(look);
      look();
    });
  }
}

/** The lines of a rollout: plain, compressed with zstd, or one JSON file of the oldest program. */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { headOfJson } from "../conversion/json-head.js";
import { type ForeignLine, foreignLines, isObject, type LineOptions, objectIn } from "../foreign-lines.js";

export interface RolloutLine {
  readonly line: number;
  /** Undefined where the line is no JSON object. */
  readonly value: Readonly<Record<string, unknown>> | undefined;
  /** False for a last line without its newline. */
  readonly terminated: boolean;
}

export async function* rolloutLines(path: string, options: LineOptions = {}): AsyncGenerator<RolloutLine> {
  if (path.endsWith(".json"))
    return yield* oneObject(options.within === undefined ? wholeJson(path) : headOfJson(path));
  const lines = path.endsWith(".zst") ? await zstdLines(path) : foreignLines(path, options);
  for (const { line, text, terminated } of lines) yield { line, value: objectIn(text), terminated };
}

/** `{session, items}`: the session stands for the first line. */
function* oneObject(value: unknown): Generator<RolloutLine> {
  if (!isObject(value) || !isObject(value.session)) {
    yield { line: 1, value: undefined, terminated: true };
    return;
  }
  yield { line: 1, value: value.session, terminated: true };
  const items: readonly unknown[] = Array.isArray(value.items) ? value.items : [];
  for (const [at, item] of items.entries()) {
    yield { line: at + 2, value: isObject(item) ? item : undefined, terminated: true };
  }
}

function wholeJson(path: string): unknown {
  return objectIn(readFileSync(path, "utf8"));
}

const CHUNK = 1 << 18;
const NEWLINE = 0x0a;

/** The decompressor is loaded only here: few rollouts are cold. */
async function zstdLines(path: string): Promise<Iterable<ForeignLine>> {
  const { Decompress } = await import("fzstd");
  return (function* () {
    const file = openSync(path, "r");
    const splitter = new LineSplitter();
    const inflate = new Decompress((bytes) => splitter.take(bytes));
    try {
      const chunk = Buffer.allocUnsafe(CHUNK);
      for (let at = 0, got = 1; got > 0; at += got) {
        got = readSync(file, chunk, 0, CHUNK, at);
        try {
          // The decompressor keeps what it was given until the next piece.
          if (got > 0) inflate.push(Uint8Array.prototype.slice.call(chunk, 0, got));
        } catch {
          // Damaged: what came out before is read, the rest is one unreadable line.
          splitter.take(Buffer.from(DAMAGED));
          break;
        }
        yield* splitter.lines();
      }
      yield* splitter.lines();
      yield* splitter.rest();
    } finally {
      closeSync(file);
    }
  })();
}

const DAMAGED = "\n(the compressed file is damaged from here)\n";

class LineSplitter {
  #held: Buffer = Buffer.alloc(0);
  #line = 0;
  #offset = 0;

  take(bytes: Uint8Array): void {
    this.#held = Buffer.concat([this.#held, bytes]);
  }

  *lines(): Generator<ForeignLine> {
    let start = 0;
    for (let end = this.#held.indexOf(NEWLINE); end >= 0; end = this.#held.indexOf(NEWLINE, start)) {
      const text = this.#held.toString("utf8", start, end);
      this.#line += 1;
      const length = end - start;
      if (text.trim() !== "") yield { line: this.#line, offset: this.#offset, length, text, terminated: true };
      this.#offset += length + 1;
      start = end + 1;
    }
    this.#held = Buffer.from(this.#held.subarray(start));
  }

  *rest(): Generator<ForeignLine> {
    const text = this.#held.toString("utf8");
    const length = this.#held.length;
    if (text.trim() !== "") yield { line: this.#line + 1, offset: this.#offset, length, text, terminated: false };
  }
}

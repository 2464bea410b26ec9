/** The output of a subcommand: lines for people, JSON for programs, and notices on standard error. */
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { withoutControls } from "@bough/session/text/index.js";
import { ASCII_GLYPHS, type Glyphs, type Line, span, UNICODE_GLYPHS } from "@bough/session/view/index.js";
import { safeJson } from "../safe-json.js";
import { type Paint, painter } from "./paint.js";

interface OutputOptions {
  readonly json: boolean;
  readonly signal: AbortSignal;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const BATCH = 1 << 16;
const DEFAULT_WIDTH = 80;

export class Output {
  readonly json: boolean;
  /** Whether a user sees it as it is written. */
  readonly isTerminal: boolean;
  readonly #signal: AbortSignal;
  readonly #env: OutputOptions["env"];
  readonly #paint: Paint;

  constructor({ json, signal, env }: OutputOptions) {
    this.json = json;
    this.#signal = signal;
    this.#env = env;
    this.isTerminal = process.stdout.isTTY === true;
    // https://no-color.org: any non-empty value.
    const colours = this.isTerminal && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
    this.#paint = painter(colours ? "sixteen" : "none");
  }

  get width(): number {
    // Some terminals report zero columns.
    return (this.isTerminal && process.stdout.columns) || DEFAULT_WIDTH;
  }

  /** Files and pipes get Unicode; for a terminal, the locale decides. */
  glyphs(options: { readonly ascii: boolean }): Glyphs {
    const locale = [this.#env.LC_ALL, this.#env.LC_CTYPE, this.#env.LANG].find((value) => (value ?? "") !== "");
    const plain = this.isTerminal && (this.#env.TERM === "dumb" || (locale !== undefined && !/utf-?8/i.test(locale)));
    return options.ascii || plain ? ASCII_GLYPHS : UNICODE_GLYPHS;
  }

  /** One line for people. */
  line(line: Line | string = ""): void {
    process.stdout.write(`${this.#painted(line)}\n`);
  }

  /** Many lines; waits for the reader, and ends when the reader stops. */
  async lines(lines: Iterable<Line | string> | AsyncIterable<Line | string>): Promise<void> {
    const painted = (line: Line | string) => `${this.#painted(line)}\n`;
    await this.raw(mapped(lines, painted));
  }

  /** Unchanged text: no colors, nothing removed. */
  async raw(pieces: Iterable<string | Buffer> | AsyncIterable<string | Buffer>): Promise<void> {
    let batch: (string | Buffer)[] = [];
    let size = 0;
    const send = async () => {
      this.#signal.throwIfAborted();
      const bytes = Buffer.concat(batch.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)));
      batch = [];
      size = 0;
      if (!process.stdout.write(bytes)) await once(process.stdout, "drain", { signal: this.#signal });
      // Lets the error of a closed pipe arrive.
      await setImmediate();
    };
    for await (const piece of pieces) {
      batch.push(piece);
      size += piece.length;
      if (size >= BATCH) await send();
    }
    await send();
  }

  /** A value for programs: one line in a pipe, indented in a terminal. */
  value(value: unknown): void {
    process.stdout.write(`${safeJson(value, this.isTerminal ? 2 : undefined)}\n`);
  }

  /** A value with a long list, written incrementally: `head` without its closing brace, then the list. */
  async values(
    head: Readonly<Record<string, unknown>>,
    name: string,
    list: Iterable<unknown> | AsyncIterable<unknown>,
  ): Promise<void> {
    await this.raw(valuePieces(head, name, list));
  }

  /** A notice for people, on standard error to keep it out of pipes. */
  notice(text: string): void {
    process.stderr.write(`${withoutControls(text)}\n`);
  }

  #painted(line: Line | string): string {
    return this.#paint(typeof line === "string" ? [span(line)] : line);
  }
}

async function* valuePieces(
  head: Readonly<Record<string, unknown>>,
  name: string,
  list: Iterable<unknown> | AsyncIterable<unknown>,
): AsyncGenerator<string> {
  const start = safeJson(head).slice(0, -1);
  yield `${start}${start === "{" ? "" : ","}${JSON.stringify(name)}:[`;
  let between = "\n";
  for await (const item of list) {
    yield `${between}${safeJson(item)}`;
    between = ",\n";
  }
  yield "\n]}\n";
}

export async function* mapped<From, To>(
  items: Iterable<From> | AsyncIterable<From>,
  change: (item: From) => To,
): AsyncGenerator<To> {
  for await (const item of items) yield change(item);
}

/** What model calls cost according to the lines of a session, without parsing lines that say nothing about it. */
import { isRecord, parsedJson } from "../../text/index.js";

export interface SessionCost {
  /** The known cost. */
  readonly dollars: number;
  /** Model calls with an unknown price; if there are any, `dollars` is incomplete. */
  readonly unpriced: number;
}

/** In a string the quotes would be escaped, so almost every line that contains this has it as a key. */
const KEY = Buffer.from('"usage"');
/** Long enough for the end of an answer. */
const TAIL = 768;
/** A field with a string, a number, true, false or null. */
const PLAIN = String.raw`,"\w+":(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)`;
/** An object of numbers, or of objects of numbers. */
const USAGE = String.raw`\{(?:[^{}"]|"[^"\\]*"|\{[^{}]*\})*\}`;
/** Other entries may end like an answer, because an extension can store anything. */
const MESSAGE = Buffer.from('{"type":"message",');
/**
 * The end of an answer as every writer of this format writes it: the model, perhaps plain values, the usage, the stop
 * reason, and only plain values up to the end of the line. So this is the end of the message itself, not of something
 * inside it.
 */
const ANSWER_END = new RegExp(
  String.raw`"model":"[^"\\]*"(?:${PLAIN})*,"usage":(${USAGE}),"stopReason":"\w*"(?:${PLAIN})*\}\}\s*$`,
);
/** The price in a usage record, in the usual notation. */
const TOTAL = /"cost":\{[^{}"]*(?:"(?!total")\w+":[^{}",]+,)*"total":(\d+(?:\.\d+)?(?:e-\d+)?)\}/;

export class UsageSum {
  #dollars = 0;
  #unpriced = 0;

  get cost(): SessionCost {
    return { dollars: this.#dollars, unpriced: this.#unpriced };
  }

  /** Adds the line in `bytes[start..end)`, which must be one whole entry. */
  take(bytes: Buffer, start: number, end: number): void {
    const tailStart = Math.max(start, end - TAIL);
    const answer = ANSWER_END.exec(bytes.toString("latin1", tailStart, end));
    const isAnswer = answer !== null && bytes.subarray(start, start + MESSAGE.length).equals(MESSAGE);
    if (isAnswer) this.#addText(answer[1] as string);
    else if (bytes.subarray(start, end).includes(KEY))
      this.#add(usageIn(parsedJson(bytes.toString("utf8", start, end))));
  }

  #addText(usage: string): void {
    const total = TOTAL.exec(usage)?.[1];
    if (total === undefined) this.#add(parsedJson(usage));
    else this.#dollars += Number(total);
  }

  #add(usage: unknown): void {
    if (!isRecord(usage)) return;
    const total = isRecord(usage.cost) ? usage.cost.total : undefined;
    if (typeof total === "number" && Number.isFinite(total)) this.#dollars += total;
    else if (hasTokens(usage)) this.#unpriced += 1;
  }
}

/** A message holds its usage itself; a summary or a `usage` record has it in the entry. */
function usageIn(entry: unknown): unknown {
  if (!isRecord(entry)) return undefined;
  const holder = entry.type === "message" ? entry.message : entry;
  return isRecord(holder) ? holder.usage : undefined;
}

/** A call that failed before it started used no tokens and has no price. */
function hasTokens({ input, output, cacheRead, cacheWrite, totalTokens }: Readonly<Record<string, unknown>>): boolean {
  return [totalTokens, input, output, cacheRead, cacheWrite].some((count) => typeof count === "number" && count > 0);
}

/** What model calls have cost, as the lines of a session say; found without parsing lines that say nothing about it. */
import { isRecord, parsedJson } from "../../text/index.js";

export interface SessionCost {
  /** What is known to have been spent. */
  readonly dollars: number;
  /** Model calls whose price is not known: where there are some, `dollars` is not the whole. */
  readonly unpriced: number;
}

/** Inside a text the quotes would be escaped, so almost every line with this has it as a key. */
const KEY = Buffer.from('"usage"');
/** As much of a line as the end of an answer takes. */
const TAIL = 768;
/** A field with a text, a number, true, false or null. */
const PLAIN = String.raw`,"\w+":(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)`;
/** An object of numbers, and of objects of numbers. */
const USAGE = String.raw`\{(?:[^{}"]|"[^"\\]*"|\{[^{}]*\})*\}`;
/** Other entries may end like an answer: an extension keeps what it likes. */
const MESSAGE = Buffer.from('{"type":"message",');
/**
 * The end of an answer as every writer of this family puts it: the model, perhaps plain values, the usage, the reason it
 * stopped, and only plain values up to the end of the line. So it is the message itself that ends here, and nothing that
 * the message holds.
 */
const ANSWER_END = new RegExp(
  String.raw`"model":"[^"\\]*"(?:${PLAIN})*,"usage":(${USAGE}),"stopReason":"\w*"(?:${PLAIN})*\}\}\s*$`,
);
/** The price in a usage, where it is as everyone writes it. */
const TOTAL = /"cost":\{[^{}"]*(?:"(?!total")\w+":[^{}",]+,)*"total":(\d+(?:\.\d+)?(?:e-\d+)?)\}/;

/** Adds up lines as they come. */
export class UsageSum {
  #dollars = 0;
  #unpriced = 0;

  get cost(): SessionCost {
    return { dollars: this.#dollars, unpriced: this.#unpriced };
  }

  /** Takes the line in `bytes[start..end)`, which has to be one whole entry. */
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

/** The usage of a message is in the message, that of a summary or a `usage` record in the entry itself. */
function usageIn(entry: unknown): unknown {
  if (!isRecord(entry)) return undefined;
  const holder = entry.type === "message" ? entry.message : entry;
  return isRecord(holder) ? holder.usage : undefined;
}

/** A call that failed before it began used nothing, and owes no price. */
function hasTokens({ input, output, cacheRead, cacheWrite, totalTokens }: Readonly<Record<string, unknown>>): boolean {
  return [totalTokens, input, output, cacheRead, cacheWrite].some((count) => typeof count === "number" && count > 0);
}

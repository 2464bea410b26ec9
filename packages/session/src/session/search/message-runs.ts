/** Runs of message lines, each the child of the one before it, taken from a window many at a time. */
import {
  KEY_BIT,
  KEY_MASK,
  KEY_TURN,
  LAST_ID_END,
  LAST_ID_START,
  LONGEST_ID,
  SHORTEST_ID,
  STARTS,
  STOPPED_AT,
} from "./vector/take-messages.js";

/**
 * A number derived from a plain ID. Two IDs hardly ever share one; none is zero. Numbers, so that native code can
 * search many of them and none needs a string.
 */
export type IdKey = number;

export interface MessageRun {
  /** The offset of each line in the log. Valid until the next run. */
  readonly starts: Uint32Array;
  /** One for each start. */
  readonly keys: Float64Array;
  /** The end of the last line in the window: the window's end, or the start of a line that must be examined. */
  readonly end: number;
}

export type TakeMessages = (...parameters: [from: number, end: number, ...more: number[]]) => number;

/** Logs are shorter than this, so that line offsets fit into 32 bits. */
export const MOST_BYTES = 2 ** 32;

/** The offset of the ID in each of these lines. */
export const ID_PLACE = '{"type":"message","id":"'.length;
const HALF = 8;
const HIGH_MASK = Number(KEY_MASK >> 32n);
const HIGH_BIT = Number(KEY_BIT >> 32n);
const PLAIN_ID = new RegExp(String.raw`^[ !#-[\]-\x7f]{${SHORTEST_ID},${LONGEST_ID}}$`);
const MOST = 1 << 12;

export class MessageRuns {
  /** The memory it needs after the window. */
  static readonly BYTES = 1 << 16;
  readonly #take: TakeMessages;
  readonly #out: number;
  readonly #memory: Buffer;
  readonly #starts: Uint32Array;
  readonly #keys: Float64Array;
  #idLength = 0;

  constructor(take: TakeMessages, memory: ArrayBuffer, out: number) {
    this.#take = take;
    this.#out = out;
    this.#memory = Buffer.from(memory, out, MessageRuns.BYTES);
    this.#starts = new Uint32Array(memory, out + STARTS, MOST);
    this.#keys = new Float64Array(memory, out + STARTS + this.#starts.byteLength, MOST);
  }

  /** Makes the next run continue from the entry with this ID. False if the ID is too long, too short, or not plain. */
  follow(id: string): boolean {
    if (!PLAIN_ID.test(id)) return false;
    this.#memory.write(id.slice(0, HALF), LAST_ID_START, "latin1");
    this.#memory.write(id.slice(-HALF), LAST_ID_END, "latin1");
    this.#idLength = id.length;
    return true;
  }

  /**
   * The run of messages from a line on, continuing the last one or the entry passed to `follow`. All lines are whole,
   * and the window starts at `offset` in the log.
   */
  take(from: number, end: number, offset: number): MessageRun {
    const count = this.#take(from, end, this.#idLength, this.#out, MOST, offset);
    const stopped = this.#memory.readInt32LE(STOPPED_AT);
    return { starts: this.#starts.subarray(0, count), keys: this.#keys.subarray(0, count), end: stopped };
  }
}

const scratch = new Uint32Array(4);
const text = Buffer.from(scratch.buffer);
const number = new Float64Array(scratch.buffer, 0, 1);

/** The key that the ID has in a run; undefined for an ID that cannot be in one. */
export function idKey(id: string): IdKey | undefined {
  if (!PLAIN_ID.test(id)) return undefined;
  text.write(id.slice(0, HALF), 0, "latin1");
  text.write(id.slice(-HALF), HALF, "latin1");
  // Mirrors the loop, which uses 64-bit numbers, in halves.
  const [low = 0, high = 0, lastLow = 0, lastHigh = 0] = scratch;
  scratch[0] = low ^ ((lastLow << KEY_TURN) | (lastHigh >>> (32 - KEY_TURN)));
  scratch[1] = ((high ^ ((lastHigh << KEY_TURN) | (lastLow >>> (32 - KEY_TURN)))) & HIGH_MASK) | HIGH_BIT;
  return number[0];
}

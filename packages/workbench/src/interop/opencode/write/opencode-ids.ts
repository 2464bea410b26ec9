/** Generates opencode IDs: a time and counter that sort as text, and letters that make them unique. */
import { createHash } from "node:crypto";

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BITS_48 = 0xffff_ffff_ffffn;
const PER_MILLISECOND = 4096n;

export class OpencodeIds {
  readonly #seed: string;
  #count: bigint;

  /** `seed` distinguishes these IDs from those of a session written in the same millisecond. */
  constructor(seed: string, now: Date) {
    this.#seed = seed;
    this.#count = BigInt(now.getTime()) * PER_MILLISECOND;
  }

  /** Each ID sorts after the previous ones. */
  next(prefix: "msg" | "prt"): string {
    this.#count += 1n;
    return this.#idOf(prefix, this.#count);
  }

  /** Session IDs count down, so that newer sessions sort first. */
  session(): string {
    return this.#idOf("ses", ~this.#count);
  }

  #idOf(prefix: string, value: bigint): string {
    const digits = (value & BITS_48).toString(16).padStart(12, "0");
    const bytes = createHash("sha256").update(`${this.#seed} ${prefix} ${digits}`).digest();
    const letters = Array.from(bytes.subarray(0, 14), (byte) => LETTERS[byte % LETTERS.length]).join("");
    return `${prefix}_${digits}${letters}`;
  }
}

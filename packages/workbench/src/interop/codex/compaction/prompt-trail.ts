/** Tracks prompts for older compactions, which keep some of them without recording which. */
import type { TextBlock } from "@bough/session/entry/index.js";
import { isSummary } from "./replaced-history.js";

/** Codex keeps the newest prompts that fit into this many tokens, counted as four bytes each. */
const KEPT_TOKENS = 20_000;
const TOKEN_BYTES = 4;
const KEPT_BYTES = KEPT_TOKENS * TOKEN_BYTES;
/** Bytes of prompts kept in memory for later compactions. Beyond that, the oldest are dropped. */
const HELD_BYTES = 8 << 20;

/** A prompt, linked to all earlier prompts through `before`. */
export interface TrailPrompt {
  readonly before: TrailPrompt | undefined;
  /** Bytes of its text. */
  readonly bytes: number;
  /** For a text too long to be kept, only its two ends; undefined once dropped. */
  text: string | undefined;
  readonly parts: readonly TextBlock[];
}

export class PromptTrail {
  /** The newest prompt that counts. Assign an earlier one to go back to it. */
  last: TrailPrompt | undefined;
  readonly #held: TrailPrompt[] = [];
  #heldBytes = 0;

  /** Adds a user message. These versions do not keep images. */
  add(content: readonly { readonly type: string; readonly text?: string }[]): void {
    const parts = content.flatMap(({ type, text = "" }) => (type === "text" ? [{ type: "text" as const, text }] : []));
    const whole = parts.map(({ text }) => text).join("");
    if (whole === "" || isSummary(whole)) return;
    const bytes = Buffer.byteLength(whole);
    const isLong = bytes > KEPT_BYTES;
    const text = isLong ? headOf(whole, KEPT_BYTES / 2) + tailOf(whole, KEPT_BYTES / 2) : whole;
    this.last = { before: this.last, bytes, text, parts: isLong ? [] : parts };
    this.#hold(this.last);
  }

  /** The prompts that a compaction keeps, oldest first, each as its parts. The oldest may be cut in the middle. */
  kept(): TextBlock[][] {
    const kept: TextBlock[][] = [];
    let left = KEPT_TOKENS;
    for (let at = this.last; at?.text !== undefined && left > 0; at = at.before) {
      const tokens = Math.ceil(at.bytes / TOKEN_BYTES);
      kept.push(tokens <= left ? [...at.parts] : cutTo(at.text, left, tokens - left));
      left = Math.max(0, left - tokens);
    }
    return kept.reverse();
  }

  #hold(prompt: TrailPrompt): void {
    this.#held.push(prompt);
    this.#heldBytes += Math.min(prompt.bytes, KEPT_BYTES);
    while (this.#heldBytes > HELD_BYTES) {
      const oldest = this.#held.shift();
      if (oldest === undefined) return;
      this.#heldBytes -= Math.min(oldest.bytes, KEPT_BYTES);
      oldest.text = undefined;
    }
  }
}

/** Truncates as Codex does: the start, how much was removed, the end. */
function cutTo(text: string, tokens: number, gone: number): TextBlock[] {
  const half = (tokens * TOKEN_BYTES) / 2;
  const texts = [headOf(text, half), `…${gone} tokens truncated…`, tailOf(text, half)];
  return texts.map((part) => ({ type: "text", text: part }));
}

function headOf(text: string, bytes: number): string {
  const all = Buffer.from(text);
  let end = Math.min(bytes, all.length);
  while (end > 0 && isInsideCharacter(all[end])) end -= 1;
  return all.toString("utf8", 0, end);
}

function tailOf(text: string, bytes: number): string {
  const all = Buffer.from(text);
  let start = Math.max(0, all.length - bytes);
  while (isInsideCharacter(all[start])) start += 1;
  return all.toString("utf8", start);
}

function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

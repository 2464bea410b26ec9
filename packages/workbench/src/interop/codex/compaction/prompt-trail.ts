/** The prompts in Codex's history, for older compactions: those keep them and do not say which. */
import type { TextBlock } from "@bough/session/entry/index.js";
import { isSummary } from "./replaced-history.js";

/** Prompts are kept from the newest back while they fit into this many tokens, of four bytes each. */
const KEPT_TOKENS = 20_000;
const TOKEN_BYTES = 4;
const KEPT_BYTES = KEPT_TOKENS * TOKEN_BYTES;
/** Words that are held for later compactions. Of more, the oldest are forgotten. */
const HELD_BYTES = 8 << 20;

/** A prompt, and by `before` all prompts that came before it. */
export interface TrailPrompt {
  readonly before: TrailPrompt | undefined;
  /** Bytes of its text. */
  readonly bytes: number;
  /** Only the two ends of a text that is longer than anything that is kept; undefined once forgotten. */
  text: string | undefined;
  readonly parts: readonly TextBlock[];
}

export class PromptTrail {
  /** The newest prompt that counts. Put an earlier one here to go back to it. */
  last: TrailPrompt | undefined;
  readonly #held: TrailPrompt[] = [];
  #heldBytes = 0;

  /** Takes in what a user said. Images are not kept by those versions. */
  hear(content: readonly { readonly type: string; readonly text?: string }[]): void {
    const parts = content.flatMap(({ type, text = "" }) => (type === "text" ? [{ type: "text" as const, text }] : []));
    const whole = parts.map(({ text }) => text).join("");
    if (whole === "" || isSummary(whole)) return;
    const bytes = Buffer.byteLength(whole);
    const isLong = bytes > KEPT_BYTES;
    const text = isLong ? headOf(whole, KEPT_BYTES / 2) + tailOf(whole, KEPT_BYTES / 2) : whole;
    this.last = { before: this.last, bytes, text, parts: isLong ? [] : parts };
    this.#hold(this.last);
  }

  /** What a compaction keeps, oldest first: each prompt as its parts. The oldest may be cut in its middle. */
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

/** As Codex cuts it: the start, how much is gone, the end. */
function cutTo(text: string, tokens: number, gone: number): TextBlock[] {
  const half = (tokens * TOKEN_BYTES) / 2;
  const texts = [headOf(text, half), `…${gone} tokens truncated…`, tailOf(text, half)];
  return texts.map((part) => ({ type: "text", text: part }));
}

function headOf(text: string, bytes: number): string {
  const all = Buffer.from(text);
  let end = Math.min(bytes, all.length);
  while (end > 0 && isInsideLetter(all[end])) end -= 1;
  return all.toString("utf8", 0, end);
}

function tailOf(text: string, bytes: number): string {
  const all = Buffer.from(text);
  let start = Math.max(0, all.length - bytes);
  while (isInsideLetter(all[start])) start += 1;
  return all.toString("utf8", start);
}

function isInsideLetter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

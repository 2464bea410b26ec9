import type { Tone } from "@bough/session/view/index.js";

/** Tones of the terminal alone, next to those of the views. */
export type PaintTone = Tone | "heading" | "code" | "thinking" | "added" | "removed" | "border" | "user";

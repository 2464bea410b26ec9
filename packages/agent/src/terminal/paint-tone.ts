import type { Tone } from "@bough/session/view/index.js";

/** The tones of the views, and those that only the terminal uses. */
export type PaintTone = Tone | "heading" | "code" | "thinking" | "added" | "removed" | "border" | "user";

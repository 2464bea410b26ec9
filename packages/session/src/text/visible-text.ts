/** Untrusted text with nothing hidden: users must see all of what they agree to. */

/**
 * Control characters except newline and tab; marks that reorder text; characters without a shape of their own, such as
 * zero-width ones, fillers and variation selectors; unusual spaces; and surrogate halves.
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/gu;

interface VisibleText {
  readonly text: string;
  /** The distinct escapes in it, in order of appearance; empty for ordinary text. */
  readonly hidden: readonly string[];
}

interface VisibleTextOptions {
  /** `escape` for text that belongs on one line, such as a path, in which a newline is a trick. Default: `keep`. */
  readonly newlines?: "keep" | "escape";
}

/**
 * Shows every character that could hide, reorder or fake something as an escape (`\x1b`, `\u202e`, `\u{e0041}`). Unlike
 * `withoutControls` it removes nothing, so what is shown is what happens. For questions; ordinary display uses
 * `withoutControls`.
 */
export function visibleText(text: string, { newlines = "keep" }: VisibleTextOptions = {}): VisibleText {
  const hidden = new Set<string>();
  const shown = text.replace(HIDDEN, (character) => {
    if (newlines === "keep" && (character === "\n" || character === "\t")) return character;
    const sign = escapeOf(character.codePointAt(0) as number);
    hidden.add(sign);
    return sign;
  });
  return { text: shown, hidden: [...hidden] };
}

const SHORT: Readonly<Record<number, string>> = { 9: "\\t", 10: "\\n", 13: "\\r" };

function escapeOf(code: number): string {
  const hex = code.toString(16);
  if (code > 0xffff) return `\\u{${hex}}`;
  return SHORT[code] ?? (code > 0xff ? `\\u${hex.padStart(4, "0")}` : `\\x${hex.padStart(2, "0")}`);
}

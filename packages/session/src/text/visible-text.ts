/** Text from elsewhere with nothing hidden: what a user agrees to must be all of what happens. */

/**
 * Control characters except newline and tab; marks that reorder text; characters without their own shape, such as
 * zero-width ones, fillers and variation selectors; spaces that are not the ordinary one; and halves of characters.
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/gu;

interface VisibleText {
  readonly text: string;
  /** The different escapes in it, in order of appearance; empty for ordinary text. */
  readonly hidden: readonly string[];
}

interface VisibleTextOptions {
  /** `escape` for what belongs on one line, such as a path: a newline in it is a trick. `keep` by default. */
  readonly newlines?: "keep" | "escape";
}

/**
 * Shows every character that could hide, reorder or fake something as an escape (`\x1b`, `\u202e`, `\u{e0041}`). Unlike
 * `withoutControls` it takes nothing away, so what is shown and what happens are the same. For questions; ordinary
 * display uses `withoutControls`.
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

/** Translates the bytes of a key into its name. */
import { decodeKittyPrintable, isKeyRelease, parseKey } from "@earendil-works/pi-tui";
import { keyName } from "../keys/key-names.js";
import type { KeyPress } from "../keys/key-press.js";

/** Normalizes the many encodings that terminals use to xterm's, which the rest of the program knows. */

/** Home and End as encoded by the VT220 (screen, tmux, the Linux console) and rxvt. */
const NUMBERED: Readonly<Record<string, string>> = { 1: "H", 4: "F", 7: "H", 8: "F" };
/** rxvt writes modifiers as the last character. */
const RXVT_MODIFIERS: Readonly<Record<string, number>> = { "~": 1, $: 2, "^": 5, "@": 6 };

/** The bytes xterm would send for the same key; other bytes are returned unchanged. */
function canonicalKey(raw: string): string {
  const [, number = "", modifiers, end = ""] = /^\x1b\[(\d+)(?:;(\d+))?([~$^@])$/.exec(raw) ?? [];
  const modifier = modifiers === undefined ? RXVT_MODIFIERS[end] : Number(modifiers);
  if (modifier !== undefined && number !== "") {
    const letter = NUMBERED[number];
    if (letter !== undefined) return modifier === 1 ? `\x1b[${letter}` : `\x1b[1;${modifier}${letter}`;
    return modifier === 1 ? `\x1b[${number}~` : `\x1b[${number};${modifier}~`;
  }
  // Older terminals omit the 1: Ctrl with an arrow.
  const [, arrowModifier, arrow] = /^\x1b\[([2-9])([ABCDHF])$/.exec(raw) ?? [];
  return arrow === undefined ? raw : `\x1b[1;${arrowModifier}${arrow}`;
}

const FUNCTION_NUMBERS = [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24];
const FUNCTION_LETTERS = "PQRS";
const MODIFIERS = ["shift", "alt", "ctrl", "super"] as const;

/** The name of a function key with modifiers, which the library does not know: `ctrl+f1`. */
function modifiedFunctionKey(canonical: string): string | undefined {
  const lettered = /^\x1b\[1;(\d+)([PQRS])$/.exec(canonical);
  const numbered = /^\x1b\[(\d+);(\d+)~$/.exec(canonical);
  const index = lettered
    ? FUNCTION_LETTERS.indexOf(lettered[2] ?? "")
    : FUNCTION_NUMBERS.indexOf(Number(numbered?.[1] ?? 0));
  const bits = Number(lettered?.[1] ?? numbered?.[2] ?? 1) - 1;
  if (index < 0 || bits < 1) return undefined;
  const held = MODIFIERS.filter((_, bit) => (bits & (1 << bit)) !== 0);
  return [...held, `f${index + 1}`].join("+");
}

/** Bytes that mean something else here than in the library, or that it does not know. */
const OWN: Readonly<Record<string, string>> = { "\n": "ctrl+j", "\x1b": "esc", "\x1f": "ctrl+-" };
const PRINTABLE = /^[^\x00-\x1f\x7f-\x9f]+$/;

/** Undefined for anything that cannot be a key press: a key release, a terminal's answer. */
export function decodeKey(sent: string): KeyPress | undefined {
  if (isKeyRelease(sent)) return undefined;
  // The editing library reads the bytes too, so pass it an encoding it knows.
  const raw = canonicalKey(sent);
  const own = OWN[raw];
  if (own !== undefined) return { name: own, text: undefined, raw };
  const typed = raw.startsWith("\x1b") ? decodeKittyPrintable(raw) : PRINTABLE.test(raw) ? raw : undefined;
  if (typed !== undefined) return { name: typed === " " ? "space" : typed, text: typed, raw };
  const alt = /^\x1b([^\x00-\x1f\x7f\x1b[O])$/u.exec(raw)?.[1];
  const known =
    alt === undefined ? (parseKey(raw) ?? modifiedFunctionKey(raw) ?? "") : `alt+${alt === " " ? "space" : alt}`;
  const name = keyName(known);
  return name === undefined ? undefined : { name, text: undefined, raw };
}

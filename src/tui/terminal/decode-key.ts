/** From the bytes of a key to its name. */
import { decodeKittyPrintable, isKeyRelease, parseKey } from "@earendil-works/pi-tui";
import { keyName } from "../keys/key-names.js";
import type { KeyPress } from "../keys/key-press.js";
import { canonicalKey, modifiedFunctionKey } from "./canonical-key.js";

/** Bytes that mean something else here than to the library, or that it does not know. */
const OWN: Readonly<Record<string, string>> = { "\n": "ctrl+j", "\x1b": "esc", "\x1f": "ctrl+-" };
const PRINTABLE = /^[^\x00-\x1f\x7f-\x9f]+$/;

/** Undefined where it is no key that could mean anything: a key that was let go, an answer of the terminal. */
export function decodeKey(sent: string): KeyPress | undefined {
  if (isKeyRelease(sent)) return undefined;
  // The editor's library reads the bytes too, so it gets the ones it knows.
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

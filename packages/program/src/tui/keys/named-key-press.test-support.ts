/** A key by name, as if it had been pressed. */
import { keyName } from "./key-names.js";
import type { KeyPress } from "./key-press.js";

const BYTES: Readonly<Record<string, string>> = {
  enter: "\r",
  esc: "\x1b",
  tab: "\t",
  "shift+tab": "\x1b[Z",
  "shift+enter": "\x1b[13;2u",
  space: " ",
  backspace: "\x7f",
  delete: "\x1b[3~",
  insert: "\x1b[2~",
  up: "\x1b[A",
  down: "\x1b[B",
  right: "\x1b[C",
  left: "\x1b[D",
  home: "\x1b[H",
  end: "\x1b[F",
  "ctrl+home": "\x1b[1;5H",
  "ctrl+end": "\x1b[1;5F",
  "ctrl+left": "\x1b[1;5D",
  "ctrl+right": "\x1b[1;5C",
  pageup: "\x1b[5~",
  pagedown: "\x1b[6~",
  "ctrl+-": "\x1f",
  "ctrl+]": "\x1d",
  "ctrl+space": "\x00",
  f1: "\x1bOP",
  f2: "\x1bOQ",
  f3: "\x1bOR",
  f4: "\x1bOS",
};

/** Throws if there is no such key, or no terminal would send it. */
export function namedKeyPress(written: string): KeyPress {
  const name = keyName(written);
  if (name === undefined || name.includes(" ")) throw new Error(`bug: no such key: ${written}`);
  const text = name === "space" ? " " : [...name].length === 1 ? name : undefined;
  return { name, text, raw: text ?? bytesOf(name) };
}

function bytesOf(name: string): string {
  const known = BYTES[name];
  if (known !== undefined) return known;
  const control = /^ctrl\+([a-z])$/.exec(name)?.[1];
  if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) - 96);
  const alt = /^alt\+(.+)$/.exec(name)?.[1];
  if (alt !== undefined) return `\x1b${[...alt].length === 1 ? alt : bytesOf(alt)}`;
  throw new Error(`bug: no bytes are known for the key ${name}`);
}

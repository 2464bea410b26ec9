/** How a terminal is taken over and given back. */

interface ModeOptions {
  readonly mouse: boolean;
}

/** Alternate screen, no wrapping, marked pastes; questions about keys and pastes whose answers come as input. */
export function takeOver({ mouse }: ModeOptions): string {
  return [
    "\x1b[?1049h",
    "\x1b[?7l",
    "\x1b[?2004h",
    "\x1b[?2004$p",
    // Only terminals with kitty's keys answer the question; they are switched on then. The others get xterm's.
    "\x1b[?u",
    "\x1b[>4;1m",
    mouse ? "\x1b[?1000h\x1b[?1006h" : "",
    "\x1b[?25l",
    "\x1b[2J",
  ].join("");
}

/** Escape codes that tell apart what else looks alike, and the keys that shift gives. */
export const KITTY_KEYS_ON = "\x1b[>5u";

/** The other way round; harmless where it was never taken over. */
export function giveBack({ kittyKeys }: { readonly kittyKeys: boolean }): string {
  return [
    "\x1b[?1006l\x1b[?1000l",
    "\x1b[>4;0m",
    kittyKeys ? "\x1b[<u" : "",
    "\x1b[?2004l",
    "\x1b[0m",
    "\x1b[?7h",
    "\x1b[?1049l",
    "\x1b[?25h",
  ].join("");
}

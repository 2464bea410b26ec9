/** The built program in a real pseudo-terminal, in a home of its own. */
import { afterEach } from "vitest";
import { TerminalProgram } from "../support/terminal.js";
import { makePlace, type Place, type PlaceOptions, PROGRAM } from "./cli-support.js";

export interface SeatOptions extends PlaceOptions {
  readonly args?: readonly string[];
  readonly columns?: number;
  readonly rows?: number;
  readonly place?: Place;
}

export interface Seat {
  readonly place: Place;
  readonly terminal: TerminalProgram;
}

const open: TerminalProgram[] = [];

afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill();
});

/** Sits down at a terminal and starts `bough`. Whatever is still open after a test is killed. */
export function sitDown({ args = [], columns = 80, rows = 24, place, ...options }: SeatOptions = {}): Seat {
  const where = place ?? makePlace(options);
  const env: Record<string, string> = { LANG: "C.UTF-8", TERM: "xterm-256color", COLORTERM: "" };
  for (const [name, value] of Object.entries({ ...where.env, ...options.env })) {
    if (value !== undefined) env[name] = value;
  }
  const terminal = new TerminalProgram({
    command: process.execPath,
    args: [PROGRAM, ...args],
    cwd: where.cwd,
    env,
    columns,
    rows,
  });
  open.push(terminal);
  return { place: where, terminal };
}

/** Sends a prompt and waits until what comes after it is there. */
export async function say({ terminal }: Seat, text: string, until: string | RegExp): Promise<void> {
  terminal.type(text);
  await terminal.shows(text.length > 40 ? text.slice(0, 30) : text);
  terminal.press("enter");
  await terminal.shows(until);
}

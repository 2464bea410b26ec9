/** The built program in a real pseudo-terminal, in a home of its own. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeDemo } from "@bough/program/cli/demo/make-demo.js";
import { SessionManager, sessionFolder, verifySession } from "@bough/session/session/index.js";
import { expect } from "vitest";
import { afterTest } from "../support/after-test.js";
import { TerminalProgram } from "../support/terminal.js";
import { makePlace, type Place, type PlaceOptions, PROGRAM, sessionFiles, theOnly } from "./cli-support.js";

export interface SeatOptions extends PlaceOptions {
  readonly args?: readonly string[];
  readonly columns?: number;
  readonly rows?: number;
  readonly place?: Place;
  /** Under a shell with job control, as a person has it: Ctrl+Z comes back to it, Enter goes on. */
  readonly underShell?: boolean;
}

export interface Seat {
  readonly place: Place;
  readonly terminal: TerminalProgram;
}

const JOB = '"$@"; echo "in the shell"; read -r line; fg';

/** Sits down at a terminal and starts `bough`. Whatever is still open after a test is killed. */
export function sitDown(options: SeatOptions = {}): Seat {
  const seat = startIn(options);
  afterTest(() => seat.terminal.kill());
  return seat;
}

/** The same, for a program that outlives a test: whoever starts it ends it. */
export function startIn({
  args = [],
  columns = 80,
  rows = 24,
  place,
  underShell = false,
  ...options
}: SeatOptions): Seat {
  const where = place ?? makePlace(options);
  const env: Record<string, string> = { LANG: "C.UTF-8", TERM: "xterm-256color", COLORTERM: "" };
  for (const [name, value] of Object.entries({ ...where.env, ...options.env })) {
    if (value !== undefined) env[name] = value;
  }
  const program = [process.execPath, PROGRAM, ...args];
  const [command = "", ...rest] = underShell ? ["bash", "-mc", JOB, "bash", ...program] : program;
  const terminal = new TerminalProgram({
    command,
    args: rest,
    cwd: where.cwd,
    env,
    columns,
    rows,
  });
  return { place: where, terminal };
}

/** Nothing is going on: the footer counts no seconds. What an Esc means depends on it. */
export async function idle({ terminal }: Seat): Promise<void> {
  const busy = / \d+ s(?: |$)|Waiting for your answer/;
  await terminal.shows((text) => !busy.test(text.trimEnd().split("\n").at(-1) ?? ""));
}

/** Sends a prompt and waits until what comes after it is there, and the agent is done. */
export async function say(seat: Seat, text: string, until: string | RegExp): Promise<void> {
  const { terminal } = seat;
  terminal.type(text);
  await terminal.shows(text.length > 40 ? text.slice(0, 30) : text);
  terminal.press("enter");
  await terminal.shows(until);
  await idle(seat);
}

/** A slash command, typed and sent; then what it shows. */
export async function command({ terminal }: Seat, line: string, until: string | RegExp): Promise<void> {
  terminal.type(line);
  await terminal.shows((text) => text.includes(line));
  terminal.press("enter");
  await terminal.shows(until);
}

/** Esc Esc, and the tree is there. */
export async function openTree(seat: Seat): Promise<void> {
  const { terminal } = seat;
  await idle(seat);
  terminal.press("esc", "esc");
  await terminal.shows(/^ Tree .*on #/m);
}

/** Answers the question about a summary with no. */
export async function withoutSummary({ terminal }: Seat): Promise<void> {
  const question = "Bring a summary?";
  await terminal.shows(question);
  terminal.press("enter");
  await terminal.hides(question);
}

/** Out of a tree with a search in it: one Esc clears the search, the next closes the tree. */
export async function closeSearchedTree({ terminal }: Seat): Promise<void> {
  await terminal.escape((text) => !/match \d+ of/.test(text));
  await terminal.escape((text) => !/^ Tree .*on #/m.test(text));
}

/** Where a person could have left off ten days ago: old enough that ages do not change while a test runs. */
const DEMO_AGE_MS = (10 * 24 + 6) * 3_600_000;

export interface DemoSeat extends Seat {
  readonly file: string;
}

/** A place whose only session is the demo: five branches, a summary, a compaction, labels. */
export function demoPlace(options: PlaceOptions = {}): { readonly place: Place; readonly file: string } {
  const place = makePlace(options);
  return { place, file: addDemo(place) };
}

/** Adds the demo to the sessions of a place, and gives its file. */
export function addDemo({ home, cwd }: Place): string {
  const dir = join(home, "sessions", basename(sessionFolder(cwd)));
  return makeDemo({ dir, cwd, end: new Date(Date.now() - DEMO_AGE_MS) });
}

/** The demo session, opened as a person's own: what is done to it can be read afterwards. */
export async function sitDownAtDemo(options: Omit<SeatOptions, "place"> = {}): Promise<DemoSeat> {
  const { place, file } = demoPlace(options);
  const seat = sitDown({ ...options, place, args: ["-r", file, ...(options.args ?? [])] });
  await seat.terminal.shows("and bring it home");
  return { ...seat, file };
}

/** Reads a session from its file, which has to be in order. */
export async function reading<Found>(file: string, look: (session: SessionManager) => Found): Promise<Found> {
  expect((await verifySession(file)).findings).toEqual([]);
  const session = SessionManager.open(file, undefined, { readOnly: true });
  try {
    return look(session);
  } finally {
    session.close();
  }
}

/** The prompts on the way to the leaf. */
export function promptsOf(session: SessionManager): string[] {
  const prompts: string[] = [];
  for (const entry of session.getBranch()) {
    if (entry.type !== "message" || entry.message.role !== "user") continue;
    const { content } = entry.message;
    const texts = typeof content === "string" ? [content] : content.map((block) => ("text" in block ? block.text : ""));
    prompts.push(texts.join(""));
  }
  return prompts;
}

/** Quits, and gives the terminal back. */
export async function leave({ terminal }: Seat): Promise<void> {
  terminal.press("ctrl+d");
  expect(await terminal.ends()).toBe(0);
  expect(terminal.isFullScreen).toBe(false);
}

/** Neither a full screen, nor a hidden cursor, nor a paste in brackets, nor reports of the mouse. */
export function expectGivenBack({ terminal }: Seat): void {
  expect(terminal.isFullScreen).toBe(false);
  const lastOf = (on: string, off: string): boolean => terminal.raw.lastIndexOf(off) > terminal.raw.lastIndexOf(on);
  expect(lastOf("\x1b[?25l", "\x1b[?25h")).toBe(true);
  expect(lastOf("\x1b[?2004h", "\x1b[?2004l")).toBe(true);
  if (terminal.raw.includes("\x1b[?1000h")) expect(lastOf("\x1b[?1000h", "\x1b[?1000l")).toBe(true);
}

export function onlySession({ place }: Seat): string {
  return theOnly(sessionFiles(place));
}

const SCREENS = fileURLToPath(new URL("./screens/", import.meta.url));

/** The size of the instructions: the name of the folder is in them. */
const OF_THIS_MACHINE = /^(.* system .*?)\d{3}(?= |$)/m;
/** The largest share changes with it. */
const SHARE_OF_TOOLS = /^( *tools {3}\d+ tools: .* )\d\d%$/m;

/** What is open above the footer; the conversation beside it has a screen of its own, and status lines come and go. */
function openPanel(lines: readonly string[]): readonly string[] {
  return lines.slice(lines.findLastIndex((line) => /^(?:─{20,}|-{20,})$/.test(line)) + 1);
}

/** The screen, or the panel that is open, is the one that was kept, or becomes it. It may be filled in steps: this waits. */
export async function matchesKept(
  { terminal }: Seat,
  name: string,
  part: "panel" | "screen" = "panel",
  clean: (text: string) => string = (text) => text,
): Promise<void> {
  const file = join(SCREENS, `${name}.txt`);
  const kept = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const shown = (): string => {
    const lines = part === "panel" ? openPanel(terminal.lines) : terminal.lines;
    return `${clean(lines.join("\n").trimEnd().replace(OF_THIS_MACHINE, "$1###").replace(SHARE_OF_TOOLS, "$1##%"))}\n`;
  };
  if (kept === undefined) await terminal.yieldNow();
  // The comparison below says more about what is different.
  else await terminal.shows(() => shown() === kept).catch(() => {});
  await expect(shown()).toMatchFileSnapshot(file);
}

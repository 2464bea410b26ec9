/** The full-screen terminal: takes it over, draws frames, passes on input, and always restores it. */
import { setKittyProtocolActive } from "@earendil-works/pi-tui";
import type { Frame, Size } from "../host/panel.js";
import { type InputEvent, inputEvent } from "./input-event.js";
import { type InputPiece, InputSplitter } from "./split-input.js";
import type { TerminalPort } from "./terminal-port.js";

/** Alternate screen, no wrapping, bracketed paste; queries about keys and pastes, whose answers arrive as input. */
function takeOver({ mouse }: { readonly mouse: boolean }): string {
  return [
    "\x1b[?1049h",
    "\x1b[?7l",
    "\x1b[?2004h",
    "\x1b[?2004$p",
    // Only terminals with kitty's keyboard protocol answer the query; then it is enabled. Others get xterm's.
    "\x1b[?u",
    "\x1b[>4;1m",
    mouse ? "\x1b[?1000h\x1b[?1006h" : "",
    "\x1b[?25l",
    "\x1b[2J",
  ].join("");
}

/** Makes terminals send distinct codes for keys that otherwise look alike, and the shifted keys. */
const KITTY_KEYS_ON = "\x1b[>5u";

/** Restores it; harmless if it was never taken over. */
function giveBack({ kittyKeys }: { readonly kittyKeys: boolean }): string {
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

interface ScreenTerminalOptions {
  readonly port: TerminalPort;
  readonly mouse: boolean;
  /** Exactly `height` lines. */
  readonly draw: (size: Size) => Frame;
  readonly onInput: (event: InputEvent) => void;
  /** The terminal is gone. */
  readonly onGone?: () => void;
  /** Milliseconds. */
  readonly now: () => number;
}

/** One frame at 60 Hz; more often is not visible. */
const FRAME_MS = 16;
/** How long a lone Esc may be the start of a sequence. */
const ESCAPE_MS = 25;

export class ScreenTerminal {
  readonly #options: ScreenTerminalOptions;
  readonly #input = new InputSplitter();
  #shown: readonly string[] | undefined;
  #state: "off" | "on" | "lent" = "off";
  #kittyKeys = false;
  #drawing: NodeJS.Timeout | undefined;
  #escape: NodeJS.Timeout | undefined;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(options: ScreenTerminalOptions) {
    this.#options = options;
  }

  get size(): Size {
    const { columns, rows } = this.#options.port;
    return { width: Math.max(1, columns), height: Math.max(1, rows) };
  }

  get isOn(): boolean {
    return this.#state === "on";
  }

  start(): void {
    if (this.#state === "on") return;
    const { port, mouse } = this.#options;
    this.#state = "on";
    port.write(takeOver({ mouse }));
    port.start({
      onData: (data) => this.press(data),
      onResize: () => this.redrawAll(),
      onGone: () => this.#options.onGone?.(),
    });
    this.redrawAll();
  }

  stop(): void {
    this.#leave("write");
    this.#state = "off";
  }

  /** For the end of a process: writes everything before it returns. Calling it again has no effect. */
  restoreNow(): void {
    this.#leave("writeNow");
    this.#state = "off";
  }

  /** Restores once more, because earlier output may never have arrived. */
  restoreAgain(): void {
    this.#options.port.writeNow(giveBack({ kittyKeys: false }));
  }

  /** Raw bytes from the terminal. */
  press(data: string): void {
    clearTimeout(this.#escape);
    this.#hand(this.#input.take(data));
    if (!this.#input.isWaiting) return;
    this.#escape = setTimeout(() => this.#hand(this.#input.flush()), ESCAPE_MS);
    this.#escape.unref();
  }

  /** Schedules a redraw; several calls cause only one. */
  requestDraw(): void {
    if (this.#drawing !== undefined || this.#state !== "on") return;
    const wait = Math.max(0, Math.min(FRAME_MS, this.#drawnAt + FRAME_MS - this.#options.now()));
    this.#drawing = setTimeout(() => this.drawNow(), wait);
  }

  drawNow(): void {
    clearTimeout(this.#drawing);
    this.#drawing = undefined;
    if (this.#state !== "on") return;
    const frame = fullFrame(this.#options.draw(this.size), this.size);
    this.#drawnAt = this.#options.now();
    this.#options.port.write(frameUpdate(this.#shown, frame));
    this.#shown = frame.lines;
  }

  /** Redraws every row, as after a resize or when something else wrote over the screen. */
  redrawAll(): void {
    this.#shown = undefined;
    this.drawNow();
  }

  /** Lends the terminal to another program, and always takes it back. */
  async lend<Result>(work: () => Promise<Result>): Promise<Result> {
    const wasOn = this.#state === "on";
    this.#leave("write");
    this.#state = "lent";
    try {
      return await work();
    } finally {
      this.#state = "off";
      if (wasOn) this.start();
    }
  }

  /** Writes outside the frame: for the clipboard and the title. */
  write(data: string): void {
    if (this.#state === "on") this.#options.port.write(data);
  }

  #leave(how: "write" | "writeNow"): void {
    if (this.#state !== "on") return;
    clearTimeout(this.#drawing);
    clearTimeout(this.#escape);
    this.#drawing = undefined;
    this.#shown = undefined;
    this.#options.port[how](giveBack({ kittyKeys: this.#kittyKeys }));
    this.#options.port.stop();
    this.#kittyKeys = false;
    setKittyProtocolActive(false);
  }

  #hand(pieces: readonly InputPiece[]): void {
    for (const piece of pieces) {
      const event = inputEvent(piece);
      if (event?.kind === "answer") this.#learn(event.about);
      else if (event !== undefined) this.#options.onInput(event);
    }
  }

  #learn(about: Extract<InputEvent, { kind: "answer" }>["about"]): void {
    if (about === "marked-pastes") this.#input.marksPastes = true;
    if (about !== "kitty-keys" || this.#kittyKeys || this.#state !== "on") return;
    this.#kittyKeys = true;
    setKittyProtocolActive(true);
    this.#options.port.write(KITTY_KEYS_ON);
  }
}

/** A short frame would leave old rows behind; a long one would scroll. */
function fullFrame({ lines, cursor }: Frame, { width, height }: Size): Frame {
  const full = lines.length === height ? lines : Array.from({ length: height }, (_, row) => lines[row] ?? "");
  if (cursor === undefined || cursor.row >= height) return { lines: full };
  return { lines: full, cursor: { row: cursor.row, column: Math.min(cursor.column, width - 1) } };
}

/** Pictures cover several rows and stay until they are deleted. */
const PICTURE = /\x1b_G|\x1b\]1337;File=/;
const TAKE_PICTURES_AWAY = "\x1b_Ga=d,d=A\x1b\\";
/** Terminals that support this show the whole change at once; others ignore it. */
const BEGIN = "\x1b[?2026h";
const END = "\x1b[?2026l";

/** Only changed rows are written. Without a previous screen, all are. */
export function frameUpdate(before: readonly string[] | undefined, { lines, cursor }: Frame): string {
  const pictures = before?.some((line, row) => line !== lines[row] && PICTURE.test(line)) === true;
  const old = pictures ? undefined : before;
  let rows = "";
  for (const [row, line] of lines.entries()) {
    if (old !== undefined && old[row] === line) continue;
    // Cleared first: after a line that fills its row, the cursor is still on the last character.
    rows += `\x1b[${row + 1};1H\x1b[2K${line}\x1b[0m`;
  }
  const place = cursor === undefined ? "\x1b[?25l" : `\x1b[${cursor.row + 1};${cursor.column + 1}H\x1b[?25h`;
  if (rows === "") return place;
  const clear = before === undefined ? "\x1b[2J" : "";
  return `${BEGIN}\x1b[?25l${pictures ? TAKE_PICTURES_AWAY : ""}${clear}${rows}${place}${END}`;
}

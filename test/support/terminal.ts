/** A real pseudo-terminal with a program in it, and the screen a person would see. */
import { type IPty, spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";

export interface TerminalOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

const KEYS: Readonly<Record<string, string>> = {
  enter: "\r",
  esc: "\x1b",
  tab: "\t",
  "shift+tab": "\x1b[Z",
  space: " ",
  backspace: "\x7f",
  up: "\x1b[A",
  down: "\x1b[B",
  right: "\x1b[C",
  left: "\x1b[D",
  home: "\x1b[H",
  end: "\x1b[F",
  pageup: "\x1b[5~",
  pagedown: "\x1b[6~",
  delete: "\x1b[3~",
  f1: "\x1bOP",
  f2: "\x1bOQ",
};

/** The bytes a terminal sends for a key: "enter", "ctrl+o", "alt+enter", "m". */
export function keyBytes(name: string): string {
  const known = KEYS[name];
  if (known !== undefined) return known;
  const control = /^ctrl\+([a-z])$/.exec(name)?.[1];
  if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) - 96);
  const alt = /^alt\+(.+)$/.exec(name)?.[1];
  if (alt !== undefined) return `\x1b${keyBytes(alt)}`;
  if ([...name].length === 1) return name;
  throw new Error(`bug: no such key: ${name}`);
}

/** How long anything may take before a test gives up. A bound, never a wait. */
const PATIENCE_MS = Number(process.env.BOUGH_TEST_PATIENCE_MS ?? 60_000);
/** Around each frame: what a terminal shows at once. */
const FRAME_BEGIN = "\x1b[?2026h";
const FRAME_END = "\x1b[?2026l";
/** More than the pause after which a question believes that a key is meant for it. */
const BREATH_MS = 450;

export class TerminalProgram {
  readonly #pty: IPty;
  readonly #screen: xterm.Terminal;
  readonly #watchers = new Set<() => void>();
  #raw = "";
  #isWhole = true;
  #exit: { readonly code: number; readonly signal: number | undefined } | undefined;

  constructor({ command, args = [], cwd, env, columns = 80, rows = 24 }: TerminalOptions) {
    this.#screen = new xterm.Terminal({ cols: columns, rows, scrollback: 2000, allowProposedApi: true });
    const name = env.TERM ?? "xterm-256color";
    this.#pty = spawn(command, [...args], { name, cols: columns, rows, cwd, env: { ...env } });
    // What the screen answers (cursor position, device attributes) goes back to the program, as in a real terminal.
    this.#screen.onData((data) => this.#pty.write(data));
    this.#pty.onData((data) => {
      this.#raw += data;
      // A frame may come in pieces. The screen in between is one that no person sees: its footer is still the old one.
      const isWhole = this.#raw.lastIndexOf(FRAME_BEGIN) <= this.#raw.lastIndexOf(FRAME_END);
      this.#screen.write(data, () => {
        this.#isWhole = isWhole;
        this.#look();
      });
    });
    this.#pty.onExit(({ exitCode, signal }) => {
      this.#exit = { code: exitCode, signal };
      this.#screen.write("", () => this.#look());
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** Everything the program wrote, escape sequences included. */
  get raw(): string {
    return this.#raw;
  }

  get exited(): { readonly code: number; readonly signal: number | undefined } | undefined {
    return this.#exit;
  }

  /** Whether the program has the alternate screen. */
  get isFullScreen(): boolean {
    return this.#screen.buffer.active.type === "alternate";
  }

  /** The lines of the screen, without spaces at their ends. */
  get lines(): string[] {
    const { active } = this.#screen.buffer;
    const lines: string[] = [];
    for (let row = 0; row < this.#screen.rows; row++) {
      lines.push(
        active
          .getLine(active.viewportY + row)
          ?.translateToString(true)
          .trimEnd() ?? "",
      );
    }
    return lines;
  }

  get text(): string {
    return this.lines.join("\n");
  }

  /** The whole buffer, what has scrolled away included. */
  get history(): string {
    const { active } = this.#screen.buffer;
    const lines: string[] = [];
    for (let row = 0; row < active.length; row++) lines.push(active.getLine(row)?.translateToString(true) ?? "");
    return lines.join("\n").trimEnd();
  }

  get cursor(): { readonly row: number; readonly column: number } {
    const { active } = this.#screen.buffer;
    return { row: active.cursorY, column: active.cursorX };
  }

  /** Presses keys by name, one after the other, each in a write of its own. */
  press(...names: readonly string[]): this {
    for (const name of names) this.#pty.write(keyBytes(name));
    return this;
  }

  /** Types a text as a person does. */
  type(text: string): this {
    for (const character of text) this.#pty.write(character);
    return this;
  }

  /** A bracketed paste. */
  paste(text: string): this {
    this.#pty.write(`\x1b[200~${text}\x1b[201~`);
    return this;
  }

  /** The moment a person takes to read a question. Some questions ignore keys that come in the same breath as others. */
  async yieldNow(): Promise<this> {
    await new Promise((resolve) => setTimeout(resolve, BREATH_MS));
    return this;
  }

  write(data: string): this {
    this.#pty.write(data);
    return this;
  }

  resize(columns: number, rows: number): this {
    this.#screen.resize(columns, rows);
    this.#pty.resize(columns, rows);
    return this;
  }

  /** Presses Esc and waits for what comes of it: what follows an Esc at once belongs to the same key. */
  async escape(until: string | RegExp | ((text: string) => boolean)): Promise<this> {
    this.#pty.write("\x1b");
    return this.shows(until);
  }

  /** Resolves when the screen shows it. Rejects with the screen where the program ends before, or takes too long. */
  async shows(expected: string | RegExp | ((text: string) => boolean)): Promise<this> {
    const matches = (): boolean => {
      const { text } = this;
      if (typeof expected === "string") return text.includes(expected);
      return expected instanceof RegExp ? expected.test(text) : expected(text);
    };
    await this.#until(matches, `the screen shows ${String(expected)}`);
    return this;
  }

  /** Resolves when the screen does not show it any more. */
  async hides(text: string): Promise<this> {
    await this.#until(() => !this.text.includes(text), `the screen no longer shows ${text}`);
    return this;
  }

  /** Resolves when the program wrote it, on the screen or not. */
  async wrote(expected: string): Promise<this> {
    await this.#until(() => this.#raw.includes(expected), `the program writes ${JSON.stringify(expected)}`);
    return this;
  }

  async ends(): Promise<number> {
    await this.#until(() => this.#exit !== undefined, "the program ends");
    // What it wrote last may still be on its way to the screen.
    await new Promise<void>((resolve) => this.#screen.write("", resolve));
    return this.#exit?.code ?? -1;
  }

  kill(signal = "SIGKILL"): void {
    if (this.#exit === undefined) this.#pty.kill(signal);
  }

  #look(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }

  #until(condition: () => boolean, goal: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (error?: Error): void => {
        clearTimeout(timer);
        this.#watchers.delete(look);
        if (error === undefined) resolve();
        else reject(error);
      };
      const look = (): void => {
        if ((this.#isWhole || this.#exit !== undefined) && condition()) finish();
        else if (this.#exit !== undefined) finish(this.#complaint(`The program ended before ${goal}`));
      };
      const timer = setTimeout(() => finish(this.#complaint(`Waited in vain until ${goal}`)), PATIENCE_MS);
      this.#watchers.add(look);
      look();
    });
  }

  #complaint(sentence: string): Error {
    const end = this.#exit === undefined ? "" : ` (exit code ${this.#exit.code})`;
    return new Error(`${sentence}${end}. The screen:\n${this.text}`);
  }
}

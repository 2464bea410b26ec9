// A program's own screen in a real pty, drawn by a headless terminal: what a person would see after resuming a session.
import { spawn } from "@lydell/node-pty";
import headless from "@xterm/headless";

const SIZE = { cols: 110, rows: 40 };
const LOOK_EVERY = 100;
const LONGEST_WAIT = 90_000;
const TYPE_AGAIN = 10_000;

/** Keeps running until `close()` ends the program. */
export class Screen {
  #terminal = new headless.Terminal({ ...SIZE, scrollback: 10_000, allowProposedApi: true });
  #pty;
  #exit;

  constructor(file, args, { cwd, env }) {
    const environment = { TERM: "xterm-256color", COLORTERM: "truecolor", LANG: "C.UTF-8", ...env };
    this.#pty = spawn(file, args, { ...SIZE, name: "xterm-256color", cwd, env: environment });
    this.#pty.onData((data) => this.#terminal.write(data));
    // Programs query the terminal's capabilities and wait for the answer.
    this.#terminal.onData((data) => this.#pty.write(data));
    this.#pty.onExit(({ exitCode }) => {
      this.#exit = exitCode;
    });
  }

  /** Everything that was drawn, as lines, including what has scrolled out of view. */
  lines() {
    const { active } = this.#terminal.buffer;
    return Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? "");
  }

  /** What is visible on the screen now. */
  visible() {
    const { active } = this.#terminal.buffer;
    return this.lines().slice(active.baseY, active.baseY + SIZE.rows);
  }

  /** The words on the screen, regardless of wrapping and frames. */
  words() {
    return wordsOf(this.lines().join(" "));
  }

  write(keys) {
    this.#pty.write(keys);
  }

  /**
   * Waits until `isThere()` returns true. If the program ends or takes too long, throws an error that shows the screen.
   */
  async until(what, isThere) {
    const end = Date.now() + LONGEST_WAIT;
    while (!isThere()) {
      if (this.#exit !== undefined)
        throw new Error(`the program ended (${this.#exit}) before ${what}:\n${this.picture()}`);
      if (Date.now() > end) throw new Error(`not seen: ${what}\n${this.picture()}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
    }
  }

  picture() {
    const lines = this.visible();
    while (lines.length > 0 && lines.at(-1) === "") lines.pop();
    return lines.map((line) => `  | ${line}`).join("\n");
  }

  async close() {
    if (this.#exit === undefined) this.#pty.kill("SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
    this.#terminal.dispose();
  }
}

/** Removes frames and decoration, which differ between programs. */
export function wordsOf(text) {
  return text.replace(/[^\p{L}\p{N}.,:;!?'"/_-]+/gu, " ").trim();
}

/**
 * Draws a resumed session: all of `said` and the `footer` must appear on the screen. Then `prompt` is typed, and
 * `answer` must follow. `dialogs` are the questions of a first start, each `[pattern, keys]`, answered as they appear.
 */
export async function drawResumed({ file, args, cwd, env, said, footer, dialogs = [], prompt, answer, requests }) {
  const screen = new Screen(file, args, { cwd, env });
  const asked = new Set();
  const isDrawn = () => {
    const shown = screen.words();
    for (const [pattern, keys] of dialogs) {
      if (asked.has(pattern) || !pattern.test(shown)) continue;
      asked.add(pattern);
      screen.write(keys);
      return false;
    }
    return said.every((words) => shown.includes(wordsOf(words)));
  };
  try {
    await screen.until(
      `the conversation (${said.filter((words) => !screen.words().includes(wordsOf(words))).join("; ")})`,
      isDrawn,
    );
    await screen.until(`the footer ${footer}`, () => footer.test(screen.visible().join("\n")));
    const before = screen.picture();
    const times = (words) => screen.words().split(wordsOf(words)).length;
    const [prompts, answers] = [times(prompt), times(answer)];
    // A program may draw its prompt line before it reads keys.
    let typed = 0;
    await screen.until("what was typed", () => {
      if (times(prompt) > prompts) return true;
      if (Date.now() - typed > TYPE_AGAIN) {
        typed = Date.now();
        screen.write(prompt);
      }
      return false;
    });
    screen.write("\r");
    await screen.until("a request with the new prompt", () =>
      requests.some((one) => JSON.stringify(one).includes(prompt)),
    );
    await screen.until("the answer", () => times(answer) > answers);
    return { before, after: screen.picture() };
  } finally {
    await screen.close();
  }
}

/** /attempts: all attempts of the session, live; look inside, compare, stop, message, keep. */
import type { Attempt } from "@bough/agent/agent/index.js";
import { isEnded } from "@bough/agent/agent/internal.js";
import { runCommandLine, showOutcome } from "../../command/index.js";
import type { Screen, ScreenApp } from "../app/screen.js";
import { bindKeys, keyOnRow, type ScreenKeys } from "../keys/key-table.js";
import { listEnds, listMoves } from "../list/list-moves.js";
import { ListPanel } from "../list/list-panel.js";
import { layoutAttempts } from "./attempt-rows.js";

export const openAttempts: Screen<"attempts"> = async (app) => {
  const attempts = await app.context.agent.listAttempts();
  await app.host.open<undefined>((done) => new AttemptsScreen(app, attempts, () => done(undefined)).panel);
};

/** Times grow without an event. */
const TICK_MS = 1000;

class AttemptsScreen {
  readonly panel: ListPanel;
  readonly #app: ScreenApp;
  readonly #close: () => void;
  #attempts: readonly Attempt[];
  /** The first of two to compare. */
  #first: Attempt | undefined;

  constructor(app: ScreenApp, attempts: readonly Attempt[], close: () => void) {
    this.#app = app;
    this.#attempts = attempts;
    this.#close = close;
    const unsubscribe = app.onEvent((event) => {
      if (event.type === "attempt") this.#take(event.attempt);
    });
    const ticking = setInterval(() => app.host.redraw(), TICK_MS);
    ticking.unref();
    this.panel = new ListPanel(app.host, {
      name: "attempts",
      typing: "asked",
      count: () => this.#attempts.length,
      layout: (view, options) => layoutAttempts(view, this.#attempts, options),
      keys: bindKeys(ATTEMPTS_KEYS, this),
      close,
      dispose: () => {
        unsubscribe();
        clearInterval(ticking);
      },
    });
    this.panel.select(attempts.length - 1);
  }

  get row(): Attempt | undefined {
    return this.#attempts[this.panel.selected];
  }

  #take(attempt: Attempt): void {
    const at = this.#attempts.findIndex(({ entryId }) => entryId === attempt.entryId);
    this.#attempts = at < 0 ? [...this.#attempts, attempt] : this.#attempts.with(at, attempt);
    this.#app.host.redraw();
  }

  look({ tipId }: Attempt): void {
    void this.#app.open({ screen: "tree", select: tipId });
  }

  /** The changes of one; pressed on another one next, how the two differ. */
  diff(attempt: Attempt): void {
    const first = this.#first;
    if (first === undefined || first.entryId === attempt.entryId) {
      this.#first = attempt;
      this.#app.host.status(
        `Press the key again on another attempt to compare it with ${attempt.name}; Enter shows this one.`,
      );
      if (this.#attempts.length > 1 && first === undefined) return;
      this.#first = undefined;
      void this.#app.open({ screen: "diff", from: attempt.tryId, to: attempt.tipId, title: attempt.name });
      return;
    }
    this.#first = undefined;
    const title = `${first.name} and ${attempt.name}`;
    void this.#app.open({ screen: "diff", from: first.tipId, to: attempt.tipId, title });
  }

  async stop({ name }: Attempt): Promise<void> {
    await this.#run(`stop ${name}`);
  }

  message({ name }: Attempt): void {
    this.panel.edit({
      title: `Message to ${name}`,
      done: (text = "") => {
        if (text.trim() !== "") void this.#run(`message ${name} ${text}`);
      },
    });
  }

  async keep({ name }: Attempt): Promise<void> {
    this.#close();
    await this.#run(`keep ${name}`);
  }

  async #run(line: string): Promise<void> {
    const { context } = this.#app;
    showOutcome(context.front, await runCommandLine(context, `/attempts ${line}`));
  }
}

const onRow = keyOnRow(
  ({ row }: AttemptsScreen) => row,
  () => "No attempt is selected.",
);

const mustRun = ({ name, state }: Attempt) => (isEnded({ state }) ? `${name} has ended.` : undefined);
const mustHaveEnded = ({ name, state }: Attempt) => (isEnded({ state }) ? undefined : `${name} is still running.`);

/** The keys of the list of attempts. */
export const ATTEMPTS_KEYS: ScreenKeys<AttemptsScreen> = {
  title: "Attempts",
  actions: [
    ...listMoves({ scope: "attempts", thing: "attempt", kind: "typing" }),
    onRow("attempts.enter", ["enter"], "look inside, in the tree", (screen, row) => screen.look(row)),
    onRow(
      "attempts.diff",
      ["d"],
      "compare its files with those of another one; twice: what it changed",
      (screen, row) => screen.diff(row),
    ),
    onRow("attempts.stop", ["s"], "stop it", {
      run: (screen, row) => void screen.stop(row),
      disabled: (_, row) => mustRun(row),
    }),
    onRow("attempts.message", ["m"], "send it a message", {
      run: (screen, row) => screen.message(row),
      disabled: (_, row) => mustRun(row),
    }),
    onRow("attempts.keep", ["k"], "keep it: move there, and bring its file changes", {
      run: (screen, row) => void screen.keep(row),
      disabled: (_, row) => mustHaveEnded(row),
    }),
    ...listEnds("attempts", "letters"),
  ],
};

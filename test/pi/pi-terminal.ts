/** The same program in a terminal in memory: keys go in, the screen is read as a user sees it. */
import { setImmediate as nextRound } from "node:timers/promises";
import { mergeSettings } from "@bough/agent/project/index.js";
import { startAgent } from "@bough/program/cli/start/start-agent.js";
import type { StartedAgent } from "@bough/program/cli/start/started-agent.js";
import { openTerminal } from "@bough/program/tui/index.js";
import { namedKeyPress } from "@bough/program/tui/keys/named-key-press.test-support.js";
import { MemoryTerminal } from "@bough/program/tui/terminal/memory-terminal.test-support.js";
import xterm from "@xterm/headless";
import { afterTest } from "../support/after-test.js";
import { makePlace, type Place, type SeatOptions } from "./pi-seat.js";

const COLUMNS = 80;
const ROWS = 30;
/** More rounds than anything here takes: a bound, never a wait. */
const PATIENCE = 4000;

export class PiTerminal {
  readonly place: Place;
  readonly port = new MemoryTerminal({ columns: COLUMNS, rows: ROWS });
  readonly #emulator = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  readonly #terminal: ReturnType<typeof openTerminal>;
  #started: StartedAgent | undefined;
  #taken = 0;
  title = "";

  private constructor(place: Place) {
    this.place = place;
    this.#terminal = openTerminal({
      settings: mergeSettings({}),
      cwd: place.cwd,
      home: place.home,
      env: { LANG: "en_GB.UTF-8", TERM: "xterm-256color" },
      now: Date.now,
      port: this.port,
    });
    this.#emulator.onTitleChange((title) => {
      this.title = title;
    });
  }

  static async open(options: SeatOptions): Promise<PiTerminal> {
    const made = new PiTerminal(await makePlace(options));
    afterTest(() => made.close());
    await made.#run();
    return made;
  }

  get started(): StartedAgent {
    return this.#started as StartedAgent;
  }

  async #run(): Promise<void> {
    const { request, cwd, home } = this.place;
    const started = await startAgent(request, {
      ui: () => this.#terminal.ui,
      hasUi: true,
      ask: this.#terminal.ask,
      version: "0",
      mode: "tui",
    } as Parameters<typeof startAgent>[1]);
    this.#started = started;
    const { agent, parts } = started;
    void this.#terminal.run({
      agent,
      registry: parts.registry,
      permissions: parts.permissions,
      registrations: parts.runner.registrations,
      runExtensionCommand: (name: string, args: string) => started.runCommand(name, args),
      runShortcut: (shortcut: Parameters<StartedAgent["runShortcut"]>[0]) => started.runShortcut(shortcut),
      listen: (listener: Parameters<StartedAgent["listen"]>[0]) => started.listen(listener),
      begin: () => started.begin(),
      cwd,
      home,
      sessionDir: home,
      projectTrusted: false,
      agentPlaces: { home },
    } as Parameters<ReturnType<typeof openTerminal>["run"]>[0]);
    await nextRound();
  }

  press(...names: readonly string[]): void {
    for (const name of names) {
      this.port.feed(namedKeyPress(name).raw);
      // A lone Esc is known to be one only when nothing follows; in a terminal that takes a moment.
      if (name === "esc") this.#terminal.press("");
    }
  }

  type(text: string): void {
    for (const character of text) this.port.feed(character);
  }

  /** Types a line and sends it. */
  async send(line: string): Promise<void> {
    this.type(line);
    await this.shows(line.slice(0, 30));
    this.press("enter");
  }

  async screen(): Promise<string> {
    this.#terminal.drawNow();
    const written = this.port.written.slice(this.#taken);
    this.#taken = this.port.written.length;
    await new Promise<void>((resolve) => this.#emulator.write(written, resolve));
    const { active } = this.#emulator.buffer;
    return Array.from({ length: ROWS }, (_, row) =>
      (active.getLine(row)?.translateToString(true) ?? "").trimEnd(),
    ).join("\n");
  }

  /** Resolves with the screen when it shows this; rejects with the screen where it never does. */
  async shows(expected: string | RegExp): Promise<string> {
    return this.#until((screen) => (typeof expected === "string" ? screen.includes(expected) : expected.test(screen)), {
      wanted: String(expected),
    });
  }

  async hides(text: string): Promise<string> {
    return this.#until((screen) => !screen.includes(text), { wanted: `no ${text}` });
  }

  async #until(holds: (screen: string) => boolean, { wanted }: { readonly wanted: string }): Promise<string> {
    for (let round = 0; round < PATIENCE; round++) {
      const screen = await this.screen();
      if (holds(screen)) return screen;
      await nextRound();
    }
    throw new Error(`Waited in vain for ${wanted}. The screen:\n${await this.screen()}`);
  }

  async close(): Promise<void> {
    this.#terminal.close();
    await this.#started?.close();
  }
}

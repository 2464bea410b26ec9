/** The whole terminal in memory, with a real session file and the offline model; its screen as a user sees it. */
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextRound } from "node:timers/promises";
import { AgentSession, extensionHost } from "@bough/agent/agent/index.js";
import type { ExtensionFactory } from "@bough/agent/extension/index.js";
import { ExtensionRunner, runCommand, runShortcut } from "@bough/agent/extension/run.js";
import { createModelRegistry, type LanguageModel, offlineModel } from "@bough/agent/model/index.js";
import { mergeSettings, type SettingsFile } from "@bough/agent/project/index.js";
import { createPermissions, createTools } from "@bough/agent/tool/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import type { AgentPlaces } from "@bough/workbench/interop/index.js";
import xterm from "@xterm/headless";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { namedKeyPress } from "../keys/named-key-press.test-support.js";
import { MemoryTerminal } from "../terminal/memory-terminal.test-support.js";
import { openTerminal, type TerminalApp } from "./terminal-app.js";

export interface TestAppOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly settings?: SettingsFile;
  readonly model?: LanguageModel;
  readonly session?: (folder: string) => SessionManager;
  /** The working folder. Default: a new one. */
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
  readonly extension?: ExtensionFactory;
  /** Called when extensions are loaded and nothing is on the screen yet. */
  readonly beforeRun?: (terminal: TerminalApp) => void;
  readonly prompt?: string;
  /** Where other agents keep their sessions. Default: nowhere. */
  readonly agentPlaces?: AgentPlaces;
}

/** Shorter than a test's time limit, so that a failed wait reports what was on the screen. A bound, never a wait. */
const GIVE_UP_MS = 60_000;

export class TestApp {
  readonly folder: string;
  readonly home: string;
  readonly port: MemoryTerminal;
  readonly terminal: TerminalApp;
  readonly agent: AgentSession;
  readonly ended: Promise<number>;
  readonly #emulator: xterm.Terminal;
  #taken = 0;
  #now = Date.UTC(2026, 0, 2, 12);

  private constructor(parts: {
    readonly folder: string;
    readonly home: string;
    readonly options: TestAppOptions;
    readonly make: (app: TestApp, terminal: TerminalApp) => { agent: AgentSession; run: () => Promise<number> };
  }) {
    const { folder, home, options } = parts;
    const { columns = 80, rows = 24 } = options;
    this.folder = folder;
    this.home = home;
    this.port = new MemoryTerminal({ columns, rows });
    this.#emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
    this.terminal = openTerminal({
      settings: mergeSettings(options.settings ?? {}),
      cwd: folder,
      home,
      env: { LANG: "en_GB.UTF-8", TERM: "xterm-256color", ...options.env },
      now: () => this.#now,
      port: this.port,
    });
    const { agent, run } = parts.make(this, this.terminal);
    this.agent = agent;
    this.ended = run();
  }

  static async open(options: TestAppOptions = {}): Promise<TestApp> {
    const folder = realpathSync(options.folder ?? tempFolder());
    const home = options.home ?? join(folder, "home");
    const session = options.session?.(folder) ?? SessionManager.create(folder, join(folder, "sessions"));
    const { extension } = options;
    const app = new TestApp({
      folder,
      home,
      options,
      make: (_app, terminal) => assemble({ folder, home, session, terminal, options, extension }),
    });
    await nextRound();
    return app;
  }

  get now(): number {
    return this.#now;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  press(...names: readonly string[]): void {
    for (const name of names) {
      this.port.feed(namedKeyPress(name).raw);
      // A lone Esc is recognized only if nothing follows; in a terminal that takes a moment.
      if (name === "esc") this.terminal.press("");
    }
  }

  type(text: string): void {
    for (const character of text) this.port.feed(character);
  }

  resize(columns: number, rows: number): void {
    this.#emulator.resize(columns, rows);
    this.port.resize(columns, rows);
  }

  /** The lines of the screen, without trailing spaces. */
  async lines(): Promise<string[]> {
    this.terminal.drawNow();
    const written = this.port.written.slice(this.#taken);
    this.#taken = this.port.written.length;
    await new Promise<void>((resolve) => this.#emulator.write(written, resolve));
    const { active } = this.#emulator.buffer;
    return Array.from({ length: this.#emulator.rows }, (_, row) =>
      (active.getLine(row)?.translateToString(true) ?? "").trimEnd(),
    );
  }

  async screen(): Promise<string> {
    return (await this.lines()).join("\n");
  }

  /** Resolves when the screen shows it; rejects with the screen if it never does. */
  async shows(expected: string | RegExp): Promise<string> {
    for (const started = Date.now(); Date.now() - started < GIVE_UP_MS; ) {
      const screen = await this.screen();
      if (typeof expected === "string" ? screen.includes(expected) : expected.test(screen)) return screen;
      await nextRound();
    }
    throw new Error(`Waited in vain for ${String(expected)}. The screen:\n${await this.screen()}`);
  }

  /** Resolves when the screen no longer shows it. */
  async hides(text: string): Promise<void> {
    for (const started = Date.now(); Date.now() - started < GIVE_UP_MS; ) {
      if (!(await this.screen()).includes(text)) return;
      await nextRound();
    }
    throw new Error(`Waited in vain until this is gone: ${text}. The screen:\n${await this.screen()}`);
  }

  async close(): Promise<void> {
    this.terminal.close();
    await this.agent.dispose();
  }
}

interface Assembly {
  readonly folder: string;
  readonly home: string;
  readonly session: SessionManager;
  readonly terminal: TerminalApp;
  readonly options: TestAppOptions;
  readonly extension: ExtensionFactory | undefined;
}

function assemble({ folder, home, session, terminal, options, extension }: Assembly) {
  const registry = createModelRegistry({
    home,
    env: {},
    ...(options.settings?.models && { overrides: options.settings.models }),
  });
  const permissions = createPermissions({ mode: "ask", cwd: folder, ask: terminal.ask });
  let agent: AgentSession | undefined;
  const host = extensionHost({ agent: () => agent as AgentSession, cwd: folder, ui: terminal.ui, hasUi: true });
  const runner = new ExtensionRunner({ host, onProblem: () => {}, modules: {} });
  agent = new AgentSession({
    session,
    registry,
    settings: mergeSettings(options.settings ?? {}),
    cwd: folder,
    hooks: runner,
    permit: permissions.permit,
    tools: createTools(),
    outputDir: join(folder, "output"),
    model: options.model ?? offlineModel(),
  });
  const made = agent;
  const onProblem = () => {};
  const { signal } = new AbortController();
  return {
    agent: made,
    run: async () => {
      if (extension !== undefined) await runner.load([{ name: "test", factory: extension }]);
      const { registrations } = runner;
      options.beforeRun?.(terminal);
      return terminal.run({
        agent: made,
        registry,
        permissions,
        registrations,
        runExtensionCommand: async (name, args) => {
          const command = registrations.command(name);
          if (command !== undefined) await runCommand(command, { host, onProblem, args, signal });
          return undefined;
        },
        runShortcut: async (shortcut) => {
          await runShortcut(shortcut, { host, onProblem, signal });
        },
        listen: (listener) => {
          made.subscribe(listener);
        },
        begin: () => made.start(),
        cwd: folder,
        home,
        sessionDir: join(folder, "sessions"),
        projectTrusted: false,
        agentPlaces: options.agentPlaces ?? { home: join(folder, "nobody") },
        prompt: options.prompt,
      });
    },
  };
}

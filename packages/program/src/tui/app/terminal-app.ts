/**
 * The door of the terminal: questions can be asked at once, the conversation follows when its agent is there.
 *
 * How a key becomes a frame. `tui/terminal` splits the bytes into keys, pastes and wheel turns; a short wait tells a lone
 * Escape from the start of a sequence. The top panel is asked first, then the keys that work everywhere. What a key means
 * is one row in the table of its screen (`TREE_KEYS`, ...): keys, help, action, and why it is disabled right now; `?` and
 * docs/reference/keys.md are made from it. A screen changes an immutable state or calls a flow of `command`, which plans,
 * asks, lets the agent act and returns a sentence. `view` makes only the rows of the window from the index, so nothing
 * costs more than the window. `compose-screen.ts` puts conversation, panel and footer together, exactly as many lines as
 * the terminal has, and the terminal writes the rows that changed.
 */

import type { FrontEndUi } from "@bough/agent/extension/index.js";
import type { Settings } from "@bough/agent/project/index.js";
import type { AskPermission } from "@bough/agent/tool/index.js";
import { entryText } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { counted, visibleText } from "@bough/session/text/index.js";
import { lastAnswer } from "../../command/index.js";
import { savedSentence } from "../../command/internal.js";
import { terminalUi } from "../extension/terminal-ui.js";
import type { PanelHost } from "../host/panel-host.js";
import { ALL_KEYS } from "../keys/all-keys.js";
import { createKeyMap } from "../keys/create-key-map.js";
import type { KeyPress } from "../keys/key-press.js";
import { askPermission } from "../questions/ask-permission.js";
import { askPresence, type OtherOpener, type PresenceAnswer } from "../questions/ask-presence.js";
import { ProcessPort, type TerminalPort } from "../terminal/terminal-port.js";
import { terminalLook } from "../theme/terminal-look.js";
import type { AppParts } from "./app-parts.js";
import { RunningApp } from "./running-app.js";
import { createHints } from "./start/hints.js";
import { TerminalShell } from "./terminal-shell.js";
import { WorkClock } from "./work-clock.js";

export interface TerminalOptions {
  readonly settings: Pick<Settings, "theme" | "glyphs" | "mouse" | "keys">;
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  /** Default: the process's own terminal. Tests and benchmarks pass one in memory. */
  readonly port?: TerminalPort;
}

export interface TerminalApp {
  readonly host: PanelHost;
  /** For extensions, from the start. */
  readonly ui: FrontEndUi;
  /** For permissions, from the start. */
  readonly ask: AskPermission;
  /** Asks what to do with a session that is open in another process. */
  choosePresence(others: readonly OtherOpener[]): Promise<PresenceAnswer>;
  /** Shows the conversation until the user quits; resolves with the exit code. */
  run(parts: AppParts): Promise<number>;
  /** Draws a frame synchronously and takes bytes as keys, for benchmarks. */
  drawNow(): void;
  press(data: string): void;
  /** Restores the terminal. Safe to call twice. */
  close(): void;
  /** Printed after quitting: the last answer, the session file, and how to resume. */
  farewell(): string;
}

export function openTerminal(options: TerminalOptions): TerminalApp {
  const { settings, env, now, port } = options;
  const { platform } = process;
  let running: RunningApp | undefined;
  const session = () => running?.context.agent.session;
  const shell = new TerminalShell({
    port: port ?? new ProcessPort(),
    look: terminalLook({ env, platform, theme: settings.theme, glyphs: settings.glyphs }),
    keys: createKeyMap({ scopes: ALL_KEYS, overrides: settings.keys ?? {} }),
    mouse: settings.mouse ?? true,
    env,
    now,
    guard: port === undefined ? "process" : "none",
    lastWords: () => savedSentence(session()),
  });
  const { host } = shell;
  const typing = {
    onStray: (key: KeyPress) => shell.write(key),
    onPaste: (text: string) => shell.paste(text),
  };
  const clock = new WorkClock(now);
  const onStop = () => void running?.context.agent.abort();
  const ask = askPermission(host, { ...typing, onStop, lastKeyAt: () => shell.lastKeyAt });
  // Commands may ask several things at once, so extension questions wait only while the user is typing.
  const ui = terminalUi(host, { ...typing, lastKeyAt: () => shell.lastTypedAt, screen: shell.extensions });
  return {
    host,
    ui,
    ask: (question) => clock.during(() => ask(question)),
    choosePresence: (others) => askPresence(host, others),
    run: (parts) => {
      const app = new RunningApp(shell, parts, {
        hints: createHints(options.home),
        ui,
        workNow: clock.now,
        env,
        platform,
      });
      running = app;
      return app.run();
    },
    drawNow: () => shell.terminal.drawNow(),
    press: (data) => shell.terminal.press(data),
    close: () => {
      shell.end();
      running?.dispose();
    },
    farewell: () => {
      const answer = shell.attention.answered ? answerLines(session()) : [];
      return [answer.join("\n"), savedSentence(session())].filter((text) => text !== "").join("\n\n");
    },
  };
}

/** The part of the last answer that is left on the terminal after quitting. */
const MOST_LINES = 60;

function answerLines(session: SessionManager | undefined): readonly string[] {
  const answer = session === undefined ? undefined : lastAnswer(session);
  if (answer === undefined) return [];
  const lines = visibleText(entryText(answer).trim()).text.split("\n");
  const rest = lines.length - MOST_LINES;
  return rest <= 0 ? lines : [...lines.slice(0, MOST_LINES), `(${counted(rest, "more line", "more lines")})`];
}

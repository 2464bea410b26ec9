/** The terminal with its panel host: draws the conversation or the open panel and dispatches every key. */

import { copyText } from "@bough/agent/terminal/index.js";
import { firstWords } from "@bough/session/text/index.js";
import { ExtensionScreen } from "../extension/extension-screen.js";
import { showHelp } from "../help/show-help.js";
import { createHost, type OwnedHost, type StatusLine } from "../host/create-host.js";
import type { Panel, Size } from "../host/panel.js";
import { EVERYWHERE_KEYS } from "../keys/everywhere-keys.js";
import type { KeyMap } from "../keys/key-map.js";
import { keyHint } from "../keys/key-names.js";
import type { KeyPress } from "../keys/key-press.js";
import { bindKeys } from "../keys/key-table.js";
import { TerminalGuard } from "../terminal/guard-terminal.js";
import type { InputEvent } from "../terminal/input-event.js";
import { ScreenTerminal } from "../terminal/screen-terminal.js";
import type { TerminalPort } from "../terminal/terminal-port.js";
import { themeLike } from "../theme/create-theme.js";
import type { TerminalLook } from "../theme/terminal-look.js";
import { Attention } from "./attention.js";
import { type ChatLayer, NO_CHAT } from "./chat-layer.js";
import { type ComposedScreen, composeScreen, isEnlarged } from "./compose-screen.js";

interface ShellOptions {
  readonly port: TerminalPort;
  readonly look: TerminalLook;
  readonly keys: KeyMap;
  readonly mouse: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  /** `process`: restore the terminal however the process ends. `none`: for tests and benchmarks. */
  readonly guard: "process" | "none";
  /** What to print after a crash. */
  readonly lastWords: () => string;
}

/** Set the window title, and restore it at the end. */
const KEEP_TITLE = "\x1b[22;0t";
const TITLE_BACK = "\x1b[23;0t";

/** What the mouse wheel does in a panel. */
const UP: KeyPress = { name: "up", text: undefined, raw: "\x1b[A" };
const DOWN: KeyPress = { name: "down", text: undefined, raw: "\x1b[B" };

export class TerminalShell {
  readonly host: OwnedHost;
  readonly terminal: ScreenTerminal;
  /** What extensions draw. */
  readonly extensions: ExtensionScreen;
  /** Notifies a user who is looking elsewhere. */
  readonly attention: Attention;
  readonly #options: ShellOptions;
  readonly #guard: TerminalGuard | undefined;
  #look: TerminalLook;
  #keys: KeyMap;
  #chatLayer: ChatLayer = NO_CHAT;
  #lastKeyAt = Number.NEGATIVE_INFINITY;
  #lastTypedAt = Number.NEGATIVE_INFINITY;
  /** A question was answered, and what is below it has not been drawn yet. */
  #justAnswered = false;
  #shown: ComposedScreen | undefined;
  #ended = false;
  /** The title we set; undefined if we set none. */
  #shownTitle: string | undefined;
  /** Shortcuts of extensions are checked before our own keys. */
  readonly #titles: { extension?: string | undefined; own?: string | undefined } = {};
  /** The status for a key that does nothing. */
  #idle: StatusLine | undefined;

  constructor(options: ShellOptions) {
    this.#options = options;
    this.#look = options.look;
    this.#keys = options.keys;
    this.terminal = new ScreenTerminal({
      port: options.port,
      mouse: options.mouse,
      now: options.now,
      draw: (size) => this.#draw(size),
      onInput: (event) => this.#receive(event),
      onGone: () => this.#chatLayer.leave(),
    });
    this.#guard = options.guard === "process" ? new TerminalGuard(this.terminal, options) : undefined;
    this.host = this.#makeHost();
    this.extensions = new ExtensionScreen(this.host, {
      size: () => this.terminal.size,
      setTitle: (title) => {
        this.#titles.extension = title;
        this.#showTitle();
      },
      setTheme: (theme) => this.setLook({ ...this.#look, theme }),
      trueColors: /^(?:truecolor|24bit)$/.test(options.env.COLORTERM ?? ""),
      themeNamed: (name) => themeLike(this.#look.theme, name),
      paste: (text) => this.paste(text),
    });
    this.attention = new Attention({
      write: (data) => this.terminal.isOn && this.terminal.write(data),
      setTitle: (title) => {
        this.#titles.own = title;
        this.#showTitle();
      },
      env: options.env,
      now: options.now,
      lastKeyAt: () => this.#lastKeyAt,
    });
  }

  /** Time of the last key press, by the host's clock. */
  get lastKeyAt(): number {
    return this.#lastKeyAt;
  }

  /** Time of the last typing or sent prompt; reset by a command or shortcut. */
  get lastTypedAt(): number {
    return this.#lastTypedAt;
  }

  /** Sends a key to the editor, whatever panel is open above it. */
  write(key: KeyPress): void {
    this.#chatLayer.chat.editor.handleKey(key);
  }

  /** Sends a paste to the editor, whatever panel is open above it. */
  paste(text: string): void {
    this.#chatLayer.chat.editor.handlePaste?.(text);
  }

  start(): void {
    if (!this.#ended) this.terminal.start();
  }

  /** Closes everything and restores the terminal for good. */
  end(): void {
    if (this.#ended) return;
    this.host.closeAll();
    this.attention.stop();
    this.#ended = true;
    if (this.#shownTitle !== undefined) this.terminal.write(TITLE_BACK);
    this.terminal.stop();
    this.#guard?.release();
  }

  setChatLayer(layer: ChatLayer): void {
    this.#chatLayer = layer;
    this.host.redraw();
  }

  setKeys(keys: KeyMap): void {
    this.#keys = keys;
    this.host.redraw();
  }

  setLook(look: TerminalLook): void {
    this.#look = look;
    if (this.terminal.isOn) this.terminal.redrawAll();
  }

  /** The keys of the panel or the conversation, with those that are currently disabled. */
  showHelp(panel: Panel | undefined): void {
    void showHelp(this.host, {
      scope: panel?.keyScope,
      disabledReason: (id) => this.disabledReason(id) ?? (panel === undefined ? undefined : panel.disabledReason?.(id)),
    });
  }

  /** Why a key of the conversation, or a global one, is disabled. */
  disabledReason(id: string): string | undefined {
    return this.#everywhere.disabledReason(id) ?? this.#chatLayer.chat.disabledReason(id);
  }

  readonly #everywhere = bindKeys(EVERYWHERE_KEYS, {
    showHelp: () => this.showHelp(this.host.top),
    interrupt: () => this.#chatLayer.interrupt(),
    isPanelOpen: () => this.host.top !== undefined,
    toggleEnlarged: () => {
      const { enlarged, shownPanel } = this.host;
      const { height } = this.terminal.size;
      this.host.enlarge(shownPanel === undefined || !isEnlarged(shownPanel, { enlarged, height }));
    },
    suspend: () => {
      if (this.#guard?.suspend() !== true) this.host.status("Suspend is not supported on this system.", "warning");
    },
    redrawAll: () => this.terminal.redrawAll(),
  });

  /** The previous title is restored at the end. */
  #showTitle(): void {
    const title = this.#titles.extension ?? this.#titles.own;
    // A title set while another program has the terminal waits for the next frame.
    if (title === this.#shownTitle || !this.terminal.isOn) return;
    if (title === undefined) this.terminal.write(TITLE_BACK);
    else this.terminal.write(`${this.#shownTitle === undefined ? KEEP_TITLE : ""}\x1b]0;${firstWords(title, 200)}\x07`);
    this.#shownTitle = title;
  }

  #makeHost(): OwnedHost {
    const shell = this;
    const { now, env } = this.#options;
    return createHost({
      get theme() {
        return shell.#look.theme;
      },
      get glyphs() {
        return shell.#look.glyphs;
      },
      get keys() {
        return shell.#keys;
      },
      now,
      requestDraw: () => this.#requestDraw(),
      later: setImmediate,
      editorText: () => this.#chatLayer.chat.text,
      setEditorText: (text) => this.#chatLayer.chat.setText(text),
      lend: (work) => this.terminal.lend(work),
      copy: (text) => copyText(text, { write: (data) => this.terminal.write(data), env, platform: process.platform }),
    });
  }

  /** A question that appears before the conversation opens the screen itself. */
  #requestDraw(): void {
    if (!this.terminal.isOn && this.host.top !== undefined) this.start();
    this.terminal.requestDraw();
  }

  #draw(size: Size): ComposedScreen {
    this.#justAnswered = false;
    this.#showTitle();
    const { host } = this;
    this.attention.look(host.top);
    const { chat, footer } = this.#chatLayer;
    // Overlays have the keyboard, but what is below them is still drawn.
    const top = host.shownPanel;
    const parts = {
      host,
      size,
      transcript: (room: Size) => chat.drawTranscript(room),
      enlarged: host.enlarged,
      status: host.statusLine,
      footer: footer.lines(size.width),
      widgets: (placement: "aboveEditor" | "belowEditor", room: Size) => [
        ...(placement === "aboveEditor" ? footer.above(room) : []),
        ...this.extensions.widgetLines(placement, room),
      ],
    };
    try {
      this.#shown = composeScreen({ ...parts, panel: top ?? chat.editor, isEditor: top === undefined });
    } catch (error) {
      if (top === undefined) throw error;
      this.#dropPanel(top, error);
      this.#shown = composeScreen({ ...parts, panel: brokenPanel(error), isEditor: false });
    }
    return this.extensions.withOverlays(this.#shown, size);
  }

  /** A screen that throws is closed and reported; the conversation continues. */
  #dropPanel(panel: Panel, error: unknown): void {
    setImmediate(() => {
      if (this.host.top === panel) this.host.closeAll();
      this.host.status(`${panel.name} failed and was closed: ${String(error)}`, "error");
    });
  }

  #receive(received: InputEvent): void {
    const event = this.extensions.filterInput(received);
    const { top } = this.host;
    switch (event?.kind) {
      case undefined:
        this.#lastKeyAt = this.#options.now();
        break;
      case "key":
        // Drop keys typed in the same burst as an answer: their target is not on the screen yet.
        if (!this.#justAnswered) this.#press(event.key, top);
        this.#lastKeyAt = this.#options.now();
        break;
      case "paste":
        (top ?? this.#chatLayer.chat.editor).handlePaste?.(event.text);
        this.#lastKeyAt = this.#options.now();
        break;
      case "wheel":
        this.#scroll(event.lines, event.row, top);
        break;
      case "click":
        if (event.row < (this.#shown?.transcriptRows ?? 0)) this.#chatLayer.chat.toggleAt(event.row);
        break;
      case "answer":
        return;
    }
    this.#requestDraw();
  }

  #press(key: KeyPress, top: Panel | undefined): void {
    if (this.#idle !== undefined && this.host.statusLine === this.#idle) this.host.clearStatus();
    this.#idle = undefined;
    try {
      if (top === undefined ? this.#pressInEditor(key) : this.#pressIn(top, key)) return;
    } catch (error) {
      if (top === undefined) throw error;
      this.#dropPanel(top, error);
      return;
    }
    const action = this.#keys.actionFor("everywhere", key);
    if (action !== undefined) {
      const off = this.#everywhere.run(action);
      if (off !== undefined) this.host.status(off, "warning");
    } else if (top === undefined) this.#chatLayer.chat.handleKey(key);
    else if (key.text !== undefined) this.#reportUnusedKey(key, top);
  }

  #pressInEditor(key: KeyPress): boolean {
    const { chat } = this.#chatLayer;
    const before = chat.text;
    const used = chat.editor.handleKey(key);
    const isSent = before !== "" && chat.text === "" && !before.startsWith("/");
    const isTyping = key.text !== undefined || key.name === "backspace" || isSent;
    if (used) this.#lastTypedAt = isTyping ? this.#options.now() : Number.NEGATIVE_INFINITY;
    return used;
  }

  #pressIn(panel: Panel, key: KeyPress): boolean {
    const { stopOffer } = this.#chatLayer;
    if (stopOffer.take(key, panel)) return true;
    const used = panel.handleKey(key);
    if (this.host.top === panel) stopOffer.look(panel);
    else if (panel.isQuestion === true) this.#justAnswered = true;
    return used;
  }

  /** A letter that does nothing in this panel: say so until the next key, so that it does not seem ignored. */
  #reportUnusedKey(key: KeyPress, { keyScope, name }: Panel): void {
    const help = this.#keys.hint(`${keyScope ?? name}.help`) || this.#keys.hint("everywhere.help");
    this.host.status(`${keyHint(key.name)} does nothing here.${help === "" ? "" : ` ${help} shows the keys.`}`);
    this.#idle = this.host.statusLine;
  }

  /** Over a panel the wheel scrolls the panel, elsewhere the conversation. */
  #scroll(lines: number, row: number, top: Panel | undefined): void {
    if (top === undefined || row < (this.#shown?.transcriptRows ?? 0)) {
      this.#chatLayer.chat.scrollLines(lines);
      return;
    }
    const key = lines < 0 ? UP : DOWN;
    for (let step = 0; step < Math.abs(lines); step++) this.#press(key, top);
  }
}

function brokenPanel(error: unknown): Panel {
  const message = String(error)
    .replace(/[^ -~]/g, " ")
    .slice(0, 60);
  return { name: "broken", share: "fit", draw: () => ({ lines: [` ${message}`] }), handleKey: () => true };
}

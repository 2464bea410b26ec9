/** UI components that pi offers in addition to its terminal library. */
import {
  CancellableLoader,
  type Component,
  Container,
  Editor,
  type EditorOptions,
  type EditorTheme,
  getKeybindings,
  type KeyId,
  Loader,
  Spacer,
  Text,
  type TUI,
  wrapTextWithAnsi,
} from "@earendil-works/pi-tui";
import type { PiKeybindings, PiTheme } from "../pi-theme.js";
import { getSelectListTheme, themeInUse } from "./theme.js";

/** A horizontal line across the full width. */
export class DynamicBorder implements Component {
  readonly #colour: (text: string) => string;

  constructor(colour: (text: string) => string = (text) => themeInUse().fg("border", text)) {
    this.#colour = colour;
  }

  render(width: number): string[] {
    return [this.#colour("─".repeat(Math.max(1, width)))];
  }

  invalidate(): void {}
}

/** A spinner between two borders; Esc cancels it unless that is turned off. */
export class BorderedLoader extends Container {
  readonly #loader: Loader;
  readonly #idle = new AbortController();

  constructor(tui: TUI, theme: PiTheme, message: string, options: { readonly cancellable?: boolean } = {}) {
    super();
    const { cancellable = true } = options;
    const accent = (text: string): string => theme.fg("accent", text);
    const muted = (text: string): string => theme.fg("muted", text);
    this.#loader = cancellable
      ? new CancellableLoader(tui, accent, muted, message)
      : new Loader(tui, accent, muted, message);
    const border = (text: string): string => theme.fg("border", text);
    this.addChild(new DynamicBorder(border));
    this.addChild(this.#loader);
    if (cancellable) {
      this.addChild(new Spacer(1));
      this.addChild(new Text(keyHint("tui.select.cancel", "cancel"), 1, 0));
    }
    this.addChild(new Spacer(1));
    this.addChild(new DynamicBorder(border));
  }

  /** Aborted when the user cancels. */
  get signal(): AbortSignal {
    return this.#loader instanceof CancellableLoader ? this.#loader.signal : this.#idle.signal;
  }

  set onAbort(listener: (() => void) | undefined) {
    if (this.#loader instanceof CancellableLoader && listener !== undefined) this.#loader.onAbort = listener;
  }

  handleInput(data: string): void {
    if (this.#loader instanceof CancellableLoader) this.#loader.handleInput(data);
  }

  dispose(): void {
    this.#loader.stop();
  }
}

type CustomEditorOptions = EditorOptions & { readonly embedWorkingStatus?: boolean };

/** An editor that leaves the program's keys to the program: keys it does not handle itself go to `actionHandlers`. */
export class CustomEditor extends Editor {
  readonly embedWorkingStatus: boolean;
  readonly actionHandlers = new Map<string, () => void>();
  readonly #keys: PiKeybindings;
  onEscape?: () => void;
  onCtrlD?: () => void;
  onPasteImage?: () => void;
  onExtensionShortcut?: (data: string) => boolean;

  constructor(tui: TUI, theme: EditorTheme, keybindings: PiKeybindings, options: CustomEditorOptions = {}) {
    super(tui, { ...theme, selectList: theme.selectList ?? getSelectListTheme() }, options);
    this.#keys = keybindings;
    this.embedWorkingStatus = options.embedWorkingStatus === true;
  }

  onAction(action: string, handler: () => void): void {
    this.actionHandlers.set(action, handler);
  }

  setWorkingStatusIndicator(_indicator: unknown): void {}

  override handleInput(data: string): void {
    if (this.onExtensionShortcut?.(data) === true) return;
    if (this.onEscape !== undefined && this.#keys.matches(data, "app.interrupt") && !this.isShowingAutocomplete()) {
      this.onEscape();
      return;
    }
    if (this.onCtrlD !== undefined && this.#keys.matches(data, "app.exit") && this.getText() === "") {
      this.onCtrlD();
      return;
    }
    for (const [action, handler] of this.actionHandlers) {
      if (!this.#keys.matches(data, action)) continue;
      handler();
      return;
    }
    super.handleInput(data);
  }
}

/** The keys bound to an action of a list or an editor, for example `escape/ctrl+c`. */
export function keyText(keybinding: string): string {
  try {
    return (getKeybindings().getKeys(keybinding as never) as readonly KeyId[]).join("/");
  } catch {
    return "";
  }
}

export function keyHint(keybinding: string, description: string): string {
  return rawKeyHint(keyText(keybinding), description);
}

export function rawKeyHint(key: string, description: string): string {
  const theme = themeInUse();
  return `${theme.fg("dim", key)}${theme.fg("muted", ` ${description}`)}`;
}

/** The last lines of a text after wrapping, and the number of lines above them. */
export function truncateToVisualLines(
  text: string,
  maxVisualLines: number,
  width: number,
  paddingX = 0,
): { readonly visualLines: readonly string[]; readonly skippedCount: number } {
  if (text === "") return { visualLines: [], skippedCount: 0 };
  const lines = wrapTextWithAnsi(text, Math.max(1, width - 2 * paddingX)).map((line) => " ".repeat(paddingX) + line);
  const skippedCount = Math.max(0, lines.length - maxVisualLines);
  return { visualLines: lines.slice(skippedCount), skippedCount };
}

/** A diff in the theme's colors. */
export function renderDiff(diff: string): string {
  const theme = themeInUse();
  const colour = (line: string): string => {
    if (/^\+(?!\+\+)/.test(line)) return "toolDiffAdded";
    return /^-(?!--)/.test(line) ? "toolDiffRemoved" : "toolDiffContext";
  };
  return diff
    .split("\n")
    .map((line) => theme.fg(colour(line), line))
    .join("\n");
}

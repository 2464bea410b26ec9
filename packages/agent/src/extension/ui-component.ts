/** Components, colors and the screen, for extensions that draw. */

/** Anything that draws lines, such as the components of `@earendil-works/pi-tui`. */
export interface UiComponent {
  /**
   * Returns lines of at most `width` columns. Colors (SGR sequences) are kept, other control characters are removed.
   */
  render(width: number): readonly string[];
  /** Called with a key as sent by the terminal, or with a paste between `\x1b[200~` and `\x1b[201~`. */
  handleInput?(data: string): void;
  /** Called when the theme changed: drop cached lines. */
  invalidate?(): void;
  /** Called once, when the component is removed from the screen. */
  dispose?(): void;
}

/**
 * Colors by name. `fg` accepts `accent`, `border`, `borderAccent`, `borderMuted`, `success`, `error`, `warning`,
 * `muted`, `dim`, `text` and the names for messages, tools, Markdown, diffs and syntax listed in docs/extensions.md;
 * `bg` accepts `selectedBg`, `userMessageBg`, `customMessageBg`, `toolPendingBg`, `toolSuccessBg`, `toolErrorBg`. An
 * unknown name leaves the text unchanged.
 */
export interface UiTheme {
  readonly name: string;
  fg(color: string, text: string): string;
  bg(color: string, text: string): string;
  bold(text: string): string;
  dim(text: string): string;
  italic(text: string): string;
  underline(text: string): string;
  inverse(text: string): string;
  strikethrough(text: string): string;
  /** The escape sequence that turns on the color; empty without colors. */
  getFgAnsi(color: string): string;
  getBgAnsi(color: string): string;
  getColorMode(): "truecolor" | "256color";
  /** Paints the border of the editor for a thinking level. */
  getThinkingBorderColor(level: string): (text: string) => string;
  /** Paints the border of the editor while a shell command is typed. */
  getBashModeBorderColor(): (text: string) => string;
}

/** The screen, the first argument of a factory; usually called `tui` in extensions. */
export interface UiScreen {
  readonly terminal: { readonly columns: number; readonly rows: number };
  /** Schedules a redraw. Call it when something other than a key changed what a component shows. */
  requestRender(force?: boolean): void;
  /** Redirects the keys of the open component to this one; null undoes it. */
  setFocus(component: UiComponent | null): void;
  /** Shows a component over everything else until its handle hides it. */
  showOverlay(component: UiComponent, options?: UiOverlayOptions): UiOverlayHandle;
  /** Hides the overlay on top. */
  hideOverlay(): void;
  hasOverlay(): boolean;
  /** Like `ui.onTerminalInput`. */
  addInputListener(listener: UiInputHandler): () => void;
  /** Releases the terminal to another program; until `start`, nothing is drawn and no key is read. */
  stop(): void;
  start(): void;
}

/** Receives a key first. `consume` stops it; `data` replaces it. */
export type UiInputHandler = (data: string) => UiInputResult | undefined | void;

/** Whether input is consumed or replaced. */
export interface UiInputResult {
  readonly consume?: boolean | undefined;
  readonly data?: string | undefined;
}

/** Key bindings by pi's names: `tui.select.up`, `tui.select.confirm`, `tui.select.cancel`, `app.interrupt`. */
export interface UiKeybindings {
  matches(data: string, keybinding: string): boolean;
  getKeys(keybinding: string): readonly string[];
}

/** A number of columns or rows, or a share of the window such as `"50%"`. */
export type UiSize = number | `${number}%`;

/** Position and size of an overlay. */
export interface UiOverlayOptions {
  readonly width?: UiSize;
  readonly minWidth?: number;
  readonly maxHeight?: UiSize;
  /** Default `center`. */
  readonly anchor?:
    | "center"
    | "top-left"
    | "top-right"
    | "bottom-left"
    | "bottom-right"
    | "top-center"
    | "bottom-center"
    | "left-center"
    | "right-center";
  readonly offsetX?: number;
  readonly offsetY?: number;
  /** Instead of the anchor: rows from the top, or a share of the free rows. */
  readonly row?: UiSize;
  readonly col?: UiSize;
  /** Free space at the edges of the window. */
  readonly margin?:
    | number
    | { readonly top?: number; readonly right?: number; readonly bottom?: number; readonly left?: number };
  /** Called for every frame; false hides the overlay. */
  readonly visible?: (columns: number, rows: number) => boolean;
  /** Show it without receiving keys. */
  readonly nonCapturing?: boolean;
}

export interface UiOverlayHandle {
  /** Removes it permanently. */
  hide(): void;
  setHidden(hidden: boolean): void;
  isHidden(): boolean;
  /** Sends keys to it and draws it above other overlays. */
  focus(): void;
  /** Stops sending keys to it. */
  unfocus(): void;
  isFocused(): boolean;
}

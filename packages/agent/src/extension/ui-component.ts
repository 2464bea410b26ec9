/** What extensions draw with: components, colors, and the screen they are drawn on. */

/** Anything that draws lines. Components of the library `@earendil-works/pi-tui` are such. */
export interface UiComponent {
  /** Lines, each at most `width` columns wide. Colors (SGR sequences) are kept, other control characters are removed. */
  render(width: number): readonly string[];
  /** A key as the terminal sent it, or a paste between `\x1b[200~` and `\x1b[201~`. */
  handleInput?(data: string): void;
  /** Drop what was cached: the theme changed. */
  invalidate?(): void;
  /** Called once, when the component is taken off the screen. */
  dispose?(): void;
}

/**
 * Colors by name. `fg` takes `accent`, `border`, `borderAccent`, `borderMuted`, `success`, `error`, `warning`, `muted`,
 * `dim`, `text` and the names for messages, tools, Markdown, diffs and syntax listed in docs/extensions.md; `bg` takes
 * `selectedBg`, `userMessageBg`, `customMessageBg`, `toolPendingBg`, `toolSuccessBg`, `toolErrorBg`. A name that the theme
 * does not know leaves the text as it is.
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
  /** The sequence that switches the color on; "" without colors. */
  getFgAnsi(color: string): string;
  getBgAnsi(color: string): string;
  getColorMode(): "truecolor" | "256color";
  /** Paints the border of the editor as at this thinking level. */
  getThinkingBorderColor(level: string): (text: string) => string;
  /** Paints the border of the editor while a shell command is typed. */
  getBashModeBorderColor(): (text: string) => string;
}

/** The screen that a factory is given first; called `tui` in extensions. */
export interface UiScreen {
  readonly terminal: { readonly columns: number; readonly rows: number };
  /** Draws again soon. Call it after anything but a key changed what a component shows. */
  requestRender(force?: boolean): void;
  /** Sends the keys of the open component to this one; null sends them to the open component again. */
  setFocus(component: UiComponent | null): void;
  /** Shows a component over everything else until its handle hides it. */
  showOverlay(component: UiComponent, options?: UiOverlayOptions): UiOverlayHandle;
  /** Hides the overlay on top. */
  hideOverlay(): void;
  hasOverlay(): boolean;
  /** As `ui.onTerminalInput`. */
  addInputListener(listener: UiInputHandler): () => void;
  /** Gives the terminal to another program; until `start`, nothing is drawn and no key is read. */
  stop(): void;
  start(): void;
}

/** Sees a key before anyone else. `consume`: no one else gets it. `data`: they get this instead. */
export type UiInputHandler = (data: string) => UiInputResult | undefined | void;

/** What becomes of typed input: taken, or handed on as something else. */
export interface UiInputResult {
  readonly consume?: boolean | undefined;
  readonly data?: string | undefined;
}

/** Which keys mean what, by pi's names: `tui.select.up`, `tui.select.confirm`, `tui.select.cancel`, `app.interrupt`. */
export interface UiKeybindings {
  matches(data: string, keybinding: string): boolean;
  getKeys(keybinding: string): readonly string[];
}

/** Columns or rows, or a share of the window such as `"50%"`. */
export type UiSize = number | `${number}%`;

/** Where an overlay is drawn. */
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
  /** Instead of the anchor: rows from the top, or a share of what is free. */
  readonly row?: UiSize;
  readonly col?: UiSize;
  /** Stays free at the edges of the window. */
  readonly margin?:
    | number
    | { readonly top?: number; readonly right?: number; readonly bottom?: number; readonly left?: number };
  /** Asked with every frame; false hides it. */
  readonly visible?: (columns: number, rows: number) => boolean;
  /** Shown without taking the keys. */
  readonly nonCapturing?: boolean;
}

export interface UiOverlayHandle {
  /** Removes it for good. */
  hide(): void;
  setHidden(hidden: boolean): void;
  isHidden(): boolean;
  /** Gives it the keys and draws it above other overlays. */
  focus(): void;
  /** Gives the keys back. */
  unfocus(): void;
  isFocused(): boolean;
}

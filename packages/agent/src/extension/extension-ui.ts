/** The user interface for extensions: `context.ui`. Names and arguments are those of pi. */
import type {
  UiComponent,
  UiInputHandler,
  UiKeybindings,
  UiOverlayHandle,
  UiOverlayOptions,
  UiScreen,
  UiTheme,
} from "./ui-component.js";

export interface UiDialogOptions {
  /** Closes the question without an answer. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until it closes without an answer; the question shows the remaining seconds. 0 means never. */
  readonly timeout?: number | undefined;
  /** The answer that Enter gives to `confirm`. Default `yes`. */
  readonly enter?: "yes" | "no" | undefined;
}

/** The maximum delay of a Node.js timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The time limit of a dialog in milliseconds; undefined for none, which includes 0 and delays too long for a timer. */
export function dialogLimit({ timeout }: UiDialogOptions = {}): number | undefined {
  return timeout !== undefined && timeout > 0 && timeout <= LONGEST_TIMER_MS ? timeout : undefined;
}

/** Creates a component. May be called more than once. */
export type UiFactory = (tui: UiScreen, theme: UiTheme) => UiComponent;

/** Creates a component that receives all keys until `done` is called. */
export type UiCustomFactory<Result> = (
  tui: UiScreen,
  theme: UiTheme,
  keybindings: UiKeybindings,
  done: (result: Result) => void,
) => UiComponent | Promise<UiComponent>;

export interface UiCustomOptions {
  /** Draw it over the conversation instead of replacing the editor. */
  readonly overlay?: boolean | undefined;
  readonly overlayOptions?: UiOverlayOptions | (() => UiOverlayOptions) | undefined;
  /** Called once an overlay is shown. */
  readonly onHandle?: ((handle: UiOverlayHandle) => void) | undefined;
  /** Closes it without a result. */
  readonly signal?: AbortSignal | undefined;
}

/** Data for a custom footer. */
export interface UiFooterData {
  /** Null outside of a repository, `detached` without a branch. */
  getGitBranch(): string | null;
  /** The texts set with `setStatus`, by key. */
  getExtensionStatuses(): ReadonlyMap<string, string>;
  onBranchChange(listener: () => void): () => void;
  /** Number of providers with a usable model. */
  getAvailableProviderCount(): number;
}

export type UiFooterFactory = (tui: UiScreen, theme: UiTheme, footerData: UiFooterData) => UiComponent;

/** A custom editor. It calls `onSubmit` when the user sends its text. */
export interface UiEditor extends UiComponent {
  getText(): string;
  setText(text: string): void;
  handleInput(data: string): void;
  onSubmit?: ((text: string) => void) | undefined;
  onChange?: ((text: string) => void) | undefined;
  addToHistory?(text: string): void;
  insertTextAtCursor?(text: string): void;
  /** The text with shortened pastes expanded. Default: `getText`. */
  getExpandedText?(): string;
  /** Receives the provider that suggests commands and files. */
  setAutocompleteProvider?(provider: UiAutocompleteProvider): void;
}

/** Colors for a custom editor. */
export interface UiEditorTheme {
  borderColor(text: string): string;
  readonly selectList: Readonly<
    Record<"selectedPrefix" | "selectedText" | "description" | "scrollInfo" | "noMatch", (text: string) => string>
  >;
}

export type UiEditorFactory = (tui: UiScreen, theme: UiEditorTheme, keybindings: UiKeybindings) => UiEditor;

export interface UiCompletion {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

/** Completions, and the text that each of them replaces. */
export interface UiSuggestions {
  items: UiCompletion[];
  prefix: string;
}

/** The text and cursor position after a completion was applied. */
export interface UiCompletedText {
  lines: string[];
  cursorLine: number;
  cursorCol: number;
}

/** The name of a theme, and its file unless it is built in. */
export interface UiThemeInfo {
  readonly name: string;
  readonly path: string | undefined;
}

/** Whether a theme was applied, and if not, why. */
export interface UiThemeResult {
  readonly success: boolean;
  readonly error?: string;
}

/** Completes the text before the cursor. */
export interface UiAutocompleteProvider {
  getSuggestions(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    options: { readonly signal: AbortSignal; readonly force?: boolean },
  ): Promise<UiSuggestions | null>;
  applyCompletion(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    item: UiCompletion,
    prefix: string,
  ): UiCompletedText;
}

/**
 * Questions to the user, and everything an extension may show. All front ends have all methods: without a user,
 * questions return the documented default, and drawing is ignored.
 */
export interface ExtensionUi {
  /** Undefined if not answered. */
  select(title: string, options: readonly string[], dialog?: UiDialogOptions): Promise<string | undefined>;
  /** False if not answered. */
  confirm(title: string, message?: string, dialog?: UiDialogOptions): Promise<boolean>;
  /** Undefined if not answered. */
  input(title: string, placeholder?: string, dialog?: UiDialogOptions): Promise<string | undefined>;
  /** Asks for a longer text; undefined if not answered. */
  editor(title: string, prefill?: string): Promise<string | undefined>;
  notify(message: string, type?: "info" | "warning" | "error"): void;

  /** Shows a text in the footer, under a key that the extension chooses; undefined removes it. */
  setStatus(key: string, text: string | undefined): void;
  /** Shows lines or a component above the editor (default) or below it; undefined removes it. */
  setWidget(
    key: string,
    content: readonly string[] | UiFactory | undefined,
    options?: { readonly placement?: "aboveEditor" | "belowEditor" },
  ): void;
  /** Replaces the footer; undefined restores it. */
  setFooter(factory: UiFooterFactory | undefined): void;
  /** Replaces the introduction above the conversation; undefined restores it. */
  setHeader(factory: UiFactory | undefined): void;
  /** Sets the title of the terminal window. */
  setTitle(title: string): void;

  /** Sets the text shown while the agent works; undefined restores the default. */
  setWorkingMessage(message?: string): void;
  setWorkingVisible(visible: boolean): void;
  /**
   * Sets the spinner shown while the agent works. An empty `frames` hides it; without options, restores the default.
   */
  setWorkingIndicator(options?: { readonly frames?: readonly string[]; readonly intervalMs?: number }): void;
  /** Sets the label shown for hidden thinking; undefined restores the default. */
  setHiddenThinkingLabel(label?: string): void;

  /**
   * Shows a component that receives all keys until it calls `done`, and resolves to the value passed to `done`.
   * Undefined if it was closed by Ctrl+C, by the signal or by a failure, or if there is no screen.
   */
  custom<Result>(factory: UiCustomFactory<Result>, options?: UiCustomOptions): Promise<Result | undefined>;
  /**
   * Shows a component without a result, and returns a function `close`. `component` is an object with `render`, or a
   * function that receives `close` and returns such an object; its `handleInput` receives `close` too. `done` is called
   * once, however the component was closed.
   */
  custom(component: unknown, done: () => void): () => void;

  /** Inserts a text at the cursor of the editor, like a paste. */
  pasteToEditor(text: string): void;
  setEditorText(text: string): void;
  /** Empty without an editor. */
  getEditorText(): string;
  /** Replaces the editor; undefined restores the built-in one. */
  setEditorComponent(factory: UiEditorFactory | undefined): void;
  getEditorComponent(): UiEditorFactory | undefined;
  /** Changes the editor's completions: the factory takes the current provider and returns its replacement. */
  addAutocompleteProvider(factory: (current: UiAutocompleteProvider) => UiAutocompleteProvider): void;
  /** Receives every key first, until the returned function is called. */
  onTerminalInput(handler: UiInputHandler): () => void;

  /** The current theme; read it again after a theme change. */
  readonly theme: UiTheme;
  getAllThemes(): readonly UiThemeInfo[];
  getTheme(name: string): UiTheme | undefined;
  /** Sets the theme for this run without changing the user's settings. */
  setTheme(theme: string | UiTheme): UiThemeResult;

  /** Whether tool output is shown in full. */
  getToolsExpanded(): boolean;
  setToolsExpanded(expanded: boolean): void;
}

/** A front end's implementation of `ui`. */
export interface FrontEndUi extends ExtensionUi {
  /** The `ui` for one extension, whose name then appears in notices about what it shows. */
  forExtension?(name: string): ExtensionUi;
  /** Removes everything extensions show, for example before a reload. */
  reset?(): void;
  /** Called after extensions were reloaded: their commands and keys may have changed. */
  reloaded?(): void;
}

/** The `ui` for one extension. */
export function uiForExtension(ui: FrontEndUi, name: string): ExtensionUi {
  return ui.forExtension?.(name) ?? ui;
}

type ShowCustom = <Result>(factory: UiCustomFactory<Result>, options: UiCustomOptions) => Promise<Result | undefined>;

/**
 * Implements both forms of `custom`. If the second argument is a function, it is the `done` of the form without a
 * result.
 */
export function customForms(show: ShowCustom): ExtensionUi["custom"] {
  const withoutResult = (component: unknown, done: () => void): (() => void) => {
    const closing = new AbortController();
    let isTold = false;
    const tell = (): void => {
      if (isTold) return;
      isTold = true;
      done();
    };
    const close = (): void => {
      closing.abort();
      tell();
    };
    const factory: UiCustomFactory<undefined> = (_tui, _theme, _keys, end) => {
      const finish = (): void => end(undefined);
      return withClose(typeof component === "function" ? component(finish) : component, finish);
    };
    void show(factory, { signal: closing.signal }).then(tell, tell);
    return close;
  };
  const custom = (first: unknown, second?: unknown): unknown =>
    typeof second === "function"
      ? withoutResult(first, second as () => void)
      : show(first as UiCustomFactory<unknown>, (second ?? {}) as UiCustomOptions);
  return custom as ExtensionUi["custom"];
}

/** Passes `close` to the component's `handleInput`. A component without it is returned unchanged. */
function withClose(component: unknown, close: () => void): UiComponent {
  const drawn = component as UiComponent;
  const handle = drawn?.handleInput as ((data: string, close: () => void) => void) | undefined;
  if (typeof handle !== "function") return drawn;
  return {
    render: (width) => drawn.render(width),
    handleInput: (data) => handle.call(drawn, data, close),
    invalidate: () => drawn.invalidate?.(),
    dispose: () => drawn.dispose?.(),
  };
}

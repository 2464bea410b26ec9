/** How an extension talks to the user: `context.ui`. Names and arguments are those of pi. */
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
  /** Closes the question, as if no one had answered. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until it closes by itself, as if no one had answered; the question shows how many seconds remain. 0: never. */
  readonly timeout?: number | undefined;
  /** What Enter answers to `confirm`, if it is answered with a key. Default `yes`. */
  readonly enter?: "yes" | "no" | undefined;
}

/** The longest a timer of the runtime can wait. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The limit of a dialog in milliseconds. Undefined: it waits, as with 0 or a time no timer can measure. */
export function dialogLimit({ timeout }: UiDialogOptions = {}): number | undefined {
  return timeout !== undefined && timeout > 0 && timeout <= LONGEST_TIMER_MS ? timeout : undefined;
}

/** Makes a component. May be called more than once. */
export type UiFactory = (tui: UiScreen, theme: UiTheme) => UiComponent;

/** Makes a component that has the keyboard until `done` is called. */
export type UiCustomFactory<Result> = (
  tui: UiScreen,
  theme: UiTheme,
  keybindings: UiKeybindings,
  done: (result: Result) => void,
) => UiComponent | Promise<UiComponent>;

export interface UiCustomOptions {
  /** Over the conversation instead of in place of the editor. */
  readonly overlay?: boolean | undefined;
  readonly overlayOptions?: UiOverlayOptions | (() => UiOverlayOptions) | undefined;
  /** Called once an overlay is shown. */
  readonly onHandle?: ((handle: UiOverlayHandle) => void) | undefined;
  /** Closes it without a result. */
  readonly signal?: AbortSignal | undefined;
}

/** Facts for a footer that are not elsewhere. */
export interface UiFooterData {
  /** Null outside of a repository, `detached` without a branch. */
  getGitBranch(): string | null;
  /** What `setStatus` was given, by key. */
  getExtensionStatuses(): ReadonlyMap<string, string>;
  onBranchChange(listener: () => void): () => void;
  /** How many providers have a model that can be used. */
  getAvailableProviderCount(): number;
}

export type UiFooterFactory = (tui: UiScreen, theme: UiTheme, footerData: UiFooterData) => UiComponent;

/** An editor in place of ours. It calls `onSubmit` when the user sends its text. */
export interface UiEditor extends UiComponent {
  getText(): string;
  setText(text: string): void;
  handleInput(data: string): void;
  onSubmit?: ((text: string) => void) | undefined;
  onChange?: ((text: string) => void) | undefined;
  addToHistory?(text: string): void;
  insertTextAtCursor?(text: string): void;
  /** The text with pastes that are shown shortened. Default: `getText`. */
  getExpandedText?(): string;
  /** Is given what suggests commands and files. */
  setAutocompleteProvider?(provider: UiAutocompleteProvider): void;
}

/** How the editor of an extension should look. */
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

/** What could follow, and the part of the text that each of them replaces. */
export interface UiSuggestions {
  items: UiCompletion[];
  prefix: string;
}

/** The text of an editor after a suggestion was taken, and where its cursor is. */
export interface UiCompletedText {
  lines: string[];
  cursorLine: number;
  cursorCol: number;
}

/** A theme by its name, with the file it comes from unless it is built in. */
export interface UiThemeInfo {
  readonly name: string;
  readonly path: string | undefined;
}

/** Whether a theme is in use now, and why not. */
export interface UiThemeResult {
  readonly success: boolean;
  readonly error?: string;
}

/** Suggests how to continue the text before the cursor. */
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
 * Questions to the user and everything an extension may show. Every front end has all of it: without a user, questions
 * have the answer that is documented, and what would be drawn is ignored.
 */
export interface ExtensionUi {
  /** Undefined if no one chose. */
  select(title: string, options: readonly string[], dialog?: UiDialogOptions): Promise<string | undefined>;
  /** False if no one answered. */
  confirm(title: string, message?: string, dialog?: UiDialogOptions): Promise<boolean>;
  /** Undefined if no one answered. */
  input(title: string, placeholder?: string, dialog?: UiDialogOptions): Promise<string | undefined>;
  /** A longer text; undefined if no one answered. */
  editor(title: string, prefill?: string): Promise<string | undefined>;
  notify(message: string, type?: "info" | "warning" | "error"): void;

  /** A text in the footer, under a key of the extension's choice; undefined removes it. */
  setStatus(key: string, text: string | undefined): void;
  /** Lines or a component above the editor (default) or below it; undefined removes it. */
  setWidget(
    key: string,
    content: readonly string[] | UiFactory | undefined,
    options?: { readonly placement?: "aboveEditor" | "belowEditor" },
  ): void;
  /** In place of the footer; undefined brings it back. */
  setFooter(factory: UiFooterFactory | undefined): void;
  /** In place of the introduction above the conversation; undefined brings it back. */
  setHeader(factory: UiFactory | undefined): void;
  /** The title of the terminal's window. */
  setTitle(title: string): void;

  /** What is said while the agent works; undefined for the default. */
  setWorkingMessage(message?: string): void;
  setWorkingVisible(visible: boolean): void;
  /** The sign that moves while the agent works: no frames hide it, no options bring the default back. */
  setWorkingIndicator(options?: { readonly frames?: readonly string[]; readonly intervalMs?: number }): void;
  /** The label shown in place of hidden thinking; undefined for the default. */
  setHiddenThinkingLabel(label?: string): void;

  /**
   * Shows a component with the keyboard until it calls `done`, and gives what it was done with. Undefined: it was closed
   * by Ctrl+C, by the signal, by a failure, or there is no screen.
   */
  custom<Result>(factory: UiCustomFactory<Result>, options?: UiCustomOptions): Promise<Result | undefined>;
  /**
   * The same without a result. `component` is an object with `render`, or a function that is given the function that
   * closes it and makes one; `handleInput` is given that function too, and it is returned here. `done` is called once,
   * however it was closed.
   */
  custom(component: unknown, done: () => void): () => void;

  /** Inserts a text at the cursor of the editor, as a paste would. */
  pasteToEditor(text: string): void;
  setEditorText(text: string): void;
  /** "" without an editor. */
  getEditorText(): string;
  /** Replaces the editor; undefined brings ours back. */
  setEditorComponent(factory: UiEditorFactory | undefined): void;
  getEditorComponent(): UiEditorFactory | undefined;
  /** Adds to the suggestions of the editor: the factory is given what suggests now, and makes what suggests instead. */
  addAutocompleteProvider(factory: (current: UiAutocompleteProvider) => UiAutocompleteProvider): void;
  /** Sees every key first, until the function returned is called. */
  onTerminalInput(handler: UiInputHandler): () => void;

  /** The colors in use; ask again after a change of theme. */
  readonly theme: UiTheme;
  getAllThemes(): readonly UiThemeInfo[];
  getTheme(name: string): UiTheme | undefined;
  /** For this run; the user's settings are not changed. */
  setTheme(theme: string | UiTheme): UiThemeResult;

  /** Whether tool output is shown in full. */
  getToolsExpanded(): boolean;
  setToolsExpanded(expanded: boolean): void;
}

/** The `ui` of a front end. */
export interface FrontEndUi extends ExtensionUi {
  /** The same for one extension: notices about what it shows have its name. */
  forExtension?(name: string): ExtensionUi;
  /** Takes away everything extensions show, as before they are loaded again. */
  reset?(): void;
  /** Extensions were loaded again: their commands and keys may be others. */
  reloaded?(): void;
}

/** The `ui` for one extension. */
export function uiForExtension(ui: FrontEndUi, name: string): ExtensionUi {
  return ui.forExtension?.(name) ?? ui;
}

type ShowCustom = <Result>(factory: UiCustomFactory<Result>, options: UiCustomOptions) => Promise<Result | undefined>;

/** Both forms of `custom`, told apart by the second argument: a function is the `done` of the form without a result. */
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

/** The same component whose `handleInput` is also given what closes it. Anything else comes back as it is. */
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

/** What extensions put on the screen: texts in the footer, widgets, a header, a footer, overlays. */
import type {
  UiComponent,
  UiEditor,
  UiEditorFactory,
  UiFooterData,
  UiInputHandler,
} from "@bough/agent/extension/ui.js";
import type { ModelRegistry } from "@bough/agent/model/index.js";
import type { ThemeFile } from "@bough/agent/project/index.js";
import { safeFitted, safePainted, withoutStyles } from "@bough/agent/terminal/index.js";
import { errorText } from "@bough/session/text/index.js";
import type { Frame, Size } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import { decodeKey } from "../terminal/decode-key.js";
import type { InputEvent } from "../terminal/input-event.js";
import type { Theme } from "../theme/theme.js";
import type { GivenEditor } from "./component-editor.js";
import { type Overlay, overlayLines } from "./overlay.js";
import { isComponent, ownerName, ShownComponent } from "./shown-component.js";
import type { CompletionLayer } from "./stacked-completion.js";

/** What extensions can change in the terminal around the conversation. */
export interface ExtensionGround {
  readonly size: () => Size;
  /** Undefined restores the previous title. */
  readonly setTitle: (title: string | undefined) => void;
  /** For this run only. */
  readonly setTheme: (theme: Theme) => void;
  /** Whether the terminal shows 24-bit color. */
  readonly trueColors: boolean;
  /** A built-in theme; undefined if the name is unknown. */
  readonly themeNamed: (name: string) => Theme | undefined;
  /** Inserts text at the editor's cursor. */
  readonly paste: (text: string) => void;
}

/** The conversation and what surrounds it, once it exists. */
export interface Conversation {
  readonly chat: {
    readonly toolsExpanded: boolean;
    setToolsExpanded(expanded: boolean): void;
    readonly editor: {
      /** An editor in place of ours; undefined restores ours. */
      useEditor(given: GivenEditor | undefined): void;
      addCompletion(layer: CompletionLayer): void;
      removeCompletions(): void;
    };
  };
  readonly footer: { readonly gitBranch: string | undefined };
  readonly agent: { readonly themes: readonly ThemeFile[] };
  readonly registry: Pick<ModelRegistry, "available">;
}

export interface Working {
  readonly message: string | undefined;
  readonly visible: boolean;
  readonly indicator: { readonly frames?: readonly string[]; readonly intervalMs?: number } | undefined;
}

type Placement = "aboveEditor" | "belowEditor";

interface Widget {
  readonly placement: Placement;
  readonly shown: ShownComponent;
}

const DEFAULT_WORKING: Working = { message: undefined, visible: true, indicator: undefined };
/** Lines of one widget that are shown. */
const WIDGET_LINES = 10;
const STATUS_WIDTH = 200;

export class ExtensionScreen {
  readonly host: PanelHost;
  readonly ground: ExtensionGround;
  readonly overlays: Overlay[] = [];
  working: Working = DEFAULT_WORKING;
  thinkingLabel: string | undefined;
  /** Called when extensions were reloaded. */
  onReload: () => void = () => {};
  /** The factory of the current editor; undefined for ours. */
  editorFactory: UiEditorFactory | undefined;
  readonly #statuses = new Map<string, string>();
  readonly #widgets = new Map<string, Widget>();
  readonly #inputHandlers = new Map<UiInputHandler, string | undefined>();
  readonly #branchListeners = new Set<() => void>();
  readonly #completions: CompletionLayer[] = [];
  #conversation: Conversation | undefined;
  #editor: Omit<GivenEditor, "onFailure"> | undefined;
  #resets = new AbortController();
  #header: ShownComponent | undefined;
  #footer: ShownComponent | undefined;

  constructor(host: PanelHost, ground: ExtensionGround) {
    this.host = host;
    this.ground = ground;
  }

  get conversation(): Conversation | undefined {
    return this.#conversation;
  }

  /** It is created after extensions loaded, so apply what they have set up for it. */
  set conversation(conversation: Conversation | undefined) {
    this.#conversation = conversation;
    if (this.#editor !== undefined) this.#useEditor();
    for (const layer of this.#completions) conversation?.chat.editor.addCompletion(layer);
  }

  /** A signal that also fires when everything that extensions show is closed. */
  endsWith(signal?: AbortSignal): AbortSignal {
    return signal === undefined ? this.#resets.signal : AbortSignal.any([signal, this.#resets.signal]);
  }

  setStatus(key: string, text: string | undefined): void {
    if (text === undefined || text === "") this.#statuses.delete(key);
    else this.#statuses.set(key, safeFitted(text, STATUS_WIDTH));
    this.host.redraw();
  }

  /** All texts of `setStatus` in one line; undefined if there is none. */
  statusLine(width: number): string | undefined {
    if (this.#statuses.size === 0) return undefined;
    const { theme, glyphs } = this.host;
    const separator = theme.paint("muted", ` ${glyphs.dot} `);
    return safeFitted(` ${[...this.#statuses.values()].join(separator)}`, width);
  }

  setWidget(key: string, widget: { readonly placement: Placement; readonly shown: ShownComponent } | undefined): void {
    this.#widgets.get(key)?.shown.dispose();
    if (widget === undefined) this.#widgets.delete(key);
    else this.#widgets.set(key, widget);
    this.host.redraw();
  }

  widgetLines(placement: Placement, { width, height }: Size): readonly string[] {
    const lines: string[] = [];
    for (const widget of this.#widgets.values()) {
      if (widget.placement !== placement) continue;
      const { lines: own } = widget.shown.draw({ width, height: WIDGET_LINES + 1 });
      lines.push(...own.slice(0, WIDGET_LINES));
      if (own.length > WIDGET_LINES) lines.push(this.host.theme.paint("muted", ` ${this.host.glyphs.ellipsis}`));
    }
    return lines.slice(0, height);
  }

  setHeader(shown: ShownComponent | undefined): void {
    this.#header?.dispose();
    this.#header = shown;
    this.host.redraw();
  }

  /** Undefined shows the introduction. */
  headerLines(width: number): readonly string[] | undefined {
    return this.#header?.draw({ width, height: this.ground.size().height }).lines;
  }

  setFooter(shown: ShownComponent | undefined): void {
    this.#footer?.dispose();
    this.#footer = shown;
    this.host.redraw();
  }

  /** Undefined shows the program's footer. */
  footerLines(width: number): readonly string[] | undefined {
    return this.#footer?.draw({ width, height: this.ground.size().height }).lines;
  }

  readonly footerData: UiFooterData = {
    getGitBranch: () => this.conversation?.footer.gitBranch ?? null,
    getExtensionStatuses: () => this.#statuses,
    onBranchChange: (listener) => {
      this.#branchListeners.add(listener);
      return () => this.#branchListeners.delete(listener);
    },
    getAvailableProviderCount: () => {
      return new Set(this.conversation?.registry.available().map(({ provider }) => provider)).size;
    },
  };

  /** The git branch changed. */
  branchChanged(): void {
    for (const listener of [...this.#branchListeners]) {
      try {
        listener();
      } catch (error) {
        this.#branchListeners.delete(listener);
        this.host.status(
          `${ownerName(undefined)}: branch listener failed and was removed: ${errorText(error)}`,
          "error",
        );
      }
    }
  }

  setWorking(change: Partial<Working>): void {
    this.working = { ...this.working, ...change };
    this.host.redraw();
  }

  setThinkingLabel(label: string | undefined): void {
    this.thinkingLabel = label === undefined ? undefined : withoutStyles(safePainted(label));
    this.host.redraw();
  }

  /** The factory and its editor; undefined for the program's own. */
  setEditor(
    editor:
      | { readonly factory: UiEditorFactory; readonly component: UiEditor; readonly owner: string | undefined }
      | undefined,
  ): void {
    this.editorFactory = editor?.factory;
    this.#editor = editor;
    this.#useEditor();
    this.host.redraw();
  }

  #useEditor(): void {
    const onFailure = () => this.setEditor(undefined);
    this.#conversation?.chat.editor.useEditor(this.#editor === undefined ? undefined : { ...this.#editor, onFailure });
  }

  addCompletion(layer: CompletionLayer): void {
    this.#completions.push(layer);
    this.#conversation?.chat.editor.addCompletion(layer);
  }

  addInputHandler(handler: UiInputHandler, owner: string | undefined): () => void {
    this.#inputHandlers.set(handler, owner);
    return () => this.#inputHandlers.delete(handler);
  }

  /**
   * Extensions see keys and pastes first. Returns what they leave; undefined if one used it. Ctrl+C always gets
   * through, so that there is a way out.
   */
  filterInput(event: InputEvent): InputEvent | undefined {
    if (event.kind !== "key" && event.kind !== "paste") return event;
    const data = event.kind === "key" ? event.key.raw : `\x1b[200~${event.text}\x1b[201~`;
    const left = this.#filterBytes(data);
    if (left === data || (event.kind === "key" && event.key.name === "ctrl+c")) return event;
    if (left === undefined) return undefined;
    const pasted = /^\x1b\[200~([\s\S]*)\x1b\[201~$/.exec(left)?.[1];
    if (pasted !== undefined) return { kind: "paste", text: pasted };
    const key = decodeKey(left);
    return key === undefined ? { kind: "paste", text: left } : { kind: "key", key };
  }

  #filterBytes(data: string): string | undefined {
    let current = data;
    for (const [handler, owner] of [...this.#inputHandlers]) {
      try {
        const said = handler(current);
        if (said?.consume === true) return undefined;
        if (typeof said?.data === "string") current = said.data;
      } catch (error) {
        this.#inputHandlers.delete(handler);
        this.host.status(`${ownerName(owner)}: input handler failed and was removed: ${errorText(error)}`, "error");
      }
    }
    return current === "" ? undefined : current;
  }

  /** Draws the overlays over the frame. */
  withOverlays<Drawn extends Frame>(frame: Drawn, size: Size): Drawn {
    return this.overlays.length === 0 ? frame : { ...frame, ...overlayLines(frame, size, this.overlays) };
  }

  /** Makes a component from its factory and guards against its errors. Undefined, with a notice, if that fails. */
  shown(make: () => unknown, about: { readonly owner: string | undefined; readonly what: string }, close: () => void) {
    const { host } = this;
    try {
      const component: unknown = make();
      if (isComponent(component)) return new ShownComponent({ host, component, close, ...about });
      host.status(`${ownerName(about.owner)}: ${about.what} is not a component: it has no render()`, "error");
    } catch (error) {
      host.status(`${ownerName(about.owner)}: ${about.what} failed: ${errorText(error)}`, "error");
    }
    return undefined;
  }

  /**
   * Closes everything: open questions and components end without an answer, and a terminal that was lent is taken back.
   */
  reset(): void {
    const open = this.#resets;
    this.#resets = new AbortController();
    open.abort();
    this.ground.setTitle(undefined);
    for (const key of [...this.#widgets.keys()]) this.setWidget(key, undefined);
    for (const overlay of [...this.overlays]) overlay.close();
    this.setHeader(undefined);
    this.setFooter(undefined);
    this.#statuses.clear();
    this.#inputHandlers.clear();
    this.#branchListeners.clear();
    this.working = DEFAULT_WORKING;
    this.thinkingLabel = undefined;
    if (this.editorFactory !== undefined) this.setEditor(undefined);
    this.#completions.length = 0;
    this.#conversation?.chat.editor.removeCompletions();
    this.host.redraw();
  }
}

/** Lines to show as they are. */
export function fixedLines(lines: readonly string[]): UiComponent {
  return { render: () => lines.flatMap((line) => String(line).split("\n")) };
}

/** An extension's editor in place of ours. */
import type { UiAutocompleteProvider, UiEditor, UiEditorTheme } from "@bough/agent/extension/ui.js";
import { withoutControls } from "@bough/session/text/index.js";
import { useComponentBindings } from "../chat/editor/editor-bindings.js";
import { aroundCursor, type TextInput } from "../chat/editor/text-editor.js";
import type { Frame, Size } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import type { KeyPress } from "../keys/key-press.js";
import { ShownComponent } from "./shown-component.js";
import { liveUiTheme } from "./ui-theme.js";

export interface GivenEditor {
  readonly component: UiEditor;
  readonly owner: string | undefined;
  /** It failed; our editor is restored. */
  readonly onFailure: () => void;
}

interface ComponentEditorOptions extends GivenEditor {
  readonly host: PanelHost;
  readonly onSubmit: (text: string) => void;
  readonly completion: UiAutocompleteProvider;
  /** Esc, if the editor passes it on. */
  readonly onEscape: () => void;
}

/** Lines read from the component; the window shows those around the cursor. */
const MOST_LINES = 2000;

export class ComponentEditor implements TextInput {
  readonly #options: ComponentEditorOptions;
  readonly #component: EditorOfLibrary;
  readonly #shown: ShownComponent;

  constructor(options: ComponentEditorOptions) {
    const { host, owner, onFailure } = options;
    this.#options = options;
    this.#component = options.component;
    const component = options.component;
    this.#shown = new ShownComponent({ host, component, owner, what: "editor", close: onFailure });
    component.onSubmit = (text) => {
      component.setText("");
      options.onSubmit(text);
    };
    this.#asked(() => component.setAutocompleteProvider?.(options.completion), undefined);
    if (this.handlesEscape) this.#component.onEscape = options.onEscape;
    this.#shown.setActive(true);
  }

  /** Modal editors handle Esc themselves, and call `onEscape` to pass it on. */
  get handlesEscape(): boolean {
    return "onEscape" in this.#component;
  }

  get text(): string {
    return this.#asked(() => this.#component.getExpandedText?.() ?? this.#component.getText(), "");
  }

  get isEmpty(): boolean {
    return this.text === "";
  }

  get completing(): boolean {
    return this.#asked(() => this.#component.isShowingAutocomplete?.() ?? false, false);
  }

  setText(text: string): void {
    this.#asked(() => this.#component.setText(withoutControls(text)), undefined);
    this.#options.host.redraw();
  }

  insert(text: string): void {
    const { insertTextAtCursor } = this.#component;
    if (insertTextAtCursor === undefined) this.setText(this.text + text);
    else this.#asked(() => insertTextAtCursor.call(this.#component, withoutControls(text)), undefined);
    this.#options.host.redraw();
  }

  paste(text: string): void {
    this.#give(`\x1b[200~${withoutControls(text)}\x1b[201~`);
  }

  newLine(): void {
    this.#give("\n");
  }

  closeList(): void {
    if (this.completing) this.#give("\x1b");
  }

  submit(): void {
    this.#give("\r");
  }

  acceptCompletion(): void {
    this.#give("\r");
  }

  handleKey(key: KeyPress): boolean {
    this.#give(key.raw);
    return true;
  }

  remember(text: string): void {
    this.#asked(() => this.#component.addToHistory?.(text), undefined);
  }

  draw({ width, height }: Size): Frame {
    const { lines, cursor } = this.#shown.draw({ width, height: MOST_LINES });
    return cursor === undefined ? { lines: lines.slice(0, height) } : aroundCursor({ lines, cursor }, height);
  }

  dispose(): void {
    this.#shown.dispose();
  }

  #give(bytes: string): void {
    useComponentBindings(this.#options.host.keys);
    this.#shown.input(bytes);
  }

  #asked<Answer>(ask: () => Answer, otherwise: Answer): Answer {
    try {
      return ask();
    } catch {
      // Called all the time, so it stays silent on failure; keys and frames report it.
      return otherwise;
    }
  }
}

/** Other members that editors of the library have. */
interface EditorOfLibrary extends UiEditor {
  isShowingAutocomplete?(): boolean;
  onEscape?: () => void;
}

export function editorTheme(host: PanelHost): UiEditorTheme {
  const theme = liveUiTheme(host);
  const accent = (text: string): string => theme.fg("accent", text);
  const muted = (text: string): string => theme.fg("muted", text);
  return {
    borderColor: (text) => theme.fg("border", text),
    selectList: { selectedPrefix: accent, selectedText: accent, description: muted, scrollInfo: muted, noMatch: muted },
  };
}

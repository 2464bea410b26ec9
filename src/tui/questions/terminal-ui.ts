/** What extensions may ask a user in the terminal. */
import type { ExtensionUi } from "../../extension/index.js";
import { customForms } from "../../extension/internal.js";
import { silentUi } from "../../extension/run.js";
import type { UiComponent, UiCustomFactory, UiKeybindings, UiScreen } from "../../extension/ui.js";
import { visibleText } from "../../text/index.js";
import { uiTheme } from "../extension/ui-theme.js";
import type { PanelHost } from "../host/panel-host.js";
import { askConfirm } from "./ask-confirm.js";
import { askLongText } from "./ask-long-text.js";
import { askSelect } from "./ask-select.js";
import { askText } from "./ask-text.js";
import { componentPanel, isDrawnComponent } from "./component-panel.js";
import type { TypingOptions } from "./typing-guard.js";

/** Questions of several extensions come one after the other; one that is taken away is answered as if no one were there. */
export function terminalUi(host: PanelHost, typing: TypingOptions = {}): ExtensionUi {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    const answer = last.then(ask);
    last = answer.catch(() => undefined);
    return answer;
  };
  return {
    ...silentUi(() => {}),
    select: (title, options) =>
      inTurn(() =>
        askSelect(host, {
          name: "extension",
          typing,
          title: visibleText(title).text,
          items: options.map((value) => ({ value, label: visibleText(value).text })),
        }),
      ),
    confirm: (title, message) =>
      inTurn(() => askConfirm(host, { title, typing, ...(message === undefined ? {} : { message }) })),
    input: (title, placeholder) =>
      inTurn(() =>
        askText(host, {
          name: "extension",
          typing,
          title: visibleText(title).text,
          ...(placeholder === undefined ? {} : { placeholder }),
        }),
      ),
    editor: (title, text) =>
      inTurn(() =>
        askLongText(host, {
          name: "extension",
          typing,
          title: visibleText(title).text,
          ...(text === undefined ? {} : { text }),
        }),
      ),
    notify: (message, level = "info") => host.status(message, level),
    custom: customForms((factory, { signal }) => showComponent(host, { factory, signal, inTurn })),
    pasteToEditor: (text) => host.setEditorText(host.editorText() + text),
    setEditorText: (text) => host.setEditorText(text),
    getEditorText: () => host.editorText(),
  };
}

interface ComponentRequest<Result> {
  readonly factory: UiCustomFactory<Result>;
  /** Closes it; before its turn it is never shown. */
  readonly signal: AbortSignal | undefined;
  /** Waits until the questions before it are answered. */
  readonly inTurn: <Answer>(show: () => Promise<Answer>) => Promise<Answer>;
}

/** Shows a component of an extension until it is closed: on its own, by a key, by the signal, or with the host. */
function showComponent<Result>(host: PanelHost, request: ComponentRequest<Result>): Promise<Result | undefined> {
  const { factory, signal, inTurn } = request;
  return inTurn(async () => {
    const isAborted = (): boolean => signal?.aborted ?? false;
    if (isAborted()) return undefined;
    let end: (result: Result | undefined) => void = () => {};
    let early: { readonly result: Result | undefined } | undefined;
    const close = (result?: Result): void => {
      early ??= { result };
      end(result);
    };
    const drawn = await made(host, () => factory(SCREEN(host), uiTheme(host.theme), KEYS, close));
    if (early !== undefined || isAborted()) return early?.result;
    if (!isDrawnComponent(drawn)) {
      if (drawn !== FAILED) host.status("This terminal cannot draw the extension's component.", "warning");
      return undefined;
    }
    const onAbort = (): void => close();
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      return await host.open<Result | undefined>((finish) => {
        end = finish;
        return componentPanel(host, drawn, close);
      });
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  });
}

const FAILED = Symbol("failed");

async function made(host: PanelHost, make: () => UiComponent | Promise<UiComponent>): Promise<unknown> {
  try {
    return await make();
  } catch (error) {
    host.status(`An extension component failed: ${String(error)}`, "error");
    return FAILED;
  }
}

const SCREEN = (host: PanelHost): UiScreen => ({
  terminal: { columns: 80, rows: 24 },
  requestRender: () => host.redraw(),
  setFocus: () => {},
  showOverlay: () => {
    throw new Error("Overlays are not supported here.");
  },
  hideOverlay: () => {},
  hasOverlay: () => false,
  addInputListener: () => () => {},
  stop: () => {},
  start: () => {},
});
const KEYS: UiKeybindings = { matches: () => false, getKeys: () => [] };

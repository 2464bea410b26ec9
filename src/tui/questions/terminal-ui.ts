/** What extensions may ask a user in the terminal. */
import type { ExtensionUi } from "../../extension/index.js";
import { visibleText } from "../../text/index.js";
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
    custom: (component, done) => showComponent(host, { component, done, inTurn }),
  };
}

/** Shows a component of an extension until it is closed: on its own, by a key, or with the host. */
interface ComponentRequest {
  /** An object that draws, or a function that is given what closes it and makes one. */
  readonly component: unknown;
  /** Called once, however the component was closed. */
  readonly done: () => void;
  /** Waits until the questions before it are answered. */
  readonly inTurn: (show: () => Promise<void>) => Promise<void>;
}

/** Returns the function that closes it. Before it is shown, that takes it out of the queue; afterwards it does nothing. */
function showComponent(host: PanelHost, { component, done, inTurn }: ComponentRequest): () => void {
  let isClosed = false;
  let takeAway: (() => void) | undefined;
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    takeAway?.();
    done();
  };
  const drawn = made(host, component, close);
  if (!isDrawnComponent(drawn)) {
    if (drawn !== FAILED) host.status("This terminal cannot draw the extension's component.", "warning");
    close();
    return close;
  }
  void inTurn(async () => {
    if (isClosed) return;
    await host.open<undefined>((end) => {
      takeAway = () => end(undefined);
      return componentPanel(host, drawn, close);
    });
    close();
  });
  return close;
}

const FAILED = Symbol("failed");

function made(host: PanelHost, component: unknown, close: () => void): unknown {
  if (typeof component !== "function") return component;
  try {
    return component(close);
  } catch (error) {
    host.status(`An extension component failed: ${String(error)}`, "error");
    return FAILED;
  }
}

/** Shows an extension's component, which has the keyboard until it is done. */
import type { UiComponent, UiCustomFactory, UiCustomOptions } from "@bough/agent/extension/ui.js";
import { safeFitted } from "@bough/agent/terminal/index.js";
import { errorText, isRecord } from "@bough/session/text/index.js";
import type { Panel } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import { componentPanel } from "./component-panel.js";
import type { ExtensionScreen } from "./extension-screen.js";
import { Overlay } from "./overlay.js";
import { screenHandle, uiKeybindings } from "./screen-handle.js";
import { isComponent, ownerName, ShownComponent } from "./shown-component.js";
import { liveUiTheme } from "./ui-theme.js";

/** Waits until earlier questions are answered. */
export type InTurn = <Answer>(ask: () => Promise<Answer>) => Promise<Answer>;

interface CustomRequest<Result> {
  readonly factory: UiCustomFactory<Result>;
  readonly uiOptions: UiCustomOptions;
  readonly owner: string | undefined;
  readonly inTurn: InTurn;
}

/** In place of the editor it waits for earlier questions; an overlay is shown at once. */
export function showCustom<Result>(
  screen: ExtensionScreen,
  request: CustomRequest<Result>,
): Promise<Result | undefined> {
  const show = () => new CustomComponent(screen, request).show();
  return request.uiOptions.overlay === true ? show() : request.inTurn(show);
}

const GIVEN_UP = Symbol("given up");

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return isRecord(value) && typeof value.then === "function";
}

/** Shown while the component is still being made. */
function waitingPanel(host: PanelHost, close: () => void): Panel {
  return {
    name: "component",
    share: "fit",
    isQuestion: true,
    draw: ({ width }) => {
      const key = host.keys.hint("question.cancel");
      const text = ` Loading${host.glyphs.ellipsis}${key === "" ? "" : ` ${key} cancels`}`;
      return { lines: [safeFitted(host.theme.paint("muted", text), width)] };
    },
    handleKey: (key) => {
      if (key.name === "ctrl+c" || host.keys.actionFor("question", key) === "question.cancel") close();
      return true;
    },
  };
}

class CustomComponent<Result> {
  readonly #screen: ExtensionScreen;
  readonly #request: CustomRequest<Result>;
  #end: ((result: Result | undefined) => void) | undefined;
  /** Ends the wait for a component that is still being made. */
  #giveUp: (() => void) | undefined;
  #ended: { readonly result: Result | undefined } | undefined;
  #shown: ShownComponent | undefined;

  constructor(screen: ExtensionScreen, request: CustomRequest<Result>) {
    this.#screen = screen;
    this.#request = request;
  }

  async show(): Promise<Result | undefined> {
    const signal = this.#screen.endsWith(this.#request.uiOptions.signal);
    if (signal.aborted) return undefined;
    const onAbort = (): void => this.#close(undefined);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const component = await this.#made();
      if (this.#ended !== undefined || component === undefined) {
        component?.dispose?.();
        return this.#ended?.result;
      }
      return await this.#open(component);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  #close(result: Result | undefined): void {
    if (this.#ended !== undefined) return;
    this.#ended = { result };
    this.#giveUp?.();
    this.#end?.(result);
  }

  async #made(): Promise<UiComponent | undefined> {
    const { host } = this.#screen;
    const { factory, owner } = this.#request;
    const tui = screenHandle(this.#screen, { owner, setFocus: (component) => this.#shown?.setFocus(component) });
    try {
      const making: unknown = factory(tui, liveUiTheme(host), uiKeybindings(this.#screen), (result) =>
        this.#close(result),
      );
      const made: unknown = isPromise(making) ? await this.#waitedFor(Promise.resolve(making)) : making;
      if (isComponent(made)) return made;
      if (this.#ended === undefined) {
        host.status(`${ownerName(owner)}: component has no render() and cannot be shown`, "error");
      }
    } catch (error) {
      host.status(`${ownerName(owner)}: component failed: ${errorText(error)}`, "error");
    }
    return undefined;
  }

  /** A component that is slow to load, or never loads, can be closed like any other. */
  async #waitedFor(making: Promise<unknown>): Promise<unknown> {
    const { host } = this.#screen;
    const givenUp = new Promise<typeof GIVEN_UP>((resolve) => {
      this.#giveUp = () => resolve(GIVEN_UP);
    });
    let closePanel: (() => void) | undefined;
    if (this.#request.uiOptions.overlay !== true) {
      const close = (): void => this.#close(undefined);
      void host
        .open<undefined>((done) => {
          closePanel = () => done(undefined);
          return waitingPanel(host, close);
        })
        // Also when it was taken away from outside.
        .then(() => this.#giveUp?.());
    }
    const made = await Promise.race([making, givenUp]);
    this.#giveUp = undefined;
    closePanel?.();
    if (made !== GIVEN_UP) return made;
    this.#close(undefined);
    // If it is created later after all, it is discarded.
    making.then((late) => isComponent(late) && late.dispose?.()).catch(() => {});
    return undefined;
  }

  async #open(component: UiComponent): Promise<Result | undefined> {
    const { host, overlays } = this.#screen;
    const { owner, uiOptions } = this.#request;
    const close = (): void => this.#close(undefined);
    const shown = new ShownComponent({ host, component, owner, what: "component", close });
    this.#shown = shown;
    if (uiOptions.overlay !== true) {
      shown.setActive(true);
      return host.open<Result | undefined>((done) => {
        this.#end = done;
        return componentPanel(host, shown, close);
      });
    }
    return new Promise((resolve) => {
      const options = uiOptions.overlayOptions ?? {};
      const overlay = new Overlay({ host, shown, options, all: overlays, onClose: () => resolve(this.#ended?.result) });
      this.#end = () => overlay.close();
      try {
        uiOptions.onHandle?.(overlay.handle);
      } catch (error) {
        host.status(`${ownerName(owner)}: onHandle failed: ${errorText(error)}`, "error");
        overlay.close();
      }
    });
  }
}

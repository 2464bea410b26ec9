/** A component of an extension that has the keyboard until it is done. */
import type { UiComponent, UiCustomFactory, UiCustomOptions } from "../../extension/ui.js";
import { errorText } from "../../text/index.js";
import { componentPanel } from "./component-panel.js";
import type { ExtensionScreen } from "./extension-screen.js";
import { Overlay } from "./overlay.js";
import { screenHandle, uiKeybindings } from "./screen-handle.js";
import { isComponent, ownerName, ShownComponent } from "./shown-component.js";
import { liveUiTheme } from "./ui-theme.js";

/** Waits until the questions before it are answered. */
export type InTurn = <Answer>(ask: () => Promise<Answer>) => Promise<Answer>;

interface CustomRequest<Result> {
  readonly factory: UiCustomFactory<Result>;
  readonly wish: UiCustomOptions;
  readonly owner: string | undefined;
  readonly inTurn: InTurn;
}

/** In place of the editor it waits for the questions before it; an overlay is shown at once. */
export function showCustom<Result>(
  screen: ExtensionScreen,
  request: CustomRequest<Result>,
): Promise<Result | undefined> {
  const show = () => new CustomComponent(screen, request).show();
  return request.wish.overlay === true ? show() : request.inTurn(show);
}

class CustomComponent<Result> {
  readonly #screen: ExtensionScreen;
  readonly #request: CustomRequest<Result>;
  #end: ((result: Result | undefined) => void) | undefined;
  #ended: { readonly result: Result | undefined } | undefined;
  #shown: ShownComponent | undefined;

  constructor(screen: ExtensionScreen, request: CustomRequest<Result>) {
    this.#screen = screen;
    this.#request = request;
  }

  async show(): Promise<Result | undefined> {
    const { signal } = this.#request.wish;
    if (signal?.aborted === true) return undefined;
    const onAbort = (): void => this.#close(undefined);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      const component = await this.#made();
      if (this.#ended !== undefined || component === undefined) {
        component?.dispose?.();
        return this.#ended?.result;
      }
      return await this.#open(component);
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  #close(result: Result | undefined): void {
    if (this.#ended !== undefined) return;
    this.#ended = { result };
    this.#end?.(result);
  }

  async #made(): Promise<UiComponent | undefined> {
    const { host } = this.#screen;
    const { factory, owner } = this.#request;
    const tui = screenHandle(this.#screen, { owner, setFocus: (component) => this.#shown?.setFocus(component) });
    try {
      const made: unknown = await factory(tui, liveUiTheme(host), uiKeybindings(this.#screen), (result) =>
        this.#close(result),
      );
      if (isComponent(made)) return made;
      if (this.#ended === undefined) {
        host.status(`${ownerName(owner)}: component has no render() and cannot be shown`, "error");
      }
    } catch (error) {
      host.status(`${ownerName(owner)}: component failed: ${errorText(error)}`, "error");
    }
    return undefined;
  }

  async #open(component: UiComponent): Promise<Result | undefined> {
    const { host, overlays } = this.#screen;
    const { owner, wish } = this.#request;
    const close = (): void => this.#close(undefined);
    const shown = new ShownComponent({ host, component, owner, what: "component", close });
    this.#shown = shown;
    shown.setActive(true);
    if (wish.overlay !== true) {
      return host.open<Result | undefined>((done) => {
        this.#end = done;
        return componentPanel(host, shown, close);
      });
    }
    return new Promise((resolve) => {
      const options = wish.overlayOptions ?? {};
      const overlay = new Overlay({ host, shown, options, all: overlays, onClose: () => resolve(this.#ended?.result) });
      this.#end = () => overlay.close();
      wish.onHandle?.(overlay.handle);
    });
  }
}

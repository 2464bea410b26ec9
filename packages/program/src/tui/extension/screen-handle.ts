/** The screen as components see it: the `tui` that factories receive. */
import type { UiComponent, UiKeybindings, UiScreen } from "@bough/agent/extension/ui.js";
import { componentBindings } from "../chat/editor/editor-bindings.js";
import type { ExtensionScreen } from "./extension-screen.js";
import { Overlay } from "./overlay.js";

interface HandleOptions {
  readonly owner: string | undefined;
  /** Redirects the keys of the open component. */
  readonly setFocus?: (component: UiComponent | null) => void;
}

export function screenHandle(screen: ExtensionScreen, { owner, setFocus }: HandleOptions): UiScreen {
  const { host } = screen;
  let giveBack: (() => void) | undefined;
  const handle: UiScreen = {
    terminal: {
      get columns() {
        return screen.ground.size().width;
      },
      get rows() {
        return screen.ground.size().height;
      },
    },
    requestRender: () => host.redraw(),
    setFocus: (component) => setFocus?.(component),
    showOverlay: (component, options = {}) => {
      let overlay: Overlay | undefined;
      const about = { owner, what: "overlay" };
      const shown = screen.shown(
        () => component,
        about,
        () => overlay?.close(),
      );
      if (shown === undefined) throw new TypeError("showOverlay needs a component with render()");
      overlay = new Overlay({ host, shown, options, all: screen.overlays, onClose: () => {} });
      return overlay.handle;
    },
    hideOverlay: () => screen.overlays.at(-1)?.close(),
    hasOverlay: () => screen.overlays.some((overlay) => overlay.isVisible(screen.ground.size())),
    addInputListener: (listener) => screen.addInputHandler(listener, owner),
    stop: () => {
      if (giveBack !== undefined) return;
      void host.lend(
        () =>
          new Promise<void>((resolve) => {
            giveBack = resolve;
            screen.endsWith().addEventListener("abort", () => handle.start(), { once: true });
          }),
      );
    },
    start: () => {
      giveBack?.();
      giveBack = undefined;
    },
  };
  return Object.assign(handle, harmless());
}

/** Other members of the library's screen. Components may call them, but they do nothing. */
function harmless(): object {
  const ignored = (): void => {};
  return {
    mode: "fullscreen",
    children: [],
    addChild: ignored,
    removeChild: ignored,
    clear: ignored,
    invalidate: ignored,
    render: () => [],
    renderNow: ignored,
    getShowHardwareCursor: () => true,
    setShowHardwareCursor: ignored,
    getClearOnShrink: () => true,
    setClearOnShrink: ignored,
  };
}

/** Our keys under the names extensions know. */
export function uiKeybindings(screen: ExtensionScreen): UiKeybindings {
  const bindings = () => componentBindings(screen.host.keys);
  return {
    matches: (data, keybinding) => bindings().matches(data, keybinding as never),
    getKeys: (keybinding) => bindings().getKeys(keybinding as never),
  };
}

/** Shows a component of an extension until it is closed: by itself, by a key, or with the desk. */
import type { Desk } from "../desk/desk.js";
import { componentPanel, isDrawnComponent } from "./component-panel.js";

interface ComponentRequest {
  /** An object that draws, or a function that is given what closes it and makes one. */
  readonly component: unknown;
  /** Called once, however the component was closed. */
  readonly done: () => void;
  /** Waits until the questions before it are answered. */
  readonly inTurn: (show: () => Promise<void>) => Promise<void>;
}

/** Returns the function that closes it. Before it is shown, that takes it out of the queue; afterwards it does nothing. */
export function showComponent(desk: Desk, { component, done, inTurn }: ComponentRequest): () => void {
  let isClosed = false;
  let takeAway: (() => void) | undefined;
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    takeAway?.();
    done();
  };
  const drawn = made(desk, component, close);
  if (!isDrawnComponent(drawn)) {
    if (drawn !== FAILED) desk.status("An extension brought a component that this terminal cannot draw.", "warning");
    close();
    return close;
  }
  void inTurn(async () => {
    if (isClosed) return;
    await desk.open<undefined>((end) => {
      takeAway = () => end(undefined);
      return componentPanel(desk, drawn, close);
    });
    close();
  });
  return close;
}

const FAILED = Symbol("failed");

function made(desk: Desk, component: unknown, close: () => void): unknown {
  if (typeof component !== "function") return component;
  try {
    return component(close);
  } catch (error) {
    desk.status(`The component of an extension failed: ${String(error)}`, "error");
    return FAILED;
  }
}

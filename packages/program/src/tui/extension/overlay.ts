/** Components drawn over everything else. */
import type { UiOverlayHandle, UiOverlayOptions } from "@bough/agent/extension/ui.js";
import { overlaid } from "@bough/agent/terminal/index.js";
import type { Frame, Panel, Size } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import { componentKeys } from "./component-panel.js";
import { overlayBox } from "./overlay-layout.js";
import type { ShownComponent } from "./shown-component.js";

interface OverlayParts {
  readonly host: PanelHost;
  readonly shown: ShownComponent;
  readonly options: UiOverlayOptions | (() => UiOverlayOptions);
  /** The overlays on the screen; this one adds and removes itself. */
  readonly all: Overlay[];
  /** It was closed, by whatever means. */
  readonly onClose: () => void;
}

/** While it has the keyboard, a panel that draws nothing is open on its behalf. */
export class Overlay {
  readonly #parts: OverlayParts;
  #isHidden = false;
  #isClosed = false;
  #releaseKeys: (() => void) | undefined;

  constructor(parts: OverlayParts) {
    this.#parts = parts;
    parts.all.push(this);
    if (this.options.nonCapturing !== true) this.#takeKeys();
    parts.host.redraw();
  }

  get options(): UiOverlayOptions {
    const { options } = this.#parts;
    try {
      return typeof options === "function" ? options() : options;
    } catch {
      // Evaluated for every frame. If it fails, use the default rather than hide the overlay.
      return {};
    }
  }

  get hasKeys(): boolean {
    return this.#releaseKeys !== undefined;
  }

  isVisible({ width, height }: Size): boolean {
    if (this.#isHidden) return false;
    try {
      return this.options.visible?.(width, height) !== false;
    } catch {
      return true;
    }
  }

  draw(size: Size): Frame {
    return this.#parts.shown.draw(size);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#leaveKeys();
    const { all, shown, onClose, host } = this.#parts;
    all.splice(all.indexOf(this), 1);
    shown.dispose();
    onClose();
    host.redraw();
  }

  readonly handle: UiOverlayHandle = {
    hide: () => this.close(),
    setHidden: (hidden) => {
      this.#isHidden = hidden;
      if (hidden) this.#leaveKeys();
      else if (this.options.nonCapturing !== true) this.#takeKeys();
      this.#parts.host.redraw();
    },
    isHidden: () => this.#isHidden,
    focus: () => {
      const { all, host } = this.#parts;
      if (this.#isClosed) return;
      all.push(...all.splice(all.indexOf(this), 1));
      this.#leaveKeys();
      this.#takeKeys();
      host.redraw();
    },
    unfocus: () => {
      this.#leaveKeys();
      this.#parts.host.redraw();
    },
    isFocused: () => this.hasKeys,
  };

  #takeKeys(): void {
    if (this.#isClosed || this.#releaseKeys !== undefined) return;
    const { host, shown } = this.#parts;
    shown.setActive(true);
    let release: (() => void) | undefined;
    const ended = host.open<undefined>((done) => {
      release = () => done(undefined);
      return this.#panel();
    });
    this.#releaseKeys = release;
    void ended.then(() => {
      // Closed from outside: the program is ending, or another session was opened.
      if (this.#releaseKeys === release) this.close();
    });
  }

  #leaveKeys(): void {
    const release = this.#releaseKeys;
    this.#releaseKeys = undefined;
    this.#parts.shown.setActive(false);
    release?.();
  }

  #panel(): Panel {
    const { host, shown } = this.#parts;
    return {
      name: "overlay",
      share: "overlay",
      isQuestion: true,
      draw: (size) => shown.draw(size),
      ...componentKeys(host, shown, () => this.close()),
    };
  }
}

/** Draws overlays over a whole screen; the last one is on top. */
export function overlayLines(frame: Frame, size: Size, overlays: readonly Overlay[]): Frame {
  const lines = [...frame.lines];
  while (lines.length < size.height) lines.push("");
  let cursor = frame.cursor;
  for (const overlay of overlays) {
    if (!overlay.isVisible(size)) continue;
    const { width, maxHeight, at } = overlayBox(overlay.options, size);
    const drawn = overlay.draw({ width, height: maxHeight });
    const { row, column } = at(drawn.lines.length);
    for (const [index, line] of drawn.lines.entries()) {
      lines[row + index] = overlaid(lines[row + index] ?? "", line, { column, width, total: size.width });
    }
    if (!overlay.hasKeys) continue;
    cursor = drawn.cursor && { row: row + drawn.cursor.row, column: column + drawn.cursor.column };
  }
  return cursor === undefined ? { lines } : { lines, cursor };
}

/** Wraps an extension's component so that the terminal keeps working whatever it does. */

import type { UiComponent } from "@bough/agent/extension/ui.js";
import { paintedWidth, safeFitted, safePainted } from "@bough/agent/terminal/index.js";
import { errorText, firstWords } from "@bough/session/text/index.js";
import { CURSOR_MARKER } from "@earendil-works/pi-tui";
import type { Frame, Size } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";

export interface ShownComponentOptions {
  readonly host: Pick<PanelHost, "theme" | "status" | "redraw">;
  readonly component: UiComponent;
  /** The extension; undefined if unknown. */
  readonly owner: string | undefined;
  /** Its name in notices: `widget todo`. */
  readonly what: string;
  /** It failed: remove it from the screen. */
  readonly close: () => void;
}

export function isComponent(value: unknown): value is UiComponent {
  return typeof value === "object" && value !== null && "render" in value && typeof value.render === "function";
}

/** "Extension todo", or just "An extension". */
export function ownerName(owner: string | undefined): string {
  return owner === undefined ? "An extension" : `Extension ${firstWords(owner, 40)}`;
}

export class ShownComponent {
  readonly #options: ShownComponentOptions;
  #theme: PanelHost["theme"];
  /** Where keys go. */
  #focus: UiComponent;
  #isGone = false;
  #toldWide = false;

  constructor(options: ShownComponentOptions) {
    this.#options = options;
    this.#theme = options.host.theme;
    this.#focus = options.component;
  }

  /** Never throws. If it fails, it draws nothing and is closed after the frame. */
  draw({ width, height }: Size): Frame {
    if (this.#isGone) return { lines: [] };
    const { component, host } = this.#options;
    try {
      if (host.theme !== this.#theme) {
        this.#theme = host.theme;
        component.invalidate?.();
      }
      const drawn: unknown = component.render(width);
      if (!Array.isArray(drawn)) throw new TypeError("render() did not return an array of lines");
      return this.#frame(drawn.slice(0, height), width);
    } catch (error) {
      this.#failed(error);
      return { lines: [] };
    }
  }

  input(data: string): void {
    if (this.#isGone) return;
    try {
      this.#focus.handleInput?.(data);
    } catch (error) {
      this.#failed(error);
    }
    this.#options.host.redraw();
  }

  get takesKeys(): boolean {
    return typeof this.#focus.handleInput === "function";
  }

  /** Sends keys to this target from now on; null: to the component itself. */
  setFocus(component: UiComponent | null): void {
    setFocused(this.#focus, false);
    this.#focus = component ?? this.#options.component;
    setFocused(this.#focus, true);
    this.#options.host.redraw();
  }

  /** Whether it has the keyboard and so shows a cursor. */
  setActive(active: boolean): void {
    setFocused(this.#focus, active);
  }

  dispose(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    const component: UiComponent & { readonly stop?: () => void } = this.#options.component;
    try {
      // Loaders of the library only have `stop`; without it, their timer would keep running.
      if (component.dispose !== undefined) component.dispose();
      else if (typeof component.stop === "function") component.stop();
    } catch (error) {
      this.#say(`failed while closing: ${errorText(error)}`);
    }
  }

  #frame(drawn: readonly unknown[], width: number): Frame {
    let cursor: Frame["cursor"];
    const lines = drawn.map((one, row) => {
      const line = String(one);
      const at = line.indexOf(CURSOR_MARKER);
      if (at >= 0) cursor = { row, column: Math.min(width - 1, paintedWidth(safeFitted(line.slice(0, at), width))) };
      const bare = line.replaceAll(CURSOR_MARKER, "");
      const shown = safeFitted(bare, width);
      if (bare.length * 2 > width) this.#checkWidth(bare, width);
      return shown;
    });
    return cursor === undefined ? { lines } : { lines, cursor };
  }

  /** A line that is too wide is truncated, and reported once. */
  #checkWidth(line: string, width: number): void {
    if (this.#toldWide) return;
    const wide = paintedWidth(safePainted(line));
    if (wide <= width) return;
    this.#toldWide = true;
    setImmediate(() => this.#say(`drew ${wide} columns, cut to ${width}`, "warning"));
  }

  #failed(error: unknown): void {
    if (this.#isGone) return;
    this.dispose();
    // Not while drawing, because closing draws again.
    setImmediate(() => {
      this.#say(`failed and was closed: ${errorText(error)}`);
      this.#options.close();
    });
  }

  #say(what: string, level: "warning" | "error" = "error"): void {
    this.#options.host.status(`${ownerName(this.#options.owner)}: ${this.#options.what} ${what}`, level);
  }
}

/** Components that can show a cursor have this property. */
function setFocused(component: UiComponent, focused: boolean): void {
  try {
    if ("focused" in component) (component as { focused: boolean }).focused = focused;
  } catch {
    // Without a cursor it can still be closed.
  }
}

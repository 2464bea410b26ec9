/** Computes an overlay's position on the screen. */
import type { UiOverlayOptions, UiSize } from "@bough/agent/extension/ui.js";
import type { Size } from "../host/panel.js";

export interface OverlayBox {
  readonly width: number;
  readonly maxHeight: number;
  /** The top row, once the height is known. */
  readonly at: (height: number) => { readonly row: number; readonly column: number };
}

const DEFAULT_WIDTH = 80;

/** Everything stays inside the window, whatever was requested. */
export function overlayBox(options: UiOverlayOptions, window: Size): OverlayBox {
  const margin = margins(options.margin);
  const room = {
    width: Math.max(1, window.width - margin.left - margin.right),
    height: Math.max(1, window.height - margin.top - margin.bottom),
  };
  const asked = sized(options.width, window.width) ?? Math.min(DEFAULT_WIDTH, room.width);
  const width = within(Math.max(asked, options.minWidth ?? 1), 1, room.width);
  const maxHeight = within(sized(options.maxHeight, window.height) ?? room.height, 1, room.height);
  const at = (height: number) => {
    const free = { rows: Math.max(0, room.height - height), columns: Math.max(0, room.width - width) };
    const anchor = options.anchor ?? "center";
    const row = placed(options.row, free.rows) ?? anchored(anchor, "top", "bottom", free.rows);
    const column = placed(options.col, free.columns) ?? anchored(anchor, "left", "right", free.columns);
    return {
      row: margin.top + within(row + (options.offsetY ?? 0), 0, free.rows),
      column: margin.left + within(column + (options.offsetX ?? 0), 0, free.columns),
    };
  };
  return { width, maxHeight, at };
}

function margins(margin: UiOverlayOptions["margin"] = 0): Record<"top" | "right" | "bottom" | "left", number> {
  const of = (side: number | undefined): number => Math.max(0, Math.floor(side ?? 0));
  if (typeof margin === "number") return { top: of(margin), right: of(margin), bottom: of(margin), left: of(margin) };
  return { top: of(margin.top), right: of(margin.right), bottom: of(margin.bottom), left: of(margin.left) };
}

function sized(size: UiSize | undefined, whole: number): number | undefined {
  if (size === undefined) return undefined;
  const amount = typeof size === "number" ? size : (whole * Number.parseFloat(size)) / 100;
  return Number.isFinite(amount) ? Math.floor(amount) : undefined;
}

/** A percentage of the free space: 0% is the start, 100% the end. */
function placed(size: UiSize | undefined, free: number): number | undefined {
  return sized(size, free);
}

/** `center` names neither edge. */
function anchored(anchor: string, start: string, end: string, free: number): number {
  if (anchor.includes(start)) return 0;
  return anchor.includes(end) ? free : Math.floor(free / 2);
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.floor(value)));
}

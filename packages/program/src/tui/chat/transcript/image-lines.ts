/** Images: drawn if the terminal supports it, otherwise shown by name. */

import type { ImageBlock } from "@bough/session/entry/index.js";
import { firstWords } from "@bough/session/text/index.js";
import { cutToWidth } from "@bough/session/view/internal.js";
import { getCapabilities, getCellDimensions, getImageDimensions, renderImage } from "@earendil-works/pi-tui";
import type { Theme } from "../../theme/theme.js";
import type { DrawnLine } from "./drawn-line.js";

interface ImageLinesOptions {
  readonly theme: Theme;
  readonly width: number;
  /** `name`: never drawn. */
  readonly images: "draw" | "name";
}

const MOST_COLUMNS = 60;
const MOST_ROWS = 16;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The name is on the first line even if the picture covers it, for terminals that cannot draw it. */
export function imageLines(image: ImageBlock, { theme, width, images }: ImageLinesOptions): readonly DrawnLine[] {
  const size = sizeOf(image);
  const name = theme.paint("muted", cutToWidth(imageName(image, size), width, ""));
  const protocol = images === "draw" ? getCapabilities().images : null;
  if (size === undefined || protocol === null || width < 10 || !BASE64.test(image.data)) return [{ text: name }];
  // One of the protocols only takes this format.
  if (protocol === "kitty" && image.mimeType !== "image/png") return [{ text: name }];
  const cell = getCellDimensions();
  const columns = Math.min(MOST_COLUMNS, width - 2, Math.max(1, Math.ceil(size.widthPx / cell.widthPx)));
  const made = renderImage(image.data, size, {
    maxWidthCells: columns,
    maxHeightCells: MOST_ROWS,
    imageId: idOf(image.data),
    moveCursor: false,
  });
  if (made === null) return [{ text: name }];
  const kitty = protocol === "kitty";
  const up = made.rows > 1 ? `\x1b[${made.rows - 1}A` : "";
  const drawn = { rows: made.rows, first: kitty ? made.sequence : "", last: kitty ? "" : up + made.sequence };
  const rest = Array.from({ length: made.rows - 1 }, (): DrawnLine => ({ text: "" }));
  return [{ text: name, image: drawn }, ...rest];
}

function imageName(image: ImageBlock, size: { widthPx: number; heightPx: number } | undefined): string {
  const type = firstWords(image.mimeType.replace(/^image\//, ""), 20) || "unknown";
  return size === undefined ? `[image ${type}]` : `[image ${size.widthPx}x${size.heightPx} ${type}]`;
}

function sizeOf(image: ImageBlock): { widthPx: number; heightPx: number } | undefined {
  try {
    const size = getImageDimensions(image.data, image.mimeType) ?? undefined;
    return size !== undefined && size.widthPx > 0 && size.heightPx > 0 ? size : undefined;
  } catch {
    // The data is not in the format it claims: show its name.
    return undefined;
  }
}

/** The same picture has the same number, so drawing it again replaces it. */
function idOf(data: string): number {
  let hash = 0x811c9dc5;
  const step = Math.max(1, Math.floor(data.length / 512));
  for (let at = 0; at < data.length; at += step) hash = Math.imul(hash ^ data.charCodeAt(at), 0x01000193);
  return (Math.imul(hash ^ data.length, 0x01000193) >>> 0) % 0xfffffffe || 1;
}

/** Converts between `data:` URLs, which other agents use for images, and image blocks. */
import type { ImageBlock } from "@bough/session/entry/index.js";

const DATA_URL = /^data:([a-z]+\/[-+.a-z0-9]+)(?:;[^,;]+)*;base64,/i;

export function imageOfDataUrl(url: unknown): ImageBlock | undefined {
  if (typeof url !== "string") return undefined;
  const match = DATA_URL.exec(url);
  if (match?.[1]?.toLowerCase().startsWith("image/") !== true) return undefined;
  return { type: "image", data: url.slice(match[0].length), mimeType: match[1] };
}

export function dataUrlOfImage(image: ImageBlock): string {
  return `data:${image.mimeType};base64,${image.data}`;
}

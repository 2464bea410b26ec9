/** Images whose data oh-my-pi keeps outside the session: no other program finds it there. */
import type { ImageBlock, TextBlock } from "@bough/session/entry/index.js";

const OUTSIDE_IMAGE = "[There was an image here. Its data is stored outside the session and is not available.]";

/** A note where the data of an image is elsewhere; every other block as it is. */
export function availableBlock<Block extends { readonly type: string }>(block: Block): Block | TextBlock {
  const { type, data } = block as Partial<ImageBlock>;
  const isOutside = type === "image" && typeof data === "string" && data.startsWith("blob:");
  return isOutside ? { type: "text", text: OUTSIDE_IMAGE } : block;
}

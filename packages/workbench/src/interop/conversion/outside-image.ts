/** Images whose data oh-my-pi stores outside the session, where no other program finds it. */
import type { ImageBlock, TextBlock } from "@bough/session/entry/index.js";

const OUTSIDE_IMAGE = "[There was an image here. Its data is stored outside the session and is not available.]";

/** Replaces an image whose data is elsewhere with a note; returns any other block unchanged. */
export function availableBlock<Block extends { readonly type: string }>(block: Block): Block | TextBlock {
  const { type, data } = block as Partial<ImageBlock>;
  const isOutside = type === "image" && typeof data === "string" && data.startsWith("blob:");
  return isOutside ? { type: "text", text: OUTSIDE_IMAGE } : block;
}

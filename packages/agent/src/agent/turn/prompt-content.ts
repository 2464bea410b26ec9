/** What a user sends, as the content of a message. */
import type { ImageBlock, UserContent } from "@bough/session/entry/index.js";
import type { RunParts } from "../run-parts.js";
import { modelName } from "./select-model.js";

/** The text, followed by its images. A model without image input is told that there are some; the user is notified. */
export function promptContent(
  parts: Pick<RunParts, "model" | "emit">,
  text: string,
  images: readonly ImageBlock[],
): UserContent {
  if (images.length === 0) return text;
  const info = parts.model?.info;
  if (info?.images === false) {
    const message = `${modelName(info)} does not support images: it is told that an image was attached but cannot see it`;
    parts.emit({ type: "notice", level: "warning", message, hint: "Choose a model that supports images." });
  }
  return [{ type: "text", text }, ...images];
}

/** Converts a resource or prompt of a server to text and images. */
import type { ImageBlock } from "@bough/session/entry/index.js";
import { isRecord, shortBytes } from "@bough/session/text/index.js";

export interface ResourceText {
  readonly text: string;
  readonly images: readonly ImageBlock[];
}

const MOST_CHARACTERS = 100_000;
const MAX_IMAGE_BYTES = 3_750_000;
const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/**
 * `answer` is the server's response: contents of a resource, or messages of a prompt. Long text is truncated with a
 * note.
 */
export function resourceContent(answer: unknown): ResourceText {
  const { contents, messages } = isRecord(answer) ? answer : {};
  const blocks = Array.isArray(contents)
    ? contents
    : Array.isArray(messages)
      ? messages.map((message: unknown) => (isRecord(message) ? message.content : undefined))
      : [];
  const texts: string[] = [];
  const images: ImageBlock[] = [];
  for (const block of blocks) {
    if (!isRecord(block)) continue;
    const inner = isRecord(block.resource) ? block.resource : block;
    const bytes = inner.blob ?? inner.data;
    if (typeof inner.text === "string") texts.push(inner.text);
    else if (typeof bytes === "string") {
      const decoded = Buffer.from(bytes, "base64");
      const mime = typeof inner.mimeType === "string" ? inner.mimeType.toLowerCase() : "";
      if (IMAGES.includes(mime) && decoded.length <= MAX_IMAGE_BYTES) {
        images.push({ type: "image", data: decoded.toString("base64"), mimeType: mime });
      } else texts.push(`(${mime === "" ? "binary" : mime}, ${shortBytes(decoded.length)}, not shown)`);
    } else if (typeof inner.uri === "string") texts.push(`Resource ${inner.uri}`);
  }
  const text = texts.join("\n");
  if (text.length <= MOST_CHARACTERS) return { text, images };
  return { text: `${text.slice(0, MOST_CHARACTERS)}\n(Shortened: it has ${text.length} characters.)`, images };
}

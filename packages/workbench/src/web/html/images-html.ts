/** Images of a session: only formats that cannot run code, embedded in the file, and limited in size. */
import type { ImageBlock } from "@bough/session/entry/index.js";
import { counted, shortBytes } from "@bough/session/text/index.js";
import { type Html, html, NO_HTML } from "./html.js";

const FORMATS: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const MOST_BYTES = 8 * 1024 * 1024;
/** A loose check is enough: anything else does not decode to an image and is not displayed. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export function imagesHtml(images: readonly ImageBlock[], show: "pictures" | "words"): Html {
  if (images.length === 0) return NO_HTML;
  if (show === "words") return html`<p class="muted">(${counted(images.length, "image")})</p>`;
  return html`<div class="images">${images.map(imageHtml)}</div>`;
}

function imageHtml({ data, mimeType }: ImageBlock): Html {
  const format = mimeType.toLowerCase();
  const bytes = Math.floor((data.length * 3) / 4);
  if (data === "") return html`<span class="muted">(image not included)</span>`;
  if (bytes > MOST_BYTES) return html`<span class="muted">(an image of ${shortBytes(bytes)}: too large to show)</span>`;
  if (!FORMATS.has(format) || !BASE64.test(data)) return html`<span class="muted">(image that cannot be shown)</span>`;
  return html`<img src="data:${format};base64,${data}" alt="Image in the conversation" loading="lazy" decoding="async">`;
}

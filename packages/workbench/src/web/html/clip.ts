/** Shortens long texts and says how much is left. */
import { shortBytes } from "@bough/session/text/index.js";
import { type Html, html, NO_HTML } from "./html.js";

interface Clipped {
  readonly text: string;
  /** Number of omitted characters. */
  readonly rest: number;
}

export function clip(text: string, most: number): Clipped {
  if (text.length <= most) return { text, rest: 0 };
  // Do not cut a surrogate pair in half.
  const last = text.charCodeAt(most - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? most - 1 : most;
  return { text: text.slice(0, end), rest: text.length - end };
}

/** A button if a script can show more, otherwise a sentence. */
export function restHtml({ rest }: Clipped, blockId: string, canShowMore: "more" | "no-more"): Html {
  if (rest === 0) return NO_HTML;
  if (canShowMore === "no-more") return html`<p class="rest">${shortBytes(rest)} more, not shown</p>`;
  return html`<button type="button" class="rest" data-more="${blockId}">Show more (${shortBytes(rest)} left)</button>`;
}

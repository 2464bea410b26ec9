/** The page of the server, and the headers that every answer has. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ServeError } from "../serve-error.js";

export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

/** Nothing in an answer of the API may run, wherever it is opened. */
export const API_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

export interface LivePage {
  readonly html: Buffer;
  /** The policy in the page, and that nobody may frame it, which only a header can say. */
  readonly policy: string;
}

/** Where the page is: in the package or, when running from source, in the build. */
const PLACES = [import.meta.url.endsWith(".ts") ? "../../../../../dist/web/live.html" : "../web/live.html"];

export function readLivePage(): LivePage {
  const found = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((place) =>
    existsSync(place),
  );
  const html = found === undefined ? undefined : readFileSync(found);
  const policy =
    html === undefined ? undefined : /Content-Security-Policy" content="([^"]+)"/.exec(html.toString())?.[1];
  if (html === undefined || policy === undefined) {
    throw new ServeError("no-page", "The page of the server is missing from this installation", {
      hint: "Reinstall Bough; in a checkout, run npm run build.",
    });
  }
  return { html, policy: `${policy}; frame-ancestors 'none'` };
}

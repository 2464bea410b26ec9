/**
 * Decides whether a request may be answered. Fails closed: whatever is not known to be right is refused.
 *
 * A web page that is open in the same browser can send requests to this server, from another origin, another port of
 * this machine, or under a name that it made point here. It cannot set `Host` or `Sec-Fetch-Site`, cannot add
 * `Authorization` without asking first, and does not know the secret, which is in no cookie and in no process list.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export interface GateOptions {
  readonly secret: string;
  /** Origins under which the page is reached: `http://127.0.0.1:4711`. */
  readonly origins: readonly string[];
}

export type Verdict =
  | { readonly kind: "page" }
  | { readonly kind: "api" }
  | { readonly kind: "refused"; readonly status: number; readonly code: string; readonly message: string };

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

export class Gate {
  readonly #secret: Buffer;
  readonly #origins: ReadonlySet<string>;
  readonly #hosts: ReadonlySet<string>;

  constructor({ secret, origins }: GateOptions) {
    this.#secret = digest(secret);
    this.#origins = new Set(origins);
    this.#hosts = new Set(origins.map((origin) => new URL(origin).host.toLowerCase()));
  }

  judge({ method = "", url = "", headers, rawHeaders }: IncomingMessage): Verdict {
    if (!METHODS.has(method)) return refused(405, "bad-method", "Only GET is answered");
    if (countOf(rawHeaders, "host") !== 1 || !this.#hosts.has((headers.host ?? "").toLowerCase())) {
      return refused(421, "bad-host", "This server does not answer under that name");
    }
    if (headers.origin !== undefined && !this.#origins.has(headers.origin)) {
      return refused(403, "bad-origin", "Requests of other pages are refused");
    }
    if ("content-length" in headers || "transfer-encoding" in headers) {
      return refused(413, "has-body", "A request must not have a body");
    }
    const site = headers["sec-fetch-site"];
    if (isPage(url)) {
      // Typed, clicked or opened from a file, but never inside of another page.
      const isOwn = site === undefined || site === "same-origin";
      const isVisit = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
      return isOwn || isVisit ? { kind: "page" } : refused(403, "bad-site", "Requests of other pages are refused");
    }
    if (site !== undefined && site !== "same-origin") {
      return refused(403, "bad-site", "Requests of other pages are refused");
    }
    if (!url.startsWith("/api/")) return refused(404, "not-found", "There is nothing here");
    if (countOf(rawHeaders, "authorization") > 1 || !this.#isSecret(headers.authorization)) {
      return refused(401, "no-secret", "Open the link that bough serve printed");
    }
    return { kind: "api" };
  }

  #isSecret(header: string | undefined): boolean {
    const [, given] = /^Bearer ([\x21-\x7e]{1,200})$/.exec(header ?? "") ?? [];
    // Digests have one length, so the comparison takes the same time for every guess.
    return timingSafeEqual(digest(given ?? ""), this.#secret) && given !== undefined;
  }
}

function isPage(url: string): boolean {
  return url === "/" || url.startsWith("/?");
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Node joins or drops repeated headers, so the raw ones are counted. */
function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === name) count += 1;
  return count;
}

function refused(status: number, code: string, message: string): Verdict {
  return { kind: "refused", status, code, message };
}

import { isLoopback } from "@bough/session/text/index.js";
import { NetworkError } from "./network-error.js";

type Fetch = typeof globalThis.fetch;

/** Headers that carry a key. */
const KEY_HEADERS = ["authorization", "x-api-key", "x-goog-api-key", "api-key"] as const;

/** Whether requests to this address are unencrypted: plain http to another machine. */
export function isClearText(baseUrl: string | undefined): boolean {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return false;
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !isLoopback(hostname);
}

/** A `fetch` that refuses to send a key over an unencrypted connection to another machine. */
export function encryptedFetch(fetch: Fetch, { allowHttp }: { readonly allowHttp: boolean }): Fetch {
  if (allowHttp) return fetch;
  return (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    if (isClearText(url) && KEY_HEADERS.some((name) => headers.has(name))) {
      const reason = `${new URL(url).origin} is not encrypted, so others could read the key in transit`;
      return Promise.reject(new NetworkError("clear-text", reason));
    }
    return fetch(input, init);
  };
}

/** A `fetch` that fails if a web page answers instead of an API, because then the address is wrong. */
export function apiFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const isPage = /^text\/html\b/i.test(response.headers.get("content-type") ?? "");
    const isOurs = response.ok || response.status === 404 || response.status === 405;
    if (!isPage || !isOurs) return response;
    await response.body?.cancel();
    const { origin, pathname } = new URL(input instanceof Request ? input.url : input);
    const reason = `${origin}${pathname} answered with a web page (${response.status})`;
    throw new NetworkError("wrong-address", reason);
  };
}

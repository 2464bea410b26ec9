import { NetworkError } from "./network-error.js";

type Fetch = typeof globalThis.fetch;

const MOST_HOPS = 5;

/**
 * A `fetch` that follows redirects within one origin and refuses all others: the request carries the key, and a
 * redirect must not decide who gets it.
 */
export function sameOriginFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    let url = new URL(input instanceof Request ? input.url : input);
    for (let hops = 0; ; hops++) {
      const response = await fetch(hops === 0 ? input : url, { ...init, redirect: "manual" });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status > 399 || location === null) return response;
      await response.body?.cancel();
      url = nextOf({ url, location, hops, keepsMethod: keepsMethod(response.status, init?.method) });
    }
  };
}

interface Hop {
  readonly url: URL;
  readonly location: string;
  readonly hops: number;
  readonly keepsMethod: boolean;
}

function nextOf({ url, location, hops, keepsMethod }: Hop): URL {
  const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
  const target = next === undefined ? "an invalid address" : `${next.origin}${next.pathname}`;
  const what = `${url.origin} redirects to ${target}`;
  if (next?.origin !== url.origin) throw new NetworkError("redirect", `${what}; the key was not sent there`);
  if (!keepsMethod) throw new NetworkError("redirect", `${what}, which would drop the request`);
  if (hops >= MOST_HOPS) throw new NetworkError("redirect", `${what} too many times`);
  return next;
}

/** 301, 302 and 303 turn a POST into a GET and drop the body. */
function keepsMethod(status: number, method = "GET"): boolean {
  return status === 307 || status === 308 || method.toUpperCase() === "GET";
}

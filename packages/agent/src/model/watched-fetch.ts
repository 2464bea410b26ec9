import { jsonObject } from "@bough/session/text/index.js";
import type { StreamOptions } from "./language-model.js";

type Fetch = typeof globalThis.fetch;

/** A `fetch` that passes requests and responses to hooks. */
export function watchedFetch(
  fetch: Fetch,
  { onPayload, onHeaders, onResponse }: Pick<StreamOptions, "onPayload" | "onHeaders" | "onResponse">,
): Fetch {
  if (onPayload === undefined && onHeaders === undefined && onResponse === undefined) return fetch;
  return async (input, init) => {
    let request = init;
    const payload = typeof init?.body === "string" ? jsonObject(init.body) : undefined;
    if (onPayload !== undefined && payload !== undefined) {
      request = { ...request, body: JSON.stringify(await onPayload(payload)) };
    }
    if (onHeaders !== undefined) {
      const headers: Record<string, string | null> = fields(new Headers(request?.headers));
      await onHeaders(headers);
      const kept = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === "string");
      request = { ...request, headers: Object.fromEntries(kept) };
    }
    const response = await fetch(input, request);
    await onResponse?.({ status: response.status, headers: fields(response.headers) });
    return response;
  };
}

function fields(headers: Headers): Record<string, string> {
  const all: Record<string, string> = {};
  headers.forEach((value, name) => {
    all[name] = value;
  });
  return all;
}

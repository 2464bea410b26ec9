/** `fetch` for HTTP servers: an endless body or an oversized event fails instead of filling the memory. */
import { shortBytes } from "@bough/session/text/index.js";
import { MAX_MESSAGE_BYTES } from "./message-limits.js";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Counts the bytes of the body, or for an event stream, those of the current event. */
export function limitedFetch(fetch: Fetch, onTooLarge: (reason: string) => void): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
    let held = 0;
    let last = 0;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (!isStream) held += chunk.length;
        else {
          for (const byte of chunk) {
            // A blank line ends an event; carriage returns do not count.
            if (byte === 10 && last === 10) held = 0;
            else held += 1;
            if (byte !== 13) last = byte;
          }
        }
        if (held > MAX_MESSAGE_BYTES) {
          const reason = `it sent a message of more than ${shortBytes(MAX_MESSAGE_BYTES)}`;
          onTooLarge(reason);
          controller.error(new Error(reason));
          return;
        }
        controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
  };
}

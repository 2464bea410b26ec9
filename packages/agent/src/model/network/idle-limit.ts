/** A limit on silence, so that we do not wait for a stalled server until the connection breaks. */

type Fetch = typeof globalThis.fetch;

/** Named like the error of a connection that timed out, so that it is retried. */
class SilentServer extends Error {
  override readonly name = "TimeoutError";
}

/**
 * A `fetch` that fails if nothing arrives for this long, before the response or between any two chunks. Any bytes
 * count, so a server that sends signs of life while its model thinks is not cut off.
 */
export function idleLimitedFetch(fetch: Fetch, idleMs: number | undefined): Fetch {
  if (idleMs === undefined || idleMs === 0) return fetch;
  return async (input, init) => {
    const stop = new AbortController();
    const silent = new SilentServer(`no data for ${Math.round(idleMs / 1000)} s`);
    let timer = setTimeout(() => stop.abort(silent), idleMs);
    const restartTimer = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => stop.abort(silent), idleMs);
    };
    const signals = [stop.signal, ...(init?.signal == null ? [] : [init.signal])];
    try {
      const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) });
      restartTimer();
      if (response.body === null) {
        clearTimeout(timer);
        return response;
      }
      const body = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            restartTimer();
            controller.enqueue(chunk);
          },
          flush: () => clearTimeout(timer),
        }),
      );
      init?.signal?.addEventListener("abort", () => clearTimeout(timer), { once: true });
      const { status, statusText, headers } = response;
      return new Response(body, { status, statusText, headers });
    } catch (error) {
      clearTimeout(timer);
      throw stop.signal.aborted ? silent : error;
    }
  };
}

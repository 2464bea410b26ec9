/** A limit on silence: a server that stops sending is not waited for until the connection breaks by itself. */

type Fetch = typeof globalThis.fetch;

/** Fails as a connection that timed out does, which is retried. */
class SilentServer extends Error {
  override readonly name = "TimeoutError";
}

/**
 * A `fetch` that fails if nothing comes for this long, before the answer and between any two pieces of it. Bytes count,
 * so a server that shows that it is alive while its model thinks is waited for.
 */
export function idleLimitedFetch(fetch: Fetch, idleMs: number | undefined): Fetch {
  if (idleMs === undefined || idleMs === 0) return fetch;
  return async (input, init) => {
    const stop = new AbortController();
    const silent = new SilentServer(`nothing came for ${Math.round(idleMs / 1000)} s`);
    let timer = setTimeout(() => stop.abort(silent), idleMs);
    const heard = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => stop.abort(silent), idleMs);
    };
    const signals = [stop.signal, ...(init?.signal == null ? [] : [init.signal])];
    try {
      const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) });
      heard();
      if (response.body === null) {
        clearTimeout(timer);
        return response;
      }
      const body = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            heard();
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

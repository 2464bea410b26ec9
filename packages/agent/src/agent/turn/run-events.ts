/** The events of one run, as an async iterator. */
import type { AgentEvent } from "../agent-events.js";

type Subscribe = (listener: (event: AgentEvent) => void) => () => void;
type Start = (signal: AbortSignal) => Promise<unknown>;

/** Events are buffered for the consumer, however slow it is. A run that cannot start throws here. */
export async function* eventsOf(
  subscribe: Subscribe,
  start: Start,
  signal?: AbortSignal,
): AsyncGenerator<AgentEvent, void> {
  const waiting: AgentEvent[] = [];
  const left = new AbortController();
  let wake = () => {};
  let open = true;
  const end = subscribe((event) => {
    waiting.push(event);
    wake();
  });
  const started = start(signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]));
  const settled = started.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  settled.then(() => {
    open = false;
    wake();
  });
  try {
    while (open || waiting.length > 0) {
      const event = waiting.shift();
      if (event !== undefined) yield event;
      else if (open) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    const failed = await settled;
    if (failed !== undefined) throw failed.error;
  } finally {
    end();
    left.abort();
    await settled;
  }
}

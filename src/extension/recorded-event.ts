/**
 * An event as one handler sees it: the methods it calls are written down and only take effect when it ends well, so that
 * nothing of a handler that throws or is too slow takes effect.
 */
export interface RecordedEvent<Event> {
  readonly event: Event;
  /** Makes the recorded calls on the real event. Later calls have no effect. */
  commit(): void;
  /** Forgets them. Later calls have no effect. */
  discard(): void;
}

export function recordEvent<Event extends object>(real: Event): RecordedEvent<Event> {
  const calls: (() => void)[] = [];
  let open = true;
  const shown: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(real)) {
    shown[key] =
      typeof value === "function"
        ? (...args: unknown[]) => {
            if (open) calls.push(() => (value as (...given: unknown[]) => unknown).apply(real, args));
          }
        : value;
  }
  return {
    event: shown as Event,
    commit() {
      open = false;
      for (const call of calls) call();
    },
    discard() {
      open = false;
    },
  };
}

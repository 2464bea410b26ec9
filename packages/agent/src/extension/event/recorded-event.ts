/**
 * An event as one handler sees it: the methods it calls are written down and only take effect when it ends well, so that
 * nothing of a handler that throws or is too slow takes effect.
 */
interface RecordedEvent<Event> {
  readonly event: Event;
  /** Names of the methods it called so far. */
  readonly called: ReadonlySet<string>;
  /** Makes the recorded calls on the real event. Later calls have no effect. */
  commit(): void;
  /** Forgets them. Later calls have no effect. */
  discard(): void;
}

export function recordEvent<Event extends object>(real: Event): RecordedEvent<Event> {
  const calls: (() => void)[] = [];
  const called = new Set<string>();
  let open = true;
  const shown: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(real)) {
    shown[key] =
      typeof value === "function"
        ? (...args: unknown[]) => {
            if (!open) return;
            called.add(key);
            calls.push(() => (value as (...given: unknown[]) => unknown).apply(real, args));
          }
        : value;
  }
  return {
    event: shown as Event,
    called,
    commit() {
      open = false;
      for (const call of calls) call();
    },
    discard() {
      open = false;
    },
  };
}

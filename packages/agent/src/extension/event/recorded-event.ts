/**
 * An event as passed to one handler. Method calls are recorded and only take effect if the handler succeeds, so that a
 * handler that throws or is too slow has no effect.
 */
interface RecordedEvent<Event> {
  readonly event: Event;
  /** Names of the methods called so far. */
  readonly called: ReadonlySet<string>;
  /** Applies the recorded calls to the real event. Later calls have no effect. */
  commit(): void;
  /** Drops the recorded calls. Later calls have no effect. */
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

/** A bus of named channels. */

interface EventBusController {
  emit(channel: string, data: unknown): void;
  /** Returns the function that ends it. */
  on(channel: string, handler: (data: unknown) => void): () => void;
  clear(): void;
}

/** A handler that throws does not keep the others from hearing; what it threw goes to standard error. */
export function createEventBus(): EventBusController {
  const channels = new Map<string, Set<(data: unknown) => void>>();
  return {
    emit(channel, data) {
      for (const handler of [...(channels.get(channel) ?? [])]) {
        void (async () => handler(data))().catch((error: unknown) => {
          console.error(`A handler of the channel ${channel} failed:`, error);
        });
      }
    },
    on(channel, handler) {
      const handlers = channels.get(channel) ?? new Set();
      channels.set(channel, handlers);
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    clear: () => channels.clear(),
  };
}

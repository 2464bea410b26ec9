/** Communication between extensions. */
export interface ExtensionBus {
  /** Calls the listeners of a channel, in order of subscription. */
  emit(channel: string, data?: unknown): void;
  /** Returns the function that ends the subscription. */
  on(channel: string, listener: (data: unknown) => void | Promise<void>): () => void;
}

type Listener = (data: unknown) => void | Promise<void>;

interface Subscription {
  readonly listener: Listener;
  readonly onFailure: (error: unknown) => void;
}

/** Shared by all extensions of a runner. If a listener fails, it is reported, and the others are still called. */
export class SharedBus {
  readonly #channels = new Map<string, Set<Subscription>>();

  /** The view of the bus for one extension. */
  for(onFailure: (channel: string, error: unknown) => void): ExtensionBus {
    return {
      emit: (channel, data) => {
        for (const subscription of [...(this.#channels.get(channel) ?? [])]) tell(subscription, data);
      },
      on: (channel, listener) => {
        const subscriptions = this.#channels.get(channel) ?? new Set();
        this.#channels.set(channel, subscriptions);
        const subscription = { listener, onFailure: (error: unknown) => onFailure(channel, error) };
        subscriptions.add(subscription);
        return () => void subscriptions.delete(subscription);
      },
    };
  }
}

function tell({ listener, onFailure }: Subscription, data: unknown): void {
  try {
    Promise.resolve(listener(data)).catch(onFailure);
  } catch (error) {
    onFailure(error);
  }
}

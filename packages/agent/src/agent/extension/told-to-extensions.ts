/** Events that extensions can only react to, delivered in order without blocking their source. */
import type { ExtensionEventName, ExtensionEvents } from "../../extension/index.js";
import type { ExtensionHooks } from "../../extension/run.js";

/** Delivers events one after the other; `done` waits for those delivered so far. */
export class ToldEvents {
  readonly #hooks: ExtensionHooks;
  #last: Promise<unknown> = Promise.resolve();

  constructor(hooks: ExtensionHooks) {
    this.#hooks = hooks;
  }

  tell<Name extends ExtensionEventName>(event: ExtensionEvents[Name]["event"] & { readonly type: Name }): void {
    if (!this.#hooks.has(event.type)) return;
    this.#last = this.#last.then(() => this.#hooks.emit<Name>(event));
  }

  async done(): Promise<void> {
    await this.#last;
  }
}

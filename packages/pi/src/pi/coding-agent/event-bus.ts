/** A bus of named channels. */
import { SharedBus } from "@bough/agent/extension/internal.js";
import { errorText } from "@bough/session/text/index.js";

interface EventBusController {
  emit(channel: string, data: unknown): void;
  /** Returns a function that unsubscribes. */
  on(channel: string, handler: (data: unknown) => void): () => void;
  clear(): void;
}

type Report = (message: string) => void;

let report: Report = (message) => console.error(message);

/** Redirects failures of handlers to the user of the program, instead of writing them to the terminal. */
export function reportBusFailuresBy(given: Report): void {
  report = given;
}

/** A handler that throws does not stop the others. Its error is reported. */
export function createEventBus(): EventBusController {
  const say = report;
  const create = () =>
    new SharedBus().for((channel, error) => say(`A handler of the channel ${channel} failed: ${errorText(error)}`));
  let bus = create();
  return {
    emit: (channel, data) => bus.emit(channel, data),
    on: (channel, handler) => bus.on(channel, handler),
    clear: () => {
      bus = create();
    },
  };
}

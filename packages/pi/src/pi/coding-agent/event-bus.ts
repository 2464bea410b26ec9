/** A bus of named channels. */
import { SharedBus } from "@bough/agent/extension/internal.js";
import { errorText } from "@bough/session/text/index.js";

interface EventBusController {
  emit(channel: string, data: unknown): void;
  /** Returns the function that ends it. */
  on(channel: string, handler: (data: unknown) => void): () => void;
  clear(): void;
}

type Report = (message: string) => void;

let report: Report = (message) => console.error(message);

/** Where failures of handlers go from now on: to the user of the program, and not into its screen. */
export function reportBusFailuresBy(given: Report): void {
  report = given;
}

/** A handler that throws does not keep the others from hearing. What it threw is reported. */
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

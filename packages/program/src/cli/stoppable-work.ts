/** Long work that is not an agent operation, such as an import, but is stopped together with the agent. */
import type { LongWork, LongWorkOutcome } from "../command/index.js";

export class StoppableWork {
  readonly #running = new Set<AbortController>();

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  async run<Result>({ work }: LongWork<Result>): Promise<LongWorkOutcome<Result>> {
    const controller = new AbortController();
    this.#running.add(controller);
    try {
      return { kind: "done", value: await work(controller.signal) };
    } catch (error) {
      if (controller.signal.aborted) return { kind: "stopped" };
      throw error;
    } finally {
      this.#running.delete(controller);
    }
  }

  stop(): void {
    for (const controller of this.#running) controller.abort();
  }
}

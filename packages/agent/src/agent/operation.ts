/** One operation at a time: what is running, its abort signal, and when it ends. */
import { setMaxListeners } from "node:events";
import { SessionError } from "@bough/session/entry/index.js";
import { AgentError } from "./agent-error.js";
import type { OperationOptions } from "./agent-parts.js";
import type { OperationName } from "./operation-name.js";

/**
 * Holds at most one operation. It is free again when the operation's promise settles, however it ended, and then
 * `onFree` is called: no state of an operation outlives it.
 */
export class OperationSlot {
  #running:
    | { readonly name: OperationName; readonly controller: AbortController; readonly over: Promise<void> }
    | undefined;
  #closed = false;
  readonly #onFree: () => void;

  constructor(onFree: () => void) {
    this.#onFree = onFree;
  }

  get running(): OperationName | undefined {
    return this.#running?.name;
  }

  /** The running operation was told to stop. */
  get isStopping(): boolean {
    return this.#running?.controller.signal.aborted === true;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /**
   * Aborts when the running operation should end; already aborted if nothing may start any more; undefined if nothing
   * runs.
   */
  get signal(): AbortSignal | undefined {
    return this.#running?.controller.signal ?? (this.#closed ? AbortSignal.abort() : undefined);
  }

  /** Throws an AgentError `busy` that says what is running and what to do; `closed` once nothing may start any more. */
  assertFree(wanted: OperationName): void {
    if (this.#closed) throw new SessionError("closed", "This agent has ended and its session is closed");
    const running = this.#running?.name;
    if (running === undefined) return;
    throw new AgentError("busy", `Cannot start ${DOING[wanted]}: ${DOING[running]} is still running`, {
      data: { running, wanted },
      hint:
        running === "run"
          ? "Wait for the answer or stop it first; messages can be queued meanwhile."
          : "Wait until it is done or stop it first.",
    });
  }

  /** Starts synchronously, or rejects with `busy`. */
  async run<Result>(name: OperationName, work: (options: OperationOptions) => Promise<Result>): Promise<Result> {
    this.assertFree(name);
    const controller = new AbortController();
    // Many parallel tasks listen to it; with more than ten listeners Node would warn of a leak.
    setMaxListeners(0, controller.signal);
    const { promise: over, resolve: finish } = openPromise();
    this.#running = { name, controller, over };
    try {
      return await work({ signal: controller.signal });
    } finally {
      this.#running = undefined;
      this.#onFree();
      finish();
    }
  }

  abort(): void {
    this.#running?.controller.abort();
  }

  /** Nothing starts from now on; what is running continues. */
  close(): void {
    this.#closed = true;
  }

  /** Resolves when nothing is running, including anything that started in the meantime. */
  async whenFree(): Promise<void> {
    while (this.#running !== undefined) await this.#running.over;
  }
}

const DOING: Readonly<Record<OperationName, string>> = {
  run: "a model run",
  shell: "a shell command",
  navigate: "a move",
  fork: "a fork",
  branch: "a branch",
  clone: "a copy of the session",
  switch: "a branch switch",
  pop: "a step back",
  undo: "an undo",
  redo: "a redo",
  compact: "a compaction",
  "cherry-pick": "a cherry-pick",
  merge: "a merge",
  keep: "keeping an attempt",
  edit: "a context edit",
  restore: "a restore of files",
  driver: "a change of the agent",
  open: "a session switch",
};

function openPromise(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

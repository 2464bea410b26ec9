/** Streams other agents' sessions as they are found, while keys stay responsive. */
import { setImmediate as nextRound } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { canStart } from "@bough/session/log/index.js";
import type { ForeignSession } from "../contract.js";
import { type ForeignSearch, findHere } from "./find-here.js";
import type { FindReply, FindTask } from "./find-worker.js";

const WORKER = new URL("../../command/workers/find-worker.js", import.meta.url);

/**
 * In the order they are found, agent by agent. Since there may be thousands of files, the search runs in a worker or,
 * without one, yields to the event loop after each session. If the signal fires, ends early without an error.
 */
export async function* streamForeign(search: ForeignSearch = {}): AsyncGenerator<ForeignSession> {
  if (canStart(WORKER)) {
    yield* foundAside(search);
    return;
  }
  for await (const session of findHere(search)) {
    yield session;
    await nextRound();
  }
}

/** All sessions, newest first. */
export async function listForeign(search: ForeignSearch = {}): Promise<ForeignSession[]> {
  const found: ForeignSession[] = [];
  for await (const session of streamForeign(search)) found.push(session);
  return found.sort((a, b) => b.modified.getTime() - a.modified.getTime());
}

async function* foundAside({ places, agents, signal }: ForeignSearch): AsyncGenerator<ForeignSession> {
  const isStopped = (): boolean => signal?.aborted === true;
  if (isStopped()) return;
  // Node's own flags, such as `--input-type`, must not apply to the worker.
  const worker = new Worker(WORKER, { workerData: { places, agents } satisfies FindTask, execArgv: [] });
  const replies: FindReply[] = [];
  let failure: unknown;
  let wake = (): void => {};
  const ended = (error?: unknown): void => {
    failure ??= error;
    replies.push({ found: [], done: true });
    wake();
  };
  const stop = (): void => ended();
  worker.on("message", (reply: FindReply) => {
    replies.push(reply);
    wake();
  });
  worker.once("error", ended);
  worker.once("exit", () => ended());
  signal?.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      const reply = replies.shift();
      if (reply === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      for (const session of reply.found) {
        if (isStopped()) return;
        yield session;
      }
      if (!reply.done) continue;
      if (failure !== undefined) throw failure;
      return;
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    // What the worker writes is whole or not there, so it can be terminated at any point.
    void worker.terminate();
  }
}

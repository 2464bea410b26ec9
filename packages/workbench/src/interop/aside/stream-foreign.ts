/** Sessions of other agents, one after the other as they are found, without standing in the way of keys. */
import { setImmediate as nextRound } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { canStart } from "@bough/session/log/index.js";
import type { ForeignSession } from "../contract.js";
import { type ForeignSearch, findHere } from "./find-here.js";
import type { FindReply, FindTask } from "./find-worker.js";

const WORKER = new URL("../../command/workers/find-worker.js", import.meta.url);

/**
 * In the order they are found, agent by agent. Thousands of files may be looked at, so that happens in another thread;
 * if there is none, between two rounds of this one. Ends early, and without an error, where the signal fires.
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

/** All of them, newest first. */
export async function listForeign(search: ForeignSearch = {}): Promise<ForeignSession[]> {
  const found: ForeignSession[] = [];
  for await (const session of streamForeign(search)) found.push(session);
  return found.sort((a, b) => b.modified.getTime() - a.modified.getTime());
}

async function* foundAside({ places, agents, signal }: ForeignSearch): AsyncGenerator<ForeignSession> {
  const isStopped = (): boolean => signal?.aborted === true;
  if (isStopped()) return;
  // What Node was started with, such as `--input-type`, is not meant for another thread.
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
    // It only reads, so it may end anywhere.
    void worker.terminate();
  }
}

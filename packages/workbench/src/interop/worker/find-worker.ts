/** The worker of `streamForeign`: searches for other agents' sessions in a thread of its own. It writes only what it learned about files. */
import { parentPort, workerData } from "node:worker_threads";
import type { ForeignSession } from "../contract.js";
import { type ForeignSearch, findHere } from "./find-here.js";

export type FindTask = Pick<ForeignSearch, "places" | "agents">;

export interface FindReply {
  readonly found: readonly ForeignSession[];
  /** True for the last reply. */
  readonly done: boolean;
}

/** Batches what is found within this time, since every message wakes the other thread. */
const GATHER_MS = 20;

const port = parentPort;
if (port !== null) {
  let found: ForeignSession[] = [];
  let since = performance.now();
  for await (const session of findHere(workerData as FindTask)) {
    found.push(session);
    if (performance.now() - since < GATHER_MS) continue;
    port.postMessage({ found, done: false } satisfies FindReply);
    found = [];
    since = performance.now();
  }
  port.postMessage({ found, done: true } satisfies FindReply);
}

/** The other side of `streamForeign`: looks for sessions of other agents in its own thread. It only reads. */
import { parentPort, workerData } from "node:worker_threads";
import type { ForeignSession } from "../contract.js";
import { type ForeignSearch, findHere } from "./find-here.js";

export type FindTask = Pick<ForeignSearch, "places" | "agents">;

export interface FindReply {
  readonly found: readonly ForeignSession[];
  /** This is the last one. */
  readonly done: boolean;
}

/** A message wakes the other thread: what is found within this time goes together. */
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

/**
 * The other side of `importAside`: imports one session in its own thread.
 *
 * Readers go through a transcript without waiting, so a message that it should stop would not be heard here before the
 * end. A shared number is: the signal looks at it whenever a reader asks.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { ForeignSession } from "../contract.js";
import { type CountedImport, importAndCount } from "./import-and-count.js";

export interface ImportTask {
  readonly source: ForeignSession;
  readonly dir: string | undefined;
  /** One number; 1 stops the import. */
  readonly stop: Int32Array;
}

export type ImportReply =
  | { readonly kind: "done"; readonly outcome: CountedImport }
  | { readonly kind: "stopped" }
  /** As far as an error can be sent: its code, data and hint are what is said about it. */
  | { readonly kind: "failed"; readonly message: string; readonly failure: ImportFailureFacts | undefined };

export interface ImportFailureFacts {
  readonly code: string;
  readonly hint: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

if (parentPort !== null) parentPort.postMessage(await run(workerData as ImportTask));

async function run({ source, dir, stop }: ImportTask): Promise<ImportReply> {
  const signal = signalOf(stop);
  try {
    return { kind: "done", outcome: await importAndCount(source, { dir, signal }) };
  } catch (error) {
    if (Atomics.load(stop, 0) === 1) return { kind: "stopped" };
    const { message, code, hint, data = {} } = error as Error & Partial<ImportFailureFacts>;
    return { kind: "failed", message, failure: code === undefined ? undefined : { code, hint, data } };
  }
}

/** A signal that has fired as soon as the number says so, even if nothing else in this thread gets a turn. */
function signalOf(stop: Int32Array): AbortSignal {
  const controller = new AbortController();
  const { signal } = controller;
  let fired = false;
  const isStopped = (): boolean => {
    const stopped = Atomics.load(stop, 0) === 1;
    // For callers that listen instead of asking.
    if (stopped && !fired) {
      fired = true;
      controller.abort();
    }
    return stopped;
  };
  const throwIfAborted = (): void => {
    if (isStopped()) throw new DOMException("The import was stopped", "AbortError");
  };
  return Object.defineProperties(signal, { aborted: { get: isStopped }, throwIfAborted: { value: throwIfAborted } });
}

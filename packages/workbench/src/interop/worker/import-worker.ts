/**
 * The worker of `importOffThread`: imports one session in a thread of its own.
 *
 * Readers do not yield while they read, so a message asking to stop would arrive only at the end. Instead, the signal
 * checks a shared number whenever a reader asks.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { ForeignSession } from "../contract.js";
import { type CountedImport, importAndCount } from "./import-and-count.js";

export interface ImportTask {
  readonly source: ForeignSession;
  readonly dir: string | undefined;
  /** A single number; 1 stops the import. */
  readonly stop: Int32Array;
}

export type ImportReply =
  | { readonly kind: "done"; readonly outcome: CountedImport }
  | { readonly kind: "stopped" }
  /** Errors cannot be sent to another thread as a whole, so this has the code, data and hint. */
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

/** A signal that is aborted as soon as the number is 1, even if the event loop never runs. */
function signalOf(stop: Int32Array): AbortSignal {
  const controller = new AbortController();
  const { signal } = controller;
  let fired = false;
  const isStopped = (): boolean => {
    const stopped = Atomics.load(stop, 0) === 1;
    // For code that listens to the signal instead of polling it.
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

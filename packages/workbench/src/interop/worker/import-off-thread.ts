/** Imports a large transcript in a worker thread, so that keys stay responsive. */
import { Worker } from "node:worker_threads";
import { CodedError } from "@bough/session/entry/index.js";
import { canStart } from "@bough/session/log/index.js";
import type { ForeignSession } from "../contract.js";
import { type CountedImport, type ImportRequest, importAndCount } from "./import-and-count.js";
import type { ImportFailureFacts, ImportReply, ImportTask } from "./import-worker.js";

/** A failure in the worker, rebuilt from its message. */
class ImportFailure extends CodedError<string> {
  override readonly name = "InteropError";
}

/** Smaller transcripts are imported faster than a thread starts. */
const WORTH_A_THREAD = 4 * 1024 * 1024;
const WORKER = new URL("../../command/workers/import-worker.js", import.meta.url);

/** Uses a worker if that pays off; without a worker file, as when running from source, uses the current thread. */
export async function importOffThread(source: ForeignSession, request: ImportRequest): Promise<CountedImport> {
  request.signal?.throwIfAborted();
  const usesWorker = source.size >= WORTH_A_THREAD && canStart(WORKER);
  return usesWorker ? importInWorker(source, request) : importAndCount(source, request);
}

function importInWorker(source: ForeignSession, { dir, signal }: ImportRequest): Promise<CountedImport> {
  const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const onAbort = () => Atomics.store(stop, 0, 1);
  signal?.addEventListener("abort", onAbort, { once: true });
  const task: ImportTask = { source, dir, stop };
  return new Promise<CountedImport>((resolve, reject) => {
    // Node's own flags, such as `--input-type`, must not apply to the worker.
    const worker = new Worker(WORKER, { workerData: task, execArgv: [] });
    worker.once("message", (reply: ImportReply) => {
      if (reply.kind === "done") resolve(reply.outcome);
      else reject(reply.kind === "stopped" ? (signal?.reason ?? new Error("stopped")) : failureOf(reply));
    });
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("The import worker exited unexpectedly")));
  }).finally(() => signal?.removeEventListener("abort", onAbort));
}

function failureOf({
  message,
  failure,
}: {
  readonly message: string;
  readonly failure: ImportFailureFacts | undefined;
}): Error {
  if (failure === undefined) return new Error(message);
  const { code, hint, data } = failure;
  return new ImportFailure(code, message, { data, hint });
}

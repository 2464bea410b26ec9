/**
 * Redirects the SDK's console warnings to the server's log, because the console may be a screen or a protocol stream.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { format } from "node:util";
import type { ServerLog } from "./server-log.js";

const METHODS = ["debug", "info", "log", "warn", "error"] as const;

const running = new AsyncLocalStorage<ServerLog>();
const guards = new WeakSet<object>();

/** Runs work of the SDK. Console output of it, and of everything it starts, is added to the log instead. */
export function withLoggedConsole<Result>(log: ServerLog, work: () => Result): Result {
  for (const method of METHODS) guard(method);
  return running.run(log, work);
}

/** Output of other code is not affected. */
function guard(method: (typeof METHODS)[number]): void {
  const before = console[method];
  if (guards.has(before)) return;
  const guarded = (...args: unknown[]): void => {
    const log = running.getStore();
    if (log === undefined) before.apply(console, args);
    else log.add(`${method === "log" ? "info" : method}: ${format(...args)}`);
  };
  guards.add(guarded);
  console[method] = guarded;
}

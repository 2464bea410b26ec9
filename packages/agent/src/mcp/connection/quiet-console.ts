/** The SDK writes warnings to the console, which is a user's screen or a protocol's output. They go to the server's log. */
import { AsyncLocalStorage } from "node:async_hooks";
import { format } from "node:util";
import type { ServerLog } from "./server-log.js";

const METHODS = ["debug", "info", "log", "warn", "error"] as const;

const speaking = new AsyncLocalStorage<ServerLog>();
const guards = new WeakSet<object>();

/** Runs work of the SDK: what it, and everything it starts, says on the console is added to the log instead. */
export function withLoggedConsole<Result>(log: ServerLog, work: () => Result): Result {
  for (const method of METHODS) guard(method);
  return speaking.run(log, work);
}

/** Everyone else's output stays as it is. */
function guard(method: (typeof METHODS)[number]): void {
  const before = console[method];
  if (guards.has(before)) return;
  const guarded = (...said: unknown[]): void => {
    const log = speaking.getStore();
    if (log === undefined) before.apply(console, said);
    else log.add(`${method === "log" ? "info" : method}: ${format(...said)}`);
  };
  guards.add(guarded);
  console[method] = guarded;
}

/**
 * Runs a tool as a task, for servers that demand it: starts it, follows its state, and fetches its result. Stopping the
 * call cancels the task.
 */
import { setTimeout as wait } from "node:timers/promises";
import { withoutControls } from "@bough/session/text/index.js";
import type { Client } from "@modelcontextprotocol/client";
import { z } from "zod";
import { NO_TIMEOUT } from "../connection/server-connection.js";

interface TaskCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Called with each new state. */
  readonly onStatus: (text: string) => void;
}

/** How long the server keeps a result that was not fetched. */
const KEPT_MS = 60 * 60 * 1_000;
const SHORTEST_POLL_MS = 100;
const LONGEST_POLL_MS = 5_000;

const task = z.looseObject({
  taskId: z.string(),
  status: z.string(),
  statusMessage: z.string().optional(),
  pollInterval: z.number().optional(),
});
const created = z.looseObject({ task });
const anything = z.looseObject({});

/** The response of the server, as from an ordinary call. */
export async function runTask(client: Client, { name, input, signal, onStatus }: TaskCall): Promise<unknown> {
  const options = { signal, timeout: NO_TIMEOUT };
  const params = { name, arguments: input, task: { ttl: KEPT_MS } };
  const started = await client.request({ method: "tools/call", params }, created, options);
  const { taskId } = started.task;
  let last = "";
  try {
    for (let state = started.task; ; ) {
      const said = withoutControls(state.statusMessage ?? state.status).slice(0, 200);
      if (said !== last) onStatus(said);
      last = said;
      // A task that needs input asks for it while its result is awaited.
      if (state.status !== "working") break;
      await wait(Math.min(Math.max(state.pollInterval ?? 0, SHORTEST_POLL_MS), LONGEST_POLL_MS), undefined, { signal });
      state = await client.request({ method: "tasks/get", params: { taskId } }, task, options);
    }
    return await client.request({ method: "tasks/result", params: { taskId } }, anything, options);
  } catch (error) {
    if (signal.aborted) {
      const cancelled = { method: "tasks/cancel", params: { taskId } };
      await client.request(cancelled, anything, { timeout: LONGEST_POLL_MS }).catch(() => {});
    }
    throw error;
  }
}

/** Several attempts at one prompt. */
import type { AttemptRun } from "@bough/agent/agent/index.js";
import { attemptMode } from "@bough/agent/agent/internal.js";
import { defined } from "@bough/session/text/index.js";
import { z } from "zod";
import { attempt, keepOutcome } from "../shape/attempt-shapes.js";
import { none } from "../shape/common-shapes.js";
import { entryId } from "../shape/entry-shapes.js";
import { bringFiles } from "../shape/outcome-shapes.js";
import { method, type RpcContext } from "./rpc-method.js";

const name = z.string().min(1).describe("An attempt: its name, its number, or the start of an entry ID.");

export const ATTEMPT_METHODS = {
  startAttempts: method({
    summary:
      "Works on a prompt several times at once: each attempt is a branch from here, in a folder of its own that starts as the files are now. Answers once the first one starts; the event `attempt` reports their progress. What an attempt asks comes as `ui.permission`, with its name in `warnings`.",
    params: z.strictObject({
      text: z.string().min(1),
      count: z.int().min(1).max(50).optional().describe("Default: one for each model or agent, otherwise 3."),
      models: z.array(z.string().min(1)).optional().describe("Used in turn."),
      agents: z.array(z.string().min(1)).optional().describe("`bough`, or other agents; used in turn."),
      check: z.string().min(1).optional().describe("A command that is run in each folder at the end."),
      setup: z.string().min(1).optional().describe("Installs dependencies, instead of copying them."),
      timeoutMs: z.number().min(1).optional().describe("For each attempt."),
      maxDollars: z.number().min(0).optional().describe("For all together."),
    }),
    result: z.object({ tryId: entryId, attempts: z.array(attempt) }),
    run: async ({ started, questions }, { text, ...options }) => {
      const check = options.check ?? started.agent.settings.attempts?.check;
      const ask = questions.permission;
      const permission = attemptMode(started.agent.permissionMode);
      const run = await started.agent.startAttempts(text, { ...defined({ ...options, check }), ask, permission });
      return { tryId: run.tryId, attempts: run.attempts };
    },
  }),
  listAttempts: method({
    summary: "All attempts of the session, oldest first.",
    params: none,
    result: z.object({ attempts: z.array(attempt) }),
    run: async ({ started }) => ({ attempts: await started.agent.listAttempts() }),
  }),
  keepAttempt: method({
    summary:
      "Moves to the end of an attempt and brings its file changes to the files as they are now. With conflicts that have no answer, nothing is changed.",
    params: z.strictObject({ name, ...bringFiles }),
    result: keepOutcome,
    run: async ({ started }, { name: wanted, ...options }) => {
      const kept = await started.agent.keepAttempt(wanted, options);
      return "attempt" in kept ? { ...kept, attempt: kept.attempt.name } : kept;
    },
  }),
  stopAttempts: method({
    summary: "Stops an attempt that this process started, or all of them. Their branches stay.",
    params: z.strictObject({ name: name.optional() }),
    result: z.null(),
    run: async (context, { name: wanted }) => {
      await Promise.all(runsOf(context).map((run) => run.stop(wanted)));
    },
  }),
  messageAttempt: method({
    summary: "Sends a message to a running attempt before its next step. `sent` is false if it is not running here.",
    params: z.strictObject({ name, text: z.string().min(1) }),
    result: z.object({ sent: z.boolean() }),
    run: async (context, { name: wanted, text }) => {
      const sent = await Promise.all(runsOf(context).map((run) => run.message(wanted, text)));
      return { sent: sent.some(Boolean) };
    },
  }),
};

function runsOf({ started }: RpcContext): readonly AttemptRun[] {
  return started.agent.attemptRuns;
}

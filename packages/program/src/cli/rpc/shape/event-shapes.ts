/** All events, with their descriptions and fields. The compiler requires a row for each event of the agent. */

import type { AgentEvent } from "@bough/agent/agent/index.js";
import { z } from "zod";
import { attempt } from "./attempt-shapes.js";
import { fault, queuedTexts } from "./common-shapes.js";
import { entryId } from "./entry-shapes.js";
import { message, toolResultMessage } from "./message-shapes.js";
import { modelFailure, runOutcome } from "./outcome-shapes.js";
import { storeFields, syncedSession } from "./store-shapes.js";

interface EventShape {
  readonly summary: string;
  /** Besides `type`. */
  readonly fields: Readonly<Record<string, z.ZodType>>;
}

const tool = { toolCallId: z.string(), toolName: z.string() };
const purpose = z.enum(["branch", "compaction"]);
const level = z.enum(["info", "warning", "error"]);

const changedFile = z
  .object({ path: z.string(), change: z.enum(["added", "changed", "deleted"]) })
  .meta({ id: "ChangedFile" });

export const subAgent = z
  .object({
    id: entryId.describe("The entry that its conversation is below."),
    toolCallId: z.string(),
    name: z.string().describe("Its agent file; `agent` for a general one."),
    description: z.string(),
    state: z.enum(["waiting", "running", "done", "failed", "stopped", "limit", "interrupted"]),
    background: z.boolean(),
    depth: z.int().describe("1, or 2 if a sub-agent started it."),
    step: z.string().describe("What it is doing."),
    steps: z.int(),
    tokens: z.number(),
    dollars: z.number().describe("Of everything with a known price."),
  })
  .meta({ id: "SubAgent" });

const AGENT_EVENTS = {
  run_start: { summary: "A run starts: one prompt and everything that follows.", fields: {} },
  run_end: {
    summary: "A run is over; `outcome` says how, and `denials` which tool calls were not allowed.",
    fields: {
      outcome: runOutcome,
      denials: z.array(z.object({ toolCallId: z.string(), toolName: z.string(), reason: z.string() })).optional(),
    },
  },
  turn_start: { summary: "One model step and its tool calls start.", fields: { turn: z.int() } },
  turn_end: { summary: "One model step and its tool calls are over.", fields: { turn: z.int() } },
  prompt_sent: {
    summary: "Another agent that drives the session has the prompt. Its entry comes when that agent is done.",
    fields: { text: z.string() },
  },
  message_start: { summary: "A message starts.", fields: { role: z.string() } },
  message_update: {
    summary: "A piece of the answer, or of the thinking.",
    fields: { part: z.enum(["text", "thinking"]), delta: z.string() },
  },
  tool_input: { summary: "A piece of a tool's input, as JSON text.", fields: { ...tool, delta: z.string() } },
  message_end: { summary: "A message is complete and in the file.", fields: { entryId, message } },
  tool_start: {
    summary: "A tool runs.",
    fields: { ...tool, input: z.unknown().optional().describe("Depends on the tool.") },
  },
  tool_update: {
    summary: "Output of a running tool so far.",
    fields: { ...tool, update: z.object({ text: z.string(), details: z.unknown().optional() }) },
  },
  tool_end: { summary: "A tool is done.", fields: { ...tool, result: toolResultMessage } },
  retry: {
    summary: "The step failed and is retried; discard its output.",
    fields: { attempt: z.int(), delayMs: z.number(), failure: modelFailure },
  },
  queue: { summary: "The queue has changed.", fields: queuedTexts.shape },
  queue_returned: {
    summary: "Queued texts that will not be sent, and why: the run failed, it was stopped, or the session moved.",
    fields: { reason: z.enum(["failed", "stopped", "moved"]), ...queuedTexts.shape },
  },
  stopping: {
    summary: "The run is being stopped. A text sent with `steer` or `followUp` from now on becomes the next prompt.",
    fields: { operation: z.string() },
  },
  summary_start: { summary: "A summary is being written.", fields: { purpose } },
  summary_update: { summary: "A piece of the summary.", fields: { delta: z.string() } },
  summary_end: {
    summary: "The summary is done, has failed, or was stopped.",
    fields: { purpose, outcome: z.enum(["done", "failed", "aborted"]) },
  },
  moved: {
    summary: "The leaf has moved.",
    fields: { oldLeafId: entryId.nullable(), newLeafId: entryId.nullable() },
  },
  compacted: {
    summary: "A compaction was written.",
    fields: { entryId, tokensBefore: z.number(), tokensAfter: z.number(), automatic: z.boolean() },
  },
  session_changed: {
    summary: "The agent switched to another session.",
    fields: { reason: z.enum(["new", "resume", "fork"]), file: z.string().optional() },
  },
  model_changed: {
    summary: "Another model or thinking level is in use.",
    fields: { model: z.string(), thinkingLevel: z.string() },
  },
  driver_changed: {
    summary:
      "Another agent does the turns from now on, or with null Bough's own. Also after a choice of its model, effort or mode.",
    fields: { driver: z.string().nullable() },
  },
  files_changed: {
    summary: "Changes to files were recorded, by a tool, a person or a restore. `files` has the first hundred.",
    fields: {
      entryId,
      by: z.enum(["tool", "person", "restore", "attempt"]),
      count: z.int(),
      files: z.array(changedFile),
    },
  },
  subagent_start: { summary: "A sub-agent starts.", fields: { agent: subAgent } },
  subagent_update: { summary: "A sub-agent does something else.", fields: { agent: subAgent } },
  subagent_end: { summary: "A sub-agent has ended; `state` says how.", fields: { agent: subAgent } },
  entries: { summary: "Entries other than messages were written.", fields: { ids: z.array(entryId) } },
  attempt: {
    summary: "Something changed about an attempt on another branch: its state, what it does, what it used, its check.",
    fields: { attempt },
  },
  extension_problem: {
    summary: "An extension failed. If a guard fails, the action it guards is blocked, and the message says so.",
    fields: { extension: z.string(), event: z.string(), message: z.string() },
  },
  notice: {
    summary: "A notice for the user.",
    fields: {
      level,
      message: z.string(),
      hint: z.string().optional(),
      about: z.literal("output-limit").optional().describe("Set if the notice is about the model's output limit."),
    },
  },
} as const satisfies Readonly<Record<AgentEvent["type"], EventShape>>;

/** Events that front ends emit themselves. */
const FRONT_END_EVENTS = {
  session: {
    summary: "Always the first line: version, session, working directory, model.",
    fields: {
      version: z.string(),
      protocol: z.int().optional().describe("RPC: the version of the protocol."),
      sessionId: z.string(),
      sessionFile: z.string().nullable(),
      cwd: z.string(),
      model: z.string().nullable(),
      driver: z.string().optional().describe("The other agent that does the turns."),
      thinkingLevel: z.string(),
    },
  },
  agent_event: {
    summary: "RPC: an event of an agent that `spawnBranch` started.",
    fields: {
      agent: z.string(),
      event: z.looseObject({ type: z.string() }).describe("One of the other events."),
    },
  },
  question_closed: {
    summary: "RPC: the question with this `id` no longer needs an answer.",
    fields: { id: z.string() },
  },
  store_status: {
    summary: "RPC: the current session's store was reached, is unreachable, or the number of entries it lacks changed.",
    fields: storeFields,
  },
  store_synced: {
    summary: "RPC: entries of the current session were pushed to its store or pulled from it.",
    fields: { store: storeFields.store, synced: syncedSession },
  },
  ui_status: {
    summary: "RPC: an extension shows `text` in the status line under its `key`; null removes it.",
    fields: { key: z.string(), text: z.string().nullable() },
  },
  ui_widget: {
    summary:
      "RPC: an extension shows `lines` above or below the editor (`placement`) under its `key`; null removes them.",
    fields: {
      key: z.string(),
      lines: z.array(z.string()).nullable(),
      placement: z.enum(["aboveEditor", "belowEditor"]),
    },
  },
  ui_title: { summary: "RPC: an extension sets the title of the window.", fields: { title: z.string() } },
  ui_editor_text: {
    summary: "RPC: an extension puts `text` into the editor, to be edited and sent.",
    fields: { text: z.string() },
  },
  error: {
    summary: "JSON mode: the prompt could not be processed; `code`, `message`, `hint` and `data` say why.",
    fields: fault.shape,
  },
} as const satisfies Readonly<Record<string, EventShape>>;

export const EVENTS: Readonly<Record<string, EventShape>> = { ...FRONT_END_EVENTS, ...AGENT_EVENTS };

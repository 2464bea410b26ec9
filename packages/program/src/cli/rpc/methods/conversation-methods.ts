/** The conversation with the model. */

import type { AgentSession, Delivery } from "@bough/agent/agent/index.js";
import { z } from "zod";
import { image, queuedTexts, userContent } from "../shape/common-shapes.js";
import { entryId } from "../shape/entry-shapes.js";
import { bashExecutionMessage } from "../shape/message-shapes.js";
import { delivery, runOutcome } from "../shape/outcome-shapes.js";
import { method, type RpcContext } from "./rpc-method.js";

const limits = z
  .strictObject({
    steps: z.int().min(1).optional().describe("Model steps, those of agents spawned by tools included."),
    tokens: z.number().min(1).optional().describe("Tokens of all steps, retries and summaries together."),
    dollars: z.number().min(0).optional().describe("Dollars of the same; a step with an unknown price ends the run."),
    milliseconds: z.number().min(1).optional().describe("Time since the prompt."),
  })
  .describe("Limits of the run; past one of them it ends with the outcome `aborted` and the name of the limit.");

/** The source of the text, for extensions. */
const source = "rpc";

const agent = z
  .string()
  .min(1)
  .optional()
  .describe("The name of an agent started by `spawnBranch`. Default: the first agent.");

function agentOf({ started, agents }: RpcContext, name: string | undefined): AgentSession {
  return name === undefined ? started.agent : agents.named(name);
}

export const CONVERSATION_METHODS = {
  prompt: method({
    summary: "Sends a prompt, or runs an extension's command, and answers when the model is done.",
    params: z.strictObject({
      text: z.string(),
      agent,
      images: z.array(image).optional(),
      limits: limits.optional(),
      output: z
        .record(z.string(), z.unknown())
        .optional()
        .describe("A JSON Schema for the model's answer, which the outcome has as `output`."),
    }),
    result: runOutcome,
    run: ({ started, agents }, { text, agent: name, ...rest }) => {
      const options = { source, ...rest } as const;
      return name === undefined ? started.submit(text, options) : agents.named(name).prompt(text, options);
    },
  }),
  steer: method({
    summary:
      "Sends a message to the running model before its next step. If nothing is running, or the run is being stopped, it becomes the next prompt.",
    params: z.strictObject({ text: z.string().min(1), agent, images: z.array(image).optional() }),
    result: delivery,
    run: (context, { text, agent: name, images }) => settled(agentOf(context, name).steer(text, { source, images })),
  }),
  followUp: method({
    summary:
      "Sends a message when the run would end. If nothing is running, or the run is being stopped, it becomes the next prompt.",
    params: z.strictObject({ text: z.string().min(1), agent, images: z.array(image).optional() }),
    result: delivery,
    run: (context, { text, agent: name, images }) => settled(agentOf(context, name).followUp(text, { source, images })),
  }),
  sendMessage: method({
    summary:
      "Adds a custom message: after the turn if something is running, otherwise immediately; it can start a run.",
    params: z.strictObject({
      customType: z.string().min(1),
      content: userContent,
      display: z.boolean().default(true),
      details: z.unknown().optional(),
      triggerTurn: z.boolean().default(false),
    }),
    result: delivery,
    run: ({ started }, { triggerTurn, ...message }) => settled(started.agent.sendMessage(message, triggerTurn)),
  }),
  command: method({
    summary: "Runs an extension's command; what it returns is sent as a prompt.",
    params: z.strictObject({ name: z.string().min(1), args: z.string().default("") }),
    result: runOutcome,
    run: ({ started }, { name, args }) => started.runCommand(name, args, { source }),
  }),
  runBash: method({
    summary: "Runs a shell command on the user's behalf, without asking, and records it in the session.",
    params: z.strictObject({ command: z.string().min(1), excludeFromContext: z.boolean().optional() }),
    result: z.object({ entryId, message: bashExecutionMessage }),
    run: ({ started }, { command, excludeFromContext }) => started.agent.runBash(command, { excludeFromContext }),
  }),
  abort: method({
    summary: "Stops what is running and closes open questions. Returns the texts that were not delivered.",
    params: z.strictObject({ agent }),
    result: queuedTexts,
    run: ({ started, questions, work, searches, agents }, { agent: name }) => {
      if (name !== undefined) return agents.named(name).abort();
      questions.closeAll();
      work.stop();
      searches.stop();
      return started.abort();
    },
  }),
  whenIdle: method({
    summary: "Answers when nothing is running.",
    params: z.strictObject({ agent }),
    result: z.null(),
    run: (context, { agent: name }) => agentOf(context, name).whenIdle(),
  }),
};

/** A started run responds when it is over, like every long operation. */
async function settled(sent: Delivery): Promise<unknown> {
  return sent.kind === "run" ? { kind: "run", outcome: await sent.outcome } : sent;
}

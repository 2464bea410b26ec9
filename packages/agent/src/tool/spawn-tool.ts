/** `spawn`: has a sub-agent do a task. The agent that runs the tool starts it; see `spawn` of the context. */

import { firstWords } from "@bough/session/text/index.js";
import { z } from "zod";
import { defineTool } from "./define-tool.js";
import type { Tool } from "./tool.js";
import { ToolFailure } from "./tool-failure.js";

export const SPAWN_TOOL = "spawn";

export interface SpawnToolOptions {
  /** Agents that the model may name, from agent files. */
  readonly agents?: readonly { readonly name: string; readonly description: string }[];
  /** Names of the tools that change nothing: a sub-agent with only those needs no scan of the files. */
  readonly readOnlyTools?: readonly string[];
}

/** Longer lists and descriptions would fill every request. */
const MOST_LISTED = 40;
const MOST_LISTED_CHARACTERS = 4_000;
const MOST_DESCRIPTION = 300;

const input = z.strictObject({
  task: z.string().min(1).describe("What to do, with everything it needs to know, and what to report back."),
  description: z.string().max(200).optional().describe("The task in three to six words, for the user."),
  agent: z.string().optional().describe("An agent from the list; default: a general one."),
  model: z.string().optional().describe("provider/model; default: yours."),
  tools: z.array(z.string()).optional().describe("The tools it may use, at most yours; default: all of yours."),
  context: z
    .enum(["fresh", "branch"])
    .optional()
    .describe("fresh: it knows only the task (default); branch: also this conversation so far."),
  background: z
    .boolean()
    .optional()
    .describe("Return at once; you are told when it ends (default false: wait for its answer)."),
});

export function spawnTool({ agents = [], readOnlyTools = [] }: SpawnToolOptions = {}): Tool {
  const tool = defineTool({
    name: SPAWN_TOOL,
    description: [
      "Has a sub-agent do a task and returns its final answer. Use it for work that reads much and reports little, or " +
        "for several independent tasks: calls made together run at the same time. It has at most your tools and " +
        "permissions, and cannot see this conversation unless context is branch. Do small things yourself.",
      ...listed(agents),
    ].join("\n"),
    input,
    readOnly: false,
    // Each sub-agent asks for what it does.
    permission: "own",
    timeLimit: "own",
    changesNothing: ({ tools }) => tools?.every((name) => readOnlyTools.includes(name)) === true,
    run: async (request, context) => {
      if (context.spawn === undefined) throw new ToolFailure("Sub-agents are not available here.");
      return context.spawn(request);
    },
  });
  return {
    ...tool,
    promptGuidelines: [
      "Use spawn only for tasks that are worth a separate agent; say in the task what to report back.",
    ],
  };
}

/** The list of agents for the model, bounded. Descriptions come from files, so each stays on its line. */
function listed(agents: NonNullable<SpawnToolOptions["agents"]>): readonly string[] {
  const lines: string[] = [];
  let size = 0;
  for (const { name, description } of agents) {
    const line = `- ${name}: ${firstWords(description, MOST_DESCRIPTION)}`;
    size += line.length;
    if (lines.length === MOST_LISTED || size > MOST_LISTED_CHARACTERS) break;
    lines.push(line);
  }
  if (lines.length === 0) return [];
  const left = agents.length - lines.length;
  return ["Agents:", ...lines, ...(left === 0 ? [] : [`(${left} more are not listed)`])];
}

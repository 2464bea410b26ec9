/** /children: sub-agents that work now, and stopping them. */

import type { SubAgent } from "@bough/agent/agent/index.js";
import { counted, shortCount, titleOf } from "@bough/session/text/index.js";
import { readArguments, wrongArguments } from "../arguments.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { matching } from "../completions.js";
import { unchanged } from "../outcome.js";

const NONE = "No sub-agent is working.";

export const CHILDREN_COMMAND: Command = {
  name: "children",
  group: "program",
  usage: "[stop <number>|all]",
  summary: "List sub-agents that work now, and stop them",
  details:
    "Lists the sub-agents that the model has started and that have not ended, with what each is doing. One that is stopped keeps its branch, and the model gets what it had written.",
  complete({ agent }, typed) {
    const all =
      agent.subAgents.length > 1
        ? [{ value: "stop all", description: counted(agent.subAgents.length, "sub-agent") }]
        : [];
    const each = agent.subAgents.map(({ description }, at) => ({
      value: `stop ${at + 1}`,
      description: titleOf(description),
    }));
    return matching([...all, ...each], typed);
  },
  async run({ agent }, args) {
    const { words } = readArguments(args, { most: 2 });
    const [verb, which] = words;
    if (verb === undefined) return listing(agent.subAgents);
    if (verb !== "stop" || which === undefined) throw wrongArguments("Expected stop <number> or stop all");
    return stopped(agent, which);
  },
};

function listing(agents: readonly SubAgent[]): CommandOutcome {
  if (agents.length === 0) return { kind: "done", message: NONE, data: { agents } };
  const lines = agents.map((one, at) => `  ${at + 1}  ${workOf(one)}  ${titleOf(one.description, 80)}`);
  const hint = "/children stop <number> stops one.";
  return { kind: "done", message: ["Sub-agents:", ...lines].join("\n"), hint, data: { agents } };
}

async function stopped(agent: CommandContext["agent"], which: string): Promise<CommandOutcome> {
  const working = agent.subAgents;
  const chosen = which === "all" ? working : working.filter((_one, at) => String(at + 1) === which);
  if (working.length === 0) return unchanged(NONE);
  if (chosen.length === 0) throw wrongArguments(`No sub-agent has the number ${which}`);
  await Promise.all(chosen.map(({ id }) => agent.stopSubAgent(id)));
  const [first] = chosen;
  const message =
    chosen.length === 1
      ? `Stopped: ${titleOf(first?.description ?? "")}`
      : `Stopped ${counted(chosen.length, "sub-agent")}.`;
  return { kind: "done", message, data: { stopped: chosen.map(({ id }) => id) } };
}

function workOf({ state, step, steps, tokens, background }: SubAgent): string {
  const where = background ? ", in the background" : "";
  if (state === "waiting") return `waiting${where}`;
  return `${titleOf(step, 40)}, ${counted(steps, "step")}, ${shortCount(tokens)} tokens${where}`;
}

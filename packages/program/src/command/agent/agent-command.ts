/** /agent: who does the turns. */
import { firstWords } from "@bough/session/text/index.js";
import { readArguments, wrongArguments } from "../arguments.js";
import { readOnly, unless, working } from "../availability.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { matching } from "../completions.js";
import { shownOr } from "../outcome.js";
import { agentFacts, agentRow, billsWords, nextStep, stateWords } from "./agent-facts.js";
import { logInToAgent } from "./log-in.js";
import { OWN_AGENT } from "./own-agent.js";
import { useDriver } from "./use-driver.js";

/** A copy, because the table of agents is loaded only when it is needed. A test compares them. */
export const AGENT_NAMES = ["claude", "codex", "opencode", "gemini", "pi"] as const;

export const AGENT_COMMAND: Command = {
  name: "agent",
  group: "model",
  usage: `[${[OWN_AGENT, ...AGENT_NAMES].join("|")} | mode [name] | login [name]]`,
  summary: "Choose who does the turns: Bough's own agent, or another one",
  details:
    "From the next prompt on, that agent continues here, with its own login, models, tools and settings, and is given this conversation. Says what it does without asking, and asks before the conversation is sent to someone else. bough is Bough's own agent, with the model it had. Without a name, lists the agents: which are installed, how to get them, and which keys they may bill. mode lists the agent's own modes or chooses one, until the permission mode changes. login runs the agent's own login in this terminal. See docs/agents.md.",
  unavailable: unless(working, readOnly),
  complete: ({ agent }, typed) => {
    const modes = agent.driver === undefined ? [] : [{ value: "mode", description: "a mode of its own" }];
    return matching([...[OWN_AGENT, ...AGENT_NAMES].map((value) => ({ value })), ...modes], typed);
  },
  async run(context, args) {
    const { words } = readArguments(args, { most: 2 });
    const [name, more] = words;
    if (name === undefined) return shownOr(context, { screen: "agent" }, () => listing(context));
    if (name === "mode") return chooseMode(context, more);
    if (name === "login") return logIn(context, more);
    if (more !== undefined) throw wrongArguments("Too many arguments");
    if (name !== OWN_AGENT && !AGENT_NAMES.some((one) => one === name)) {
      throw wrongArguments(`Unknown agent ${name}`, `Choose one of: ${[OWN_AGENT, ...AGENT_NAMES].join(", ")}`);
    }
    return useDriver(context, name);
  },
};

async function listing({ agent, version = "0" }: CommandContext): Promise<CommandOutcome> {
  const { signal } = new AbortController();
  const all = await agentFacts({ env: process.env, version, start: false, signal });
  const current = agent.driver?.name ?? OWN_AGENT;
  const line = (name: string, text: string) => `${name === current ? "@" : " "} ${name.padEnd(10)}${text}`;
  const lines = all.flatMap((facts) => [
    line(facts.agent.name, stateWords(facts.state)),
    ...[nextStep(facts), billsWords(facts)].filter((text) => text !== "").map((text) => line("", text)),
  ]);
  return {
    kind: "done",
    message: [line(OWN_AGENT, "Bough's own agent"), ...lines].join("\n"),
    hint: "/agent <name> chooses one.",
    data: { driver: agent.driver?.name ?? null, agents: all.map(agentRow) },
  };
}

async function logIn(context: CommandContext, wanted: string | undefined): Promise<CommandOutcome> {
  const name = wanted ?? context.agent.driver?.name;
  if (name === undefined || !AGENT_NAMES.some((one) => one === name)) {
    throw wrongArguments("Expected the name of an agent", `Choose one of: ${AGENT_NAMES.join(", ")}`);
  }
  return logInToAgent(context, name);
}

async function chooseMode({ agent }: CommandContext, wanted: string | undefined): Promise<CommandOutcome> {
  const { driver } = agent;
  if (driver === undefined)
    throw wrongArguments("Only another agent has modes of its own", "Shift+Tab changes the permission mode.");
  if (wanted !== undefined) {
    const { id, name } = await agent.setDriverOption({ option: "mode", value: wanted });
    return { kind: "done", message: `${driver.title} works in its mode ${firstWords(name, 60)}.`, data: { mode: id } };
  }
  const modes = (await agent.driverOptions()).find(({ option }) => option === "mode");
  if (modes === undefined) return { kind: "unchanged", message: `${driver.title} offers no modes of its own.` };
  const lines = modes.values.map(({ id, name, about = "" }) => {
    const more = [name === id ? "" : name, about].filter((text) => text !== "").join(": ");
    return `${id === modes.value ? "@" : " "} ${firstWords(`${id}${more === "" ? "" : `  ${more}`}`, 200)}`;
  });
  return { kind: "done", message: lines.join("\n"), hint: "/agent mode <name> chooses one.", data: { ...modes } };
}

/** What a sub-agent is made of: never more than the agent that starts it has. */
import { firstWords, titleOf } from "@bough/session/text/index.js";
import type { Driver } from "../../driver/index.js";
import { knownPrices, type LanguageModel, type ModelInfo, type ModelRegistry } from "../../model/index.js";
import type { AgentDescription, ProjectContext } from "../../project/index.js";
import { SPAWN_TOOL, type SpawnRequest, type Tool, ToolFailure } from "../../tool/index.js";
import type { RunLimits } from "../turn/run-limits.js";
import { SPAWN_DEFAULTS, type SpawnOptions } from "./sub-agent.js";

export interface SubAgentPlan {
  readonly name: string;
  readonly description: string;
  readonly model: LanguageModel | ModelInfo | undefined;
  readonly tools: readonly Tool[];
  /** Names of tools it may call, those of MCP servers included; undefined for all that its parent may call. */
  readonly allowed: ReadonlySet<string> | undefined;
  readonly readOnly: boolean;
  readonly driver: Driver | undefined;
  readonly project: ProjectContext | undefined;
  readonly systemPrompt: string | undefined;
  readonly limits: RunLimits;
  /** What its description asked for and does not get. */
  readonly problems: readonly string[];
}

interface Parent {
  readonly registry: ModelRegistry;
  readonly model: LanguageModel | undefined;
  readonly tools: readonly Tool[];
  /** Names of tools of MCP servers that it has. */
  readonly serverTools: readonly string[];
  readonly project: ProjectContext | undefined;
  readonly systemPrompt: string | undefined;
  readonly options: SpawnOptions;
  readonly makeDriver: (name: string) => Driver;
}

const INSTRUCTIONS =
  "You are a sub-agent: another agent started you for one task and waits for your answer. No user reads along, so find " +
  "out yourself what you need to know. Your last message is all the other agent gets: report what it asked for, with " +
  "file names and facts, and say plainly what you could not do.";

/** Throws a ToolFailure, for the model, if the request cannot be met. */
export function planSubAgent(request: SpawnRequest, parent: Parent): SubAgentPlan {
  const described = describedAgent(request.agent, parent);
  const problems: string[] = [];
  const model = modelOf(request, described, { parent, problems });
  const wanted = wantedTools(request, described, { parent, problems });
  const isFresh = request.context !== "branch";
  const tools = parent.tools.filter(({ name }) => wanted === undefined || wanted.has(name));
  const readOnly = described?.readOnly === true;
  const driver = driverOf(described, { parent, isLimited: wanted !== undefined || readOnly });
  const text = [INSTRUCTIONS, ...(described === undefined ? [] : [described.text])].join("\n\n").trim();
  const own = parent.systemPrompt;
  const file = { path: described?.path ?? "sub-agent", text };
  return {
    name: described?.name ?? "agent",
    description: titleOf(request.description ?? request.task, 80),
    model,
    tools: readOnly ? tools.filter((tool) => tool.readOnly === true || tool.name === SPAWN_TOOL) : tools,
    allowed: wanted,
    readOnly,
    driver,
    // With the whole conversation, the prompt stays the same, so that the provider's cache is used.
    project:
      isFresh && own === undefined
        ? {
            ...(parent.project ?? { templates: [], skills: [], problems: [] }),
            contextFiles: [...(parent.project?.contextFiles ?? []), file],
          }
        : parent.project,
    systemPrompt: isFresh && own !== undefined ? `${own}\n\n${text}` : own,
    // What another agent spends has no price here.
    limits: limitsOf(parent.options, driver === undefined ? model : undefined),
    problems,
  };
}

function describedAgent(name: string | undefined, { project }: Parent): AgentDescription | undefined {
  if (name === undefined) return undefined;
  const agents = project?.agents ?? [];
  const found = agents.find((agent) => agent.name === name);
  if (found !== undefined) return found;
  const names = agents.map((agent) => agent.name);
  const known = names.length === 0 ? "There are none; leave agent out." : `Available: ${names.join(", ")}.`;
  throw new ToolFailure(`Unknown agent: ${firstWords(name, 60)}. ${known}`);
}

interface Planning {
  readonly parent: Parent;
  readonly problems: string[];
}

function modelOf(
  { model }: SpawnRequest,
  described: AgentDescription | undefined,
  { parent, problems }: Planning,
): LanguageModel | ModelInfo | undefined {
  if (model !== undefined) {
    try {
      return parent.registry.resolve(model);
    } catch {
      throw new ToolFailure(`Unknown model: ${firstWords(model, 100)}. Leave model out to use yours.`);
    }
  }
  if (described?.model === undefined) return parent.model;
  try {
    return parent.registry.resolve(described.model);
  } catch {
    const name = firstWords(described.model, 100);
    problems.push(
      `The agent ${described.name} names the model ${name}, which is not available; the current one is used`,
    );
    return parent.model;
  }
}

function wantedTools(
  request: SpawnRequest,
  described: AgentDescription | undefined,
  { parent, problems }: Planning,
): ReadonlySet<string> | undefined {
  const has = new Set([...parent.tools.map(({ name }) => name), ...parent.serverTools]);
  const unknown = (request.tools ?? []).filter((name) => !has.has(name));
  if (unknown.length > 0) {
    throw new ToolFailure(`You do not have these tools: ${unknown.join(", ")}. Choose from: ${[...has].join(", ")}.`);
  }
  const missing = (described?.tools ?? []).filter((name) => !has.has(name));
  if (missing.length > 0) {
    const names = missing.map((name) => firstWords(name, 60)).join(", ");
    problems.push(`The agent ${described?.name} names tools that are not available here and not granted: ${names}`);
  }
  const lists = [request.tools, described?.tools].filter((list) => list !== undefined);
  const without = new Set(described?.withoutTools);
  if (lists.length === 0 && without.size === 0) return undefined;
  return new Set([...has].filter((name) => !without.has(name) && lists.every((list) => list.includes(name))));
}

/** Another agent has its own tools, so it is started only where nothing is withheld. */
function driverOf(
  described: AgentDescription | undefined,
  { parent, isLimited }: { readonly parent: Parent; readonly isLimited: boolean },
): Driver | undefined {
  if (described?.driver === undefined) return undefined;
  const has = new Set(parent.tools.map(({ name }) => name));
  if (isLimited || !["read", "edit", "write", "bash"].every((name) => has.has(name))) {
    throw new ToolFailure(
      `The agent ${described.name} is run by ${described.driver}, which has tools of its own, so its tools cannot be limited.`,
    );
  }
  try {
    return parent.makeDriver(described.driver);
  } catch {
    throw new ToolFailure(`The agent ${described.name} names an unknown driver: ${firstWords(described.driver, 60)}.`);
  }
}

/** A limit of dollars ends the run of a model without known prices, so it is set only for others. */
function limitsOf(
  { limits: { dollars = SPAWN_DEFAULTS.dollars, ...limits } = {} }: SpawnOptions,
  model: LanguageModel | ModelInfo | undefined,
): RunLimits {
  const info = model === undefined ? undefined : "info" in model ? model.info : model;
  const isPriced = info !== undefined && knownPrices(info) !== undefined;
  const { steps, minutes } = SPAWN_DEFAULTS;
  return { steps, milliseconds: minutes * 60_000, ...(isPriced ? { dollars } : {}), ...limits };
}

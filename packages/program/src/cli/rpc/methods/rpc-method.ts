import type { z } from "zod";
import type { CommandContext } from "../../../command/index.js";
import type { StartedAgent } from "../../start/started-agent.js";
import type { StoppableWork } from "../../stoppable-work.js";
import type { ClientQuestions } from "../client-questions.js";
import type { OpenSearches } from "./open-searches.js";
import type { SpawnedAgents } from "./spawned-agents.js";

/** What methods work with. */
export interface RpcContext {
  readonly started: StartedAgent;
  readonly questions: ClientQuestions;
  /** The context for commands. */
  readonly commands: CommandContext;
  /** Work that commands started besides the agent's operations. */
  readonly work: StoppableWork;
  readonly searches: OpenSearches;
  /** Agents on other branches. */
  readonly agents: SpawnedAgents;
  /** Names of all requests and events. */
  readonly capabilities: () => Capabilities;
}

export interface Capabilities {
  readonly methods: string[];
  readonly events: string[];
  readonly questions: string[];
}

/** A request that a client can make: validated on arrival, described in the published schema. */
export interface RpcMethod {
  /** A sentence for the documentation. */
  readonly summary: string;
  readonly params: z.ZodType;
  readonly result: z.ZodType;
  /** Returns the result; undefined becomes `null`. Throws errors with codes. */
  run(context: RpcContext, params: unknown): unknown;
}

/** Binds a method's parameters to the schema that validates them. */
export function method<Params extends z.ZodType>(definition: {
  readonly summary: string;
  readonly params: Params;
  readonly result: z.ZodType;
  run(context: RpcContext, params: z.output<Params>): unknown;
}): RpcMethod {
  return definition as unknown as RpcMethod;
}

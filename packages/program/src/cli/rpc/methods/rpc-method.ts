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
  /** What commands run in. */
  readonly commands: CommandContext;
  /** What commands have going on besides the agent's operations. */
  readonly work: StoppableWork;
  readonly searches: OpenSearches;
  /** Agents on other branches. */
  readonly agents: SpawnedAgents;
  /** Names of everything a client can ask for and hear. */
  readonly capabilities: () => Capabilities;
}

export interface Capabilities {
  readonly methods: string[];
  readonly events: string[];
  readonly questions: string[];
}

/** One request a client can make: checked on arrival, described in the published schema. */
export interface RpcMethod {
  /** A sentence for the documentation. */
  readonly summary: string;
  readonly params: z.ZodType;
  readonly result: z.ZodType;
  /** Answers the result; what is undefined becomes `null`. Throws errors with codes. */
  run(context: RpcContext, params: unknown): unknown;
}

/** Ties the parameters a method takes to the schema they are checked with. */
export function method<Params extends z.ZodType>(definition: {
  readonly summary: string;
  readonly params: Params;
  readonly result: z.ZodType;
  run(context: RpcContext, params: z.output<Params>): unknown;
}): RpcMethod {
  return definition as unknown as RpcMethod;
}

/** Which agents can do the turns here, as lists show them. */
import type { KnownAgent } from "@bough/agent/driver/index.js";
import type { AgentState } from "@bough/agent/driver/internal.js";
import { firstWords } from "@bough/session/text/index.js";

export interface AgentFacts {
  readonly agent: KnownAgent;
  readonly state: AgentState;
  /** Variables that are set with a key that it may bill. */
  readonly bills: readonly string[];
}

interface LookOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  /** Starts each one that is installed, to see its version and whether it needs a login. */
  readonly start: boolean;
  readonly signal: AbortSignal;
  /** Default: all. */
  readonly agents?: readonly KnownAgent[];
}

/** In the order of the table. Rejects only with the reason of the signal. */
export async function agentFacts({ agents, ...options }: LookOptions): Promise<readonly AgentFacts[]> {
  const { agentState, KNOWN_AGENTS } = await import("@bough/agent/driver/internal.js");
  const { env } = options;
  return Promise.all(
    (agents ?? KNOWN_AGENTS).map(async (agent) => ({
      agent,
      state: await agentState(agent, options),
      bills: billedKeys(agent, env),
    })),
  );
}

/** The variables that are set with a key that the agent may bill. */
export function billedKeys({ keys = [] }: Pick<KnownAgent, "keys">, env: NodeJS.ProcessEnv): readonly string[] {
  return keys.filter((variable) => (env[variable] ?? "") !== "");
}

/** "ready, version 1.2.3" */
export function stateWords(state: AgentState): string {
  switch (state.kind) {
    case "missing":
      return "not installed";
    case "installed":
      return "installed";
    case "ready":
      return `ready${versionOf(state)}`;
    case "login":
      return `not logged in${versionOf(state)}`;
    case "failed":
      return firstWords(state.reason, 200);
  }
}

/** How to get on: what it does without asking, how to install it, or how to log in. */
export function nextStep({ agent, state }: Pick<AgentFacts, "agent" | "state">): string {
  const { title, about, install = "", login = "" } = agent;
  switch (state.kind) {
    case "missing":
      return install;
    case "login":
      return `Log in with: ${login}`;
    case "failed":
      return firstWords(state.path, 200);
    default:
      return `${title} ${about}`;
  }
}

/** Which of its keys would be billed. */
export function billsWords({ bills }: Pick<AgentFacts, "bills">): string {
  return bills.length === 0 ? "" : `may bill ${bills.join(" or ")}`;
}

/** As one row of `bough agents --json` and of RPC. */
export function agentRow({ agent, state: { kind, ...facts }, bills }: AgentFacts) {
  const { name, title, command, install, login, asks } = agent;
  return { agent: name, title, command: [...command], state: kind, ...facts, install, login, asks, bills: [...bills] };
}

function versionOf({ version }: { readonly version: string | undefined }): string {
  return version === undefined ? "" : `, version ${firstWords(version, 40)}`;
}

import type { AgentSessionOptions } from "./agent-options.js";
import { AgentSession } from "./agent-session.js";
import type { AgentExtensionHost } from "./extension-host.js";

export interface CreateAgentOptions extends AgentSessionOptions {
  /** Is given the agent before extensions learn about the session. */
  readonly extensionHost?: AgentExtensionHost;
}

/** Makes an agent and tells tools and extensions that it has begun. */
export async function createAgentSession({ extensionHost, ...options }: CreateAgentOptions): Promise<AgentSession> {
  const agent = new AgentSession(options);
  extensionHost?.attach(agent);
  await agent.start();
  return agent;
}

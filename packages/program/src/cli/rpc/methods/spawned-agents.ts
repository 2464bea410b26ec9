/** Agents on other branches of the session, by the names clients use for them. */
import type { AgentEvent, AgentSession } from "@bough/agent/agent/index.js";
import { guardHooks } from "@bough/agent/agent/internal.js";
import type { EntryId } from "@bough/session/entry/index.js";
import { CliError } from "../../cli-error.js";
import type { StartedAgent } from "../../start/started-agent.js";

/** More would only wait for each other. */
const MOST = 16;

export class SpawnedAgents {
  readonly #agents = new Map<string, AgentSession>();
  readonly #onEvent: (agent: string, event: AgentEvent) => void;
  #count = 0;

  constructor(onEvent: (agent: string, event: AgentEvent) => void) {
    this.#onEvent = onEvent;
  }

  async spawn({ agent, parts }: StartedAgent, entryId: EntryId | null): Promise<string> {
    if (this.#agents.size >= MOST) {
      throw new CliError("too-many-agents", `There are already ${MOST} agents on other branches`, {
        hint: "Close one with closeAgent.",
      });
    }
    this.#count += 1;
    const name = `agent-${this.#count}`;
    const spawned = await agent.spawnBranch(entryId, { hooks: guardHooks(parts.runner) });
    spawned.subscribe((event) => this.#onEvent(name, event));
    this.#agents.set(name, spawned);
    return name;
  }

  /** Throws `unknown-agent`. */
  named(name: string): AgentSession {
    const agent = this.#agents.get(name);
    if (agent !== undefined) return agent;
    throw new CliError("unknown-agent", `No agent is called ${name}`, {
      data: { agent: name, agents: [...this.#agents.keys()] },
      hint: "spawnBranch starts one and answers its name.",
    });
  }

  async close(name: string): Promise<void> {
    const agent = this.named(name);
    this.#agents.delete(name);
    await agent.dispose();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#agents.keys()].map((name) => this.close(name)));
  }
}

import type { Tool } from "../../tool/index.js";
import type { AgentSession } from "../agent-session.js";

/** Every tool an agent may have, and those it has. A tool that is switched off is still known. */
export class ToolChoice {
  readonly #agent: () => AgentSession;
  readonly #takes: (name: string) => boolean;
  readonly #known = new Map<string, Tool>();

  constructor(agent: () => AgentSession, takes: (name: string) => boolean) {
    this.#agent = agent;
    this.#takes = takes;
  }

  all(): readonly Tool[] {
    for (const tool of this.#agent().tools) this.#known.set(tool.name, tool);
    return [...this.#known.values()];
  }

  /** A tool that was registered late is in use at once. */
  add(tool: Tool): void {
    if (!this.#takes(tool.name)) return;
    const known = this.all();
    this.#known.set(tool.name, tool);
    const active = new Set(this.#agent().tools.map(({ name }) => name));
    const others = known.filter(({ name }) => name !== tool.name && active.has(name));
    this.#agent().setTools([...others, tool]);
  }

  /** Unknown names are ignored. */
  choose(names: readonly string[]): void {
    const wanted = new Set(names);
    this.#agent().setTools(this.all().filter(({ name }) => wanted.has(name)));
  }
}

import { OUTPUT_TOOL } from "../../model/index.js";
import type { Tool } from "../../tool/index.js";
import type { AgentSession } from "../agent-session.js";

/** All tools an agent may have, and the active ones. A disabled tool is still known. */
export class ToolChoice {
  readonly #agent: () => AgentSession;
  readonly #takes: (name: string) => boolean;
  readonly #known = new Map<string, Tool>();

  constructor(agent: () => AgentSession, takes: (name: string) => boolean) {
    this.#agent = agent;
    this.#takes = takes;
  }

  all(): readonly Tool[] {
    for (const tool of this.active()) this.#known.set(tool.name, tool);
    return [...this.#known.values()];
  }

  /** The active tools, without the one that receives structured output: it cannot be toggled. */
  active(): readonly Tool[] {
    return this.#agent().tools.filter(({ name }) => name !== OUTPUT_TOOL);
  }

  /** Tools of extensions that are about to be reloaded. */
  remove(tools: readonly Tool[]): void {
    for (const tool of tools) if (this.#known.get(tool.name) === tool) this.#known.delete(tool.name);
    const active = this.active();
    const kept = active.filter((tool) => !tools.includes(tool));
    if (kept.length < active.length) this.#agent().setTools(kept);
  }

  /** A tool registered later is active at once. */
  add(tool: Tool): void {
    if (!this.#takes(tool.name)) return;
    const known = this.all();
    this.#known.set(tool.name, tool);
    const active = new Set(this.active().map(({ name }) => name));
    const others = known.filter(({ name }) => name !== tool.name && active.has(name));
    this.#agent().setTools([...others, tool]);
  }

  /** Unknown names are ignored. */
  choose(names: readonly string[]): void {
    const wanted = new Set(names);
    this.#agent().setTools(this.all().filter(({ name }) => wanted.has(name)));
  }
}

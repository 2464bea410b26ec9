/** The part of the facade that works at any time: what the agent has, and what can be set. */
import type { AssistantMessage, EntryId } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import type { SystemPromptOptions } from "../extension/index.js";
import type { McpServers } from "../mcp/index.js";
import type { LanguageModel, ModelInfo, ModelRegistry, ThinkingLevel } from "../model/index.js";
import type { PromptTemplate, Settings, Skill, ThemeFile } from "../project/index.js";
import type { Jobs, PermissionMode, Tool } from "../tool/index.js";
import { AgentError } from "./agent-error.js";
import type { AgentEvent } from "./agent-events.js";
import type { AgentSessionOptions } from "./agent-options.js";
import { AgentState } from "./agent-state.js";
import type { QueuedTexts } from "./turn/message-queue.js";

export abstract class AgentFacts {
  protected readonly state: AgentState;

  protected constructor(options: AgentSessionOptions) {
    this.state = new AgentState(options);
  }

  get session(): SessionManager {
    return this.state.session;
  }

  /** The same under its full name. */
  get sessionManager(): SessionManager {
    return this.session;
  }

  get registry(): ModelRegistry {
    return this.state.registry;
  }

  get settings(): Settings {
    return this.state.settings;
  }

  /** Commands in the background; undefined if this agent runs none. */
  get jobs(): Jobs | undefined {
    return this.state.jobs;
  }

  get model(): LanguageModel | undefined {
    return this.state.model;
  }

  get thinkingLevel(): ThinkingLevel {
    return this.state.thinkingLevel;
  }

  get tools(): readonly Tool[] {
    return this.state.tools;
  }

  /** MCP servers; undefined if it has none. */
  get servers(): McpServers | undefined {
    return this.state.servers;
  }

  get templates(): readonly PromptTemplate[] {
    return this.state.templates;
  }

  get systemPrompt(): string {
    return this.state.systemPrompt;
  }

  get skills(): readonly Skill[] {
    return this.state.skills;
  }

  /** Themes from files, for a terminal. */
  get themes(): readonly ThemeFile[] {
    return this.state.themes;
  }

  /** The parts of the system prompt; a copy. */
  get systemPromptOptions(): SystemPromptOptions {
    return this.state.systemPromptOptions();
  }

  get queued(): QueuedTexts {
    return this.state.queue.texts;
  }

  /** Returns the function that ends the subscription. */
  subscribe(listener: (event: AgentEvent) => void): () => void {
    return this.state.hub.subscribe(listener);
  }

  /** Takes effect with the next model step and is written to the session. */
  setModel(model: LanguageModel | ModelInfo): void {
    this.state.setModel(model);
  }

  setThinkingLevel(level: ThinkingLevel): void {
    this.state.setThinkingLevel(level);
  }

  /** What tools may do; undefined if the program decides by itself (`permit`). */
  get permissionMode(): PermissionMode | undefined {
    return this.state.permissions?.mode;
  }

  /** Takes effect with the next tool request; the model is told about plan mode before its next step. Throws `no-modes`. */
  setPermissionMode(mode: PermissionMode): void {
    const { permissions } = this.state;
    if (permissions === undefined) throw new AgentError("no-modes", "This program decides by itself what tools may do");
    permissions.setMode(mode);
  }

  /** Changes the tools from the next model step on, and the system prompt with them. */
  setTools(tools: readonly Tool[]): void {
    this.state.setTools(tools);
  }

  /** Records the cost of a model call outside the conversation, so that totals include it. */
  recordUsage(kind: string, { provider, model, usage }: AssistantMessage): EntryId | undefined {
    const { input, output, cacheRead, cacheWrite } = usage;
    if (input + output + cacheRead + cacheWrite === 0) return undefined;
    const id = this.session.appendUsage({ kind, provider, model, usage });
    this.state.emit({ type: "entries", ids: [id] });
    return id;
  }
}

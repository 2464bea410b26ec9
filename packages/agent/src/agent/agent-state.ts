/** What an agent holds between operations: the parts, and the model and thinking level in use. */

import type { SessionState } from "@bough/session/context/index.js";
import type { EntryId } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { validClock } from "@bough/session/session/internal.js";
import { defined, errorText } from "@bough/session/text/index.js";
import type { Driver, DriverOption } from "../driver/index.js";
import type { SystemPromptOptions } from "../extension/index.js";
import { type ExtensionHooks, NO_HOOKS } from "../extension/run.js";
import type { McpServers } from "../mcp/index.js";
import { isServersTool } from "../mcp/internal.js";
import type { LanguageModel, ModelInfo, ModelRegistry, ThinkingLevel } from "../model/index.js";
import {
  type CompactionSettings,
  DEFAULT_SETTINGS,
  NO_PROJECT,
  type ProjectContext,
  type PromptTemplate,
  type RetrySettings,
  type Settings,
  systemPrompt,
  type ThemeFile,
} from "../project/index.js";
import { skillTemplates } from "../project/internal.js";
import type { Tool } from "../tool/index.js";
import type { ToolDenial } from "./agent-events.js";
import type { AgentSessionOptions, DriverOptions, Permit } from "./agent-options.js";
import type { DriverWork } from "./agent-parts.js";
import { contextWindowOf } from "./context-window.js";
import type { DrivenAgent } from "./driver/driven-agent.js";
import { EventHub } from "./event-hub.js";
import { AgentFiles } from "./files/agent-files.js";
import { MoveHistory } from "./move/move-history.js";
import type { RunParts } from "./run-parts.js";
import { CacheWarmer } from "./turn/cache-warmer.js";
import { MessageQueue } from "./turn/message-queue.js";
import { checkLimits, type RunLimits, type RunMeter } from "./turn/run-limits.js";
import {
  isChoice,
  isLanguageModel,
  modelName,
  openChoice,
  pathThinkingLevel,
  pickModel,
  routingChoice,
} from "./turn/select-model.js";
import { realSleep, type Sleep } from "./turn/sleep.js";

const TOOL_TIMEOUT_MS = 10 * 60 * 1000;

export class AgentState implements RunParts {
  readonly session: SessionManager;
  readonly registry: ModelRegistry;
  readonly hooks: ExtensionHooks;
  readonly settings: Settings;
  readonly permit: Permit;
  readonly cwd: string;
  readonly outputDir: string;
  readonly files: AgentFiles | undefined;
  readonly contents: AgentSessionOptions["contents"];
  readonly onLeftAgent: AgentSessionOptions["onLeftAgent"];
  readonly now: () => Date;
  readonly sleep: Sleep;
  readonly limits: RunLimits;
  readonly allowTool: AgentSessionOptions["allowTool"] | undefined;
  readonly permissions: AgentSessionOptions["permissions"] | undefined;
  readonly jobs: AgentSessionOptions["jobs"] | undefined;
  readonly toolTimeoutMs: number;
  readonly denials: ToolDenial[] = [];
  /** Set by the agent. */
  spawn: RunParts["spawn"];
  takeTurn: RunParts["takeTurn"];
  get isSubAgent(): boolean {
    return this.options.within !== undefined;
  }
  /** It was disposed of. */
  isClosing = false;
  readonly warmer: CacheWarmer = new CacheWarmer(this, () => this.settings.cacheWarming ?? "off");
  meter: RunMeter | undefined;
  readonly hub = new EventHub({ keeps: "notices" });
  readonly moves = new MoveHistory();
  readonly queue = new MessageQueue((texts) => this.emit({ type: "queue", ...texts }));
  readonly #project: ProjectContext;
  readonly #ownPrompt: string | undefined;
  readonly servers: McpServers | undefined;
  #driver: Driver | undefined;
  #driverOptions: DriverOptions;
  #driven: Promise<DrivenAgent> | undefined;
  #loadedDriven: DrivenAgent | undefined;
  #tools: readonly Tool[];
  #serverTools: readonly Tool[] = [];
  /** A tool of the current run only. */
  #runTool: Tool | undefined;
  #systemPrompt: string;
  /** The system prompt of the current run only. */
  #runPrompt: string | undefined;
  /** What extensions added. */
  #resources: Pick<ProjectContext, "templates" | "skills" | "themes"> = NO_PROJECT;
  #model: LanguageModel | undefined;
  #thinkingLevel: ThinkingLevel;
  /** Chosen by the user, not by the path: stays until they choose again. */
  readonly #chosen: { model: boolean; thinkingLevel: boolean };

  /** What it was made from. */
  readonly options: AgentSessionOptions;

  constructor(options: AgentSessionOptions) {
    this.options = options;
    this.session = options.session;
    this.registry = options.registry;
    this.hooks = options.hooks ?? NO_HOOKS;
    this.settings = options.settings ?? DEFAULT_SETTINGS;
    this.permit = options.permit;
    this.cwd = options.cwd;
    this.outputDir = options.outputDir;
    this.now = validClock(options.now);
    this.contents = options.contents;
    this.onLeftAgent = options.onLeftAgent;
    this.#driver = options.driver;
    this.#driverOptions = { beforeGiven: options.beforeGiven, choices: options.driverChoices };
    this.files = options.files === undefined ? undefined : new AgentFiles(this, options.files);
    this.sleep = options.sleep ?? realSleep;
    this.limits = checkLimits({ steps: options.maxSteps, ...defined(options.limits) });
    this.allowTool = options.allowTool;
    this.permissions = options.permissions;
    this.jobs = options.jobs;
    this.servers = options.servers;
    this.servers?.onNotice((message) => this.emit({ type: "notice", level: "warning", message }));
    this.toolTimeoutMs = options.toolTimeoutMs ?? TOOL_TIMEOUT_MS;
    this.#project = options.project ?? NO_PROJECT;
    this.#ownPrompt = options.systemPrompt;
    this.#tools = distinctTools(options.tools);
    this.#systemPrompt = this.#makePrompt();
    const context = this.#pathState();
    const pick = pickModel({
      registry: this.registry,
      wanted: options.model,
      onPath: context.model,
      settings: this.settings,
    });
    this.#model = pick.model;
    // The model of a driver's turns is the driver's.
    const notes = options.driver === undefined ? pick.notes : [];
    for (const message of notes) this.emit({ type: "notice", level: "warning", message });
    this.#chosen = {
      model: (options.modelChoice ?? "explicit") === "explicit" && options.model !== undefined,
      thinkingLevel: options.thinkingLevel !== undefined,
    };
    this.#thinkingLevel =
      options.thinkingLevel ?? (this.#isEmpty() ? (this.settings.thinkingLevel ?? "off") : pathThinkingLevel(context));
  }

  get model(): LanguageModel | undefined {
    return this.#model;
  }

  get contextWindow(): number | undefined {
    return contextWindowOf(this.#model?.info, this);
  }

  get thinkingLevel(): ThinkingLevel {
    return this.#thinkingLevel;
  }

  get tools(): readonly Tool[] {
    const all = [...this.#tools, ...this.#serverTools];
    return this.#runTool === undefined ? all : [...all, this.#runTool];
  }

  get ownTools(): readonly Tool[] {
    return this.#tools;
  }

  toolNamed(name: string): Tool | undefined {
    return this.tools.find((tool) => tool.name === name) ?? this.servers?.callable(name);
  }

  useServerTools(tools: readonly Tool[]): void {
    this.#serverTools = tools;
  }

  get systemPrompt(): string {
    return this.#runPrompt ?? this.#systemPrompt;
  }

  get templates(): readonly PromptTemplate[] {
    return [...this.#project.templates, ...this.#resources.templates, ...skillTemplates(this.skills)];
  }

  get skills(): ProjectContext["skills"] {
    return [...this.#project.skills, ...this.#resources.skills];
  }

  get themes(): readonly ThemeFile[] {
    return [...(this.#project.themes ?? []), ...(this.#resources.themes ?? [])];
  }

  /** Replaces what an earlier call added. */
  addResources(resources: Pick<ProjectContext, "templates" | "skills" | "themes">): void {
    this.#resources = resources;
    this.#systemPrompt = this.#makePrompt();
  }

  /** A program that gives neither a project nor a prompt of ours decides itself what its model knows. */
  get tellsSurroundings(): boolean {
    return this.#project !== NO_PROJECT && this.#ownPrompt === undefined;
  }

  setRunPrompt(prompt: string): void {
    this.#runPrompt = prompt;
  }

  /** The parts of the system prompt; a copy. */
  systemPromptOptions(): SystemPromptOptions {
    const snippets = this.#tools.flatMap(({ name, promptSnippet }) => (promptSnippet ? [[name, promptSnippet]] : []));
    return {
      cwd: this.options.promptCwd ?? this.cwd,
      customPrompt: this.#ownPrompt,
      selectedTools: this.#tools.map(({ name }) => name),
      toolSnippets: Object.fromEntries(snippets) as Record<string, string>,
      promptGuidelines: this.#tools.flatMap(({ promptGuidelines = [] }) => promptGuidelines),
      appendSystemPrompt: "",
      contextFiles: this.#project.contextFiles.map(({ path, text }) => ({ path, content: text })),
      skills: this.skills.map((skill) => ({ ...skill })),
    };
  }

  renderPrompt(options: SystemPromptOptions): string {
    const { cwd, customPrompt, selectedTools, toolSnippets, promptGuidelines, contextFiles, skills } = options;
    const append = options.appendSystemPrompt;
    if (customPrompt !== undefined) return append.trim() === "" ? customPrompt : `${customPrompt}\n\n${append}`;
    return systemPrompt({
      cwd,
      tools: selectedTools.map((name) => ({ name, promptSnippet: toolSnippets[name] })),
      contextFiles: contextFiles.map(({ path, content }) => ({ path, text: content })),
      skills,
      guidelines: promptGuidelines,
      append,
    });
  }

  get compaction(): CompactionSettings {
    return this.settings.compaction;
  }

  get retry(): RetrySettings {
    return this.settings.retry;
  }

  // A field, so that parts can be spread and passed on.
  readonly emit = this.hub.emit;

  setTools(tools: readonly Tool[]): void {
    this.warmer.drop();
    this.#tools = distinctTools(tools);
    this.#systemPrompt = this.#makePrompt();
  }

  /** Runs `work` with one more tool. The system prompt is unchanged. */
  async withTool<Result>(tool: Tool | undefined, work: () => Promise<Result>): Promise<Result> {
    this.#runTool = tool;
    try {
      return await work();
    } finally {
      this.#runTool = undefined;
      this.#runPrompt = undefined;
    }
  }

  setModel(model: LanguageModel | ModelInfo): void {
    this.warmer.drop();
    const previous = this.#model;
    this.#model = isLanguageModel(model) ? model : this.registry.open(model);
    this.#chosen.model = true;
    this.#changed();
    this.#notifyModel(previous, "set");
  }

  setThinkingLevel(level: ThinkingLevel): void {
    this.warmer.drop();
    const previous = this.#thinkingLevel;
    this.#thinkingLevel = level;
    this.#chosen.thinkingLevel = true;
    this.#changed();
    this.#tellLevel(previous);
  }

  /** Never rejects: what goes wrong in an extension is reported by the runner. */
  #notifyModel(previous: LanguageModel | undefined, source: "set" | "restore"): void {
    const model = this.#model?.info;
    if (model === undefined || !this.hooks.has("model_select")) return;
    const event = { type: "model_select", model, previousModel: previous?.info, source } as const;
    void this.hooks.emit<"model_select">(event);
  }

  #tellLevel(previousLevel: ThinkingLevel): void {
    const level = this.#thinkingLevel;
    if (level === previousLevel || !this.hooks.has("thinking_level_select")) return;
    void this.hooks.emit<"thinking_level_select">({ type: "thinking_level_select", level, previousLevel });
  }

  /**
   * Records the model and thinking level if they differ from the path. Called before a prompt, so that a session never
   * starts with state alone: the file appears with the first prompt.
   */
  recordState(context: SessionState = this.#pathState()): void {
    const ids: EntryId[] = [];
    const info = this.#model?.info;
    if (info !== undefined && !isChoice(info, context.model))
      ids.push(this.session.appendModelChange(info.provider, info.id));
    if (context.thinkingLevel !== this.#thinkingLevel)
      ids.push(this.session.appendThinkingLevelChange(this.#thinkingLevel));
    if (ids.length > 0) this.emit({ type: "entries", ids });
  }

  /** The other agent that does the turns. */
  get driver(): Driver | undefined {
    return this.#driver;
  }

  /** What it was made with. */
  get driverOptions(): DriverOptions {
    return this.#driverOptions;
  }

  /** Ends the processes of the one before. Undefined: Bough's own agent does the turns, with the model it had. */
  async setDriver(driver: Driver | undefined, { beforeGiven, choices }: DriverOptions = {}): Promise<void> {
    this.warmer.drop();
    const before = this.#driven;
    this.#driven = undefined;
    this.#loadedDriven = undefined;
    this.#driver = driver;
    this.#driverOptions = { beforeGiven: beforeGiven ?? this.options.beforeGiven, choices };
    await (await before)?.close();
    this.tellDriver();
  }

  /** What the driver offers, as far as it is known. */
  get knownDriverOptions(): readonly DriverOption[] {
    return this.#loadedDriven?.options ?? [];
  }

  tellDriver(): void {
    this.emit({ type: "driver_changed", driver: this.#driver?.name ?? null });
  }

  /** The running driver. Undefined if there is none, or none was needed yet. */
  get driven(): Promise<DrivenAgent> | undefined {
    return this.#driven;
  }

  /** What the driver's agent does after its turn. Undefined if nothing, as far as it says. */
  get driverWork(): DriverWork | undefined {
    const driven = this.#loadedDriven;
    if (driven?.late.isWorking !== true) return undefined;
    return {
      agent: driven.driver.name,
      title: driven.driver.title,
      stop: () => driven.close(),
      done: (signal) => driven.late.done(signal),
    };
  }

  /** Its modules are loaded for the first prompt: most sessions have no other agent. */
  openDriven(driver: Driver): Promise<DrivenAgent> {
    const options = { home: this.options.files?.home, ...this.#driverOptions };
    this.#driven ??= import("./driver/driven-agent.js").then(({ DrivenAgent }) => {
      this.#loadedDriven = new DrivenAgent(driver, options);
      return this.#loadedDriven;
    });
    return this.#driven;
  }

  /**
   * Takes over the model and thinking level of the path the leaf is on now, unless the user chose them. A path without
   * them changes nothing.
   */
  followPath(): void {
    // The models of another agent are its own.
    if (this.#isEmpty() || this.#driver !== undefined) return;
    const context = this.#pathState();
    const level = this.#chosen.thinkingLevel ? this.#thinkingLevel : pathThinkingLevel(context);
    const model = this.#chosen.model ? null : context.model;
    const previous = { model: this.#model, level: this.#thinkingLevel };
    let changed = level !== previous.level;
    this.#thinkingLevel = level;
    if (model !== null && (this.#model === undefined || !isChoice(this.#model.info, model))) {
      try {
        this.#model = openChoice(this.registry, model);
        changed = true;
      } catch (error) {
        const message = `This branch used ${model.provider}/${model.modelId}, which cannot be used: ${errorText(error)}`;
        this.emit({ type: "notice", level: "warning", message });
      }
    }
    if (changed) this.#tellModel();
    if (this.#model !== previous.model) this.#notifyModel(previous.model, "restore");
    this.#tellLevel(previous.level);
  }

  #pathState(): SessionState {
    const state = this.session.getState();
    const model = routingChoice(this.session, this.registry);
    return model === undefined ? state : { ...state, model };
  }

  #changed(): void {
    if (!this.#isEmpty()) this.recordState();
    this.#tellModel();
  }

  #tellModel(): void {
    const model = this.#model === undefined ? "none" : modelName(this.#model.info);
    this.emit({ type: "model_changed", model, thinkingLevel: this.#thinkingLevel });
  }

  #isEmpty(): boolean {
    return this.session.getLeafId() === null;
  }

  #makePrompt(): string {
    return this.renderPrompt(this.systemPromptOptions());
  }
}

/** Providers refuse two tools with the same name. The later one wins: an extension's over a built-in. */
function distinctTools(tools: readonly Tool[]): readonly Tool[] {
  // MCP tools are offered as the session records them.
  const own = tools.filter((tool) => tool.server === undefined && !isServersTool(tool));
  const byName = new Map(own.map((tool) => [tool.name, tool]));
  return byName.size === own.length ? own : own.filter((tool) => byName.get(tool.name) === tool);
}

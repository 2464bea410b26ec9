/**
 * The facade: holds the state, starts one operation at a time, and delegates. Each operation has its own file; the
 * conversation with the model is in `conversation.ts`.
 */

import type { AssistantMessage, EntryId, ImageBlock } from "@bough/session/entry/index.js";
import {
  boughHome,
  type NewEntryFields,
  type SessionManager,
  type SessionTreeNode,
} from "@bough/session/session/index.js";
import { defined } from "@bough/session/text/index.js";
import type { BranchComparison, SessionStats } from "@bough/session/view/internal.js";
import { type BlobSource, type BringPlan, type RestorePlan, stepDiffs } from "@bough/workbench/checkpoint/index.js";
import type { ExportedSession, ExportRequest } from "@bough/workbench/export/index.js";
import type { Driver, DriverChoice, DriverOption, DriverValue } from "../driver/index.js";
import type {
  CustomMessageInput,
  ForkResult,
  LimitedSession,
  MovedFiles,
  NavigateOptions,
  NavigateResult,
  SystemPromptOptions,
} from "../extension/index.js";
import { NO_HOOKS } from "../extension/run.js";
import type { McpServers } from "../mcp/index.js";
import type { LanguageModel, ModelInfo, ModelRegistry, ThinkingLevel } from "../model/index.js";
import type { PromptTemplate, Settings, Skill, ThemeFile } from "../project/index.js";
import type { Jobs, PermissionMode, Tool } from "../tool/index.js";
import { AgentError } from "./agent-error.js";
import type { AgentEvent, OutputOutcome, RunOutcome } from "./agent-events.js";
import type { AgentSessionOptions, DriverOptions } from "./agent-options.js";
import type { DriverWork, OperationOptions } from "./agent-parts.js";
import type { AgentState } from "./agent-state.js";
import type { Attempt, AttemptRun } from "./attempt/attempt.js";
import type { Judgement } from "./attempt/judge-attempts.js";
import type { KeepOptions, KeepOutcome } from "./attempt/keep-attempt.js";
import type { TryOptions } from "./attempt/start-attempts.js";
import { type CompactOutcome, compact } from "./compaction/compact.js";
import { type ContextEdit, editContext } from "./compaction/edit-context.js";
import { listPins, type Pin, pinEntry, unpinEntry } from "./compaction/pins.js";
import { type UndoneCompaction, undoCompaction } from "./compaction/undo-compaction.js";
import {
  abort,
  type Conversation,
  closeConversation,
  isStreaming,
  joinPrompt,
  openConversation,
  operate,
  prompt,
  queueOrPrompt,
  sendAsUser,
  sendCustom,
  whenIdle,
} from "./conversation.js";
import { type DiffFilesOptions, diffAgentFiles, type FilesDifference } from "./files/diff-files.js";
import { requireFiles, restoreFiles } from "./files/move-files.js";
import type { BringFilesOptions } from "./merge/bring-files.js";
import { type CherryPickOutcome, cherryPick, pickedWithFiles, planCherryPick } from "./merge/cherry-pick.js";
import { compareBranches } from "./merge/compare.js";
import { type MergeOutcome, type MergeRequest, mergeBranch } from "./merge/merge-branch.js";
import { branchHere } from "./move/branch-here.js";
import { branchInPlace } from "./move/branch-in-place.js";
import { clone } from "./move/clone.js";
import { fork } from "./move/fork.js";
import type { UndoStep } from "./move/move-history.js";
import { navigate } from "./move/navigate.js";
import { pop } from "./move/pop.js";
import { type SwitchResult, type SwitchTarget, switchSession } from "./move/switch-session.js";
import { switchTo } from "./move/switch-to.js";
import { redoMove, undoMove } from "./move/undo-move.js";
import type { OperationName } from "./operation-name.js";
import type { PromptOptions } from "./prompt-options.js";
import { beginSession } from "./session-bounds.js";
import { folderTurn } from "./spawn/slots.js";
import type { SubAgent } from "./spawn/sub-agent.js";
import type { SubAgents } from "./spawn/sub-agents.js";
import { sessionStats } from "./stats.js";
import { type QueuedTexts, queuedPrompt } from "./turn/message-queue.js";
import { type RecordedBash, runBash } from "./turn/run-bash.js";
import { eventsOf } from "./turn/run-events.js";
import { RunMeter, type RunUsage } from "./turn/run-limits.js";
import type { Delivery } from "./turn/send-message.js";
import type { OutputOf, OutputSchema } from "./turn/structured-output.js";
import { takeInDrafts } from "./turn/take-in-drafts.js";

/** An agent on a session: prompts, moves, summaries, compaction. Made by `createAgentSession`; one operation runs at a time. */
export class AgentSession implements LimitedSession {
  readonly #conversation: Conversation;
  readonly #state: AgentState;
  #tries: readonly AttemptRun[] = [];
  #disposed: Promise<void> | undefined;
  #subAgents: SubAgents | undefined;

  constructor(options: AgentSessionOptions) {
    this.#conversation = openConversation(options);
    this.#state = this.#conversation.state;
    this.#state.spawn = async (request, call) => (await this.#openSubAgents()).spawn(request, call);
    if (options.within !== undefined) this.#takeTurns();
  }

  /** Agents that work in one folder at the same time change files one after the other. */
  #takeTurns(): void {
    const state = this.#state;
    state.takeTurn ??= (signal) => folderTurn(state.cwd, signal);
  }

  /** Its module is loaded for the first sub-agent: most sessions have none. */
  async #openSubAgents(): Promise<SubAgents> {
    const { SubAgents } = await import("./spawn/sub-agents.js");
    const state = this.#state;
    this.#takeTurns();
    this.#subAgents ??= new SubAgents({
      state,
      spawnBranch: (entryId, changes) => this.#spawned(entryId, changes),
      sendMessage: (message, options) => this.sendMessage(message, options),
    });
    return this.#subAgents;
  }

  /** The sub-agents that work now. */
  get subAgents(): readonly SubAgent[] {
    return this.#subAgents?.list ?? [];
  }

  /** Stops a sub-agent; the agent that started it gets what it had. False if it does not work any more. */
  async stopSubAgent(id: EntryId): Promise<boolean> {
    return (await this.#subAgents?.stop(id)) ?? false;
  }

  /** Resolves when no sub-agent works, also not in the background. */
  async whenSubAgentsDone(): Promise<void> {
    await this.#subAgents?.whenDone();
  }

  get session(): SessionManager {
    return this.#state.session;
  }

  /** The same under its full name. */
  get sessionManager(): SessionManager {
    return this.session;
  }

  get registry(): ModelRegistry {
    return this.#state.registry;
  }

  get settings(): Settings {
    return this.#state.settings;
  }

  /** Commands in the background; undefined if this agent runs none. */
  get jobs(): Jobs | undefined {
    return this.#state.jobs;
  }

  get model(): LanguageModel | undefined {
    return this.#state.model;
  }

  /** The agent that does the turns; undefined if Bough does them itself. */
  get driver(): Driver | undefined {
    return this.#state.driver;
  }

  /**
   * Who does the turns from the next prompt on: another agent, such as `driverNamed("codex")`, or with undefined Bough's
   * own, with the model it had. The next prompt gives it the path to the leaf. Ends the processes of the agent before.
   */
  setDriver(driver: Driver | undefined, options: DriverOptions = {}): Promise<void> {
    return this.#operate("driver", () => this.#state.setDriver(driver, options));
  }

  /**
   * What the driver's agent does after its turn, such as work in the background; undefined if nothing, as far as it says.
   * Until it is done, moves that restore files throw `agent-working`.
   */
  get driverWork(): DriverWork | undefined {
    return this.#state.driverWork;
  }

  /**
   * The models, efforts and modes that the driver's agent offers. Starts it if needed, in the session that the next
   * prompt uses. During a run, what is known; none without a driver. Throws a DriverError.
   */
  async driverOptions(): Promise<readonly DriverOption[]> {
    if (this.isStreaming) return this.knownDriverOptions;
    const { driverOptions } = await import("./driver/choose-option.js");
    return this.#operate("driver", ({ signal }) => driverOptions(this.#state, signal));
  }

  /** The same as far as it is known, without starting anything. */
  get knownDriverOptions(): readonly DriverOption[] {
    return this.#state.knownDriverOptions;
  }

  /**
   * Chooses one of them by ID, by name, or by an unambiguous part of either, from the next prompt on. A resume of the
   * session keeps the model and the effort. Throws `agent-option` if it is not offered.
   */
  async setDriverOption(choice: DriverChoice): Promise<DriverValue> {
    const { setDriverOption } = await import("./driver/choose-option.js");
    const state = this.#state;
    if (this.isStreaming) {
      const { signal } = new AbortController();
      return setDriverOption(state, choice, { signal, isRunning: true });
    }
    return this.#operate("driver", ({ signal }) => setDriverOption(state, choice, { signal, isRunning: false }));
  }

  /** In tokens. Of a model that chooses another one for each request: that of the one that answered last. */
  get contextWindow(): number | undefined {
    return this.#state.contextWindow;
  }

  get thinkingLevel(): ThinkingLevel {
    return this.#state.thinkingLevel;
  }

  get tools(): readonly Tool[] {
    return this.#state.tools;
  }

  /** MCP servers; undefined if it has none. */
  get servers(): McpServers | undefined {
    return this.#state.servers;
  }

  get templates(): readonly PromptTemplate[] {
    return this.#state.templates;
  }

  get systemPrompt(): string {
    return this.#state.systemPrompt;
  }

  get skills(): readonly Skill[] {
    return this.#state.skills;
  }

  /** Themes from files, for a terminal. */
  get themes(): readonly ThemeFile[] {
    return this.#state.themes;
  }

  /** The parts of the system prompt; a copy. */
  get systemPromptOptions(): SystemPromptOptions {
    return this.#state.systemPromptOptions();
  }

  get queued(): QueuedTexts {
    return this.#state.queue.texts;
  }

  /** Returns the function that ends the subscription. */
  subscribe(listener: (event: AgentEvent) => void): () => void {
    return this.#state.hub.subscribe(listener);
  }

  /** Takes effect with the next model step and is written to the session. */
  setModel(model: LanguageModel | ModelInfo): void {
    this.#state.setModel(model);
  }

  setThinkingLevel(level: ThinkingLevel): void {
    this.#state.setThinkingLevel(level);
  }

  /** What tools may do; undefined if the program decides by itself (`permit`). */
  get permissionMode(): PermissionMode | undefined {
    return this.#state.permissions?.mode;
  }

  /** Takes effect with the next tool request; the model is told about plan mode before its next step. Throws `no-modes`. */
  setPermissionMode(mode: PermissionMode): void {
    const { permissions } = this.#state;
    if (permissions === undefined) throw new AgentError("no-modes", "This program decides by itself what tools may do");
    permissions.setMode(mode);
  }

  /** Changes the tools from the next model step on, and the system prompt with them. */
  setTools(tools: readonly Tool[]): void {
    this.#state.setTools(tools);
  }

  /** Records the cost of a model call outside the conversation, so that totals include it. */
  recordUsage(kind: string, { provider, model, usage }: AssistantMessage): EntryId | undefined {
    const { input, output, cacheRead, cacheWrite } = usage;
    if (input + output + cacheRead + cacheWrite === 0) return undefined;
    this.#state.meter?.spend(usage);
    const id = this.session.appendUsage({ kind, provider, model, usage });
    this.#state.emit({ type: "entries", ids: [id] });
    return id;
  }

  /**
   * What the last prompt has used so far, with everything that followed from it; zeros before the first. Includes failed
   * attempts, summaries, and agents that its tools spawned.
   */
  get runUsage(): RunUsage {
    return (this.#conversation.prompted ?? new RunMeter({})).usage;
  }

  /** The model is streaming. */
  get isStreaming(): boolean {
    return isStreaming(this.#conversation);
  }

  /** The running operation was told to stop but has not ended. */
  get isStopping(): boolean {
    return this.#conversation.slot.isStopping;
  }

  /** Fires when the running operation should stop; undefined if nothing runs. */
  get signal(): AbortSignal | undefined {
    const { slot } = this.#conversation;
    return slot.running === undefined ? undefined : slot.signal;
  }

  /** The running operation, if any. */
  get operation(): OperationName | undefined {
    return this.#conversation.slot.running;
  }

  /** Notifies tools and extensions that the session started. Called once, after all listeners are registered. */
  async start(reason: "startup" | "reload" = "startup"): Promise<void> {
    await beginSession(this.#state, reason);
  }

  /**
   * The user started typing: starts early what a prompt would wait for, such as the first file scan. Optional, for
   * front ends; writes nothing to the session.
   */
  lookAhead(): void {
    if (!this.isStreaming && !this.isStopping) this.#state.files?.lookAhead();
  }

  /**
   * Sends what a user typed and runs until the model has nothing more to do. The prompt is in the file before the model
   * is asked. Failures of the model are outcomes; rejects with `busy`, `no-model`, `empty-prompt`, or if the session
   * cannot be written.
   */
  prompt<Schema extends OutputSchema>(
    text: string,
    options: PromptOptions<Schema> & { readonly output: Schema },
  ): Promise<OutputOutcome<OutputOf<Schema>>>;
  prompt<Schema extends OutputSchema>(
    text: string,
    options?: PromptOptions<Schema>,
  ): Promise<RunOutcome<OutputOf<Schema>>>;
  prompt(text: string, options: PromptOptions = {}): Promise<RunOutcome> {
    return prompt(this.#conversation, text, options);
  }

  /**
   * The same, as the events of the run: `for await (const event of agent.run("..."))`. The last one is `run_end` with
   * the outcome. Leaving the loop early stops the run.
   */
  run<Schema extends OutputSchema>(
    text: string,
    options: PromptOptions<Schema> = {},
  ): AsyncGenerator<AgentEvent, void> {
    const start = (signal: AbortSignal) => this.prompt(text, { ...options, signal });
    return eventsOf((listener) => this.subscribe(listener), start, options.signal);
  }

  /**
   * Sends a message to a run: delivered after its current tool calls, before the next model step. Idle: a prompt. While
   * something is being stopped: the next prompt, sent when it has ended. A text that cannot be delivered comes back
   * with the event `queue_returned`; it never outlives the run, a move or a session switch.
   */
  steer(text: string, options: Pick<PromptOptions, "images" | "source" | "expandTemplates"> = {}): Delivery {
    return queueOrPrompt(this.#conversation, queuedPrompt(text, options), "steering");
  }

  /** Sends a message when the run would end; otherwise like `steer`. */
  followUp(text: string, options: Pick<PromptOptions, "images" | "source" | "expandTemplates"> = {}): Delivery {
    return queueOrPrompt(this.#conversation, queuedPrompt(text, options), "follow-up");
  }

  /** A message from an extension: see `planSend` for when it is appended and when it starts a run. */
  sendMessage(
    message: CustomMessageInput,
    options: { readonly triggerTurn?: boolean; readonly deliverAs?: "steer" | "followUp" | "nextTurn" } | boolean = {},
  ): Delivery {
    return sendCustom(this.#conversation, message, options);
  }

  /** A message that an extension sends as the user. Queued during a run. */
  sendUserMessage(
    content: string | readonly (ImageBlock | { readonly type: "text"; readonly text: string })[],
    options: { readonly deliverAs?: "steer" | "followUp"; readonly expandPromptTemplates?: boolean } = {},
  ): Delivery {
    return sendAsUser(this.#conversation, content, options);
  }

  /**
   * Stops the running operation as soon as possible; the session stays valid. Returns the queued texts that were not
   * delivered, which the event `queue_returned` carries too.
   */
  abort(): QueuedTexts {
    return abort(this.#conversation);
  }

  /** Resolves when nothing is running and nothing is about to start. */
  async whenIdle(): Promise<void> {
    await whenIdle(this.#conversation);
  }

  /** Stops the running operation and attempts, notifies listeners, and closes the session. Idempotent. */
  dispose(): Promise<void> {
    this.#disposed ??= this.#close();
    return this.#disposed;
  }

  async #close(): Promise<void> {
    this.#state.isClosing = true;
    if (this.#subAgents !== undefined) {
      abort(this.#conversation);
      // They write to the session until they have ended.
      await this.#subAgents.stopAll();
    }
    await Promise.all(this.#tries.map((run) => run.close()));
    await closeConversation(this.#conversation);
  }

  /** For `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  /** Moves in the session, like selecting an entry in the tree. */
  navigateTree(targetId: EntryId, options: NavigateOptions = {}): Promise<NavigateResult> {
    return this.#operate("navigate", ({ signal }) => navigate(this.#state, { targetId, ...options, signal }));
  }

  /** A new session from the path before a user message, or with `position: "at"` from the path to any entry. */
  fork(
    entryId: EntryId,
    options: Pick<NavigateOptions, "files" | "conflicts"> & { readonly position?: "before" | "at" } = {},
  ): Promise<ForkResult> {
    return this.#operate("fork", ({ signal }) => fork(this.#state, { entryId, ...options, signal }));
  }

  /** A new branch in this session. */
  branchHere(entryId: EntryId, options: NavigateOptions = {}): Promise<ForkResult> {
    return this.#operate("branch", ({ signal }) => branchHere(this.#state, { entryId, ...options, signal }));
  }

  /**
   * The older name of `fork`, which says what it does: a new session in a file of its own. `SessionManager.branch` moves
   * in the same file instead, as `navigateTree` does.
   */
  branch(entryId: EntryId): Promise<ForkResult> {
    return this.fork(entryId);
  }

  /**
   * Moves to exactly this entry: what is added next becomes its child. A text is stored there as the summary of what
   * was left; `summarize` has the model write one, and asks extensions first.
   */
  branchInPlace(parentId: EntryId | null, summary?: string | { readonly summarize?: boolean }): Promise<void> {
    return this.#operate("branch", async ({ signal }) => {
      if (typeof summary !== "object") await branchInPlace(this.#state, { parentId, summary, signal });
      else {
        const { summarize = false } = summary;
        await navigate(this.#state, { targetId: parentId, place: "exact", summarize, cause: "branch", signal });
      }
    });
  }

  /**
   * A second agent on the same session, at an entry or at the very start, with this agent's model, tools and
   * permissions. Its prompts grow a separate branch while this agent continues. Spawned during a run, it counts toward
   * the limits of that run until it ends. Dispose of both. Throws `entry-not-found`.
   */
  spawnBranch(entryId: EntryId | null, changes: Partial<AgentSessionOptions> = {}): Promise<AgentSession> {
    return this.#spawned(entryId, defined(changes));
  }

  /** The same; an undefined in `changes` removes the part. */
  async #spawned(entryId: EntryId | null, changes: Partial<AgentSessionOptions>): Promise<AgentSession> {
    const session = changes.session ?? this.session.openAgain();
    try {
      if (entryId === null) session.resetLeaf();
      else session.branch(entryId);
    } catch (error) {
      if (changes.session === undefined) session.close();
      throw error;
    }
    const { model, thinkingLevel, tools, driver } = this;
    const { beforeGiven, choices: driverChoices } = this.#state.driverOptions;
    const now = { thinkingLevel, tools, driver, beforeGiven, driverChoices, ...defined({ model }) };
    const agent = new AgentSession({
      ...this.#state.options,
      ...now,
      hooks: NO_HOOKS,
      ownsServers: false,
      ...changes,
      session,
    });
    joinPrompt(agent.#conversation, this.#conversation);
    await agent.start();
    return agent;
  }

  /** A new session with the whole path. */
  clone(): Promise<ForkResult> {
    return this.#operate("clone", (options) => clone(this.#state, options));
  }

  /** Moves to exactly that entry, or to the end of its branch. */
  switchTo(
    entryId: EntryId,
    options: Omit<NavigateOptions, "place"> & { readonly to?: "entry" | "end" } = {},
  ): Promise<NavigateResult> {
    return this.#operate("switch", ({ signal }) => switchTo(this.#state, { entryId, ...options, signal }));
  }

  /** Moves back to the previous user message, or to an entry, with a summary of what is left. */
  pop(entryId?: EntryId, options: NavigateOptions = {}): Promise<NavigateResult> {
    return this.#operate("pop", ({ signal }) => pop(this.#state, { ...options, entryId, signal }));
  }

  /**
   * Undoes the last run, shell command or move that was not undone yet; each further call undoes one more. Everything
   * stays in the session. Throws `nothing-to-undo`.
   */
  undoMove(options: Pick<NavigateOptions, "files" | "conflicts" | "protected"> = {}): Promise<NavigateResult> {
    return this.#operate("undo", (running) => undoMove(this.#state, running, options));
  }

  /** Goes forward to what the last undo left. Throws `nothing-to-undo`. */
  redoMove(options: Pick<NavigateOptions, "files" | "conflicts" | "protected"> = {}): Promise<NavigateResult> {
    return this.#operate("redo", (running) => redoMove(this.#state, running, options));
  }

  /** Where `undoMove` would go; null is before the first entry, undefined without anything to undo. */
  get undoTarget(): EntryId | null | undefined {
    return this.undoStep?.from;
  }

  /** What `undoMove` would undo, with the position before it, and the prompt or the command. */
  get undoStep(): UndoStep | undefined {
    return this.#state.moves.previous(this.session);
  }

  /** Marks the last step as undone although only its files were: the next undo takes the step before it. */
  passUndo(): void {
    this.#state.moves.passed(this.session);
  }

  /** Where `redoMove` would go; undefined without an undone step. */
  get redoTarget(): EntryId | null | undefined {
    return this.#state.moves.next(this.session);
  }

  /** Where contents of files come from that are missing on this machine, if the option `contents` says so. */
  get contents(): BlobSource | undefined {
    return this.#state.contents;
  }

  /** Whether the agent was asked to record files. Some folders are never recorded. */
  get followsFiles(): boolean {
    return this.#state.files !== undefined;
  }

  /**
   * Plans a restore to the files of an entry; null is before the first one. With `paths`, only those, even if they
   * changed since the last step. Throws `files-off`.
   */
  async planFiles(entryId: EntryId | null, options: { readonly paths?: readonly string[] } = {}): Promise<RestorePlan> {
    return (await requireFiles(this.#state).require()).plan(entryId, options);
  }

  /** How files differ between two entries, or from one to the disk; null is before the first entry. Throws `files-off`. */
  diffFiles(
    from: EntryId | null,
    to: EntryId | null | "disk" = "disk",
    options: DiffFilesOptions = {},
  ): Promise<FilesDifference> {
    return diffAgentFiles(this.#state, { from, to, ...options });
  }

  /** Restores the files of an entry, or some of them. The conversation stays. Throws `files-off`. */
  restoreFiles(
    entryId: EntryId | null,
    options: Pick<NavigateOptions, "conflicts" | "protected"> & { readonly paths?: readonly string[] } = {},
  ): Promise<MovedFiles> {
    return this.#operate("restore", ({ signal }) => restoreFiles(this.#state, { to: entryId, ...options, signal }));
  }

  /** Files on disk that differ from the leaf, because the conversation moved without them. */
  async differingFiles(): Promise<readonly string[]> {
    const files = await this.#state.files?.inUse();
    return (await files?.differing())?.map(({ path }) => path) ?? [];
  }

  compact(customInstructions?: string): Promise<CompactOutcome> {
    return this.#operate("compact", ({ signal }) => compact(this.#state, { customInstructions, signal }));
  }

  undoCompaction(): Promise<UndoneCompaction> {
    return this.#operate("undo", (options) => undoCompaction(this.#state, options));
  }

  /**
   * Copies entries of other branches to the leaf, and with `files: "follow"` what they changed in files. `conflicts`:
   * files need an answer, and nothing was copied.
   */
  cherryPick(ids: readonly EntryId[], options: BringFilesOptions = {}): Promise<CherryPickOutcome> {
    return this.#operate("cherry-pick", ({ signal }) => cherryPick(this.#state, { ids, ...options, signal }));
  }

  /** Plans the files of a cherry-pick: what these entries changed, brought to the files on disk. Throws `files-off`. */
  async planCherryPickFiles(ids: readonly EntryId[]): Promise<BringPlan> {
    const files = await requireFiles(this.#state).require();
    return files.planPick(pickedWithFiles(this.session, planCherryPick(this.session, ids)));
  }

  /**
   * Plans the files of a merge: what changed on the other branch since the split, brought to the files on disk. Throws
   * `files-off`.
   */
  async planMergeFiles(tipId: EntryId): Promise<BringPlan> {
    return (await requireFiles(this.#state).require()).planMerge(tipId);
  }

  /**
   * Merges what came after the split on another branch, as a summary or as turns, and with `files: "follow"` its changes
   * of files. `conflicts`: files need an answer, and nothing was merged.
   */
  merge(tipId: EntryId, options: Omit<MergeRequest, "tipId"> = {}): Promise<MergeOutcome> {
    return this.#operate("merge", ({ signal }) => mergeBranch(this.#state, { tipId, ...options, signal }));
  }

  /**
   * Works on a prompt several times at once, from here: each attempt is a branch of this session, in a folder of its own
   * that starts as the files are now. Resolves once the first one starts; the result has `done`. Throws
   * `no-session-file`, `empty-prompt`, `bad-count`, and a FolderError if the folders cannot be made.
   */
  async startAttempts(prompt: string, options: TryOptions = {}): Promise<AttemptRun> {
    const { startAttempts } = await import("./attempt/start-attempts.js");
    const { model } = this;
    const name = model === undefined ? undefined : `${model.info.provider}/${model.info.id}`;
    const { setup, max } = this.settings.attempts ?? {};
    const { files } = this.settings;
    const defaults = defined({ setup, atOnce: max, include: typeof files === "object" ? files.include : undefined });
    const isDenied = async (path: string) => !(await this.#mayRead(path));
    const { rules } = this.#state.permissions ?? {};
    const run = await startAttempts(this.#state, { isDenied, ...defaults, ...options, prompt, modelName: name, rules });
    this.#tries = [...this.#tries, run];
    return run;
  }

  async #mayRead(path: string): Promise<boolean> {
    const { allowTool } = this.#state;
    if (allowTool === undefined) return true;
    const { signal } = new AbortController();
    const answer = await allowTool({ tool: "read", input: { path }, readOnly: true, callId: "attempts", signal });
    return answer === true || (typeof answer === "object" && answer.allowed);
  }

  /** All attempts of the session, oldest first: those of this process as they are now, others as they ended. */
  async listAttempts(): Promise<readonly Attempt[]> {
    const { listAttempts } = await import("./attempt/list-attempts.js");
    const own = this.#tries.flatMap(({ attempts }) => attempts);
    return listAttempts(this.session, { home: this.#home, own });
  }

  /** The tries that this process started. */
  get attemptRuns(): readonly AttemptRun[] {
    return this.#tries;
  }

  /** Asks the model which attempt of one try is the best. Throws `judge-failed` and `no-model`. */
  async judgeAttempts(
    attempts: readonly Attempt[],
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<Judgement> {
    const { judgeAttempts } = await import("./attempt/judge-attempts.js");
    return judgeAttempts(this.#state, attempts, { signal: signal ?? new AbortController().signal });
  }

  /** Plans what keeping an attempt does to the files; undefined if files are not recorded. Throws `unknown-attempt`. */
  async planKeepAttempt(name: string): Promise<BringPlan | undefined> {
    const { findAttempt } = await import("./attempt/find-attempt.js");
    const { planKeep } = await import("./attempt/keep-attempt.js");
    return planKeep(this.#state, findAttempt(await this.listAttempts(), name).tipId);
  }

  /**
   * Moves to the end of an attempt and brings its file changes to the files as they are now. The others stay as branches.
   * `conflicts`: files need an answer, and nothing was changed. Throws `unknown-attempt` and `attempt-running`.
   */
  async keepAttempt(name: string, options: KeepOptions = {}): Promise<KeepOutcome> {
    const { findAttempt } = await import("./attempt/find-attempt.js");
    const { keepAttempt } = await import("./attempt/keep-attempt.js");
    const { isEnded } = await import("./attempt/attempt.js");
    const attempt = findAttempt(await this.listAttempts(), name);
    if (!isEnded(attempt)) {
      throw new AgentError("attempt-running", `${attempt.name} is still running`, {
        data: { attempt: attempt.name },
        hint: "Wait for it, or stop it first.",
      });
    }
    return this.#operate("keep", ({ signal }) => keepAttempt(this.#state, attempt, { ...options, signal }));
  }

  get #home(): string {
    return this.#state.files?.options.home ?? boughHome();
  }

  /** Changes what an entry contributes to the context. The file keeps the original. */
  editContext(targetId: EntryId, edit: ContextEdit): Promise<EntryId | undefined> {
    return this.#operate("edit", async () => this.#told(editContext(this.#state, { targetId, edit })));
  }

  /** Runs a user's shell command, stored in the session and shown to the model unless excluded. */
  runBash(
    command: string,
    options: {
      /** Stored in the session, but not shown to the model. */
      readonly excludeFromContext?: boolean;
    } = {},
  ): Promise<RecordedBash> {
    return this.#operate("shell", ({ signal }) => runBash(this.#state, { command, ...options, signal }));
  }

  compare(a: EntryId, b: EntryId): BranchComparison {
    return compareBranches(this.session, { a, b });
  }

  getStats(): SessionStats {
    return sessionStats(this.session);
  }

  /** Writes the session or a part of it to a file, with secrets masked. Changes nothing in the session. */
  async exportSession(request: ExportRequest): Promise<ExportedSession> {
    // Loaded when first used: the secret scan and the page template are large.
    const { exportSession } = await import("@bough/workbench/export/index.js");
    const sessionCwd = this.session.getCwd();
    const home = this.#state.files?.options.home ?? boughHome();
    const fileDiffs = stepDiffs({ sessionCwd, cwd: sessionCwd, home, contents: this.contents });
    return exportSession(this.session, { now: this.#state.now, fileDiffs, ...defined(request) });
  }

  /** One page with every branch; works offline. */
  exportHtml(file: string, options: Partial<Omit<ExportRequest, "file" | "format">> = {}): Promise<ExportedSession> {
    return this.exportSession({ ...options, format: "html", file });
  }

  /** A session file with the entry and everything below it, or with `scope: "path"` the path to it. */
  exportBranch(
    entryId: EntryId,
    options: Omit<ExportRequest, "entryId" | "format" | "scope"> & { readonly scope?: "subtree" | "path" },
  ): Promise<ExportedSession> {
    return this.exportSession({ ...options, scope: options.scope ?? "subtree", entryId, format: "jsonl" });
  }

  /** Pins an entry, so that every compaction keeps its text. Possible at any time, like the other notes below. */
  pin(entryId: EntryId): EntryId | undefined {
    return this.#told(pinEntry(this.#state, { entryId }));
  }

  unpin(entryId: EntryId): EntryId | undefined {
    return this.#told(unpinEntry(this.#state, { entryId }));
  }

  getPins(): Pin[] {
    return listPins(this.session);
  }

  /** Labels an entry; without a label, removes its label. */
  label(targetId: EntryId, label?: string): EntryId {
    return this.#told(this.session.appendLabelChange(targetId, label));
  }

  /** Names the session. */
  rename(name: string): EntryId {
    const id = this.#told(this.session.appendSessionInfo(name));
    const { hooks } = this.#state;
    // Never rejects: what goes wrong in an extension is reported by the runner.
    if (hooks.has("session_info_changed"))
      void hooks.emit<"session_info_changed">({ type: "session_info_changed", name: this.session.getSessionName() });
    return id;
  }

  /** State of an extension, stored on the branch and never shown to the model. */
  appendEntry(customType: string, data?: unknown): EntryId {
    return this.#told(this.session.appendCustomEntry(customType, data));
  }

  /** Appends an entry of any type below the leaf. */
  saveEntry(entry: NewEntryFields): EntryId {
    return this.#told(this.session.saveEntry(entry));
  }

  getSessionTree(): SessionTreeNode[] {
    return this.session.getTree();
  }

  newSession(options: { readonly id?: string; readonly parentSession?: string } = {}): Promise<SwitchResult> {
    return this.#open({ reason: "new", ...options });
  }

  /** `onOpen` runs before listeners are notified; it may move in the session. */
  openSession(file: string, onOpen?: (session: SessionManager) => void): Promise<SwitchResult> {
    return this.#open({ reason: "resume", file, onOpen });
  }

  /** Reopens a read-only session for writing: the next message starts a separate branch. */
  reopenForWriting(): Promise<void> {
    return this.#operate("open", async () => {
      const { session } = this;
      session.reopenForWriting();
      this.#state.followPath();
      this.#state.emit({
        type: "session_changed",
        reason: "resume",
        ...defined({ file: session.getSessionFile() }),
      });
      takeInDrafts(this.#state);
    });
  }

  #operate<Result>(name: OperationName, work: (options: OperationOptions) => Promise<Result>): Promise<Result> {
    return operate(this.#conversation, name, work);
  }

  #open(target: SwitchTarget): Promise<SwitchResult> {
    return this.#operate("open", (options) => switchSession(this.#state, target, options));
  }

  #told<Id extends EntryId | undefined>(id: Id): Id {
    if (id !== undefined) this.#state.emit({ type: "entries", ids: [id] });
    return id;
  }
}

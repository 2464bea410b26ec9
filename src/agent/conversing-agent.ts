/** The half of the facade that talks: prompts, queues, models, and the end. */
import type { ImageBlock } from "../entry/index.js";
import { type CustomMessageInput, NO_HOOKS } from "../extension/index.js";
import type { LanguageModel, ModelInfo, ModelRegistry, ThinkingLevel } from "../model/index.js";
import type { SessionManager } from "../session/index.js";
import type { Tool } from "../tool/index.js";
import { AgentError } from "./agent-error.js";
import type { RunOutcome } from "./agent-events.js";
import type { AgentSessionOptions } from "./agent-options.js";
import type { OperationOptions } from "./agent-parts.js";
import { AgentState } from "./agent-state.js";
import { appendCustomMessage, appendMessage } from "./append-message.js";
import type { AgentListener } from "./event-hub.js";
import { hurriedHooks } from "./hurried-hooks.js";
import type { QueuedTexts } from "./message-queue.js";
import { type OperationName, OperationSlot } from "./operation.js";
import type { PromptTemplate } from "./prompt-templates.js";
import { receiveInput } from "./receive-input.js";
import { runAgent } from "./run-agent.js";
import { appendQueuedMessages, type Delivery, planSend } from "./send-message.js";
import type { Settings } from "./settings.js";
import { errorText, requireModel } from "./stream-step.js";
import { placeOf, planTelling, tellTools } from "./tell-tools.js";

export interface PromptOptions {
  readonly images?: readonly ImageBlock[];
}

export abstract class ConversingAgent {
  protected readonly state: AgentState;
  readonly #slot = new OperationSlot(() => this.#freed());
  #disposed: Promise<void> | undefined;
  /** Stops prompts that extensions are still looking at. */
  #looking = new AbortController();

  protected constructor(options: AgentSessionOptions) {
    const hooks = hurriedHooks(options.hooks ?? NO_HOOKS, () => this.#slot.signal);
    this.state = new AgentState({ ...options, hooks });
  }

  get session(): SessionManager {
    return this.state.session;
  }

  get registry(): ModelRegistry {
    return this.state.registry;
  }

  get settings(): Settings {
    return this.state.settings;
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

  get templates(): readonly PromptTemplate[] {
    return this.state.templates;
  }

  get systemPrompt(): string {
    return this.state.systemPrompt;
  }

  /** The model is at work. */
  get isStreaming(): boolean {
    return this.#slot.running === "run";
  }

  /** What is running, if anything is. */
  get operation(): OperationName | undefined {
    return this.#slot.running;
  }

  get queued(): QueuedTexts {
    return this.state.queue.texts;
  }

  /** Tells tools and extensions that the session has begun. Once, after everyone who wants to hear it is there. */
  async start(): Promise<void> {
    await tellTools(this.state, { reason: "start" });
    await this.state.hooks.emit<"session_start">({ type: "session_start" });
  }

  /** Returns the function that ends the subscription. */
  subscribe(listener: AgentListener): () => void {
    return this.state.hub.subscribe(listener);
  }

  /**
   * Sends what a person typed and runs until the model has nothing more to do. The prompt is in the file before the
   * model is asked. Failures of the model are outcomes; rejects with `busy`, `no-model`, `empty-prompt`, or where the
   * session cannot be written.
   */
  async prompt(text: string, { images = [] }: PromptOptions = {}): Promise<RunOutcome> {
    const { state } = this;
    this.#slot.assertFree("run");
    // Outside of the operation: an extension that takes the input may move or start a run of its own.
    const { signal } = this.#looking;
    const input = await receiveInput(state, text, { signal });
    if (input.kind === "handled") return this.#endBeforeRun(input);
    if (signal.aborted) return this.#endBeforeRun({ kind: "aborted" });
    if (input.text.trim() === "" && images.length === 0) {
      throw new AgentError("empty-prompt", "There is nothing to send");
    }
    const content = images.length === 0 ? input.text : [{ type: "text", text: input.text } as const, ...images];
    return this.#run(async () => {
      await appendMessage(state, { role: "user", content, timestamp: state.now().getTime() });
    });
  }

  /** Says something to a run: delivered after its current tool calls, before the next model step. Idle: a prompt. */
  steer(text: string): Delivery {
    return this.#sayLater(text, () => this.state.queue.addSteering(text));
  }

  /** Says something when a run would end. Idle: a prompt. */
  followUp(text: string): Delivery {
    return this.#sayLater(text, () => this.state.queue.addFollowUp(text));
  }

  /** A message from an extension: see `planSend` for when it is appended and when it starts a run. */
  sendMessage(message: CustomMessageInput, triggerTurn = false): Delivery {
    const plan = planSend({ busy: this.#slot.running !== undefined, triggerTurn });
    if (plan === "queue") {
      this.state.queue.addCustom(message);
      return { kind: "queued" };
    }
    if (plan === "append") return { kind: "appended", entryId: appendCustomMessage(this.state, message) };
    requireModel(this.state);
    return this.#startedRun(
      this.#run(async () => {
        appendCustomMessage(this.state, message);
      }),
    );
  }

  /**
   * Stops what is running; it ends as soon as it can, and the session is valid at every moment. Returns the queued texts
   * that were not delivered, so that a front end can give them back to the person.
   */
  abort(): QueuedTexts {
    this.#looking.abort();
    this.#looking = new AbortController();
    this.#slot.abort();
    return this.state.queue.clearTexts();
  }

  /** Resolves when nothing is running. */
  whenIdle(): Promise<void> {
    return this.#slot.whenFree();
  }

  /** Takes effect with the next model step and is written to the session. */
  setModel(model: LanguageModel | ModelInfo): void {
    this.state.setModel(model);
  }

  setThinkingLevel(level: ThinkingLevel): void {
    this.state.setThinkingLevel(level);
  }

  /** Other tools from the next model step on. The system prompt follows. */
  setTools(tools: readonly Tool[]): void {
    this.state.setTools(tools);
  }

  /** Stops what is running, tells everyone, and closes the session. Twice does nothing more. */
  dispose(): Promise<void> {
    this.#disposed ??= this.#close();
    return this.#disposed;
  }

  /** Runs an operation alone. After one that moves, the model follows the path and tools hear where they are. */
  protected operate<Result>(
    name: OperationName,
    work: (options: OperationOptions) => Promise<Result>,
  ): Promise<Result> {
    return this.#slot.run(name, async (options) => {
      const before = placeOf(this.session);
      try {
        return await work(options);
      } finally {
        const reason = planTelling({ name, before, after: placeOf(this.session) });
        if (reason !== undefined) {
          this.state.followPath();
          const { file } = before;
          const previous = reason === "move" || file === undefined ? {} : { previousSessionFile: file };
          await tellTools(this.state, { reason, ...previous });
        }
      }
    });
  }

  #run(begin: () => Promise<void>): Promise<RunOutcome> {
    const { state } = this;
    return this.#slot.run("run", ({ signal }) => {
      const recordAndBegin = async () => {
        state.recordState();
        await begin();
      };
      return runAgent(state, recordAndBegin, { signal });
    });
  }

  #endBeforeRun<Outcome extends RunOutcome>(outcome: Outcome): Outcome {
    this.state.emit({ type: "run_start" });
    this.state.emit({ type: "run_end", outcome });
    return outcome;
  }

  #sayLater(text: string, queue: () => void): Delivery {
    if (!this.isStreaming) {
      this.#slot.assertFree("run");
      return this.#startedRun(this.prompt(text));
    }
    queue();
    return { kind: "queued" };
  }

  #startedRun(outcome: Promise<RunOutcome>): Delivery {
    outcome.catch((error: unknown) => {
      this.state.emit({ type: "notice", level: "error", message: errorText(error) });
    });
    return { kind: "run", outcome };
  }

  /** Whatever extensions sent during an operation goes into the session now. */
  #freed(): void {
    try {
      appendQueuedMessages(this.state);
    } catch (error) {
      this.state.emit({ type: "notice", level: "error", message: errorText(error) });
    }
  }

  async #close(): Promise<void> {
    this.#slot.close();
    this.abort();
    await this.whenIdle();
    await this.state.hooks.emit<"session_shutdown">({ type: "session_shutdown" });
    await tellTools(this.state, { reason: "shutdown" });
    this.state.session.close();
  }
}

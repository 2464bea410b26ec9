/** The half of the facade that talks to the model: prompts, queues, models, and disposal. */

import type { ImageBlock } from "@bough/session/entry/index.js";
import { defined, errorText } from "@bough/session/text/index.js";
import type { CustomMessageInput } from "../extension/index.js";
import { NO_HOOKS } from "../extension/run.js";
import { AgentError } from "./agent-error.js";
import type { AgentEvent, RunOutcome } from "./agent-events.js";
import { AgentFacts } from "./agent-facts.js";
import type { AgentSessionOptions } from "./agent-options.js";
import type { OperationOptions } from "./agent-parts.js";
import { askBeforeRun } from "./extension/before-run.js";
import { hooksWithDeadline } from "./hooks-with-deadline.js";
import { OperationSlot } from "./operation.js";
import type { OperationName } from "./operation-name.js";
import { type PromptOptions, runOptions, untilStopped } from "./prompt-options.js";
import { beginSession, endSession } from "./session-bounds.js";
import { type AppendOptions, appendCustomMessage, appendMessage } from "./turn/append-message.js";
import { type QueuedPrompt, type QueuedTexts, queuedPrompt } from "./turn/message-queue.js";
import { promptContent } from "./turn/prompt-content.js";
import { receiveInput } from "./turn/receive-input.js";
import { resourceMessages } from "./turn/resource-messages.js";
import { type RunOptions, runAgent } from "./turn/run-agent.js";
import { eventsOf } from "./turn/run-events.js";
import { appendQueuedMessages, type Delivery, planSend } from "./turn/send-message.js";
import { requireModel } from "./turn/stream-step.js";
import type { OutputOf, OutputSchema } from "./turn/structured-output.js";
import { planChangedFiles, tellChangedFiles } from "./turn/tell-changed-files.js";
import { placeOf, planTelling, tellTools } from "./turn/tell-tools.js";

export abstract class ConversingAgent extends AgentFacts {
  readonly #slot: OperationSlot;
  #disposed: Promise<void> | undefined;
  /** Aborts prompts that extensions still process. */
  #looking = new AbortController();
  /** A queued text that is being sent as its own prompt. */
  #next: Promise<void> | undefined;

  protected constructor(options: AgentSessionOptions) {
    let freed = () => {};
    const slot = new OperationSlot(() => freed());
    super({ ...options, hooks: hooksWithDeadline(options.hooks ?? NO_HOOKS, () => slot.signal) });
    this.#slot = slot;
    freed = () => this.#freed();
  }

  /** The model is streaming. */
  get isStreaming(): boolean {
    return this.#slot.running === "run";
  }

  /** The running operation was told to stop but has not ended. */
  get isStopping(): boolean {
    return this.#slot.isStopping;
  }

  /** Fires when the running operation should stop; undefined if nothing runs. */
  get signal(): AbortSignal | undefined {
    return this.#slot.running === undefined ? undefined : this.#slot.signal;
  }

  /** The running operation, if any. */
  get operation(): OperationName | undefined {
    return this.#slot.running;
  }

  /** Notifies tools and extensions that the session started. Called once, after all listeners are registered. */
  async start(reason: "startup" | "reload" = "startup"): Promise<void> {
    await beginSession(this.state, reason);
  }

  /**
   * The user started typing: starts early what a prompt would wait for, such as the first file scan. Optional, for
   * front ends; writes nothing to the session.
   */
  lookAhead(): void {
    if (!this.isStreaming && !this.isStopping) this.state.files?.lookAhead();
  }

  /**
   * Sends what a user typed and runs until the model has nothing more to do. The prompt is in the file before the model
   * is asked. Failures of the model are outcomes; rejects with `busy`, `no-model`, `empty-prompt`, or if the session
   * cannot be written.
   */
  async prompt<Schema extends OutputSchema>(
    text: string,
    options: PromptOptions<Schema> = {},
  ): Promise<RunOutcome<OutputOf<Schema>>> {
    const { signal } = options;
    if (signal?.aborted === true) return this.#endBeforeRun({ kind: "aborted" });
    const stop = () => this.abort();
    return untilStopped(signal, stop, async () => (await this.#say(text, options)) as RunOutcome<OutputOf<Schema>>);
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

  async #say(text: string, request: PromptOptions & AppendOptions): Promise<RunOutcome> {
    const { state } = this;
    const { onTaken, source = "interactive", expandTemplates = true } = request;
    this.#slot.assertFree("run");
    // Before anything is written: an invalid schema is the caller's mistake.
    const options = runOptions(request);
    // Outside the operation: an extension that handles the input may move or start a run.
    const { signal } = this.#looking;
    const sent = { text, images: request.images ?? [], source, expandTemplates };
    const input = await receiveInput(state, sent, { signal });
    if (input.kind === "handled") {
      onTaken?.();
      return this.#endBeforeRun({ kind: "cancelled", by: input.by });
    }
    if (signal.aborted) return this.#endBeforeRun({ kind: "aborted" });
    const { images } = input;
    if (input.text.trim() === "" && images.length === 0) {
      throw new AgentError("empty-prompt", "There is nothing to send");
    }
    const content = promptContent(state, input.text, images);
    let added: readonly CustomMessageInput[] = [];
    const before = async ({ signal: stop }: OperationOptions) => {
      const resources = await resourceMessages(state, input.text, { signal: stop });
      added = [...resources, ...(await askBeforeRun(state, { prompt: input.text, images, signal: stop }))];
    };
    const begin = async () => {
      const changed = await planChangedFiles(state.session, await state.files?.beforePrompt());
      const message = { role: "user", content, timestamp: state.now().getTime() } as const;
      await appendMessage(state, message, defined({ onTaken }));
      tellChangedFiles(state, changed);
      for (const custom of [...state.queue.takeNextTurn(), ...added]) appendCustomMessage(state, custom);
    };
    return this.#run(begin, { ...options, before });
  }

  /**
   * Sends a message to a run: delivered after its current tool calls, before the next model step. Idle: a prompt. While
   * something is being stopped: the next prompt, sent when it has ended. A text that cannot be delivered comes back
   * with the event `queue_returned`; it never outlives the run, a move or a session switch.
   */
  steer(text: string, options: Pick<PromptOptions, "images" | "source" | "expandTemplates"> = {}): Delivery {
    const prompt = queuedPrompt(text, options);
    return this.#sayLater(prompt, () => this.state.queue.addSteering(prompt));
  }

  /** Sends a message when the run would end; otherwise like `steer`. */
  followUp(text: string, options: Pick<PromptOptions, "images" | "source" | "expandTemplates"> = {}): Delivery {
    const prompt = queuedPrompt(text, options);
    return this.#sayLater(prompt, () => this.state.queue.addFollowUp(prompt));
  }

  /** A message from an extension: see `planSend` for when it is appended and when it starts a run. */
  sendMessage(
    message: CustomMessageInput,
    options: { readonly triggerTurn?: boolean; readonly deliverAs?: "steer" | "followUp" | "nextTurn" } | boolean = {},
  ): Delivery {
    const plan = planSend({ busy: this.#slot.running !== undefined, running: this.isStreaming, options });
    if (plan !== "append" && plan !== "append-and-run") {
      this.state.queue.addCustom(message, plan);
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

  /** A message that an extension sends as the user. Queued during a run. */
  sendUserMessage(
    content: string | readonly (ImageBlock | { readonly type: "text"; readonly text: string })[],
    options: { readonly deliverAs?: "steer" | "followUp"; readonly expandPromptTemplates?: boolean } = {},
  ): Delivery {
    const { deliverAs = "followUp", expandPromptTemplates: expandTemplates = false } = options;
    const blocks = typeof content === "string" ? [{ type: "text", text: content } as const] : content;
    const text = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    const images = blocks.filter((block) => block.type === "image");
    const prompt = queuedPrompt(text, { images, source: "extension", expandTemplates });
    if (this.#slot.isClosed) this.#slot.assertFree("run");
    if (deliverAs === "steer") this.state.queue.addSteering(prompt);
    else this.state.queue.addFollowUp(prompt);
    this.#sendNext();
    return { kind: "queued" };
  }

  /**
   * Stops the running operation as soon as possible; the session stays valid. Returns the queued texts that were not
   * delivered, which the event `queue_returned` carries too.
   */
  abort(): QueuedTexts {
    const { operation, isStopping } = this;
    this.#looking.abort();
    this.#looking = new AbortController();
    this.#slot.abort();
    if (operation !== undefined && !isStopping) this.state.emit({ type: "stopping", operation });
    return this.#giveBack("stopped");
  }

  /** Resolves when nothing is running and nothing is about to start. */
  async whenIdle(): Promise<void> {
    do {
      await this.#slot.whenFree();
      await this.#next;
    } while (this.#slot.running !== undefined || this.#next !== undefined);
  }

  /** Stops the running operation, notifies listeners, and closes the session. Idempotent. */
  dispose(): Promise<void> {
    this.#disposed ??= this.#close();
    return this.#disposed;
  }

  /** For `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  /** Runs an operation exclusively. After a move, the model follows the path and tools are told the new position. */
  protected operate<Result>(
    name: OperationName,
    work: (options: OperationOptions) => Promise<Result>,
  ): Promise<Result> {
    return this.#slot.run(name, async (options) => {
      // File changes of a stopped run are recorded where it was.
      await this.state.files?.settled();
      const before = placeOf(this.session);
      try {
        return await work(options);
      } finally {
        const event = planTelling({ name, before, after: placeOf(this.session) });
        if (event !== undefined) {
          this.#giveBack("moved");
          this.state.followPath();
          await tellTools(this.state, event);
        }
      }
    });
  }

  async #run(begin: () => Promise<void>, options: RunOptions = {}): Promise<RunOutcome> {
    const { state } = this;
    try {
      return await this.#slot.run("run", ({ signal }) => {
        const recordAndBegin = async () => {
          state.recordState();
          await begin();
        };
        const run = () => runAgent(state, recordAndBegin, { signal, ...options });
        return this.#keepingQueue(state.withTool(options.output?.tool, run));
      });
    } finally {
      await this.#settle();
    }
  }

  /** Fired when nothing queued continues the run. Anything extensions start then is a new run. */
  async #settle(): Promise<void> {
    const isOver = this.#next === undefined && this.#slot.running === undefined && !this.#slot.isClosed;
    if (isOver && this.state.hooks.has("agent_settled"))
      await this.state.hooks.emit<"agent_settled">({ type: "agent_settled" });
  }

  /** A failed run returns its queue. Anything else left at the end came too late and becomes the next prompt. */
  async #keepingQueue(run: Promise<RunOutcome>): Promise<RunOutcome> {
    try {
      const outcome = await run;
      if (outcome.kind === "failed" || (outcome.kind === "aborted" && outcome.limit !== undefined))
        this.#giveBack("failed");
      return outcome;
    } catch (error) {
      this.#giveBack("failed");
      throw error;
    }
  }

  #giveBack(reason: "failed" | "stopped" | "moved"): QueuedTexts {
    const texts = this.state.queue.clearTexts();
    if (texts.steering.length + texts.followUp.length > 0)
      this.state.emit({ type: "queue_returned", reason, ...texts });
    return texts;
  }

  #endBeforeRun<Outcome extends RunOutcome>(outcome: Outcome): Outcome {
    this.state.emit({ type: "run_start" });
    this.state.emit({ type: "run_end", outcome });
    return outcome;
  }

  #sayLater({ text, ...options }: QueuedPrompt, queue: () => void): Delivery {
    if (this.#slot.isClosed || !(this.isStreaming || this.isStopping)) {
      this.#slot.assertFree("run");
      return this.#startedRun(this.prompt(text, options));
    }
    queue();
    return { kind: "queued" };
  }

  #startedRun(outcome: Promise<RunOutcome>): Delivery {
    outcome.catch((error: unknown) => this.#tellFailure(error));
    return { kind: "run", outcome };
  }

  #tellFailure(error: unknown): void {
    this.state.emit({ type: "notice", level: "error", message: errorText(error) });
  }

  /** Appends what extensions sent during the operation. */
  #freed(): void {
    try {
      appendQueuedMessages(this.state);
    } catch (error) {
      this.#tellFailure(error);
    }
    this.#sendNext();
  }

  /** Sends the first queued text, unless something running will take it. */
  #sendNext(): void {
    const { next } = this.state.queue;
    const isFree = this.#slot.running === undefined && this.#next === undefined && !this.#slot.isClosed;
    if (next !== undefined && isFree) this.#next = this.#sayQueued(next);
  }

  /** The text stays queued until the session has it, so that a stop or failure returns it. */
  async #sayQueued(prompt: QueuedPrompt): Promise<void> {
    const { text, ...options } = prompt;
    try {
      await this.#say(text, { ...options, onTaken: () => this.state.queue.drop(prompt) });
    } catch (error) {
      this.#giveBack("failed");
      this.#tellFailure(error);
    } finally {
      this.#next = undefined;
      this.#sendNext();
      await this.#settle();
    }
  }

  async #close(): Promise<void> {
    this.#slot.close();
    this.abort();
    await this.whenIdle();
    await endSession(this.state);
  }
}

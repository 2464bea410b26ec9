/**
 * Talking to the model: prompts, queued messages, and one operation at a time.
 *
 * A prompt is shown to extensions first, outside any operation, so that they may move or start a run themselves. Then
 * it takes the operation slot, is written to the session, and the model runs. What is typed meanwhile is queued: the
 * run takes it, or it becomes the next prompt when the slot is free, or it goes back to the user.
 */

import type { ImageBlock } from "@bough/session/entry/index.js";
import { defined, errorText } from "@bough/session/text/index.js";
import type { Driver } from "../driver/index.js";
import type { CustomMessageInput, SendOptions } from "../extension/index.js";
import { NO_HOOKS } from "../extension/run.js";
import { AgentError } from "./agent-error.js";
import type { RunOutcome } from "./agent-events.js";
import type { AgentSessionOptions } from "./agent-options.js";
import type { OperationOptions } from "./agent-parts.js";
import { AgentState } from "./agent-state.js";
import type { DrivenPrompt } from "./driver/driven-turn.js";
import { askBeforeRun } from "./extension/before-run.js";
import { hooksWithDeadline } from "./hooks-with-deadline.js";
import { OperationSlot } from "./operation.js";
import type { OperationName } from "./operation-name.js";
import { type PromptOptions, runOptions, untilStopped } from "./prompt-options.js";
import { endSession } from "./session-bounds.js";
import { type AppendOptions, appendCustomMessage, appendMessage } from "./turn/append-message.js";
import { type QueuedPrompt, type QueuedTexts, queuedPrompt } from "./turn/message-queue.js";
import { promptContent } from "./turn/prompt-content.js";
import { receiveInput } from "./turn/receive-input.js";
import { resourceMessages } from "./turn/resource-messages.js";
import { type RunOptions, runAgent } from "./turn/run-agent.js";
import { RunMeter } from "./turn/run-limits.js";
import { appendQueuedMessages, type Delivery, planSend } from "./turn/send-message.js";
import { requireModel } from "./turn/stream-step.js";
import { planChangedFiles, tellChangedFiles } from "./turn/tell-changed-files.js";
import { placeOf, planTelling, tellTools } from "./turn/tell-tools.js";

/** What a conversation holds between calls. The facade keeps one; the functions below work on it. */
export interface Conversation {
  readonly state: AgentState;
  readonly slot: OperationSlot;
  /** Aborts prompts that extensions still process. */
  inputs: AbortController;
  /** A queued text that is being sent as its own prompt. */
  next: Promise<void> | undefined;
  /** What the last prompt and everything that followed from it used. Over once the agent is idle. */
  prompted: RunMeter | undefined;
  /** The prompt that this agent was spawned for; its limits apply here too. */
  within: RunMeter | undefined;
}

export function openConversation(options: AgentSessionOptions): Conversation {
  const slot = new OperationSlot(() => slotFreed(conversation));
  const hooks = hooksWithDeadline(options.hooks ?? NO_HOOKS, () => slot.signal);
  const state = new AgentState({ ...options, hooks });
  const inputs = new AbortController();
  const conversation: Conversation = { state, slot, inputs, next: undefined, prompted: undefined, within: undefined };
  return conversation;
}

/** Counts what a spawned agent uses toward the prompt its parent is working on, until that prompt is done. */
export function joinPrompt(conversation: Conversation, { prompted }: Conversation): void {
  if (prompted === undefined || prompted.isOver) return;
  conversation.within = prompted;
  conversation.state.meter = prompted;
}

export function isStreaming({ slot }: Conversation): boolean {
  return slot.running === "run";
}

/** Sends a prompt, and stops the run if the signal fires. */
export async function prompt(conversation: Conversation, text: string, options: PromptOptions): Promise<RunOutcome> {
  const { signal } = options;
  if (signal?.aborted === true) return endBeforeRun(conversation, { kind: "aborted" });
  return untilStopped(
    signal,
    () => abort(conversation),
    () => send(conversation, text, options),
  );
}

async function send(
  conversation: Conversation,
  text: string,
  request: PromptOptions & AppendOptions,
): Promise<RunOutcome> {
  const { state, slot } = conversation;
  const { onTaken, source = "interactive", expandTemplates = true } = request;
  slot.assertFree("run");
  // Before anything is written: an invalid schema is the caller's mistake.
  const options = runOptions(request);
  // Outside the operation: an extension that handles the input may move or start a run.
  const { signal } = conversation.inputs;
  const sent = { text, images: request.images ?? [], source, expandTemplates };
  const input = await receiveInput(state, sent, { signal });
  if (input.kind === "handled") {
    onTaken?.();
    return endBeforeRun(conversation, { kind: "cancelled", by: input.by });
  }
  if (signal.aborted) return endBeforeRun(conversation, { kind: "aborted" });
  const { images } = input;
  if (input.text.trim() === "" && images.length === 0) {
    throw new AgentError("empty-prompt", "There is nothing to send");
  }
  const { driver } = state;
  if (driver !== undefined) {
    return runDrivenPrompt(conversation, driver, { ...options, text: input.text, images, onTaken });
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
    await appendMessage(state, message, { onTaken });
    tellChangedFiles(state, changed);
    for (const custom of [...state.queue.takeNextTurn(), ...added]) appendCustomMessage(state, custom);
  };
  return run(conversation, begin, { ...options, before });
}

/** Queues a text for the run, or for after what is being stopped. Idle: sends it as a prompt. */
export function queueOrPrompt(
  conversation: Conversation,
  queued: QueuedPrompt,
  as: "steering" | "follow-up",
): Delivery {
  const { slot } = conversation;
  if (slot.isClosed || !(isStreaming(conversation) || slot.isStopping)) {
    slot.assertFree("run");
    const { text, ...options } = queued;
    return startedRun(conversation, prompt(conversation, text, options));
  }
  addToQueue(conversation, queued, as);
  return { kind: "queued" };
}

function addToQueue({ state: { queue } }: Conversation, queued: QueuedPrompt, as: "steering" | "follow-up"): void {
  if (as === "steering") queue.addSteering(queued);
  else queue.addFollowUp(queued);
}

/** Appends, queues or answers a message from an extension, as `planSend` decides. */
export function sendCustom(
  conversation: Conversation,
  message: CustomMessageInput,
  options: SendOptions | boolean,
): Delivery {
  const { state, slot } = conversation;
  const plan = planSend({ busy: slot.running !== undefined, running: isStreaming(conversation), options });
  if (plan !== "append" && plan !== "append-and-run") {
    state.queue.addCustom(message, plan);
    return { kind: "queued" };
  }
  if (plan === "append") return { kind: "appended", entryId: appendCustomMessage(state, message) };
  requireModel(state);
  const begin = async () => {
    appendCustomMessage(state, message);
  };
  return startedRun(conversation, run(conversation, begin));
}

/** Queues what an extension sends as the user; if nothing is running, it is sent at once. */
export function sendAsUser(
  conversation: Conversation,
  content: string | readonly (ImageBlock | { readonly type: "text"; readonly text: string })[],
  options: { readonly deliverAs?: "steer" | "followUp"; readonly expandPromptTemplates?: boolean },
): Delivery {
  const { slot } = conversation;
  const { deliverAs = "followUp", expandPromptTemplates: expandTemplates = false } = options;
  const blocks = typeof content === "string" ? [{ type: "text", text: content } as const] : content;
  const text = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const images = blocks.filter((block) => block.type === "image");
  if (slot.isClosed) slot.assertFree("run");
  const queued = queuedPrompt(text, { images, source: "extension", expandTemplates });
  addToQueue(conversation, queued, deliverAs === "steer" ? "steering" : "follow-up");
  sendNext(conversation);
  return { kind: "queued" };
}

/** Stops what is running and returns the queued texts that were not delivered. */
export function abort(conversation: Conversation): QueuedTexts {
  const { state, slot } = conversation;
  const { running, isStopping } = slot;
  conversation.inputs.abort();
  conversation.inputs = new AbortController();
  slot.abort();
  if (running !== undefined && !isStopping) state.emit({ type: "stopping", operation: running });
  return returnQueue(conversation, "stopped");
}

/** Resolves when nothing is running and nothing is about to start. */
export async function whenIdle(conversation: Conversation): Promise<void> {
  const { slot } = conversation;
  do {
    await slot.whenFree();
    await conversation.next;
  } while (slot.running !== undefined || conversation.next !== undefined);
}

export async function closeConversation(conversation: Conversation): Promise<void> {
  conversation.slot.close();
  conversation.state.warmer.drop();
  abort(conversation);
  await whenIdle(conversation);
  await endSession(conversation.state);
}

/** Runs an operation exclusively. After a move, the model follows the path and tools are told the new position. */
export function operate<Result>(
  conversation: Conversation,
  name: OperationName,
  work: (options: OperationOptions) => Promise<Result>,
): Promise<Result> {
  const { state, slot } = conversation;
  return slot.run(name, async (options) => {
    state.warmer.drop();
    // File changes of a stopped run are recorded where it was.
    await state.files?.settled();
    const before = placeOf(state.session);
    try {
      return await work(options);
    } finally {
      const event = planTelling({ name, before, after: placeOf(state.session) });
      if (event !== undefined) {
        returnQueue(conversation, "moved");
        state.followPath();
        await tellTools(state, event);
      }
    }
  });
}

async function run(
  conversation: Conversation,
  begin: () => Promise<void>,
  options: RunOptions = {},
): Promise<RunOutcome> {
  const { state, slot } = conversation;
  try {
    return await slot.run("run", ({ signal }) => {
      const recordAndBegin = async () => {
        state.recordState();
        await begin();
      };
      const limits = { ...state.limits, ...defined(options.limits) };
      const meter = new RunMeter(limits, { signal, within: promptMeter(conversation, options) });
      state.meter = meter;
      const work = () => runAgent(state, recordAndBegin, { ...options, meter });
      return returningQueue(conversation, state.withTool(options.output?.tool, work));
    });
  } finally {
    await settle(conversation);
  }
}

/** The same, with another agent. */
async function runDrivenPrompt(
  conversation: Conversation,
  driver: Driver,
  { text, images, onTaken, ...options }: RunOptions & Omit<DrivenPrompt, "signal">,
): Promise<RunOutcome> {
  const { state, slot } = conversation;
  try {
    return await slot.run("run", async ({ signal }) => {
      const limits = { ...state.limits, ...defined(options.limits) };
      const meter = new RunMeter(limits, { signal, within: promptMeter(conversation, options) });
      state.meter = meter;
      const { runDriven } = await import("./driver/run-driven.js");
      const driven = await state.openDriven(driver);
      return returningQueue(
        conversation,
        runDriven(state, driven, { text, images, onTaken, meter, hasSchema: options.output !== undefined }),
      );
    });
  } finally {
    await settle(conversation);
  }
}

/** The limits of a prompt also apply to what follows from it. */
function promptMeter(conversation: Conversation, { limits }: RunOptions): RunMeter {
  const { prompted, within } = conversation;
  if (prompted?.isOver === false) return prompted;
  conversation.prompted = new RunMeter(limits ?? {}, { within: within?.isOver === false ? within : undefined });
  return conversation.prompted;
}

/** Fired when nothing queued continues the run. Anything extensions start then is a new run. */
async function settle(conversation: Conversation): Promise<void> {
  const { state, slot } = conversation;
  const isIdle = () => conversation.next === undefined && slot.running === undefined;
  if (isIdle() && !slot.isClosed && state.hooks.has("agent_settled"))
    await state.hooks.emit<"agent_settled">({ type: "agent_settled" });
  if (!isIdle()) return;
  conversation.prompted?.end();
  state.meter = conversation.within;
}

/** A failed run returns its queue. Anything else left at the end came too late and becomes the next prompt. */
async function returningQueue(conversation: Conversation, running: Promise<RunOutcome>): Promise<RunOutcome> {
  try {
    const outcome = await running;
    if (outcome.kind === "failed" || (outcome.kind === "aborted" && outcome.limit !== undefined))
      returnQueue(conversation, "failed");
    return outcome;
  } catch (error) {
    returnQueue(conversation, "failed");
    throw error;
  }
}

function returnQueue({ state }: Conversation, reason: "failed" | "stopped" | "moved"): QueuedTexts {
  const texts = state.queue.clearTexts();
  if (texts.steering.length + texts.followUp.length > 0) state.emit({ type: "queue_returned", reason, ...texts });
  return texts;
}

function endBeforeRun({ state }: Conversation, outcome: RunOutcome): RunOutcome {
  state.emit({ type: "run_start" });
  state.emit({ type: "run_end", outcome });
  return outcome;
}

function startedRun(conversation: Conversation, outcome: Promise<RunOutcome>): Delivery {
  outcome.catch((error: unknown) => reportFailure(conversation, error));
  return { kind: "run", outcome };
}

function reportFailure({ state }: Conversation, error: unknown): void {
  state.emit({ type: "notice", level: "error", message: errorText(error) });
}

/** Appends what extensions sent during the operation. */
function slotFreed(conversation: Conversation): void {
  try {
    appendQueuedMessages(conversation.state);
  } catch (error) {
    reportFailure(conversation, error);
  }
  sendNext(conversation);
}

/** Sends the first queued text, unless something running will take it. */
function sendNext(conversation: Conversation): void {
  const { state, slot } = conversation;
  const { next } = state.queue;
  const isFree = slot.running === undefined && conversation.next === undefined && !slot.isClosed;
  if (next !== undefined && isFree) conversation.next = sendQueued(conversation, next);
}

/** The text stays queued until the session has it, so that a stop or failure returns it. */
async function sendQueued(conversation: Conversation, queued: QueuedPrompt): Promise<void> {
  const { text, ...options } = queued;
  try {
    await send(conversation, text, { ...options, onTaken: () => conversation.state.queue.drop(queued) });
  } catch (error) {
    returnQueue(conversation, "failed");
    reportFailure(conversation, error);
  } finally {
    conversation.next = undefined;
    sendNext(conversation);
    await settle(conversation);
  }
}

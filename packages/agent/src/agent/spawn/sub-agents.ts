/**
 * The sub-agents of one agent. Each works on a branch of the session below the call that started it:
 *
 *     answer with the call ─┬─ result ─ …                                     the agent goes on
 *                           └─ bough.subagent ─ reset ─ task ─ answer ─ …     the sub-agent
 *
 * It has at most the tools and permissions of the agent that started it, and asks the same user. The call returns its
 * last message, or what it had when it ended otherwise. However it ends, a record below `bough.subagent` says so; one
 * without this record was killed, and `settleLeftAgents` adds it.
 */
import { setTimeout as pause } from "node:timers/promises";
import { callsIn, contentText, type EntryId } from "@bough/session/entry/index.js";
import { SUBAGENT_END_TYPE, SUBAGENT_PROMPT_TYPE, SUBAGENT_TYPE } from "@bough/session/entry/internal.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { upwards } from "@bough/session/session/internal.js";
import { counted, defined, errorText, firstWords } from "@bough/session/text/index.js";
import { type Driver, driverNamed } from "../../driver/index.js";
import type { CustomMessageInput } from "../../extension/index.js";
import { type SpawnRequest, type ToolContext, ToolFailure, type ToolResult } from "../../tool/index.js";
import type { AgentEvent, RunOutcome } from "../agent-events.js";
import type { AgentSessionOptions } from "../agent-options.js";
import type { AgentState } from "../agent-state.js";
import { guardHooks } from "../guard-hooks.js";
import type { Delivery } from "../turn/send-message.js";
import { endMessage } from "./end-message.js";
import { lastText } from "./last-text.js";
import { nowLive } from "./live-agents.js";
import { planSubAgent, type SubAgentPlan } from "./plan-sub-agent.js";
import { Slots } from "./slots.js";
import { MOST_DEPTH, SPAWN_DEFAULTS, type SubAgent, type SubAgentEnd } from "./sub-agent.js";

/** The agent that starts them. */
export interface SpawningAgent {
  readonly state: AgentState;
  spawnBranch(entryId: EntryId | null, changes: Partial<AgentSessionOptions>): Promise<SpawnedAgent>;
  sendMessage(message: CustomMessageInput, options: { readonly deliverAs?: "steer" }): Delivery;
}

interface SpawnedAgent {
  readonly session: SessionManager;
  readonly runUsage: { readonly steps: number; readonly tokens: number; readonly dollars: number };
  subscribe(listener: (event: AgentEvent) => void): () => void;
  sendMessage(message: CustomMessageInput, options: { readonly triggerTurn: true }): Delivery;
  prompt(text: string): Promise<RunOutcome>;
  abort(): unknown;
  dispose(): Promise<void>;
}

/** The part of a tool's context that is used here. */
type SpawnCall = Pick<ToolContext, "callId" | "signal" | "onUpdate" | "permit">;

interface Running {
  status: SubAgent;
  readonly controller: AbortController;
  over: Promise<unknown>;
}

/** A stopped sub-agent has this long to end before its call returns. Calls of tools are abandoned a moment later. */
const STOP_MS = 4_000;
const OWN_CALL =
  "You are now the sub-agent that this call started, with the conversation so far. Do the task in the next message.";
const OTHER_CALL = "This call is made by the agent that started you; its result is not known here.";

export class SubAgents {
  readonly #parent: SpawningAgent;
  readonly #running = new Map<EntryId, Running>();
  readonly #slots: Slots;
  /** Problems of agent files that were reported. */
  readonly #told = new Set<string>();
  #started = 0;
  #startedFor: unknown;

  constructor(parent: SpawningAgent) {
    this.#parent = parent;
    this.#slots = new Slots(parent.state.options.spawn?.maxRunning ?? SPAWN_DEFAULTS.maxRunning);
  }

  /** Those that have not ended. */
  get list(): readonly SubAgent[] {
    return [...this.#running.values()].map(({ status }) => status);
  }

  /** Stops one; what it had is kept. False if it is not working. */
  async stop(id: EntryId): Promise<boolean> {
    const running = this.#running.get(id);
    running?.controller.abort();
    await running?.over.catch(() => undefined);
    return running !== undefined;
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((id) => this.stop(id)));
  }

  /** Resolves when none is working. */
  async whenDone(): Promise<void> {
    while (this.#running.size > 0)
      await Promise.all([...this.#running.values()].map(({ over }) => over.catch(() => {})));
  }

  /** Runs the tool `spawn`. Throws a ToolFailure, for the model, if nothing can be started. */
  async spawn(request: SpawnRequest, call: SpawnCall): Promise<ToolResult> {
    this.#count();
    const { state } = this.#parent;
    const callEntryId = callEntry(state.session, call.callId);
    const plan = this.#plan(request);
    await this.#ask(request, plan, call);
    const background = request.background === true && state.options.spawn?.background !== false;
    const controller = new AbortController();
    const signal = background ? controller.signal : AbortSignal.any([call.signal, controller.signal]);
    const child = new SubAgentRun({
      parent: this.#parent,
      plan,
      request,
      callEntryId,
      callId: call.callId,
      background,
    });
    const running: Running = { status: child.status, controller, over: Promise.resolve() };
    this.#running.set(child.status.id, running);
    const tell = (event: AgentEvent) => {
      if (event.type === "subagent_update" && event.agent.id === child.status.id) running.status = event.agent;
      state.emit(event);
    };
    state.emit({ type: "subagent_start", agent: child.status });
    const work = this.#work(child, {
      signal,
      tell,
      onStep: (text) => {
        if (!background) call.onUpdate({ text, details: { subagent: child.status.id } });
      },
    });
    running.over = work;
    if (!background) return work;
    void this.#tellLater(work, child);
    return {
      content: [
        {
          type: "text",
          text: `Started in the background: ${child.status.description}. You are told when it ends; continue meanwhile.`,
        },
      ],
      details: { subagent: child.status.id, background: true },
    };
  }

  #plan(request: SpawnRequest): SubAgentPlan {
    const { state } = this.#parent;
    const { project, systemPrompt, spawn = {} } = state.options;
    const plan = planSubAgent(request, {
      registry: state.registry,
      model: state.model,
      tools: state.ownTools,
      serverTools: state.tools.flatMap(({ name, server }) => (server === undefined ? [] : [name])),
      project,
      systemPrompt,
      options: spawn,
      makeDriver: spawn.driver ?? ((name: string): Driver => driverNamed(name)),
    });
    for (const message of plan.problems) {
      if (this.#told.has(message)) continue;
      this.#told.add(message);
      state.emit({ type: "notice", level: "warning", message });
    }
    return plan;
  }

  /** Another provider or program gets what the agent knows, so the user is asked. */
  async #ask(request: SpawnRequest, { driver, model, name }: SubAgentPlan, call: SpawnCall): Promise<void> {
    const info = model === undefined ? undefined : "info" in model ? model.info : model;
    const own = this.#parent.state.model?.info.provider;
    const isElsewhere = driver === undefined && info !== undefined && own !== undefined && info.provider !== own;
    if (driver === undefined && !isElsewhere) return;
    const target =
      driver === undefined ? { model: `${info?.provider}/${info?.id}` } : { agent: name, driver: driver.name };
    const note =
      driver === undefined
        ? `The task is sent to another provider: ${info?.provider}.`
        : driver.asks === "always"
          ? `${driver.title} does the task, with the provider it uses.`
          : `${driver.title} does the task, with the provider it uses. It may read, change and run things without asking.`;
    const decision = await call.permit({
      tool: "spawn",
      action: "use",
      target: JSON.stringify({ ...target, task: request.task }),
      note,
    });
    if (!decision.allowed) throw new ToolFailure(decision.reason);
  }

  /** Throws a ToolFailure if this prompt may not start more. */
  #count(): void {
    const { state } = this.#parent;
    const { depth = 0, spawned } = state.options.within ?? {};
    if (depth >= MOST_DEPTH) {
      throw new ToolFailure("You are a sub-agent of a sub-agent, which cannot start others. Do it yourself.");
    }
    const most = state.options.spawn?.maxPerPrompt ?? SPAWN_DEFAULTS.maxPerPrompt;
    if (spawned !== undefined) {
      spawned();
      return;
    }
    if (this.#startedFor !== state.meter) this.#started = 0;
    this.#startedFor = state.meter;
    this.countOne(most);
  }

  /** Also for those that sub-agents start. */
  countOne(most = this.#parent.state.options.spawn?.maxPerPrompt ?? SPAWN_DEFAULTS.maxPerPrompt): void {
    if (this.#started >= most) {
      throw new ToolFailure(`This prompt has started ${most} sub-agents, which is the limit. Do the rest yourself.`);
    }
    this.#started += 1;
  }

  async #work(child: SubAgentRun, options: RunChildOptions): Promise<ToolResult> {
    const { state } = this.#parent;
    let free: (() => void) | undefined;
    try {
      free = await this.#slots.take(options.signal);
      const spawned = state.options.within?.spawned ?? (() => this.countOne());
      return await child.run({ ...options, spawned });
    } catch (error) {
      return await child.failed(options.signal.aborted ? undefined : error);
    } finally {
      free?.();
      this.#running.delete(child.status.id);
      child.over();
      this.#parent.state.session.refresh();
      state.emit({ type: "subagent_end", agent: child.status });
    }
  }

  /** Adds the outcome to the conversation, if it is still on the path that started it. */
  async #tellLater(work: Promise<ToolResult>, child: SubAgentRun): Promise<void> {
    const { state } = this.#parent;
    const sessionId = state.session.getSessionId();
    const result = await work;
    if (state.session.getSessionId() !== sessionId || this.#parent.state.isClosing) return;
    await state.files?.recordOthers([child.status.toolCallId]);
    const { description, id } = child.status;
    const isHere = [...upwards(state.session, state.session.getLeafId())].some(
      (entry) => entry.id === child.callEntryId,
    );
    if (!isHere) {
      const message = `A sub-agent on another branch has ended: ${description}`;
      return state.emit({ type: "notice", level: "info", message });
    }
    this.#parent.sendMessage(endMessage({ id, description, text: contentText(result.content) }), {
      deliverAs: "steer",
    });
  }
}

interface RunChildOptions {
  readonly signal: AbortSignal;
  readonly tell: (event: AgentEvent) => void;
  readonly onStep: (text: string) => void;
}

interface RunParts {
  readonly parent: SpawningAgent;
  readonly plan: SubAgentPlan;
  readonly request: SpawnRequest;
  readonly callEntryId: EntryId;
  readonly callId: string;
  readonly background: boolean;
}

/** One sub-agent, from its first entry to its last. */
class SubAgentRun {
  readonly #parts: RunParts;
  readonly #session: SessionManager;
  #tip: EntryId | null;
  #isClosed = false;
  /** Call it when it has ended. */
  readonly over: () => void;
  status: SubAgent;

  /** Writes its first entry, so that it is in the tree from the start. */
  constructor(parts: RunParts) {
    const { parent, plan, request, callEntryId, callId: toolCallId, background } = parts;
    this.#parts = parts;
    const session = parent.state.session.openAgain({ position: "ignored" });
    this.#session = session;
    session.branch(callEntryId);
    const { name, description, driver } = plan;
    const context = request.context ?? "fresh";
    const meta = {
      name,
      description,
      context,
      ...(background ? { background } : {}),
      ...defined({ driver: driver?.name }),
    };
    const id = session.appendCustomEntry(SUBAGENT_TYPE, {
      ...{ agent: "bough", agentId: toolCallId, toolCallId, callEntryId },
      meta,
    });
    if (context === "fresh") session.saveEntry({ type: "reset_boundary" });
    else this.#answerCalls();
    this.#tip = session.getLeafId();
    this.over = nowLive(session, id);
    const depth = (parent.state.options.within?.depth ?? 0) + 1;
    const nothing = { step: "", steps: 0, tokens: 0, dollars: 0 } as const;
    this.status = { id, toolCallId, name, description, state: "waiting", background, depth, ...nothing };
  }

  get callEntryId(): EntryId {
    return this.#parts.callEntryId;
  }

  async run({
    signal,
    tell,
    onStep,
    spawned,
  }: RunChildOptions & { readonly spawned: () => void }): Promise<ToolResult> {
    const { parent, plan, request } = this.#parts;
    const { state } = parent;
    const agent = await parent.spawnBranch(this.#tip, this.#changes(spawned));
    const follow = (step?: string) => {
      const { steps, tokens, dollars } = agent.runUsage;
      this.status = { ...this.status, state: "running", steps, tokens, dollars, ...defined({ step }) };
      tell({ type: "subagent_update", agent: this.status });
      onStep(statusText(this.status));
    };
    agent.subscribe((event) => {
      if (event.type === "subagent_start" || event.type === "subagent_update" || event.type === "subagent_end")
        tell(event);
      else if (event.type === "turn_start") follow("thinking");
      else if (event.type === "tool_start") follow(callText(event.toolName, event.input));
      else if (event.type === "turn_end") follow();
      else if (event.type === "notice" && event.level !== "info") {
        tell({ ...event, message: `${this.status.description}: ${event.message}` });
      }
    });
    follow("starting");
    const abort = () => void agent.abort();
    signal.addEventListener("abort", abort, { once: true });
    try {
      const work = this.#prompted(agent, plan, request);
      const outcome = await Promise.race([work, stopped(signal)]);
      const { steps, tokens, dollars } = agent.runUsage;
      this.status = { ...this.status, steps, tokens, dollars };
      return this.#ended(outcome);
    } finally {
      signal.removeEventListener("abort", abort);
      this.#isClosed = true;
      // It ends by itself if a tool does not stop.
      const closed = agent.dispose();
      if (!signal.aborted) await closed;
      else closed.catch((error: unknown) => state.emit({ type: "notice", level: "error", message: errorText(error) }));
    }
  }

  /** It was stopped before it could start, or could not be started. */
  async failed(error: unknown): Promise<ToolResult> {
    const outcome: RunOutcome =
      error === undefined
        ? { kind: "aborted" }
        : { kind: "failed", failure: { kind: "unknown", message: errorText(error), retryable: false } };
    try {
      return this.#ended(outcome);
    } finally {
      if (!this.#isClosed) this.#session.close();
      this.#isClosed = true;
    }
  }

  async #prompted(agent: SpawnedAgent, { driver }: SubAgentPlan, { task }: SpawnRequest): Promise<RunOutcome> {
    if (driver !== undefined) return agent.prompt(task);
    const message = { customType: SUBAGENT_PROMPT_TYPE, content: task, display: true };
    const delivery = agent.sendMessage(message, { triggerTurn: true });
    if (delivery.kind !== "run") throw new Error("bug: the task of a sub-agent did not start a run");
    return delivery.outcome;
  }

  #changes(spawned: () => void): Partial<AgentSessionOptions> {
    const { parent, plan } = this.#parts;
    const { state } = parent;
    const { options } = state;
    const { allowed, readOnly } = plan;
    const by = plan.name === "agent" ? plan.description : `${plan.name}: ${plan.description}`;
    const depth = (options.within?.depth ?? 0) + 1;
    const hasServers = allowed === undefined || state.tools.some(({ name, server }) => server && allowed.has(name));
    return {
      session: this.#session,
      tools: plan.tools,
      servers: hasServers && !readOnly ? options.servers : undefined,
      ...(plan.model === undefined ? {} : { model: plan.model }),
      project: plan.project,
      systemPrompt: plan.systemPrompt,
      modelChoice: "explicit",
      limits: plan.limits,
      maxSteps: undefined,
      driver: plan.driver,
      hooks: guardHooks(state.hooks),
      within: { depth, spawned },
      permit: async (request) => {
        if (readOnly && request.action !== "read") {
          return {
            allowed: false,
            reason: `This agent may change and run nothing: ${firstWords(request.target, 200)}`,
          };
        }
        return state.permit({ by, ...request });
      },
      allowTool: async (use) => {
        if (allowed !== undefined && !allowed.has(use.tool)) {
          return { allowed: false, reason: `The tool ${use.tool} is not among those of this agent.` };
        }
        return (await state.allowTool?.(use)) ?? true;
      },
      files: options.files && { ...defined({ ...options.files, onRunning: undefined }), notes: "none" },
    };
  }

  /** With the conversation so far, its calls need results, which are not the ones that the other agent gets. */
  #answerCalls(): void {
    const { callEntryId, callId, parent } = this.#parts;
    const entry = this.#session.getEntry(callEntryId);
    for (const { id, name } of entry === undefined ? [] : callsIn(entry)) {
      this.#session.appendMessage({
        role: "toolResult",
        toolCallId: id,
        toolName: name,
        content: [{ type: "text", text: id === callId ? OWN_CALL : OTHER_CALL }],
        isError: false,
        timestamp: parent.state.now().getTime(),
      });
    }
  }

  /** Records how it ended, and says so to the agent that started it. */
  #ended(outcome: RunOutcome): ToolResult {
    const state = endOf(outcome);
    const { id } = this.status;
    this.status = { ...this.status, state, step: "" };
    const { steps, tokens, dollars } = this.status;
    const tip = this.#session.getLeafId();
    const answer = lastText(this.#session, { leaf: tip, until: id });
    this.#session.branch(id);
    this.#session.appendCustomEntry(SUBAGENT_END_TYPE, { outcome: state, steps, tokens, dollars });
    this.#session.branch(tip);
    return {
      content: [{ type: "text", text: resultText(outcome, answer) }],
      details: { subagent: id, outcome: state, steps, tokens, dollars },
      ...(state === "done" ? {} : { isError: true }),
    };
  }
}

/** Resolves some time after the signal, for a sub-agent that does not stop. */
async function stopped(signal: AbortSignal): Promise<RunOutcome> {
  if (!signal.aborted)
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  await pause(STOP_MS, undefined, { ref: false });
  return { kind: "aborted" };
}

function callEntry(session: SessionManager, callId: string): EntryId {
  for (const entry of upwards(session, session.getLeafId())) {
    if (callsIn(entry).some(({ id }) => id === callId)) return entry.id;
  }
  throw new ToolFailure("A sub-agent can only be started by a call in the session.");
}

function endOf(outcome: RunOutcome): SubAgentEnd {
  switch (outcome.kind) {
    case "done":
      return "done";
    case "aborted":
      return outcome.limit === undefined ? "stopped" : "limit";
    case "failed":
    case "cancelled":
      return "failed";
  }
}

function resultText(outcome: RunOutcome, answer: string): string {
  if (outcome.kind === "done") return answer === "" ? "The sub-agent ended without a message." : answer;
  return [endSentence(outcome), answer === "" ? "It had written nothing." : `Its last words:\n${answer}`].join("\n");
}

function endSentence(outcome: Exclude<RunOutcome, { readonly kind: "done" }>): string {
  switch (outcome.kind) {
    case "aborted":
      return outcome.limit === undefined
        ? "The sub-agent was stopped before it was done."
        : `The sub-agent reached its limit of ${outcome.limit} before it was done.`;
    case "failed":
      return `The sub-agent failed: ${outcome.failure.message}`;
    case "cancelled":
      return `The sub-agent was not run: the extension ${outcome.by} took the task.`;
  }
}

/** What the user sees of a running one. */
function statusText({ step, steps, tokens }: SubAgent): string {
  const did = steps === 0 ? "" : ` · ${counted(steps, "step")} · ${tokens} tokens`;
  return `${step}${did}`;
}

/** Where a call is going, in one line. */
function callText(name: string, input: unknown): string {
  const values = typeof input === "object" && input !== null ? Object.values(input) : [];
  const first = values.find((value) => typeof value === "string");
  return first === undefined ? name : `${name} ${firstWords(first as string, 60)}`;
}

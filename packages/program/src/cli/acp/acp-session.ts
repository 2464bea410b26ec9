/** One session of a client: an agent on one branch, its updates, its questions. */
import { randomUUID } from "node:crypto";
import type { PromptRequest, PromptResponse, StopReason } from "@agentclientprotocol/sdk/unstable";
import type { AgentMessage, RunOutcome } from "@bough/agent/agent/index.js";
import { contextTokens, todoOnPath, UsageCounter } from "@bough/agent/agent/internal.js";
import type { EntryId } from "@bough/session/entry/index.js";
import { boughHome, sessionFolder } from "@bough/session/session/index.js";
import {
  type CommandContext,
  commandsOfExtensions,
  createCommandContext,
  readCommandLine,
  runCommandLine,
  showOutcome,
} from "../../command/index.js";
import type { StartedAgent } from "../start/started-agent.js";
import { StoppableWork } from "../stoppable-work.js";
import { AcpError } from "./acp-error.js";
import { commandFront } from "./ask/command-front.js";
import { branchPlace, isAt } from "./branch/branch-end.js";
import { sessionTitle } from "./branch/branch-title.js";
import { markersIn, markHidden, markMove } from "./branch/markers.js";
import { type BranchKey, sessionIdOf } from "./branch/session-id.js";
import type { ClientLink } from "./client/client-link.js";
import { availableCommands, refusedCommand } from "./client-commands.js";
import { promptInput } from "./prompt-input.js";
import { configOptions, modeState, setConfigOption, setMode } from "./session-options.js";
import { historyUpdates } from "./update/history-updates.js";
import { LiveUpdates } from "./update/live-updates.js";
import { textUpdate } from "./update/message-updates.js";
import { planUpdate } from "./update/plan-update.js";

export interface AcpSessionParts {
  readonly started: StartedAgent;
  readonly link: ClientLink;
  readonly key: BranchKey;
  readonly log: (line: string) => void;
  /** Called after each prompt. */
  readonly onTurn: (session: AcpSession) => void;
}

/** A live session. Prompts run one at a time; a second one is refused. */
export class AcpSession {
  readonly started: StartedAgent;
  readonly link: ClientLink;
  readonly key: BranchKey;
  readonly #updates: LiveUpdates;
  readonly #commands: CommandContext;
  readonly #work = new StoppableWork();
  readonly #spent = new UsageCounter();
  readonly #onTurn: AcpSessionParts["onTurn"];
  #running: AbortController | undefined;
  #looking: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;
  #told = { title: "", settings: "", plan: "[]" };

  constructor({ started, link, key, log, onTurn }: AcpSessionParts) {
    this.#onTurn = onTurn;
    this.started = started;
    this.link = link;
    this.key = key;
    const { cwd } = started.parts;
    this.#updates = new LiveUpdates({
      cwd,
      facts: link.facts,
      send: (update) => link.update(update),
      onMessage: (entryId, role) => this.#messageAdded(entryId, role),
      onSettings: () => this.#tellSettings(),
      log,
    });
    this.#commands = this.#commandContext();
  }

  get id(): string {
    return sessionIdOf(this.started.agent.session.getSessionId(), this.key);
  }

  get file(): string | undefined {
    return this.started.agent.session.getSessionFile();
  }

  /** The output of this call goes to a terminal of the client. */
  hasTerminal(callId: string): void {
    this.#updates.hasTerminal(callId);
  }

  /** Finds the entry of a message, by its own id or by the id its chunks were sent with. */
  entryOf(messageId: string): EntryId | undefined {
    const { session } = this.started.agent;
    return this.#updates.entryOf(messageId) ?? session.getEntry(messageId as EntryId)?.id;
  }

  /** Tells extensions and tools that the session starts; their output is held until the client knows the session. */
  async begin(): Promise<void> {
    this.started.listen((event) => this.#updates.hear(event));
    await this.started.begin();
    for (const entry of this.started.agent.session.readBranch()) this.#spent.add(entry);
    this.#told.settings = this.#settings();
  }

  get settings() {
    return { modes: modeState(this.started), configOptions: configOptions(this.started) };
  }

  /** Sends the whole conversation of the branch, oldest first. */
  async replay(): Promise<void> {
    const { agent, parts } = this.started;
    for (const update of historyUpdates(agent.session.readBranch(), { cwd: parts.cwd }))
      await this.link.updateNow(update);
    this.#told.plan = JSON.stringify(todoOnPath(agent.session));
  }

  /** Called once the client knows the session: sends what was held, and the available commands. */
  open(): void {
    // The client may disconnect before it is notified.
    if (this.#closed !== undefined) return;
    this.link.open();
    this.link.update({
      sessionUpdate: "available_commands_update",
      availableCommands: availableCommands(this.#commands),
    });
    this.tellTitle();
    if (this.started.agent.session.getLeafId() !== null) this.#tellUsage();
    this.#looking = this.#lookAtDriver();
  }

  /** Starts another agent early: editors show its models before the first prompt. */
  async #lookAtDriver(): Promise<void> {
    const { agent } = this.started;
    // A conversation of others is asked about with the first prompt.
    if (agent.driver === undefined || agent.session.getLeafId() !== null) return;
    try {
      await agent.driverOptions();
      if (this.#closed === undefined) this.#tellSettings();
    } catch {
      // The first prompt says why.
    }
  }

  async prompt({ prompt }: Pick<PromptRequest, "prompt">, signal: AbortSignal): Promise<PromptResponse> {
    if (this.#running !== undefined) {
      throw new AcpError("invalidRequest", "A prompt is running in this session. Wait for it, or cancel it", {
        code: "busy",
      });
    }
    const input = promptInput(prompt, this.started.parts.cwd);
    const running = new AbortController();
    this.#running = running;
    const stop = () => this.cancel();
    signal.addEventListener("abort", stop, { once: true });
    try {
      await this.#looking;
      this.#settlePosition();
      const stopReason = await this.#send(input, running.signal);
      // An extension may have started another run with its message.
      await this.started.agent.whenIdle();
      this.#tellSettings();
      this.tellTitle();
      const entryId = this.started.agent.session.getLeafId();
      return {
        stopReason: running.signal.aborted ? "cancelled" : stopReason,
        ...(entryId === null ? {} : { _meta: { bough: { entryId } } }),
      };
    } catch (error) {
      // The client asked to stop, so whatever followed counts as cancelled.
      if (running.signal.aborted) return { stopReason: "cancelled" };
      throw error;
    } finally {
      signal.removeEventListener("abort", stop);
      this.#running = undefined;
      this.#onTurn(this);
    }
  }

  /** Stops the running prompt, which ends with `cancelled`. */
  cancel(): void {
    this.#running?.abort();
    this.link.closeQuestions();
    this.#work.stop();
    this.started.abort();
  }

  setMode(mode: string): void {
    setMode(this.started, mode);
    this.#tellSettings();
  }

  async setOption(setting: { readonly configId: string; readonly value: unknown }): Promise<void> {
    await this.#looking;
    await setConfigOption(this.started, setting);
    this.#tellSettings();
  }

  /** Stops what is running and closes the session. Safe to call twice. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.cancel();
    await this.started.close();
  }

  async #send(input: ReturnType<typeof promptInput>, signal: AbortSignal): Promise<StopReason> {
    const { text, images, typed } = input;
    const line = typed === undefined ? undefined : readCommandLine(this.#commands, typed);
    if (line !== undefined && line.kind !== "prompt") {
      await this.#runCommand(typed as string, line.kind === "command" ? line.command.name : line.name);
      return "end_turn";
    }
    const options = { source: "rpc", signal, images } as const;
    return stopReasonOf(await this.started.agent.prompt(text, options));
  }

  async #runCommand(line: string, name: string): Promise<void> {
    const refused = refusedCommand(name);
    if (refused !== undefined) return this.#say(refused);
    const before = this.started.agent.session.getLeafId();
    const outcome = await runCommandLine(this.#commands, line);
    // Logged first, then reported.
    this.#settleMove(before);
    showOutcome(this.#commands.front, outcome);
  }

  /**
   * New entries must be found again under this id. If others wrote below the same entry, or a command moved the leaf,
   * the log must say that the branch continues here.
   */
  #settlePosition(): void {
    const { session } = this.started.agent;
    if (!session.isPersisted() || session.getReadOnlyReason() !== undefined || session.getFileLeafId() === null) return;
    session.refresh();
    const source = session.getSource();
    const markers = markersIn(source);
    if (markers.hidden.has(this.key)) markHidden(session, this.key, "shown");
    const place = branchPlace(source, this.key, markers);
    if (place === undefined || !isAt(source, place)) markMove(session, this.key);
  }

  /** After a command that moved, so that the next load starts there too. */
  #settleMove(before: EntryId | null): void {
    if (this.started.agent.session.getLeafId() === before) return;
    this.#settlePosition();
    this.#tellPlan();
    this.#tellUsage();
  }

  #settings(): string {
    return JSON.stringify(this.settings);
  }

  #messageAdded(entryId: EntryId, role: AgentMessage["role"]): void {
    const entry = this.started.agent.session.getEntry(entryId);
    if (entry !== undefined) this.#spent.add(entry);
    // The first prompt gives the session its title.
    if (role === "user" && this.#told.title === "") this.tellTitle();
    if (role === "assistant" || role === "compactionSummary") this.#tellUsage();
    if (role === "toolResult") this.#tellPlan();
  }

  /** Sends the title if the client does not know it. */
  tellTitle(): void {
    const title = sessionTitle(this.started.agent.session.getSource(), this.key);
    if (title === "" || title === this.#told.title) return;
    this.#told.title = title;
    this.link.update({ sessionUpdate: "session_info_update", title, updatedAt: new Date().toISOString() });
  }

  /** The todo list belongs to the branch, so a move may change or remove it. */
  #tellPlan(): void {
    const items = todoOnPath(this.started.agent.session);
    const plan = JSON.stringify(items);
    if (plan === this.#told.plan) return;
    this.#told.plan = plan;
    this.link.update(planUpdate(items));
  }

  #tellUsage(): void {
    const { session, model, contextWindow = 0 } = this.started.agent;
    if (model === undefined) return;
    const { dollars } = this.#spent.total();
    this.link.update({
      sessionUpdate: "usage_update",
      used: Math.max(0, Math.round(contextTokens(session).tokens)),
      size: contextWindow,
      ...(dollars > 0 ? { cost: { amount: dollars, currency: "USD" } } : {}),
    });
  }

  #tellSettings(): void {
    const settings = this.#settings();
    if (settings === this.#told.settings) return;
    this.#told.settings = settings;
    this.link.update({ sessionUpdate: "current_mode_update", currentModeId: modeState(this.started).currentModeId });
    this.link.update({
      sessionUpdate: "config_option_update",
      configOptions: configOptions(this.started),
    });
  }

  #say(text: string): void {
    this.link.update(textUpdate(text, { as: "agent_message_chunk", messageId: randomUUID() }));
  }

  #commandContext(): CommandContext {
    const { started, link } = this;
    const { agent, runner, cwd, sessionDir, permissions, version } = started.parts;
    const now = () => new Date();
    return createCommandContext({
      agent,
      front: commandFront({
        link,
        work: this.#work,
        say: (text) => this.#say(text),
        source: () => agent.session.getSource(),
        now,
      }),
      cwd,
      sessionDir: sessionDir ?? sessionFolder(cwd),
      home: boughHome(),
      version,
      now,
      permissions,
      sync: started.parts.sync,
      extra: () => commandsOfExtensions(runner.registrations.commands, (name, args) => started.runCommand(name, args)),
    });
  }
}

/** Model failures are thrown, because the protocol has no other way to report them. */
function stopReasonOf(outcome: RunOutcome): StopReason {
  switch (outcome.kind) {
    case "done":
      return outcome.message?.stopReason === "length" ? "max_tokens" : "end_turn";
    case "aborted":
      return outcome.limit === undefined ? "cancelled" : "max_turn_requests";
    case "cancelled":
      return "end_turn";
    case "failed": {
      const { kind, message, hint } = outcome.failure;
      const sentence = hint === undefined ? message : `${message}. ${hint}`;
      throw new AcpError(kind === "no-key" || kind === "auth" ? "authRequired" : "internal", sentence, { code: kind });
    }
  }
}

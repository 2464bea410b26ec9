/** The terminal with an agent: conversation, commands, screens and background events. */

import type { AgentEvent, AgentSession, RunOutcome } from "@bough/agent/agent/index.js";
import type { Driver } from "@bough/agent/driver/index.js";
import { THINKING_LEVELS } from "@bough/agent/model/index.js";
import { nextPermissionMode } from "@bough/agent/tool/index.js";
import type { FollowEvent } from "@bough/session/session/index.js";
import { errorText, firstWords, type Notice, nextOf } from "@bough/session/text/index.js";
import {
  branchTitle,
  type CommandContext,
  commandsOfExtensions,
  completeCommandLine,
  createCommandContext,
  holdsMode,
  permissionModeSentence,
  readCommandLine,
  runCommandLine,
  type ScreenRequest,
  showOutcome,
} from "../../command/index.js";
import { logInToAgent, notOffered, offered } from "../../command/internal.js";
import { Chat } from "../chat/chat.js";
import type { ChatApp } from "../chat/chat-keys.js";
import { ExtensionRenderers } from "../extension/renderers.js";
import { openHistory } from "../history/open-history.js";
import type { OwnedHost } from "../host/create-host.js";
import { EXTENSION_SCOPE } from "../keys/create-key-map.js";
import type { KeyPress } from "../keys/key-press.js";
import { watchSummaries } from "../move/summary-progress.js";
import { AppFooter } from "./app-footer.js";
import { appFront } from "./app-front.js";
import { AppLook } from "./app-look.js";
import type { AppParts, RunningOptions } from "./app-parts.js";
import { OtherWriters } from "./follow-others.js";
import { QuitKey } from "./quit-key.js";
import { readOnlyNotice, reopen } from "./reopen.js";
import type { ScreenApp } from "./screen.js";
import { openScreen } from "./screens.js";
import { introLines } from "./start/intro-lines.js";
import { otherAgentsNotice } from "./start/other-agents.js";
import { SecondBranch } from "./start/second-branch.js";
import { StopOffer } from "./stop-offer.js";
import { clearsWhenBack } from "./sync-status.js";
import type { TerminalShell } from "./terminal-shell.js";
import { unsavedEntries, unsavedNotice } from "./unsaved-entries.js";

type Listener<Event> = (event: Event) => void;

export class RunningApp {
  readonly context: CommandContext;
  readonly chat: Chat;
  readonly #shell: TerminalShell;
  readonly #look: AppLook;
  readonly #parts: AppParts;
  readonly #options: RunningOptions;
  readonly #footer: AppFooter;
  readonly #others: OtherWriters;
  readonly #quitKey: QuitKey;
  readonly #secondBranch: SecondBranch;
  readonly #stopOffer: StopOffer;
  readonly #eventListeners = new Set<Listener<AgentEvent>>();
  readonly #followListeners = new Set<Listener<FollowEvent>>();
  readonly #endings: (() => void)[] = [];
  #finish: (code: number) => void = () => {};
  #disposed = false;
  readonly #ending = new AbortController();
  /** Sessions of other agents that were found, for the introduction. */
  #otherAgents: Notice | undefined;
  /** The session that shows the introduction to new users. */
  #firstRunIn: string | undefined;
  /** Whether the user was warned that quitting loses entries. */
  #warned = false;

  constructor(shell: TerminalShell, parts: AppParts, options: RunningOptions) {
    this.#shell = shell;
    this.#parts = parts;
    this.#options = options;
    const { agent, cwd, registrations } = parts;
    const { host } = shell;
    const { env, platform } = options;
    this.#look = new AppLook({ shell, registrations, env, platform }, agent.settings);
    this.context = this.#createContext();
    this.chat = this.#createChat();
    this.#footer = new AppFooter({
      ...{ host, agent, cwd, permissions: parts.permissions },
      still: agent.settings.reducedMotion === true,
      workNow: options.workNow,
      progressElsewhere: () => showsProgress(this.host),
      isAsking: () => host.top?.isQuestion === true,
      isEditing: () => host.top === undefined,
      extensions: shell.extensions,
      sync: parts.sync,
    });
    if (parts.sync !== undefined) this.#endings.push(clearsWhenBack(parts.sync, host));
    shell.extensions.onReload = () => this.#look.useShortcuts();
    shell.extensions.conversation = { chat: this.chat, footer: this.#footer, agent, registry: parts.registry };
    this.#others = new OtherWriters({ agent, host, home: parts.home, onNews: (event) => this.#onFollowEvent(event) });
    this.#quitKey = new QuitKey(host, () => this.quit());
    this.#secondBranch = new SecondBranch({ agent, hints: options.hints, host });
    this.#stopOffer = new StopOffer({ agent, host });
    shell.attention.follow({ session: () => agent.session, settings: () => this.context.settings.current, cwd });
    for (const sentence of host.keys.problems) this.chat.note(sentence, "warning");
  }

  get host(): OwnedHost {
    return this.#shell.host;
  }

  /** Resolves with the exit code when the user quits. */
  async run(): Promise<number> {
    const { notice, prompt } = this.#parts;
    const { host } = this;
    const ended = new Promise<number>((resolve) => {
      this.#finish = resolve;
    });
    this.#introduce(notice);
    this.#shell.setChatLayer({
      chat: this.chat,
      footer: this.#footer,
      stopOffer: this.#stopOffer,
      leave: () => this.#finish(0),
      interrupt: () => {
        const { agent } = this.#parts;
        this.#quitKey.press({ cleared: this.chat.clearText(), busy: agent.isStreaming && !agent.isStopping });
      },
    });
    this.#endings.push(watchSummaries({ host, context: this.context, onEvent: (listener) => this.#onEvent(listener) }));
    this.#shell.start();
    this.#parts.listen((event) => this.#onAgentEvent(event));
    this.#others.look();
    await this.#parts.begin();
    // A long conversation opens at its end, so important notices must not go to its top.
    const said = notice ?? readOnlyNotice(this.#parts.agent.session, host.keys) ?? this.chat.hiddenIntro;
    if (said !== undefined) host.status(said);
    void this.#guarded(this.#lookForOtherAgents());
    if (prompt !== undefined && prompt !== "") void this.#guarded(this.chat.submit(prompt));
    return ended;
  }

  /** Ask again before discarding entries that are only in memory. */
  quit(): void {
    const unsaved = this.#warned ? 0 : unsavedEntries(this.#parts.agent.session);
    if (unsaved === 0) {
      this.#finish(0);
      return;
    }
    this.#warned = true;
    this.host.status(unsavedNotice(unsaved), "warning");
  }

  /** Events while the session closes are ignored. */
  dispose(): void {
    this.#disposed = true;
    this.#ending.abort();
    for (const end of this.#endings.splice(0)) end();
    this.#others.stop();
    this.#footer.stop();
    this.chat.dispose();
  }

  #createContext(): CommandContext {
    const {
      agent,
      sessionDir,
      cwd,
      home,
      version,
      agentPlaces,
      permissions,
      registrations,
      runExtensionCommand,
      sync,
    } = this.#parts;
    const { host } = this;
    const front = appFront({
      host,
      chat: () => this.chat,
      hints: this.#options.hints,
      modelName: () => (agent.model === undefined ? undefined : agent.model.info.name),
      open: (request) => this.#open(request),
      cwd,
    });
    const now = () => new Date(host.now());
    const extra = () => commandsOfExtensions(registrations.commands, runExtensionCommand);
    const { ui } = this.#options;
    return createCommandContext({
      ...{ agent, front, ui, sessionDir, cwd, home, version, now, extra, agentPlaces, permissions, sync },
    });
  }

  #createChat(): Chat {
    const { agent, cwd, registrations } = this.#parts;
    const { extensions } = this.#shell;
    const { host } = this;
    const { externalEditor } = agent.settings;
    return new Chat({
      host,
      agent,
      cwd,
      branchName: (id) => branchTitle(this.context, id),
      completeCommand: (line) => completeCommandLine(this.context, line),
      isCommand: (line) => readCommandLine(this.context, line).kind !== "prompt",
      runCommand: (line) => this.#runCommand(line),
      doubleEscape: () => this.#doubleEscape(),
      app: this.#chatApp(),
      shortcut: (key) => this.#shortcut(key),
      progressElsewhere: () => showsProgress(host),
      workNow: this.#options.workNow,
      environment: this.#options.env,
      renderer: (customType) => registrations.renderer(customType),
      drawers: new ExtensionRenderers({ host, registrations, cwd, entry: (id) => agent.session.getEntry(id) }),
      header: (width) => extensions.headerLines(width),
      thinkingLabel: () => extensions.thinkingLabel,
      externalEditor,
    });
  }

  /** The first lines depend on the session. */
  #introduce(notice?: string): void {
    const { host, context } = this;
    const { keys, glyphs } = host;
    const id = context.agent.session.getSessionId();
    if (this.#isEmpty && this.#options.hints.first("first-run")) this.#firstRunIn = id;
    const isFirstRun = this.#firstRunIn === id;
    const others = this.#otherAgents;
    this.chat.setIntro(introLines({ context, keys, glyphs, now: host.now(), notice, others, isFirstRun }));
  }

  get #isEmpty(): boolean {
    return this.#parts.agent.session.getSource().tree.count === 0;
  }

  /** A user who has already sent something does not need the hint now; show it another time. */
  async #lookForOtherAgents(): Promise<void> {
    const { agentPlaces: places, notice } = this.#parts;
    const { hints } = this.#options;
    if (places === undefined || !this.#isEmpty || hints.seen("other-agents")) return;
    // Not requested by the user, so failures are silent; /import reports them.
    const found = await otherAgentsNotice({ places, signal: this.#ending.signal }).catch(() => undefined);
    if (found === undefined || this.#disposed || !this.#isEmpty || !hints.first("other-agents")) return;
    this.#otherAgents = found;
    this.#introduce(notice);
    this.#otherAgents = undefined;
  }

  #chatApp(): ChatApp {
    const { agent, permissions } = this.#parts;
    return {
      showHelp: () => this.#shell.showHelp(undefined),
      quit: () => this.quit(),
      chooseModel: () => void this.#guarded(this.#open({ screen: "model" })),
      reopen: () => void this.#guarded(reopen(agent, this.host)),
      searchHistory: () => void this.#guarded(openHistory(this.#screenApp())),
      nextThinkingLevel: () => {
        const { driver } = agent;
        if (driver === undefined) this.host.status(nextThinkingLevel(agent));
        else void this.#guarded(this.#nextEffort(driver));
      },
      nextPermissionMode: () => {
        const { driver } = agent;
        let mode = nextPermissionMode(permissions.mode);
        const isSkipped = !holdsMode(mode, driver);
        if (isSkipped) mode = nextPermissionMode(mode);
        permissions.setMode(mode);
        const said = permissionModeSentence(mode, driver);
        this.host.status(isSkipped && driver !== undefined ? `${driver.title} has no plan mode. ${said}` : said);
      },
      settings: () => this.context.settings.current,
    };
  }

  /** Cycles what another agent offers for its model. */
  async #nextEffort(driver: Driver): Promise<void> {
    const efforts = await offered(this.context, driver, "effort");
    if (efforts === "stopped") return;
    if (efforts === undefined) return this.host.status(notOffered(driver, "effort"));
    const ids = efforts.values.map(({ id }) => id);
    const { name } = await this.context.agent.setDriverOption({
      option: "effort",
      value: nextOf(ids, efforts.value ?? "") ?? "",
    });
    this.host.status(`Thinking of ${driver.title}: ${firstWords(name, 60)}`);
  }

  #shortcut(key: KeyPress): boolean {
    const action = this.host.keys.actionFor(EXTENSION_SCOPE, key);
    if (action === undefined) return false;
    const name = action.slice(EXTENSION_SCOPE.length + 1);
    const shortcut = this.#parts.registrations.shortcuts.find((registered) => registered.name === name);
    if (shortcut !== undefined) void this.#guarded(this.#parts.runShortcut(shortcut));
    return shortcut !== undefined;
  }

  #doubleEscape(): void {
    const action = this.context.settings.current.doubleEscapeAction ?? "tree";
    if (action === "none") return;
    // As for a command, the previous status does not apply to it.
    this.host.clearStatus();
    void this.#guarded(this.#open({ screen: action }));
  }

  async #runCommand(line: string): Promise<void> {
    // The previous status does not apply to this action.
    this.host.clearStatus();
    const outcome = await runCommandLine(this.context, line);
    if (outcome.kind === "quit") this.quit();
    else showOutcome(this.context.front, outcome);
    this.#look.follow(this.context.settings.current);
  }

  async #open(request: ScreenRequest): Promise<void> {
    await openScreen(this.#screenApp(), request);
    this.#look.follow(this.context.settings.current);
  }

  #screenApp(): ScreenApp {
    const { registry, permissions, projectTrusted, agent } = this.#parts;
    return {
      host: this.host,
      context: this.context,
      registry,
      permissions,
      projectTrusted,
      readOnly: agent.session.getReadOnlyReason() !== undefined,
      showEntry: (id) => this.chat.showEntry(id),
      note: (text, level) => this.chat.note(text, level),
      open: (request) => this.#open(request),
      disabledReason: (id) => this.#shell.disabledReason(id),
      onEvent: (listener) => this.#onEvent(listener),
      onFollow: (listener) => {
        this.#followListeners.add(listener);
        return () => this.#followListeners.delete(listener);
      },
    };
  }

  #onEvent(listener: Listener<AgentEvent>): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  #onAgentEvent(event: AgentEvent): void {
    if (this.#disposed) return;
    const ownCommand = event.type === "tool_start" && !this.#parts.agent.isStreaming;
    if (event.type === "run_start" || ownCommand) this.host.clearStatus();
    this.chat.handleEvent(event);
    if (event.type === "session_changed") this.#introduce();
    this.#footer.handleEvent(event);
    this.#shell.attention.handleEvent(event);
    if (event.type === "run_end") {
      this.#stopOffer.expire();
      void this.#guarded(this.#offerLogin(event.outcome));
    }
    this.#secondBranch.handleEvent(event);
    for (const listener of [...this.#eventListeners]) listener(event);
    if (event.type === "session_changed" || event.type === "message_end") this.#others.look();
    this.host.redraw();
  }

  /** The agent that does the turns is not logged in: its prompt is in the editor again, and sent after the login. */
  async #offerLogin(outcome: RunOutcome): Promise<void> {
    const { driver } = this.#parts.agent;
    if (outcome.kind !== "failed" || outcome.failure.kind !== "auth" || outcome.by === undefined) return;
    if (outcome.by !== driver?.name) return;
    const done = await logInToAgent(this.context, outcome.by);
    if (this.#disposed) return;
    if (done.kind !== "done") return showOutcome(this.context.front, done);
    const text = this.chat.text.trim();
    this.chat.clearText();
    await this.chat.submit(text);
  }

  #onFollowEvent(event: FollowEvent): void {
    this.chat.refresh();
    this.#footer.lookAround();
    for (const listener of [...this.#followListeners]) listener(event);
  }

  /** Reports failures of work that is not awaited in the status line. */
  async #guarded(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.host.status(errorText(error), "error");
    }
  }
}

/** Panels that show the progress of a summary have their own clock. */
const PANELS: ReadonlySet<string> = new Set(["summary-progress", "compacting"]);

function showsProgress({ top }: Pick<OwnedHost, "top">): boolean {
  return top !== undefined && PANELS.has(top.name);
}

/** Cycles the thinking level; after the highest comes "off". Reports the new level. */
function nextThinkingLevel(agent: AgentSession): string | Notice {
  const { model } = agent;
  if (model === undefined) return { message: "No model is selected.", hint: "/model lists them." };
  if (!model.info.reasoning) return `${model.info.name} does not support thinking.`;
  const next = nextOf(THINKING_LEVELS, agent.thinkingLevel);
  agent.setThinkingLevel(next);
  return `Thinking: ${next}`;
}

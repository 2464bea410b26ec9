/**
 * One try: several attempts at the same prompt, each a branch of the session, written by a process of its own in a folder
 * of its own.
 *
 * The first attempt with a model starts alone until its answer begins: from then on the provider's prompt cache has what
 * all of them share, and the others start. When an attempt ends, its check runs in its folder, and an entry at the end of
 * its branch says how it ended.
 */
import { createHash } from "node:crypto";
import type { EntryId } from "@bough/session/entry/index.js";
import { isGroupAlive, processIdentity } from "@bough/session/log/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { defined, errorText, firstWords, isRecord } from "@bough/session/text/index.js";
import {
  type AttemptFolder,
  attemptTip,
  endGroups,
  removeFolder,
  settleFolder,
  writeFolderRecord,
} from "@bough/workbench/folder/index.js";
import { type AskPermission, commandEnvironment } from "../../tool/index.js";
import { commandShell, runProcess, stopGroup } from "../../tool/internal.js";
import type { AgentEvent, RunOutcome } from "../agent-events.js";
import type { AgentParts } from "../agent-parts.js";
import { diffAgentFiles } from "../files/diff-files.js";
import type { RunLimits } from "../turn/run-limits.js";
import { UsageCounter } from "../usage-total.js";
import { type Attempt, type AttemptRun, type AttemptState, isEnded, type TryResult } from "./attempt.js";
import { AttemptChild } from "./attempt-child.js";
import {
  ATTEMPT_END_TYPE,
  type AttemptEndData,
  type AttemptOutcome,
  type AttemptStart,
  type CheckResult,
  type FileCounts,
} from "./attempt-entries.js";
import { runCheck } from "./run-check.js";

export interface AttemptRunOptions {
  readonly home: string;
  readonly prompt: string;
  /** A command that is run in each folder at the end. */
  readonly check?: string | undefined;
  readonly checkTimeoutMs: number;
  /** For each attempt, from its first step on. */
  readonly timeoutMs?: number | undefined;
  /** For all attempts together. */
  readonly maxDollars?: number | undefined;
  /** How many work at once. */
  readonly atOnce: number;
  /** A command that installs what the folder lacks, such as `npm ci`. */
  readonly setup?: string | undefined;
  /** The command line of the process of an attempt. */
  readonly commandOf: (attempt: AttemptStart, at: EntryId, folder: AttemptFolder) => readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly ask?: AskPermission | undefined;
}

interface Slot {
  readonly start: AttemptStart;
  folder: AttemptFolder | undefined;
  child: AttemptChild | undefined;
  /** What can be seen of it. */
  view: Attempt;
  readonly usage: UsageCounter;
  readonly stop: AbortController;
  /** Resolves once its first answer begins, or it ended. */
  readonly begun: Promise<void>;
  readonly hasBegun: () => void;
  startedAt: number | undefined;
  why: { readonly outcome: AttemptOutcome; readonly reason?: string } | undefined;
}

/** A process that does not stop by itself is ended after this. */
const STOP_MS = 5000;
/** Beyond its own limit of time. */
const GRACE_MS = 10_000;

export class RunningTry implements AttemptRun {
  readonly tryId: EntryId;
  readonly done: Promise<TryResult>;
  readonly #parts: AgentParts;
  readonly #options: AttemptRunOptions;
  readonly #slots: readonly Slot[];
  readonly #listeners = new Set<(attempt: Attempt) => void>();
  #limit: TryResult["limit"];
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(
    parts: AgentParts,
    {
      tryId,
      attempts,
      ...options
    }: AttemptRunOptions & {
      readonly tryId: EntryId;
      readonly attempts: readonly {
        readonly start: AttemptStart;
        readonly at: EntryId;
        readonly folder: AttemptFolder;
      }[];
    },
  ) {
    this.#parts = parts;
    this.#options = options;
    this.tryId = tryId;
    this.#free = Math.max(1, options.atOnce);
    this.#slots = attempts.map(({ start, at, folder }) => newSlot(start, at, folder));
    const leads = new Map<string, Slot>();
    const works = this.#slots.map((slot) => {
      const cache = `${slot.start.driver} ${slot.start.model ?? ""}`;
      const lead = leads.get(cache);
      if (lead === undefined) leads.set(cache, slot);
      return this.#work(slot, lead);
    });
    this.done = Promise.all(works).then(() => {
      // Otherwise the end of an attempt would be the position after reopening.
      this.#session.recordPosition();
      return { attempts: this.attempts, ...defined({ limit: this.#limit }) };
    });
  }

  get attempts(): readonly Attempt[] {
    return this.#slots.map(({ view }) => view);
  }

  get isOver(): boolean {
    return this.#slots.every(({ view }) => isEnded(view));
  }

  subscribe(listener: (attempt: Attempt) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async stop(name?: string): Promise<void> {
    const slots = this.#slots.filter(
      ({ start, view }) => (name === undefined || start.name === name) && !isEnded(view),
    );
    for (const slot of slots) this.#stop(slot, { outcome: "stopped" });
    await Promise.all(slots.map((slot) => this.#endOf(slot)));
  }

  async message(name: string, text: string): Promise<boolean> {
    const child = this.#slots.find(({ start }) => start.name === name)?.child;
    if (child === undefined) return false;
    await child.steer(text);
    return true;
  }

  removeFolders(): void {
    for (const slot of this.#slots) {
      // What could not be recorded stays there, and the next cleaning tries again.
      if (slot.folder?.state !== "stored" || !isEnded(slot.view)) continue;
      endGroups(slot.folder);
      if (!removeFolder(slot.folder, this.#options.home)) continue;
      slot.folder = undefined;
      const { folder: _, ...rest } = slot.view;
      this.#show(slot, rest);
    }
  }

  async close(): Promise<void> {
    await this.stop();
    await this.done;
    this.removeFolders();
  }

  get #session(): SessionManager {
    return this.#parts.session;
  }

  async #endOf(slot: Slot): Promise<void> {
    if (isEnded(slot.view)) return;
    await new Promise<void>((resolve) => {
      const end = this.subscribe(() => {
        if (!isEnded(slot.view)) return;
        end();
        resolve();
      });
    });
  }

  #stop(slot: Slot, why: NonNullable<Slot["why"]>): void {
    slot.why ??= why;
    slot.stop.abort();
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #show(slot: Slot, view: Attempt): void {
    slot.view = view;
    this.#parts.emit({ type: "attempt", attempt: view });
    for (const listener of this.#listeners) listener(view);
  }

  #change(slot: Slot, change: Partial<Attempt>): void {
    this.#show(slot, { ...slot.view, ...change, durationMs: this.#durationOf(slot) });
  }

  #durationOf({ startedAt, view }: Slot): number {
    return startedAt === undefined ? view.durationMs : Math.round(performance.now() - startedAt);
  }

  /** Never rejects. */
  async #work(slot: Slot, lead: Slot | undefined): Promise<void> {
    const stopped = new Promise<void>((resolve) => {
      if (slot.stop.signal.aborted) resolve();
      slot.stop.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    try {
      if (lead !== undefined) await Promise.race([lead.begun, stopped]);
      await this.#place(slot);
      try {
        if (!slot.stop.signal.aborted) await this.#runIn(slot);
      } finally {
        this.#free += 1;
        this.#waiting.shift()?.();
      }
    } catch (error) {
      const { hint } = error as { readonly hint?: unknown };
      const reason = typeof hint === "string" ? `${errorText(error)}. ${hint}` : errorText(error);
      slot.why ??= { outcome: "failed", reason };
    }
    slot.hasBegun();
    try {
      await this.#end(slot);
    } catch (error) {
      this.#change(slot, { state: "failed", reason: errorText(error) });
    }
  }

  /** Waits until fewer work than may at once. */
  async #place(slot: Slot): Promise<void> {
    while (this.#free <= 0 && !slot.stop.signal.aborted) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#free -= 1;
  }

  async #runIn(slot: Slot): Promise<void> {
    const { folder, start } = slot;
    if (folder === undefined) throw new Error("bug: an attempt has no folder");
    slot.startedAt = performance.now();
    const { setup } = this.#options;
    if (setup !== undefined) {
      this.#change(slot, { state: "preparing", step: setup });
      await this.#setUp(slot, setup, folder);
      if (slot.stop.signal.aborted) return;
    }
    this.#change(slot, { state: "running" });
    const { ask } = this.#options;
    const child = await AttemptChild.start({
      name: start.name,
      command: this.#options.commandOf(start, slot.view.tipId, folder),
      cwd: folder.workingFolder,
      env: this.#envOf(folder, this.#options.env),
      onEvent: (event) => this.#onEvent(slot, event),
      ask:
        ask &&
        (async (question) => {
          this.#change(slot, { state: "asking", step: question.shown });
          try {
            return await ask(question);
          } finally {
            if (slot.view.state === "asking") this.#change(slot, { state: "running" });
          }
        }),
      onNotice: (message) => this.#parts.emit({ type: "notice", level: "warning", message }),
    });
    slot.child = child;
    this.#keep(slot, { groups: [child.process] });
    try {
      await this.#converse(slot, child);
    } finally {
      slot.child = undefined;
      await child.close();
    }
  }

  async #converse(slot: Slot, child: AttemptChild): Promise<void> {
    const { timeoutMs, maxDollars, prompt } = this.#options;
    const isOwn = slot.start.driver === "bough";
    const limits: RunLimits = defined({ milliseconds: timeoutMs, dollars: isOwn ? maxDollars : undefined });
    const { signal } = slot.stop;
    let hard: NodeJS.Timeout | undefined;
    const onStop = () => {
      void child.abort().catch(() => undefined);
      hard ??= setTimeout(() => void child.close(), STOP_MS);
    };
    const late =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => this.#stop(slot, { outcome: "limit", reason: "timeout" }), timeoutMs + GRACE_MS);
    if (signal.aborted) onStop();
    else signal.addEventListener("abort", onStop, { once: true });
    try {
      const outcome = await child.prompt(prompt, limits);
      slot.why ??= whyOf(outcome);
    } catch (error) {
      if (slot.why === undefined) throw error;
    } finally {
      clearTimeout(hard);
      clearTimeout(late);
      signal.removeEventListener("abort", onStop);
    }
  }

  async #setUp(slot: Slot, setup: string, folder: AttemptFolder): Promise<void> {
    let said = "";
    const end = await runProcess({
      ...{ program: commandShell().program, args: ["-c", setup], cwd: folder.workingFolder },
      env: commandEnvironment(this.#envOf(folder, this.#options.env)),
      signal: slot.stop.signal,
      timeoutMs: this.#options.checkTimeoutMs,
      killGraceMs: STOP_MS,
      onData: (chunk) => {
        said = (said + chunk.toString("utf8")).slice(-4096);
      },
      onGroup: (group) => this.#keep(slot, { groups: [processIdentity(group)] }),
    });
    if (end.kind === "aborted" || end.exitCode === 0) return;
    const last = said.trim().split("\n").at(-1) ?? "";
    throw new Error(
      `${setup} failed (exit code ${end.exitCode ?? "none"})${last === "" ? "" : `: ${firstWords(last, 200)}`}`,
    );
  }

  #envOf(folder: AttemptFolder, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    const { name, id, port } = folder;
    return {
      ...env,
      ...{ BOUGH_HOME: this.#options.home, BOUGH_ATTEMPT: name, BOUGH_ATTEMPT_ID: id, PORT: String(port) },
    };
  }

  /** In the record of the folder, which a start after a kill reads. */
  #keep(slot: Slot, change: Partial<AttemptFolder>): void {
    if (slot.folder === undefined) return;
    slot.folder = { ...slot.folder, ...change };
    writeFolderRecord(slot.folder, this.#options.home);
  }

  #onEvent(slot: Slot, event: Readonly<Record<string, unknown>>): void {
    const { type } = event;
    if (BEGUN.has(String(type))) slot.hasBegun();
    switch (type) {
      case "tool_start":
        this.#change(slot, { step: stepOf(event) });
        break;
      case "message_end": {
        const { message, entryId } = event;
        if (!isRecord(message)) return;
        if (message.role === "user" && typeof entryId === "string") this.#label(slot, entryId as EntryId);
        if (isRecord(message.usage)) slot.usage.addUsage(message.usage);
        const { tokens, dollars, unpriced } = slot.usage.total();
        const said = message.role === "assistant" ? { step: saidIn(message.content) ?? slot.view.step ?? "" } : {};
        const tip = typeof entryId === "string" ? { tipId: entryId as EntryId } : {};
        this.#session.refresh();
        this.#change(slot, { ...said, ...tip, tokens, dollars, unpriced });
        this.#checkCost();
        break;
      }
      case "notice":
        if (event.level === "error") this.#tellNotice(slot, event);
        break;
      default:
    }
  }

  #tellNotice({ start }: Slot, { message }: Readonly<Record<string, unknown>>): void {
    const notice: AgentEvent = { type: "notice", level: "warning", message: `${start.name}: ${String(message)}` };
    this.#parts.emit(notice);
  }

  /** Its prompt, so that the branch can be found by the name of the attempt. */
  #label({ start }: Slot, entryId: EntryId): void {
    this.#session.refresh();
    if (this.#session.getEntry(entryId) === undefined || this.#session.getLabel(entryId) !== undefined) return;
    this.#session.appendLabelChange(entryId, start.name);
  }

  #checkCost(): void {
    const { maxDollars } = this.#options;
    if (maxDollars === undefined || this.#limit !== undefined) return;
    const spent = this.#slots.reduce((sum, { usage }) => sum + usage.total().dollars, 0);
    if (spent < maxDollars) return;
    this.#limit = "dollars";
    for (const slot of this.#slots) {
      if (!isEnded(slot.view)) this.#stop(slot, { outcome: "limit", reason: "max-cost" });
    }
  }

  /** Records what is left, checks, and says in the session how it ended. */
  async #end(slot: Slot): Promise<void> {
    const { folder, start } = slot;
    const { home } = this.#options;
    if (folder === undefined) return;
    endGroups(folder);
    this.#session.refresh();
    // What a killed process did not record. Before the check, which may change files as well.
    await settleFolder(folder, home);
    this.#keep(slot, { state: "stored" });
    this.#session.refresh();
    const tipId = attemptTip(this.#session, start.entryId) ?? start.entryId;
    const { files, state } = await this.#filesOf(tipId);
    const why = slot.why ?? { outcome: "done" as const };
    const wasStopped = why.outcome === "stopped" || slot.startedAt === undefined;
    let check: CheckResult | undefined;
    if (this.#options.check !== undefined && !wasStopped) {
      this.#change(slot, { state: "checking", step: this.#options.check, tipId, ...defined({ files }) });
      check = await this.#check(slot, { command: this.#options.check, folder, state });
    }
    const durationMs = this.#durationOf(slot);
    const data: AttemptEndData = { v: 1, ...why, durationMs, ...defined({ check, files }) };
    const endId = appendBelow(this.#session, tipId, ATTEMPT_END_TYPE, data);
    this.#parts.emit({ type: "entries", ids: [endId] });
    this.#keep(slot, { state: "stored", groups: [] });
    const ended: AttemptState = why.outcome;
    this.#change(slot, { state: ended, tipId: endId, ...defined({ check, files, reason: why.reason }) });
  }

  async #check(
    slot: Slot,
    { command, folder, state }: { readonly command: string; readonly folder: AttemptFolder; readonly state: string },
  ): Promise<CheckResult> {
    const { checkTimeoutMs, env } = this.#options;
    const groups: number[] = [];
    const result = await runCheck({
      ...{ command, cwd: folder.workingFolder, state, timeoutMs: checkTimeoutMs, signal: slot.stop.signal },
      env: commandEnvironment(this.#envOf(folder, env)),
      onGroup: (group) => {
        groups.push(group);
        this.#keep(slot, { groups: [processIdentity(group)] });
      },
    });
    for (const group of groups) if (isGroupAlive(processIdentity(group))) await stopGroup(group);
    // Also what has left the group.
    endGroups(folder);
    return result;
  }

  /** How many files and lines the branch changed, and a name for that state. */
  async #filesOf(tipId: EntryId): Promise<{ readonly files: FileCounts | undefined; readonly state: string }> {
    const hash = createHash("sha256");
    try {
      const { files, total } = await diffAgentFiles(this.#parts, { from: this.tryId, to: tipId });
      let [added, removed] = [0, 0];
      for await (const file of files) {
        added += file.added ?? 0;
        removed += file.removed ?? 0;
        hash.update(`${JSON.stringify([file.path, file.before, file.after])}\n`);
      }
      return { files: { files: total, added, removed }, state: hash.digest("hex") };
    } catch {
      // Files are not recorded.
      return { files: undefined, state: "" };
    }
  }
}

const BEGUN: ReadonlySet<string> = new Set(["message_update", "tool_input", "tool_start", "run_end"]);

function newSlot(start: AttemptStart, at: EntryId, folder: AttemptFolder): Slot {
  let hasBegun = () => {};
  const begun = new Promise<void>((resolve) => {
    hasBegun = resolve;
  });
  const { name, entryId, tryId, driver, model } = start;
  const view: Attempt = {
    ...{ name, entryId, tipId: at, tryId, driver, state: "waiting", tokens: 0, dollars: 0, unpriced: 0, durationMs: 0 },
    folder: folder.path,
    ...defined({ model }),
  };
  return {
    ...{ start, folder, child: undefined, view, usage: new UsageCounter(), stop: new AbortController() },
    ...{ begun, hasBegun, startedAt: undefined, why: undefined },
  };
}

/** Undefined if it came to its end. */
function whyOf(outcome: RunOutcome): Slot["why"] {
  switch (outcome.kind) {
    case "done":
      return undefined;
    case "aborted":
      return outcome.limit === undefined ? { outcome: "stopped" } : { outcome: "limit", reason: outcome.limit };
    case "failed":
      return { outcome: "failed", reason: outcome.failure.message };
    case "cancelled":
      return { outcome: "failed", reason: `the extension ${outcome.by} took the prompt` };
  }
}

function stepOf({ toolName, input }: Readonly<Record<string, unknown>>): string {
  const given = isRecord(input) ? (input.command ?? input.path ?? input.pattern ?? "") : "";
  return firstWords(`${String(toolName)} ${String(given)}`.trim(), 100);
}

/** The first words of an answer. */
function saidIn(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const text = content.map((block) => (isRecord(block) && block.type === "text" ? String(block.text) : "")).join(" ");
  return text.trim() === "" ? undefined : firstWords(text, 100);
}

/** Adds an entry below another one; the leaf stays. */
export function appendBelow(
  session: SessionManager,
  below: EntryId | null,
  customType: string,
  data: unknown,
): EntryId {
  const leaf = session.getLeafId();
  session.branch(below);
  try {
    return session.appendCustomEntry(customType, data);
  } finally {
    session.branch(leaf);
  }
}

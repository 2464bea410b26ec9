/** Follows the calls of a turn: shows them, asks about them, and scans for what they changed. */
import { callsIn, type ToolResultMessage } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { Grown } from "@bough/workbench/interop/internal.js";
import type { Driver, DriverCall, DriverUpdate } from "../../driver/index.js";
import { callRequests, nameOf, type TurnHead, type TurnJournal } from "../../driver/internal.js";
import type { CallFollower } from "../files/agent-files.js";
import type { RunParts } from "../run-parts.js";

/** The whole turn, as a call that may change files. */
export function turnCall({ timestamp }: Pick<TurnHead, "timestamp">): string {
  return `turn-${timestamp}`;
}

type WatchParts = Pick<RunParts, "files" | "emit" | "cwd" | "permit" | "denials" | "now" | "hooks">;

export class TurnWatch {
  readonly #parts: WatchParts;
  readonly #journal: TurnJournal;
  readonly #signal: AbortSignal;
  readonly #followers = new Map<string, Promise<CallFollower | undefined>>();
  /** Calls that the user is being asked about: they change nothing yet. */
  readonly #asked = new Set<string>();
  /** Calls that front ends know. */
  readonly #told = new Set<string>();
  /** Calls that ended since the last scan. */
  #ended: string[] = [];
  #turn: CallFollower | undefined;
  #work: Promise<void> = Promise.resolve();
  #isSpeaking = false;
  /** Calls of which nothing was reported, and whose changes were looked for. */
  readonly #hidden = new Set<string>();
  #onEnd: () => void = () => {};

  constructor(parts: WatchParts, journal: TurnJournal, signal: AbortSignal) {
    this.#parts = parts;
    this.#journal = journal;
    this.#signal = signal;
  }

  /** Some calls are reported late, and some never: what changes during the turn is the agent's. */
  async begin({ name }: Driver): Promise<void> {
    const tool = { name, readOnly: false };
    this.#turn = await this.#parts.files?.openCall({ id: this.#turnId, tool, input: {}, signal: this.#signal });
    this.#turn?.allowed();
  }

  take(update: DriverUpdate): void {
    const { emit } = this.#parts;
    const { calls } = this.#journal.record;
    const before = update.kind === "call" ? calls.get(update.call.id) : undefined;
    this.#journal.add(update);
    if (!this.#isSpeaking) {
      this.#isSpeaking = true;
      emit({ type: "message_start", role: "assistant" });
    }
    if (update.kind !== "call") {
      emit({ type: "message_update", part: update.kind, delta: update.text });
      return;
    }
    const call = calls.get(update.call.id) as DriverCall;
    const toolName = nameOf(call);
    const toolCallId = call.id;
    if (before === undefined) this.#follow(call);
    // The first report of a call often has no input yet.
    if (!this.#told.has(call.id) && (hasInput(call) || call.status !== "pending")) {
      this.#told.add(call.id);
      const input = hasInput(call) ? call.input : { command: call.title ?? call.paths?.[0] ?? "" };
      emit({ type: "tool_input", toolCallId, toolName, delta: JSON.stringify(input) });
      emit({ type: "tool_start", toolCallId, toolName, input });
    }
    if (isOver(call) && !isOver(before)) {
      this.#end(call);
      emit({ type: "tool_end", toolCallId, toolName, result: resultOf(call, this.#parts.now().getTime()) });
    } else if (call.output !== undefined && call.output !== before?.output && !isOver(call)) {
      emit({ type: "tool_update", toolCallId, toolName, update: { text: call.output } });
    }
  }

  async ask(asked: DriverCall): Promise<"allow" | "deny"> {
    this.take({ kind: "call", call: asked });
    // The record of a call may be shortened, and rules need the whole command or path.
    const call = { ...this.#journal.record.calls.get(asked.id), ...asked };
    this.#asked.add(call.id);
    this.#scanEnded({ withRunning: true });
    await this.#work;
    try {
      const blocked = await this.#blocked(call);
      if (blocked !== undefined) return this.#refuse(call, blocked);
      for (const request of callRequests(call, this.#parts.cwd)) {
        const decision = await this.#parts.permit(request);
        if (decision.allowed) continue;
        return this.#refuse(call, decision.reason);
      }
      (await this.#followers.get(call.id))?.allowed();
      return "allow";
    } finally {
      this.#asked.delete(call.id);
    }
  }

  #refuse(call: DriverCall, reason: string): "deny" {
    this.#journal.add({ kind: "refused", id: call.id, reason });
    const toolName = nameOf(call);
    if (!this.#signal.aborted) this.#parts.denials.push({ toolCallId: call.id, toolName, reason });
    return "deny";
  }

  /** Why an extension does not allow a call. What it changes in the input is ignored: the agent has it already. */
  async #blocked(call: DriverCall): Promise<string | undefined> {
    const { hooks } = this.#parts;
    if (!hooks.has("tool_call")) return undefined;
    const input = isRecord(call.input) ? structuredClone(call.input) : {};
    const event = { type: "tool_call", toolName: nameOf(call), toolCallId: call.id, input } as const;
    const answers = await hooks.emit<"tool_call">(event, { signal: this.#signal });
    const block = answers.find(({ result }) => result.block === true);
    if (block === undefined) return undefined;
    return block.result.reason ?? `The extension ${block.extension} does not allow this call.`;
  }

  /** The turn is over, so every call has ended, even if the agent never said so. */
  async over(): Promise<void> {
    for (const call of this.#journal.record.calls.values()) if (this.#followers.has(call.id)) this.#end(call);
    this.#scanEnded();
    await this.#work;
  }

  /** Called whenever a call has ended. */
  onEnd(listener: () => void): void {
    this.#onEnd = listener;
  }

  /** Whether these calls have ended, and what they changed was found. */
  async haveEnded(callIds: readonly string[]): Promise<boolean> {
    await this.#work;
    const { calls } = this.#journal.record;
    const isOpen = (id: string) => this.#followers.has(id) && calls.get(id)?.refused === undefined;
    return this.#ended.length === 0 && !callIds.some(isOpen);
  }

  /** The transcript has their results, which the agent never reported. */
  async endedAnyway(callIds: readonly string[]): Promise<void> {
    for (const id of callIds) {
      const call = this.#journal.record.calls.get(id);
      if (call !== undefined && this.#followers.has(id)) this.#end(call);
    }
    await this.#work;
  }

  /** Front ends show entries now, up to these calls: what the agent said after them is shown as before. */
  settled(callIds: readonly string[]): void {
    const { parts } = this.#journal.record;
    const last = parts.findLastIndex((part) => part.kind === "call" && callIds.includes(part.id));
    if (last === parts.length - 1) this.#isSpeaking = false;
  }

  /** What calls changed that were never reported. */
  async scanHidden(grown: Grown | undefined): Promise<void> {
    const hidden = this.#hiddenIn(grown);
    if (hidden.length === 0) return;
    await this.#scanHidden(hidden);
  }

  /** What calls changed that were never reported, and what changed outside of any. */
  async scanRest(grown: Grown | undefined): Promise<void> {
    this.#turn?.close({ ran: true });
    await this.#scanHidden(this.#hiddenIn(grown));
  }

  #hiddenIn(grown: Grown | undefined): { readonly id: string; readonly name: string }[] {
    const { calls } = this.#journal.record;
    return (grown?.entries ?? []).flatMap((entry) =>
      callsIn(entry).filter(({ id }) => !calls.has(id) && !this.#hidden.has(id)),
    );
  }

  async #scanHidden(hidden: readonly { readonly id: string; readonly name: string }[]): Promise<void> {
    for (const { id } of hidden) this.#hidden.add(id);
    const tool = [...new Set(hidden.map(({ name }) => name))].join(", ");
    const ids = hidden.map(({ id }) => id);
    this.#work = this.#work.then(() => this.#scan(ids, tool));
    await this.#work;
  }

  get #turnId(): string {
    return turnCall(this.#journal.record.head);
  }

  #follow(call: DriverCall): void {
    const { files } = this.#parts;
    if (files === undefined) return;
    const tool = { name: nameOf(call), readOnly: call.action === "read" || call.action === "search" };
    this.#followers.set(call.id, files.openCall({ id: call.id, tool, input: call.input, signal: this.#signal }));
  }

  #end(call: DriverCall): void {
    const follower = this.#followers.get(call.id);
    this.#followers.delete(call.id);
    this.#ended.push(call.id);
    this.#work = this.#work.then(async () => (await follower)?.close({ ran: true }));
    // Calls that overlapped in time become one record.
    const others = [...this.#followers.keys()].filter((id) => !this.#asked.has(id));
    if (others.length === 0) this.#scanEnded();
    this.#onEnd();
  }

  /** `withRunning`: others have not ended yet, and may have changed files too. */
  #scanEnded({ withRunning = false } = {}): void {
    if (this.#ended.length === 0 && !withRunning) return;
    const running = withRunning ? [...this.#followers.keys()].filter((id) => !this.#asked.has(id)) : [];
    const ids = [...this.#ended, ...running];
    if (ids.length === 0) return;
    this.#ended = [];
    const { calls } = this.#journal.record;
    const tool = [...new Set(ids.map((id) => nameOf(calls.get(id) ?? { id })))].join(", ");
    this.#work = this.#work.then(() => this.#scan(ids, tool));
  }

  async #scan(callIds: readonly string[], tool: string): Promise<void> {
    const scan = await this.#parts.files?.scanNow({
      callIds,
      ...(tool === "" ? {} : { tool }),
      within: [this.#turnId],
    });
    if (scan !== undefined) this.#journal.add({ kind: "scan", scan: { callIds, scan } });
  }
}

function isOver(call: DriverCall | undefined): boolean {
  return call?.status === "done" || call?.status === "failed";
}

function hasInput({ input }: DriverCall): boolean {
  return isRecord(input) && Object.keys(input).length > 0;
}

function resultOf(call: DriverCall, timestamp: number): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: nameOf(call),
    content: [{ type: "text", text: call.output ?? "" }],
    isError: call.status === "failed",
    timestamp,
  };
}

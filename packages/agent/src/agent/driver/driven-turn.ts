/**
 * One prompt to another agent, and everything that follows until it is done. What the agent reports is shown, and
 * written to a journal next to the session; the entries come from the agent's own transcript when it is done. Files are
 * scanned whenever a call ends, and before a question is answered, because the agent waits then.
 */

import { setTimeout as pause } from "node:timers/promises";
import {
  type AssistantMessage,
  DRIVER_TYPE,
  type EntryId,
  type ImageBlock,
  type ToolResultMessage,
} from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { upwards } from "@bough/session/session/internal.js";
import { defined, errorText, isRecord } from "@bough/session/text/index.js";
import type { Grown } from "@bough/workbench/interop/internal.js";
import {
  type Driver,
  type DriverCall,
  DriverError,
  type DriverUpdate,
  type OpenDriver,
  type TurnEnd,
} from "../../driver/index.js";
import {
  callRequests,
  nameOf,
  settleTurn,
  TURN_VERSION,
  type TurnHead,
  TurnJournal,
  type TurnRecord,
} from "../../driver/internal.js";
import type { RunOutcome } from "../agent-events.js";
import type { CallFollower } from "../files/agent-files.js";
import type { RunParts } from "../run-parts.js";
import type { CurrentNative, DrivenAgent } from "./driven-agent.js";

export interface DrivenPrompt {
  readonly text: string;
  readonly images: readonly ImageBlock[];
  readonly signal: AbortSignal;
  /** The prompt is on disk. */
  readonly onTaken?: (() => void) | undefined;
}

export async function driveTurn(parts: RunParts, driven: DrivenAgent, prompt: DrivenPrompt): Promise<RunOutcome> {
  const { signal } = prompt;
  let journal: TurnJournal | undefined;
  try {
    const open = await driven.start(parts, signal);
    // What the user changed belongs to the branch it was changed on.
    await parts.files?.beforePrompt();
    const native = await driven.native(parts, open, signal);
    await setMode(parts, driven, { open, native, signal });
    recordDriver(parts, driven, { open, native });
    // The agent may change files before it reports anything.
    await parts.files?.beforeTools(signal);
    signal.throwIfAborted();
    journal = new TurnJournal(parts.session.getSessionFile(), headOf(parts, driven, { open, native, prompt }));
    prompt.onTaken?.();
    parts.emit({ type: "prompt_sent", text: prompt.text });
    return await send(parts, driven, { open, native, prompt, journal });
  } catch (error) {
    journal?.leave();
    if (signal.aborted) return { kind: "aborted" };
    // Nothing of it was sent.
    if (journal === undefined) {
      parts.emit({ type: "queue_returned", reason: "failed", steering: [prompt.text], followUp: [] });
    }
    return { kind: "failed", failure: failureOf(error), by: driven.driver.name };
  }
}

interface Sending {
  readonly open: OpenDriver;
  readonly native: CurrentNative;
  readonly prompt: DrivenPrompt;
  readonly journal: TurnJournal;
}

async function send(
  parts: RunParts,
  driven: DrivenAgent,
  { open, native, prompt, journal }: Sending,
): Promise<RunOutcome> {
  const { text, images, signal } = prompt;
  const watch = new TurnWatch(parts, journal, signal);
  await watch.begin(driven.driver);
  let end: TurnEnd["reason"] | "failed" = "failed";
  let failure: unknown;
  try {
    const answer = await open.prompt(native.id, {
      ...{ text, images, signal },
      onUpdate: (update) => watch.take(update),
      onQuestion: ({ call }) => watch.ask(call),
    });
    end = answer.reason;
  } catch (error) {
    failure = error;
  }
  await watch.over();
  journal.add({ kind: "end", end });
  const grown = await readWhole(driven, native, journal.record);
  await watch.scanRest(grown);
  const leaf = await settle(parts, journal.record, grown);
  if (journal.isFull) {
    const message = `${driven.driver.title} reported more than is kept of one turn; its own transcript has the rest`;
    parts.emit({ type: "notice", level: "info", message });
  }
  journal.discard();
  await parts.session.flush();
  if (failure === undefined) driven.keep(parts, native, grown?.mark ?? native.mark);
  if (signal.aborted) return { kind: "aborted" };
  if (failure !== undefined) return { kind: "failed", failure: failureOf(failure), by: driven.driver.name };
  if (end === "limit" || end === "refused") {
    const message = end === "limit" ? "stopped at its own limit" : "refused to continue";
    parts.emit({
      type: "notice",
      level: "warning",
      message: `${driven.driver.title} ${message}`,
      hint: 'Say "continue".',
    });
  }
  const message = lastAnswer(parts.session, leaf);
  if (message !== undefined) return { kind: "done", message };
  const nothing = { kind: "unknown", message: `${driven.driver.title} gave no answer`, retryable: false } as const;
  return { kind: "failed", failure: nothing, by: driven.driver.name };
}

/** How long a transcript may be behind the protocol. */
const LATE_MS = 2000;
const POLL_MS = 50;

/** The transcript is complete when the prompt returns, or a moment later. */
async function readWhole(driven: DrivenAgent, native: CurrentNative, record: TurnRecord): Promise<Grown | undefined> {
  const spoke = record.parts.some(({ kind }) => kind === "text");
  for (let waited = 0; ; waited += POLL_MS) {
    const grown = await driven.read(native, native.mark);
    const isLate = spoke && record.end === "done" && !grown?.entries.some(isAnswer);
    if (!isLate || waited >= LATE_MS || driven.driver.transcripts === undefined) return grown;
    await pause(POLL_MS);
  }
}

function isAnswer(entry: Grown["entries"][number]): boolean {
  return entry.type === "message" && entry.message.role === "assistant";
}

/** Adds the entries of the turn, and tells front ends. Returns the entry it continued. */
export async function settle(
  parts: Pick<RunParts, "session" | "files" | "emit" | "meter">,
  record: TurnRecord,
  grown: Grown | undefined,
): Promise<EntryId | null> {
  const { session, files, emit } = parts;
  const from = record.head.leaf as EntryId | null;
  await settleTurn(
    {
      session,
      recordScans: async (scans) => files?.recordScans(scans),
      onEntry: (id) => {
        const entry = session.getEntry(id);
        if (entry?.type !== "message") return emit({ type: "entries", ids: [id] });
        const { message } = entry;
        if (message.role === "assistant") parts.meter?.spend(message.usage);
        else emit({ type: "message_start", role: message.role });
        emit({ type: "message_end", entryId: id, message });
      },
    },
    record,
    grown,
  );
  return from;
}

function lastAnswer(session: SessionManager, until: EntryId | null): AssistantMessage | undefined {
  for (const entry of upwards(session, session.getLeafId())) {
    if (entry.id === until) return undefined;
    if (entry.type === "message" && entry.message.role === "assistant") return entry.message;
  }
  return undefined;
}

interface ModeParts {
  readonly open: OpenDriver;
  readonly native: CurrentNative;
  readonly signal: AbortSignal;
}

/** Throws `agent-cannot` if the agent has no mode in which it changes nothing. */
async function setMode({ permissions }: RunParts, { driver }: DrivenAgent, { open, native, signal }: ModeParts) {
  const mode = permissions?.mode;
  if (mode === undefined) return;
  const wanted = driver.modes?.[mode] ?? native.mode;
  const isOffered = wanted !== undefined && native.modes.some(({ id }) => id === wanted);
  const isRestricted = mode === "plan" || mode === "read-only";
  if (isRestricted && (driver.modes?.[mode] === undefined || !isOffered)) {
    throw new DriverError(
      "agent-cannot",
      `${driver.title} cannot be kept from changing files, so mode ${mode} would not hold`,
      {
        data: { mode },
        hint: "Choose another mode with --permission, such as ask.",
      },
    );
  }
  if (isOffered && wanted !== undefined) await open.setMode(native.id, wanted, { signal });
}

interface Recorded {
  readonly open: OpenDriver;
  readonly native: CurrentNative;
}

/** Says who does the turns from here on, if that is news on this path. */
function recordDriver({ session, emit, cwd }: RunParts, { driver }: DrivenAgent, { open, native }: Recorded): void {
  const data = { agent: driver.name, version: open.version, nativeId: native.id, cwd, records: native.mark?.records };
  for (const entry of upwards(session, session.getLeafId())) {
    if (entry.type !== "custom" || entry.customType !== DRIVER_TYPE || !isRecord(entry.data)) continue;
    const { agent, version, nativeId } = entry.data;
    if (agent === data.agent && version === data.version && nativeId === data.nativeId) return;
    break;
  }
  emit({ type: "entries", ids: [session.appendCustomEntry(DRIVER_TYPE, defined(data))] });
}

function headOf(parts: RunParts, driven: DrivenAgent, { open, native, prompt }: Omit<Sending, "journal">): TurnHead {
  const { session, cwd, now } = parts;
  const { name, transcripts } = driven.driver;
  return {
    version: TURN_VERSION,
    sessionId: session.getSessionId(),
    leaf: session.getLeafId(),
    driver: name,
    nativeId: native.id,
    model: native.model ?? "unknown",
    cwd,
    prompt: prompt.text,
    timestamp: now().getTime(),
    process: open.process,
    ...defined({ transcripts, home: driven.env.HOME, mark: native.mark }),
  };
}

/** The whole turn, as a call that may change files. */
export function turnCall({ timestamp }: Pick<TurnHead, "timestamp">): string {
  return `turn-${timestamp}`;
}

/** Follows the calls of a turn. */
class TurnWatch {
  readonly #parts: RunParts;
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

  constructor(parts: RunParts, journal: TurnJournal, signal: AbortSignal) {
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
    const call = this.#journal.record.calls.get(asked.id) ?? asked;
    this.#asked.add(call.id);
    this.#scanEnded();
    await this.#work;
    try {
      for (const request of callRequests(call, this.#parts.cwd)) {
        const decision = await this.#parts.permit(request);
        if (decision.allowed) continue;
        this.#journal.add({ kind: "refused", id: call.id, reason: decision.reason });
        if (!this.#signal.aborted)
          this.#parts.denials.push({ toolCallId: call.id, toolName: nameOf(call), reason: decision.reason });
        return "deny";
      }
      (await this.#followers.get(call.id))?.allowed();
      return "allow";
    } finally {
      this.#asked.delete(call.id);
    }
  }

  /** The turn is over, so every call has ended, even if the agent never said so. */
  async over(): Promise<void> {
    for (const call of this.#journal.record.calls.values()) if (this.#followers.has(call.id)) this.#end(call);
    this.#scanEnded();
    await this.#work;
  }

  /** What calls changed that were never reported, and what changed outside of any. */
  async scanRest(grown: Grown | undefined): Promise<void> {
    const { calls } = this.#journal.record;
    const hidden = (grown?.entries ?? []).flatMap((entry) => {
      if (entry.type !== "message" || entry.message.role !== "assistant") return [];
      return entry.message.content.flatMap((block) =>
        block.type === "toolCall" && !calls.has(block.id) ? [block] : [],
      );
    });
    const tool = [...new Set(hidden.map(({ name }) => name))].join(", ");
    this.#turn?.close({ ran: true });
    await this.#scan(
      hidden.map(({ id }) => id),
      tool,
    );
  }

  get #turnId(): string {
    return turnCall(this.#journal.record.head);
  }

  #follow(call: DriverCall): void {
    const { files } = this.#parts;
    if (files === undefined) return;
    const tool = { name: nameOf(call), readOnly: call.action === "read" };
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
  }

  #scanEnded(): void {
    const ids = this.#ended;
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

function failureOf(error: unknown) {
  const hint = error instanceof DriverError ? error.hint : undefined;
  const kind = error instanceof DriverError && error.code === "agent-login" ? ("auth" as const) : ("unknown" as const);
  return { kind, message: errorText(error), ...defined({ hint }), retryable: false };
}

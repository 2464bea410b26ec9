/**
 * One prompt to another agent, and everything that follows until it is done. What the agent reports is shown, and
 * written to a journal next to the session; the entries come from the agent's own transcript, step by step. Files are
 * scanned whenever a call ends, and before a question is answered, because the agent waits then.
 */

import { setTimeout as pause } from "node:timers/promises";
import { type AssistantMessage, DRIVER_TYPE, type EntryId, type ImageBlock } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { upwards } from "@bough/session/session/internal.js";
import { defined, errorText, isRecord } from "@bough/session/text/index.js";
import type { Grown } from "@bough/workbench/interop/internal.js";
import { DriverError, type OpenDriver, type TurnEnd } from "../../driver/index.js";
import {
  replyIn,
  TURN_VERSION,
  type TurnHead,
  TurnJournal,
  type TurnRecord,
  TurnSettling,
} from "../../driver/internal.js";
import type { RunOutcome } from "../agent-events.js";
import type { RunParts } from "../run-parts.js";
import type { CurrentNative, DrivenAgent } from "./driven-agent.js";
import type { AppliedChoices } from "./driver-choices.js";
import { settlingParts } from "./settling-parts.js";
import { StepSettler } from "./step-settler.js";
import { TurnWatch } from "./turn-watch.js";

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
    const choices = await driven.applyChoices(parts, { open, native, signal });
    recordDriver(parts, driven, { open, native, choices });
    // The agent may change files before it reports anything.
    await parts.files?.beforeTools(signal);
    signal.throwIfAborted();
    const head = headOf(parts, driven, { open, native, prompt });
    journal = new TurnJournal(parts.session.getSessionFile(), head, async (text) => parts.files?.storeText(text));
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
  const { text, images } = prompt;
  // A limit is checked whenever a step was added.
  const limit = new AbortController();
  const signal = AbortSignal.any([prompt.signal, limit.signal]);
  const onSpent = () => {
    if (parts.meter?.reached !== undefined) limit.abort();
  };
  const { record } = journal;
  const watch = new TurnWatch(parts, journal, signal);
  await watch.begin(driven.driver);
  const settling = new TurnSettling(settlingParts(parts, onSpent), record);
  const steps = driven.settlesSteps
    ? new StepSettler({
        ...{ watch, journal, settling },
        read: () => driven.read(native, native.mark, record.cuts),
        stamp: () => driven.stamp(native),
      })
    : undefined;
  let end: TurnEnd["reason"] | "failed" = "failed";
  let failure: unknown;
  try {
    const answer = await open.prompt(native.id, {
      ...{ text, images, signal, given: native.given },
      onUpdate: (update) => watch.take(update),
      onQuestion: ({ call }) => watch.ask(call),
    });
    end = answer.reason;
  } catch (error) {
    failure = error;
  }
  await steps?.stop();
  await watch.over();
  await journal.whole();
  journal.add({ kind: "end", end });
  const grown = await readWhole(driven, native, record);
  await watch.scanRest(grown);
  await settling.finish(grown);
  const leaf = record.head.leaf as EntryId | null;
  if (grown === undefined && driven.driver.transcripts !== undefined) {
    const message = `The transcript of ${driven.driver.title} could not be read: the turn was recorded from the protocol`;
    parts.emit({ type: "notice", level: "warning", message });
  }
  if (journal.isFull) {
    const message = `${driven.driver.title} reported more than is kept of one turn; its own transcript has the rest`;
    parts.emit({ type: "notice", level: "info", message });
  }
  journal.discard();
  await parts.session.flush();
  if (failure === undefined)
    driven.keep(parts, native, { mark: grown?.mark ?? native.mark, calls: [...record.calls.keys()] });
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
    const grown = await driven.read(native, native.mark, record.cuts);
    const isLate = spoke && record.end === "done" && !replyIn(record.head, grown?.entries ?? []).some(isAnswer);
    if (!isLate || waited >= LATE_MS || driven.driver.transcripts === undefined) return grown;
    await pause(POLL_MS);
  }
}

function isAnswer(entry: Grown["entries"][number]): boolean {
  return entry.type === "message" && entry.message.role === "assistant";
}

function lastAnswer(session: SessionManager, until: EntryId | null): AssistantMessage | undefined {
  for (const entry of upwards(session, session.getLeafId())) {
    if (entry.id === until) return undefined;
    if (entry.type === "message" && entry.message.role === "assistant") return entry.message;
  }
  return undefined;
}

interface Recorded {
  readonly open: OpenDriver;
  readonly native: CurrentNative;
  readonly choices: AppliedChoices;
}

/** Says who does the turns from here on, if that is news on this path. */
function recordDriver(parts: RunParts, { driver }: DrivenAgent, { open, native, choices }: Recorded): void {
  const { session, emit, cwd } = parts;
  const { version } = open;
  // Its entries come from what it reports, not from a transcript.
  const records = driver.transcripts === undefined ? "protocol" : undefined;
  const data = { agent: driver.name, version, nativeId: native.id, cwd, records, ...choices };
  for (const entry of upwards(session, session.getLeafId())) {
    if (entry.type !== "custom" || entry.customType !== DRIVER_TYPE || !isRecord(entry.data)) continue;
    const { agent, version: known, nativeId, model, effort } = entry.data;
    const isSame = agent === data.agent && known === version && nativeId === data.nativeId;
    if (isSame && model === choices.model && effort === choices.effort) return;
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
    model: open.options(native.id).find(({ option }) => option === "model")?.value ?? native.model ?? "unknown",
    cwd,
    prompt: prompt.text,
    timestamp: now().getTime(),
    process: open.process,
    ...(native.given === undefined ? {} : { given: true as const }),
    ...defined({ transcripts, home: driven.env.HOME, mark: native.mark }),
  };
}

function failureOf(error: unknown) {
  const hint = error instanceof DriverError ? error.hint : undefined;
  const kind = error instanceof DriverError && error.code === "agent-login" ? ("auth" as const) : ("unknown" as const);
  return { kind, message: errorText(error), ...defined({ hint }), retryable: false };
}

/** Converts our events to pi's, and answers of pi's handlers to ours. */

import type { ModelInfo } from "@bough/agent/model/index.js";
import { entryMessage } from "@bough/session/context/index.js";
import type { AgentMessage, SessionEntry } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import { toPiModel } from "../ai/pi-model.js";
import { DEFAULT_COMPACTION_SETTINGS } from "../coding-agent/estimates.js";
import { fileOperations } from "../coding-agent/summaries.js";
import { piDetails } from "../tools/pi-details.js";
import { piEntry, piMessage } from "./pi-entries.js";

type Event = Readonly<Record<string, unknown>>;
type Translate = (event: Event) => Event;

const aMessage: Translate = ({ message }) => ({ message: piMessage(message as AgentMessage) });
const withMessages: Translate = ({ messages }) => ({ messages: (messages as readonly AgentMessage[]).map(piMessage) });
const model = (info: unknown): unknown => (info === undefined ? undefined : toPiModel(info as ModelInfo));

/** Copies of messages that a handler may change freely. */
export function ownMessages(messages: readonly AgentMessage[]): AgentMessage[] {
  return messages.map((message) => structuredClone(piMessage(message)));
}

function preparationForPi(preparation: Event): Event {
  const entries = (preparation.entriesToSummarize ?? []) as readonly SessionEntry[];
  const messages = entries.flatMap((entry) => {
    const message = entryMessage(entry);
    return message === null ? [] : [piMessage(message)];
  });
  const isSplitTurn = preparation.splitTurn === true || isRecord(preparation.splitTurn);
  return {
    ...preparation,
    messagesToSummarize: messages,
    turnPrefixMessages: [],
    isSplitTurn,
    fileOps: fileOperations(messages),
    settings: DEFAULT_COMPACTION_SETTINGS,
  };
}

/** Only the fields that differ; all others are passed through. */
const TRANSLATIONS: Readonly<Record<string, Translate>> = {
  message_start: aMessage,
  message_update: aMessage,
  message_end: aMessage,
  agent_end: withMessages,
  context: ({ messages }) => ({ messages: ownMessages(messages as readonly AgentMessage[]) }),
  turn_end: (event) => ({
    ...aMessage(event),
    toolResults: event.toolResults ?? [],
    entries: [],
    continue: false,
    outcome: outcomeOf(event.message),
  }),
  model_select: (event) => ({ model: model(event.model), previousModel: model(event.previousModel) }),
  session_before_compact: (event) => ({
    model: model(event.model),
    preparation: preparationForPi(event.preparation as Event),
    ...("branchEntries" in event ? { branchEntries: Array.from(event.branchEntries as SessionEntry[], piEntry) } : {}),
    willRetry: event.reason === "overflow",
  }),
  session_compact: (event) => ({ willRetry: event.reason === "overflow" }),
  session_compact_failed: (event) => ({ willRetry: false, fromExtension: event.fromExtension ?? false }),
  session_before_tree: ({ preparation }) => {
    const { entriesToSummarize = [], ...rest } = preparation as { readonly entriesToSummarize?: SessionEntry[] };
    return { preparation: { ...rest, entriesToSummarize: Array.from(entriesToSummarize, piEntry) } };
  },
  tool_result: ({ toolName, content, details }) => ({
    content: structuredClone(content),
    details: piDetails(String(toolName), details, content),
  }),
};

function outcomeOf(message: unknown): string {
  const stopReason = isRecord(message) ? message.stopReason : undefined;
  if (stopReason === "aborted") return "aborted";
  return stopReason === "error" ? "error" : "completed";
}

/** Methods, and parts that handlers change in place, remain the same objects. */
export function piEvent(event: Event): Event {
  const translate = TRANSLATIONS[String(event.type)];
  return translate === undefined ? event : { ...event, ...translate(event) };
}

/** Entries of Bough and of pi's relatives as pi starts with and sends them. What is in order stays as it is. */
import { entryMessage, toModelInput } from "@bough/session/context/index.js";
import type {
  AssistantMessage,
  CustomMessageEntry,
  MessageEntry,
  SessionEntry,
  ToolResultMessage,
} from "@bough/session/entry/index.js";
import { wholeUsage } from "@bough/session/entry/internal.js";
import { availableBlock } from "../conversion/outside-image.js";

interface PiEntry {
  /** The same object if nothing had to change; undefined if there is nothing pi could read. */
  readonly entry: SessionEntry | undefined;
  /** What becomes of it, where that is worth saying. */
  readonly effects: readonly string[];
}

/** `isAnswered`: whether a result of the call is on the path. */
export function piEntry(entry: SessionEntry, isAnswered: (callId: string) => boolean): PiEntry {
  if (entry.type === "thinking_level_change" && entry.thinkingLevel === null) {
    return unsaid({ ...entry, thinkingLevel: "off" });
  }
  if (entry.type === "model_change") return unsaid(modelInTwoWords(entry));
  return entry.type === "message" ? messageEntry(entry, isAnswered) : unsaid(withOwnUsage(entry));
}

function unsaid(entry: SessionEntry): PiEntry {
  return { entry, effects: [] };
}

/** oh-my-pi names a model in one word and has one for each role; pi knows one model, in two words. */
function modelInTwoWords(entry: Extract<SessionEntry, { type: "model_change" }>): SessionEntry {
  if (typeof entry.model !== "string" || entry.provider !== undefined) return entry;
  const { id, parentId, timestamp, model, role } = entry;
  if (role !== undefined && role !== "default") {
    return { type: "custom", id, parentId, timestamp, customType: "model_change", data: { model, role } };
  }
  const slash = model.indexOf("/");
  return { ...entry, provider: model.slice(0, Math.max(0, slash)), modelId: model.slice(slash + 1) };
}

/** The roles pi knows in a message, `system` since it has one. It says nothing of any other to the model. */
const PI_ROLES: ReadonlySet<unknown> = new Set([
  ...["user", "assistant", "toolResult", "bashExecution", "custom", "branchSummary", "compactionSummary", "system"],
]);

function messageEntry(entry: MessageEntry, isAnswered: (callId: string) => boolean): PiEntry {
  // Odd content would end pi before it starts.
  const sound = entryMessage(entry);
  if (sound === null) return { entry: undefined, effects: ["left out: its content cannot be read"] };
  if (!PI_ROLES.has(sound.role)) return spokenByExtension(entry);
  if (sound.role === "assistant") return answerEntry(entry, sound, isAnswered);
  const shown = sound.role === "user" || sound.role === "toolResult" ? withAvailableImages(sound) : sound;
  const message = shown.role === "toolResult" ? withResultUsage(shown) : shown;
  return unsaid(message === entry.message ? entry : { ...entry, message });
}

function withAvailableImages<Message extends { readonly content: unknown }>(message: Message): Message {
  if (!Array.isArray(message.content)) return message;
  const content = message.content.map(availableBlock);
  return content.every((block, at) => block === (message.content as unknown[])[at]) ? message : { ...message, content };
}

/** A result may say what its tool spent on models of its own. */
function withResultUsage(result: ToolResultMessage): ToolResultMessage {
  const { usage } = result as { readonly usage?: unknown };
  if (usage === undefined) return result;
  const whole = wholeUsage(usage);
  return whole === usage ? result : ({ ...result, usage: whole } as ToolResultMessage);
}

/** What the model is shown of a message whose role pi does not know, as pi shows an extension message. */
function spokenByExtension(entry: MessageEntry): PiEntry {
  const { id, parentId, timestamp, message } = entry;
  const [input] = toModelInput([message], { provider: "" });
  if (input?.role !== "user") return { entry, effects: [`pi does not know the role ${message.role}, and ignores it`] };
  const said: CustomMessageEntry = {
    type: "custom_message",
    id,
    parentId,
    timestamp,
    customType: message.role,
    content: input.content,
    display: true,
  };
  return { entry: said, effects: ["written as an extension message"] };
}

function answerEntry(entry: MessageEntry, sound: AssistantMessage, isAnswered: (callId: string) => boolean): PiEntry {
  const distinct = withoutRepeatedCalls(sound);
  const usage = wholeUsage(distinct.usage);
  const counted = usage === distinct.usage ? distinct : { ...distinct, usage };
  const finished = finishedAnswer(counted, isAnswered);
  const isStopped = finished.stopReason === "error" || finished.stopReason === "aborted";
  const effects = isStopped && sound.content.length > 0 ? ["pi keeps it, and does not send it to the model"] : [];
  if (distinct !== sound) effects.push("a second call with the same id is left out");
  if (finished.stopReason !== sound.stopReason) effects.push("written as finished, because its calls have results");
  return { entry: finished === entry.message ? entry : { ...entry, message: finished }, effects };
}

/** Two calls of one id in one answer cannot be told apart; the first counts, as in the context. */
function withoutRepeatedCalls(message: AssistantMessage): AssistantMessage {
  const seen = new Set<string>();
  const content = message.content.filter((block) => {
    if (block.type !== "toolCall") return true;
    const isFirst = !seen.has(block.id);
    seen.add(block.id);
    return isFirst;
  });
  return content.length === message.content.length ? message : { ...message, content };
}

/** pi sends no answer that failed or was stopped, but would send the results of its calls, which a provider refuses. */
function finishedAnswer(message: AssistantMessage, isAnswered: (callId: string) => boolean): AssistantMessage {
  if (message.stopReason !== "error" && message.stopReason !== "aborted") return message;
  if (!message.content.some((block) => block.type === "toolCall" && isAnswered(block.id))) return message;
  const { errorMessage: _error, ...rest } = message;
  return { ...rest, stopReason: "toolUse" };
}

/** An entry whose own counts, those of a summary or of a call beside the conversation, are whole. */
function withOwnUsage<Entry extends SessionEntry>(entry: Entry): Entry {
  const { usage } = entry as { readonly usage?: unknown };
  if (usage === undefined && entry.type !== "usage") return entry;
  const whole = wholeUsage(usage);
  return whole === usage ? entry : { ...entry, usage: whole };
}

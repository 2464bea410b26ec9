/** Adapts entries of Bough and oh-my-pi so that pi can load and send them. Valid entries stay unchanged. */
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
  /** The same object if nothing had to change; undefined if pi could not read it. */
  readonly entry: SessionEntry | undefined;
  /** Effects to report as losses. */
  readonly effects: readonly string[];
}

/** `isAnswered`: whether a result of the call is on the path. */
export function piEntry(entry: SessionEntry, isAnswered: (callId: string) => boolean): PiEntry {
  if (entry.type === "thinking_level_change" && entry.thinkingLevel === null) {
    return withoutEffects({ ...entry, thinkingLevel: "off" });
  }
  if (entry.type === "model_change") return withoutEffects(splitModel(entry));
  return entry.type === "message" ? messageEntry(entry, isAnswered) : withoutEffects(withOwnUsage(entry));
}

function withoutEffects(entry: SessionEntry): PiEntry {
  return { entry, effects: [] };
}

/** oh-my-pi stores `provider/model` in one field, and a model per role. pi has one model, in two fields. */
function splitModel(entry: Extract<SessionEntry, { type: "model_change" }>): SessionEntry {
  if (typeof entry.model !== "string" || entry.provider !== undefined) return entry;
  const { id, parentId, timestamp, model, role } = entry;
  if (role !== undefined && role !== "default") {
    return { type: "custom", id, parentId, timestamp, customType: "model_change", data: { model, role } };
  }
  const slash = model.indexOf("/");
  return { ...entry, provider: model.slice(0, Math.max(0, slash)), modelId: model.slice(slash + 1) };
}

/** The message roles that pi supports (`system` only in newer versions). pi does not send others to the model. */
const PI_ROLES: ReadonlySet<unknown> = new Set([
  ...["user", "assistant", "toolResult", "bashExecution", "custom", "branchSummary", "compactionSummary", "system"],
]);

function messageEntry(entry: MessageEntry, isAnswered: (callId: string) => boolean): PiEntry {
  // pi would crash on startup on invalid content.
  const sound = entryMessage(entry);
  if (sound === null) return { entry: undefined, effects: ["left out; its content is unreadable"] };
  if (!PI_ROLES.has(sound.role)) return asExtensionMessage(entry);
  if (sound.role === "assistant") return answerEntry(entry, sound, isAnswered);
  const shown = sound.role === "user" || sound.role === "toolResult" ? withAvailableImages(sound) : sound;
  const message = shown.role === "toolResult" ? withResultUsage(shown) : shown;
  return withoutEffects(message === entry.message ? entry : { ...entry, message });
}

function withAvailableImages<Message extends { readonly content: unknown }>(message: Message): Message {
  if (!Array.isArray(message.content)) return message;
  const content = message.content.map(availableBlock);
  return content.every((block, at) => block === (message.content as unknown[])[at]) ? message : { ...message, content };
}

/** Completes the usage of a result whose tool called models itself. */
function withResultUsage(result: ToolResultMessage): ToolResultMessage {
  const { usage } = result as { readonly usage?: unknown };
  if (usage === undefined) return result;
  const whole = wholeUsage(usage);
  return whole === usage ? result : ({ ...result, usage: whole } as ToolResultMessage);
}

/** Converts a message with a role unknown to pi to an extension message with the content that the model sees. */
function asExtensionMessage(entry: MessageEntry): PiEntry {
  const { id, parentId, timestamp, message } = entry;
  const [input] = toModelInput([message], { provider: "" });
  if (input?.role !== "user") return { entry, effects: [`pi ignores the unknown role ${message.role}`] };
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
  const effects = isStopped && sound.content.length > 0 ? ["kept, but pi does not send it to the model"] : [];
  if (distinct !== sound) effects.push("a second call with the same ID is left out");
  if (finished.stopReason !== sound.stopReason) effects.push("written as finished, because its calls have results");
  return { entry: finished === entry.message ? entry : { ...entry, message: finished }, effects };
}

/** Two calls with one ID in one answer cannot be told apart; the first counts, as in the context. */
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

/** pi does not send failed or aborted answers, but would send the results of their calls, which providers reject. */
function finishedAnswer(message: AssistantMessage, isAnswered: (callId: string) => boolean): AssistantMessage {
  if (message.stopReason !== "error" && message.stopReason !== "aborted") return message;
  if (!message.content.some((block) => block.type === "toolCall" && isAnswered(block.id))) return message;
  const { errorMessage: _error, ...rest } = message;
  return { ...rest, stopReason: "toolUse" };
}

/** Completes the usage in an entry itself, as of a summary or a model call outside the conversation. */
function withOwnUsage<Entry extends SessionEntry>(entry: Entry): Entry {
  const { usage } = entry as { readonly usage?: unknown };
  if (usage === undefined && entry.type !== "usage") return entry;
  const whole = wholeUsage(usage);
  return whole === usage ? entry : { ...entry, usage: whole };
}

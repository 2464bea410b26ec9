/** The messages and parts of one opencode session become entries. */
import type { AssistantBlock, EntryId, SessionEntry, StopReason, UserContent } from "../../entry/index.js";
import { imageOfDataUrl } from "../conversion/data-url.js";
import { type EntryChain, millisecondsOf } from "../conversion/entry-chain.js";
import { foreignId, isConversationEntry, noteEntry } from "../foreign-entry.js";
import { isObject, stringIn } from "../foreign-lines.js";
import type { LossCollector, RecordFate } from "../loss-report.js";
import { answerBlock, childSessionOf, resultOf, usageOf } from "./part-blocks.js";
import { type JsonObject, type StoredMessage, type StoredPart, type StoredRecord, timeOf } from "./session-store.js";

/** The `customType` of texts the program adds to what the user said. */
export const SYNTHETIC_TYPE = "opencode.synthetic";

export interface SessionConversionOptions {
  readonly session: string;
  /** A sub-agent's title is no name for the session it is part of. */
  readonly role: "session" | "sub-agent";
  readonly report: LossCollector;
  readonly chain: EntryChain;
}

const KNOWN_PARTS: ReadonlySet<string> = new Set([
  ...["text", "reasoning", "tool", "file", "agent", "subtask", "step-start", "step-finish", "snapshot", "patch"],
  ...["retry", "compaction"],
]);

const APIS: ReadonlyMap<string, string> = new Map([
  ["anthropic", "anthropic-messages"],
  ["openai", "openai-responses"],
  ["google", "google-generative-ai"],
]);

type Part = StoredPart & { readonly value: JsonObject };

export class SessionConversion {
  readonly #options: SessionConversionOptions;
  readonly #chain: EntryChain;
  /** The first entry of each message, and what stood before it. */
  readonly #places = new Map<string, { readonly before: EntryId | null; readonly first: EntryId | undefined }>();
  /** The call each sub-agent works for, by its session. */
  readonly starters = new Map<string, { readonly callId: string; readonly entryId: EntryId }>();
  lastTalk: EntryId | null = null;
  #model = "";
  /** A message that only asks for a summary waits for it. */
  #asked: { readonly message: StoredMessage; readonly tail: string | undefined } | undefined;

  constructor(options: SessionConversionOptions) {
    this.#options = options;
    this.#chain = options.chain;
  }

  /** What a list says of the session; figures that change with every message are left out, so that it stays the same. */
  session(record: StoredRecord): void {
    if (record.value === undefined) {
      this.#count("reported", record, "session", "unreadable");
      return;
    }
    const { id, slug, projectID, directory, parentID, version, title } = record.value;
    const created = timeOf(record.value, "created");
    if (created !== undefined) this.#chain.time = new Date(created).toISOString();
    const kept = JSON.parse(
      JSON.stringify({ id, slug, projectID, directory, parentID, version, time: { created } }),
    ) as unknown;
    const place = this.#chain.take(this.#id("session"));
    this.#push(noteEntry(place, { agent: "opencode", type: "session", line: record.line, record: kept }));
    if (this.#options.role === "session" && typeof title === "string" && title !== "") {
      // Beside the conversation: a new title does not move what follows.
      const named = { id: this.#id("title", title), parentId: place.id, timestamp: place.timestamp };
      this.#push({ type: "session_info", ...named, name: title });
    }
    this.#count("note", record, "session");
  }

  stray(record: StoredRecord & { readonly type: string }): void {
    this.#options.report.nameUnknown(`record type ${record.type}`);
    this.#note(record, record.type, foreignId(JSON.stringify(record.value)));
    this.#count("note", record, record.type, "not read yet");
  }

  message(message: StoredMessage): void {
    const { value } = message;
    const before = this.#chain.leaf;
    this.#firstMade = undefined;
    const created = timeOf(value, "created");
    if (created !== undefined) this.#chain.time = new Date(created).toISOString();
    for (const part of message.parts) if (part.value === undefined) this.#count("reported", part, "part", "unreadable");
    const parts = message.parts.filter((part): part is Part => part.value !== undefined);
    if (value === undefined) {
      this.#count("reported", message, "message", "unreadable");
      for (const part of parts) this.#stray(part);
    } else if (value.role === "assistant") this.#answer(message, value, parts);
    else if (value.role === "user") this.#user(message, value, parts);
    else {
      this.#options.report.nameUnknown(`message role ${String(value.role)}`);
      this.#note(message, "message", message.id);
      this.#count("note", message, "message");
      for (const part of parts) this.#stray(part);
    }
    this.#places.set(message.id, { before, first: this.#firstMade });
  }
  #firstMade: EntryId | undefined;

  /** Where the leaf is after everything from a message on was undone; undefined where nothing was. */
  undoneTo(revert: unknown): EntryId | null | undefined {
    const id = isObject(revert) ? stringIn(revert.messageID) : undefined;
    const place = id === undefined ? undefined : this.#places.get(id);
    return place?.before;
  }

  /** All messages are read. */
  finish(): void {
    this.#unasked();
  }

  #user(message: StoredMessage, info: JsonObject, parts: readonly Part[]): void {
    this.#unasked();
    const compaction = parts.find(({ value }) => value.type === "compaction");
    if (compaction !== undefined && parts.length === 1) {
      this.#asked = { message, tail: stringIn(compaction.value.tail_start_id) };
      return;
    }
    const said = parts.filter(({ value }) => isSaid(value) && value.synthetic !== true);
    const added = parts.filter(({ value }) => isSaid(value) && value.synthetic === true);
    const rest = parts.filter((part) => !said.includes(part) && !added.includes(part));
    const origin = this.#origin(info, rest, ["role", "time", "sessionID"]);
    if (said.length > 0) {
      const place = this.#chain.take(this.#id(message.id));
      const user = { role: "user", content: contentOf(said), timestamp: millisecondsOf(place.timestamp) };
      this.#push({ type: "message", ...place, message: user, origin } as SessionEntry);
    }
    if (added.length > 0) {
      const place = this.#chain.take(this.#id(message.id, "synthetic"));
      const details = said.length > 0 ? {} : { details: { origin } };
      const custom = { customType: SYNTHETIC_TYPE, content: contentOf(added), display: false, ...details };
      this.#push({ type: "custom_message", ...place, ...custom });
    }
    if (said.length + added.length === 0)
      this.#note(message, "message/user", message.id, { ...info, parts: rest.map(({ value }) => value) });
    this.#count(said.length > 0 ? "kept" : added.length > 0 ? "converted" : "note", message, "message/user");
    this.#countParts(parts);
  }

  #answer(message: StoredMessage, info: JsonObject, parts: readonly Part[]): void {
    if (this.#asked !== undefined && info.summary === true && isComplete(info) && !isObject(info.error)) {
      this.#compaction(message, info, parts);
      return;
    }
    this.#unasked();
    const { provider, model } = modelOf(info);
    this.#modelChange(provider, model, message.id);
    const content = parts.flatMap(({ value }) => answerBlock(value) ?? []);
    const rest = parts.filter(({ value }) => answerBlock(value) === undefined);
    // What is still being written gets another id when it is complete: an imported entry never changes.
    const unfinished = isComplete(info) ? [] : ["unfinished", foreignId(JSON.stringify(content))];
    const place = this.#chain.take(this.#id(message.id, ...unfinished));
    const origin = this.#origin(info, rest, ["role", "time", "sessionID", "tokens", "cost", "modelID", "providerID"]);
    this.#push({
      type: "message",
      ...place,
      message: {
        role: "assistant",
        content,
        ...{ api: APIS.get(provider) ?? "openai-completions", provider, model, usage: usageOf(info) },
        ...endingOf(info, content),
        timestamp: millisecondsOf(place.timestamp),
      },
      origin,
    } as SessionEntry);
    for (const part of parts) if (part.value.type === "tool") this.#result(part, place.id);
    this.#count(parts.some(({ value }) => value.type === "tool") ? "converted" : "kept", message, "message/assistant");
    this.#countParts(parts);
  }

  #result(part: Part, answer: EntryId): void {
    const call = answerBlock(part.value);
    if (call?.type !== "toolCall") return;
    const { final, content, isError, details } = resultOf(part.value);
    const child = childSessionOf(part.value);
    if (child !== undefined) this.starters.set(child, { callId: call.id, entryId: answer });
    const subagent = child === undefined ? {} : { subagent: foreignId(child, "subagent") };
    const place = this.#chain.take(foreignId(answer, part.id, final ? "result" : "unfinished"));
    this.#push({
      type: "message",
      ...place,
      message: {
        role: "toolResult",
        toolCallId: call.id,
        toolName: call.name,
        content,
        details: { ...(details as JsonObject), ...subagent },
        isError,
        timestamp: millisecondsOf(place.timestamp),
      },
    });
  }

  /** Two messages are one compaction: the request, and the summary that answers it. */
  #compaction(message: StoredMessage, info: JsonObject, parts: readonly Part[]): void {
    const asked = this.#asked;
    if (asked === undefined) return;
    this.#asked = undefined;
    const texts = parts.flatMap(({ value }) =>
      value.type === "text" && typeof value.text === "string" ? [value.text] : [],
    );
    const place = this.#chain.take(this.#id(message.id));
    const kept = asked.tail === undefined ? undefined : this.#places.get(asked.tail)?.first;
    const rest = parts.filter(({ value }) => value.type !== "text");
    this.#push({
      type: "compaction",
      ...place,
      summary: texts.join("\n"),
      firstKeptEntryId: kept ?? place.id,
      tokensBefore: 0,
      usage: usageOf(info),
      details: { origin: this.#origin(info, rest, ["role", "time", "sessionID", "tokens", "cost"]) },
    });
    this.#count("converted", asked.message, "message/user", "asks for a summary");
    this.#countParts(asked.message.parts.filter((part): part is Part => part.value !== undefined));
    this.#count("converted", message, "message/assistant", "a summary");
    this.#countParts(parts);
  }

  /** A summary that was asked for never came. */
  #unasked(): void {
    const asked = this.#asked;
    if (asked === undefined) return;
    this.#asked = undefined;
    const parts = asked.message.parts.filter((part): part is Part => part.value !== undefined);
    this.#note(asked.message, "message/user", asked.message.id, {
      ...asked.message.value,
      parts: parts.map(({ value }) => value),
    });
    this.#count("note", asked.message, "message/user", "asks for a summary that never came");
    this.#countParts(parts);
  }

  #origin(info: JsonObject, parts: readonly Part[], said: readonly string[]): JsonObject {
    const rest = Object.entries(info).filter(([key]) => !said.includes(key));
    const kept = parts
      .filter(({ value }) => KNOWN_PARTS.has(String(value.type)))
      .map(({ value: { sessionID: _s, messageID: _m, ...part } }) => part);
    return { agent: "opencode", info: Object.fromEntries(rest), ...(kept.length === 0 ? {} : { parts: kept }) };
  }

  #modelChange(provider: string, model: string, messageId: string): void {
    if (model === "" || this.#model === `${provider}/${model}`) return;
    this.#model = `${provider}/${model}`;
    const place = this.#chain.take(this.#id(messageId, "model"));
    this.#push({ type: "model_change", ...place, provider, modelId: model });
  }

  /** A part whose message cannot be read, or is none we know. */
  #stray(part: Part): void {
    this.#note(part, `part/${String(part.value.type)}`, part.id);
    this.#count("note", part, `part/${String(part.value.type)}`, "its message is unreadable");
  }

  #countParts(parts: readonly Part[]): void {
    for (const part of parts) {
      const type = String(part.value.type);
      if (KNOWN_PARTS.has(type)) this.#count("converted", part, `part/${type}`);
      else {
        this.#options.report.nameUnknown(`part type ${type}`);
        this.#note(part, `part/${type}`, part.id);
        this.#count("note", part, `part/${type}`);
      }
    }
  }

  #note(record: StoredRecord, type: string, key: string, value: unknown = record.value): void {
    const place = this.#chain.take(this.#id("note", key));
    this.#push(noteEntry(place, { agent: "opencode", type, line: record.line, record: value }));
  }

  #push(entry: SessionEntry): void {
    if (isConversationEntry(entry) || entry.type === "model_change") this.lastTalk = entry.id;
    if (entry.type !== "model_change") this.#firstMade ??= entry.id;
    this.#chain.push(entry);
  }

  #count(fate: RecordFate, { file, line }: StoredRecord, type: string, reason?: string): void {
    this.#options.report.count(fate, { file, line, type, ...(reason === undefined ? {} : { reason }) });
  }

  #id(...parts: readonly string[]): EntryId {
    return foreignId(this.#options.session, ...parts);
  }
}

/** A text for the model, or a picture. */
function isSaid(part: JsonObject): boolean {
  if (part.type === "text") return part.ignored !== true && typeof part.text === "string";
  return part.type === "file" && imageOfDataUrl(part.url) !== undefined;
}

function contentOf(parts: readonly Part[]): UserContent {
  return parts.flatMap(({ value }) => {
    const image = value.type === "file" ? imageOfDataUrl(value.url) : undefined;
    return image ?? { type: "text" as const, text: String(value.text) };
  });
}

function modelOf({ providerID, modelID, model }: JsonObject): { readonly provider: string; readonly model: string } {
  const named = isObject(model) ? model : {};
  return {
    provider: stringIn(providerID) ?? stringIn(named.providerID) ?? "",
    model: stringIn(modelID) ?? stringIn(named.modelID) ?? "",
  };
}

function isComplete(info: JsonObject): boolean {
  return timeOf(info, "completed") !== undefined || typeof info.finish === "string" || isObject(info.error);
}

function endingOf(
  info: JsonObject,
  content: readonly AssistantBlock[],
): { stopReason: StopReason; errorMessage?: string } {
  const { error, finish } = info;
  if (isObject(error)) {
    if (error.name === "MessageAbortedError") return { stopReason: "aborted" };
    const said = isObject(error.data) ? stringIn(error.data.message) : undefined;
    return { stopReason: "error", errorMessage: said ?? String(error.name) };
  }
  // Killed or stopped: the program writes nothing about it.
  if (!isComplete(info)) return { stopReason: "aborted" };
  if (finish === "length") return { stopReason: "length" };
  const calls = content.some((block) => block.type === "toolCall");
  return { stopReason: finish === "tool-calls" || (finish === undefined && calls) ? "toolUse" : "stop" };
}

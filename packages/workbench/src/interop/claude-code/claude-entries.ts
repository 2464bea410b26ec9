/** Converts the records of a unit to entries. */
import type {
  AssistantBlock,
  AssistantMessage,
  EntryId,
  SessionEntry,
  StopReason,
  UserContent,
} from "@bough/session/entry/index.js";
import { defined, isRecord } from "@bough/session/text/index.js";
import { millisecondsOf } from "../conversion/entry-chain.js";
import { noteEntry, subagentEntry } from "../foreign-entry.js";
import { stringIn } from "../foreign-lines.js";
import {
  assistantBlocks,
  toAssistantContent,
  toResultBlock,
  toUserContent,
  usageIn,
  userBlocks,
  userContent,
} from "./claude-blocks.js";
import { type ClaudeOriginRecord, originRecord, type WithOrigin } from "./claude-origin.js";
import type { ClaudePlan } from "./claude-plan.js";
import {
  blocksIn,
  isInterruption,
  type JsonObject,
  promptingCommand,
  taggedText,
  textIn,
  titleIn,
} from "./claude-record.js";
import { spilledFile, spilledPathIn } from "./claude-spilled.js";
import { lastEntryId, type Unit, unitEntryId } from "./claude-unit.js";

export interface LoadedRecord {
  readonly line: number;
  readonly time: string;
  /** The record, or `{}` if the line is not an object, which is then in `value`. */
  readonly record: JsonObject;
  readonly value: unknown;
}

interface UnitContext {
  readonly session: string;
  /** The transcript, to find files next to it. */
  readonly path: string;
  readonly unit: Unit;
  readonly records: readonly LoadedRecord[];
  readonly parentId: EntryId | null;
  readonly plan: ClaudePlan;
}

export function entriesOf(context: UnitContext): WithOrigin[] {
  switch (context.unit.kind) {
    case "assistant":
      return [answerEntry(context)];
    case "results":
      return resultEntries(context);
    case "user":
      return [userEntry(context)];
    case "shell":
      return [shellEntry(context)];
    case "compaction":
      return [compactionEntry(context)];
    case "title":
      return [titleEntry(context)];
    case "note":
      return [noteOf(context)];
    case "subagent":
      return [agentEntry(context)];
  }
}

/** The place of the unit's first entry. Its time is that of the last record, when the unit was complete. */
function placeOf({ session, unit, parentId, records }: UnitContext) {
  return { id: unitEntryId(session, unit), parentId, timestamp: records.at(-1)?.time ?? unit.agent?.time ?? "" };
}

function answerEntry(context: UnitContext): WithOrigin {
  const content: AssistantBlock[] = [];
  const origins: ClaudeOriginRecord[] = [];
  let last: JsonObject = {};
  let stop: string | undefined;
  for (const { record, line } of context.records) {
    const message = isRecord(record.message) ? record.message : {};
    const blocks = assistantBlocks(message.content);
    for (const block of blocks) content.push(block);
    origins.push(originRecord(record, { line, blocks: blocks.length, rebuilt: toAssistantContent(blocks) }));
    last = message;
    stop = stringIn(message.stop_reason) ?? stop;
  }
  const failed = context.records.find(({ record }) => record.isApiErrorMessage === true);
  const place = placeOf(context);
  const id = stringIn(last.id);
  const message: AssistantMessage = {
    role: "assistant",
    content,
    api: "anthropic-messages",
    provider: "anthropic",
    model: stringIn(last.model) ?? "unknown",
    usage: usageIn(last.usage),
    stopReason: failed === undefined ? stopReasonOf(stop, content) : "error",
    ...(failed === undefined ? {} : { errorMessage: textIn(last.content) }),
    ...defined({ responseId: id }),
    timestamp: millisecondsOf(place.timestamp),
  };
  return { type: "message", ...place, message, origin: { agent: "claude-code", records: origins } };
}

function stopReasonOf(stop: string | undefined, content: readonly AssistantBlock[]): StopReason {
  if (stop === "max_tokens") return "length";
  if (stop === "tool_use") return "toolUse";
  return content.some((block) => block.type === "toolCall") ? "toolUse" : "stop";
}

/** A chain with one entry per result, and one for any other content. */
function resultEntries(context: UnitContext): WithOrigin[] {
  const { session, unit, plan } = context;
  const [loaded] = context.records;
  if (loaded === undefined) return [];
  const { record, line } = loaded;
  const content = isRecord(record.message) ? record.message.content : undefined;
  const results = blocksIn(content).filter(
    (block) => block.type === "tool_result" && typeof block.tool_use_id === "string",
  );
  const rest = Array.isArray(content) ? content.filter((block) => !results.includes(block as JsonObject)) : [];
  const place = placeOf(context);
  const timestamp = millisecondsOf(place.timestamp);
  const messages = results.map((block) => ({
    role: "toolResult" as const,
    toolCallId: block.tool_use_id as string,
    toolName: plan.callOf(unit, block.tool_use_id as string)?.name ?? "unknown",
    content: userBlocks(block.content),
    isError: block.is_error === true,
    timestamp,
  }));
  const talk = userBlocks(rest);
  const rebuilt = [...messages.map(toResultBlock), ...(rest.length === 0 ? [] : (toUserContent(talk) as JsonObject[]))];
  const details = detailsOf(context, record);
  const origin = {
    agent: "claude-code" as const,
    records: [originRecord(record, { line, blocks: unit.parts, rebuilt })],
  };
  const more = { agent: "claude-code" as const, records: [] };
  const entries: WithOrigin[] = [];
  let { parentId } = place;
  const add = (
    message: (typeof messages)[number] | { role: "user"; content: typeof talk; timestamp: number },
  ): void => {
    const part = entries.length;
    const id = unitEntryId(session, unit, part);
    const named = part === 0 && details !== undefined ? { ...message, details } : message;
    const { timestamp: time } = place;
    entries.push({
      type: "message",
      id,
      parentId,
      timestamp: time,
      message: named,
      origin: part === 0 ? origin : more,
    });
    parentId = id;
  };
  for (const message of messages) add(message);
  if (rest.length > 0) add({ role: "user", content: talk, timestamp });
  return entries;
}

/** The copy of the result that Claude Code displays, the path of its full output, and the link to its sub-agent. */
function detailsOf({ session, path, unit, plan }: UnitContext, record: JsonObject): JsonObject | undefined {
  const agentId = unit.records[0]?.more?.agentId;
  const agent = agentId === undefined ? undefined : plan.agents.get(agentId);
  const called = agent ?? agentOfCall(plan, unit);
  const spilled = spilledPathIn(record);
  if (record.toolUseResult === undefined && called === undefined && spilled === undefined) return undefined;
  return {
    ...defined({ toolUseResult: record.toolUseResult }),
    ...(spilled === undefined ? {} : { fullOutputPath: spilledFile(path, spilled) ?? spilled }),
    ...(called === undefined || called.segment > unit.segment ? {} : { subagent: unitEntryId(session, called) }),
  };
}

/** The sub-agent started by the call of this result, and not by another call with the same ID. */
function agentOfCall(plan: ClaudePlan, unit: Unit): Unit | undefined {
  const id = unit.records[0]?.results[0] ?? "";
  const called = plan.agentsByCall.get(id);
  const call = called?.agent?.call;
  return call === undefined || call === plan.callOf(unit, id)?.unit ? called : undefined;
}

/** Text that Claude Code inserts as user messages. The model sees it, but the user did not type it. */
const HARNESS_TAG =
  /^\s*<(command-name|command-message|local-command-\w+|bash-\w+|task-notification|system-reminder|teammate-message)\b/;

function userEntry(context: UnitContext): WithOrigin {
  const [loaded] = context.records;
  const record = loaded?.record ?? {};
  const source = isRecord(record.message) ? record.message.content : "";
  const command = record.isMeta === true ? undefined : promptingCommand(textIn(source));
  const content = command === undefined ? userContent(source) : commandContent(command, source);
  const place = placeOf(context);
  const rebuilt = toUserContent(content);
  const facts = { line: loaded?.line ?? 0, blocks: 1, rebuilt };
  const origin = { agent: "claude-code" as const, records: [originRecord(record, facts)] };
  const tag = HARNESS_TAG.exec(textIn(source))?.[1] ?? (isInterruption(textIn(source)) ? "interrupted" : undefined);
  if (command === undefined && (record.isMeta === true || tag !== undefined)) {
    const customType = `claude-code.${tag ?? "meta"}`;
    const display = record.isMeta !== true;
    return { type: "custom_message", ...place, customType, content, display, origin };
  }
  const message = { role: "user" as const, content, timestamp: millisecondsOf(place.timestamp) };
  return { type: "message", ...place, message, origin };
}

/** The command as typed, without the tags around it, and its images. */
function commandContent(command: string, source: unknown): UserContent {
  const images = userBlocks(source).filter(({ type }) => type === "image");
  return images.length === 0 ? command : [{ type: "text", text: command }, ...images];
}

/** A command that the user ran: a record with the command, and one with its output. */
function shellEntry(context: UnitContext): WithOrigin {
  const contents = context.records.map(({ record }) => textIn(isRecord(record.message) ? record.message.content : ""));
  const printed = contents[1] ?? "";
  const place = placeOf(context);
  // The message drops the tags around command and output, so the origin keeps the full content to write it back.
  const origins = context.records.map(({ record, line }) =>
    originRecord(record, { line, blocks: 0, rebuilt: undefined }),
  );
  const message = {
    role: "bashExecution" as const,
    command: taggedText(contents[0] ?? "", "bash-input"),
    output: [taggedText(printed, "bash-stdout"), taggedText(printed, "bash-stderr")]
      .filter((text) => text !== "")
      .join("\n"),
    cancelled: false,
    truncated: false,
    timestamp: millisecondsOf(place.timestamp),
  };
  return { type: "message", ...place, message, origin: { agent: "claude-code", records: origins } };
}

function compactionEntry(context: UnitContext): WithOrigin {
  const { session, unit, records } = context;
  const summary = records.at(-1);
  const boundary = records.length > 1 ? records[0]?.record : undefined;
  const metadata = isRecord(boundary?.compactMetadata) ? boundary.compactMetadata : {};
  const content = isRecord(summary?.record.message) ? summary.record.message.content : "";
  const place = placeOf(context);
  const text = textIn(content);
  const origins = records.map(({ record, line }) =>
    originRecord(record, { line, blocks: 1, rebuilt: rebuiltSummary(record, text) }),
  );
  return {
    type: "compaction",
    ...place,
    summary: text,
    firstKeptEntryId: unit.keptFrom === undefined ? place.id : unitEntryId(session, unit.keptFrom),
    tokensBefore: typeof metadata.preTokens === "number" ? metadata.preTokens : 0,
    details: { trigger: metadata.trigger },
    origin: { agent: "claude-code", records: origins },
  };
}

/** A boundary has no message; the content of a summary is its text. */
function rebuiltSummary(record: JsonObject, text: string): string | undefined {
  return isRecord(record.message) ? text : undefined;
}

function titleEntry(context: UnitContext): WithOrigin {
  const record = context.records[0]?.record ?? {};
  const name = (titleIn(record) ?? "").replace(/\s+/g, " ").trim();
  return { type: "session_info", ...placeOf(context), name };
}

function noteOf(context: UnitContext): SessionEntry {
  const [loaded] = context.records;
  const type = context.unit.records[0]?.type ?? "";
  const data = { agent: "claude-code" as const, type, line: loaded?.line ?? 0, record: loaded?.value };
  return noteEntry(placeOf(context), data);
}

function agentEntry(context: UnitContext): SessionEntry {
  const { session, unit } = context;
  const link = unit.agent;
  return subagentEntry(placeOf(context), {
    agent: "claude-code",
    agentId: link?.agentId ?? "",
    toolCallId: link?.toolCallId,
    callEntryId: link?.call === undefined ? undefined : lastEntryId(session, link.call),
    ...defined({ meta: link?.meta }),
  });
}

/** Reads the records of a chat: lines, or messages inside one JSON object in older versions and checkpoints. */
import { readFileSync } from "node:fs";
import { isRecord, parsedJson } from "@bough/session/text/index.js";
import { headOfJson } from "../conversion/json-head.js";
import { type ForeignLine, foreignLines, objectIn, stringIn, withoutMark } from "../foreign-lines.js";
import type { JsonObject } from "./chat-message.js";

interface ChatRecord {
  /** 1-based line. In a JSON file, 1 is the object itself, followed by its messages. */
  readonly line: number;
  /** Undefined if it is not a JSON object. */
  readonly value: JsonObject | undefined;
  readonly terminated: boolean;
}

export function* chatRecords(path: string): Generator<ChatRecord> {
  if (path.endsWith(".json")) yield* recordsOfFile(parsedJson(withoutMark(readFileSync(path, "utf8"))));
  else yield* recordsOfLines(foreignLines(path));
}

/** Bytes that lists read to identify a chat. */
const FIRST_BYTES = 1 << 20;

export function* firstChatRecords(path: string): Generator<ChatRecord> {
  if (path.endsWith(".json")) yield* recordsOfFile(headOfJson(path));
  else yield* recordsOfLines(foreignLines(path, { within: FIRST_BYTES }));
}

function* recordsOfLines(lines: Iterable<ForeignLine>): Generator<ChatRecord> {
  for (const { line, text, terminated } of lines) {
    const value = objectIn(text);
    // A chat in the older format may be on a single line.
    if (line === 1 && Array.isArray(value?.messages)) yield* recordsOf(value, value.messages);
    else yield { line, value, terminated };
  }
}

function* recordsOfFile(value: unknown): Generator<ChatRecord> {
  const messages = messagesIn(value);
  if (messages === undefined) yield { line: 1, value: undefined, terminated: true };
  else yield* recordsOf(isRecord(value) ? value : {}, messages);
}

function* recordsOf(whole: JsonObject, messages: readonly unknown[]): Generator<ChatRecord> {
  const { messages: _messages, clientHistory: _client, history: _history, ...head } = whole;
  // A checkpoint has no session ID, so the other fields of the object become its metadata.
  yield { line: 1, value: { ...head, sessionId: stringIn(head.sessionId) ?? "checkpoint" }, terminated: true };
  for (const [at, message] of messages.entries()) {
    yield { line: at + 2, value: isRecord(message) ? message : undefined, terminated: true };
  }
}

/** The messages of a chat, a saved chat, or a checkpoint made before a tool call changed files. */
export function messagesIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return undefined;
  for (const list of [value.messages, value.clientHistory, value.history]) if (Array.isArray(list)) return list;
  return undefined;
}

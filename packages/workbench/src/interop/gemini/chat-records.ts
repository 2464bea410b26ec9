/** The records of a chat: lines, or the messages inside one JSON object of an older version or of a checkpoint. */
import { readFileSync } from "node:fs";
import { isRecord, parsedJson } from "@bough/session/text/index.js";
import { headOfJson } from "../conversion/json-head.js";
import { type ForeignLine, foreignLines, objectIn, stringIn, withoutMark } from "../foreign-lines.js";
import type { JsonObject } from "./chat-message.js";

interface ChatRecord {
  /** The line; in a JSON file 1 is the object itself, and the messages follow. */
  readonly line: number;
  /** Undefined if it is not a JSON object. */
  readonly value: JsonObject | undefined;
  readonly terminated: boolean;
}

export function* chatRecords(path: string): Generator<ChatRecord> {
  if (path.endsWith(".json")) yield* recordsOfFile(parsedJson(withoutMark(readFileSync(path, "utf8"))));
  else yield* recordsOfLines(foreignLines(path));
}

/** The first records only say whose a chat is; a list looks no further. */
const FIRST_BYTES = 1 << 20;

export function* firstChatRecords(path: string): Generator<ChatRecord> {
  if (path.endsWith(".json")) yield* recordsOfFile(headOfJson(path));
  else yield* recordsOfLines(foreignLines(path, { within: FIRST_BYTES }));
}

function* recordsOfLines(lines: Iterable<ForeignLine>): Generator<ChatRecord> {
  for (const { line, text, terminated } of lines) {
    const value = objectIn(text);
    // A chat of the older kind may be whole on one line.
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
  // A checkpoint has no session of its own: what is next to its history makes it one.
  yield { line: 1, value: { ...head, sessionId: stringIn(head.sessionId) ?? "checkpoint" }, terminated: true };
  for (const [at, message] of messages.entries()) {
    yield { line: at + 2, value: isRecord(message) ? message : undefined, terminated: true };
  }
}

/** A chat, a saved chat, or the history next to a tool call that was about to change files. */
export function messagesIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return undefined;
  for (const list of [value.messages, value.clientHistory, value.history]) if (Array.isArray(list)) return list;
  return undefined;
}

/**
 * Messages as the newer model of opencode keeps them: one row each, whole, with a type. Releases so far leave that
 * table empty, so it is read only if a session has no messages of the usual kind.
 */
import type { SessionEntry } from "../../entry/index.js";
import { defined, isRecord } from "../../text/index.js";
import { millisecondsOf } from "../conversion/entry-chain.js";
import { stringIn } from "../foreign-lines.js";
import { modelOf } from "./message-info.js";
import { type SessionConversion, SYNTHETIC_TYPE } from "./session-conversion.js";
import { type JsonObject, type StoredPart, type StoredRow, timeOf } from "./session-store.js";

/** A row as an entry, or as the message and parts it would have been. */
export function convertRow(row: StoredRow, conversion: SessionConversion): void {
  const { entries } = conversion;
  const { value, type, id } = row;
  const name = `session_message/${type}`;
  if (value === undefined) {
    entries.count("reported", row, name, "unreadable");
    return;
  }
  const created = timeOf(value, "created");
  if (created !== undefined) entries.chain.time = new Date(created).toISOString();
  switch (type) {
    case "user":
      conversion.message({ ...row, value: { ...value, role: "user" }, parts: inside(row, userParts(value)) });
      return;
    case "assistant":
      conversion.message({ ...row, value: answerInfo(value), parts: inside(row, answerParts(value)) });
      return;
    case "shell": {
      const place = entries.take(id);
      const message = {
        role: "bashExecution" as const,
        command: stringIn(value.command) ?? "",
        output: stringIn(value.output) ?? "",
        cancelled: timeOf(value, "completed") === undefined,
        truncated: false,
        timestamp: millisecondsOf(place.timestamp),
      };
      entries.push({ type: "message", ...place, message, origin: { agent: "opencode", row: value } } as SessionEntry);
      break;
    }
    case "synthetic":
    case "system": {
      const content = [{ type: "text" as const, text: stringIn(value.text) ?? "" }];
      const custom = { customType: SYNTHETIC_TYPE, content, display: false, details: { role: type } };
      entries.push({ type: "custom_message", ...entries.take(id), ...custom });
      break;
    }
    case "model-switched":
      entries.modelChange(modelOf(value), id);
      break;
    case "compaction": {
      const place = entries.take(id);
      const summary = stringIn(value.summary) ?? "";
      const details = { origin: { agent: "opencode", row: value } };
      entries.push({ type: "compaction", ...place, summary, firstKeptEntryId: place.id, tokensBefore: 0, details });
      break;
    }
    default:
      if (type !== "agent-switched") entries.nameUnknown(`record type ${name}`);
      entries.note(row, { type: name, key: id });
      entries.count("note", row, name);
      return;
  }
  entries.count("converted", row, name);
}

/** Where a session has messages of the usual kind too, those are the session. */
export function keepRow(row: StoredRow, { entries }: SessionConversion): void {
  const name = `session_message/${row.type}`;
  entries.note(row, { type: name, key: row.id });
  entries.count("note", row, name, "the session's messages are stored elsewhere");
}

function inside({ file, line, id }: StoredRow, parts: readonly JsonObject[]): StoredPart[] {
  return parts.map((value, at) => ({ file, line, id: `${id}/${at}`, value, inside: true }));
}

function userParts({ text, files, agents }: JsonObject): JsonObject[] {
  const listed = (list: unknown): JsonObject[] => (Array.isArray(list) ? list.filter(isRecord) : []);
  return [
    ...(typeof text === "string" && text !== "" ? [{ type: "text", text }] : []),
    ...listed(files).map((file) => ({ ...file, type: "file", url: file.url ?? file.uri })),
    ...listed(agents).map((agent) => ({ ...agent, type: "agent" })),
  ];
}

function answerInfo(value: JsonObject): JsonObject {
  const { content: _content, ...info } = value;
  const { provider, model } = modelOf(value);
  return { ...info, role: "assistant", providerID: provider, modelID: model };
}

function answerParts({ content }: JsonObject): JsonObject[] {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  return blocks.filter(isRecord).map((block) => (block.type === "tool" ? toolPart(block) : block));
}

/** Results are blocks here, and one text there. */
function toolPart(block: JsonObject): JsonObject {
  const state = isRecord(block.state) ? block.state : {};
  const blocks: readonly unknown[] = Array.isArray(state.content) ? state.content : [];
  const texts = blocks.flatMap((part) => (isRecord(part) && typeof part.text === "string" ? [part.text] : []));
  const error = isRecord(state.error) ? (stringIn(state.error.message) ?? JSON.stringify(state.error)) : state.error;
  const output = stringIn(state.output) ?? texts.join("\n");
  return {
    type: "tool",
    tool: stringIn(block.tool) ?? block.name,
    callID: stringIn(block.callID) ?? block.id,
    state: { metadata: state.structured, ...state, output, ...defined({ error }) },
  };
}

/** Reads opencode's sessions from its database, older files, or an export, with sub-agents, as one tree. */
import type { SessionEntry } from "@bough/session/entry/index.js";
import { defined, isRecord } from "@bough/session/text/index.js";
import type { ForeignReader, ForeignSession, ReadOptions } from "../contract.js";
import { EntryChain, millisecondsOf } from "../conversion/entry-chain.js";
import { foreignId, positionEntry, subagentEntry, subagentTalk } from "../foreign-entry.js";
import { stringIn } from "../foreign-lines.js";
import { modelOf } from "./message-info.js";
import { childrenOf, describeStore, findOpencode, isStore, openStore } from "./opencode-places.js";
import { SessionConversion, SYNTHETIC_TYPE } from "./session-conversion.js";
import {
  type JsonObject,
  type SessionStore,
  type StoredPart,
  type StoredRecord,
  type StoredRow,
  sessionIdOf,
  timeOf,
} from "./session-store.js";

export const opencodeReader: ForeignReader = {
  agent: "opencode",
  detect: async (path) => isStore(path),
  describe: describeStore,
  find: findOpencode,
  read: readOpencode,
};

async function* readOpencode(source: ForeignSession, options: ReadOptions): AsyncGenerator<SessionEntry> {
  const store = openStore(source.path);
  try {
    const all = store.sessions();
    const own = all.find((record) => sessionIdOf(record) === source.id) ?? all[0];
    if (own === undefined) return;
    const chain = new EntryChain();
    chain.time = source.created.toISOString();
    const main = new SessionConversion({ session: source.id, role: "session", report: options.report, chain });
    yield* readSession({ store, record: own, conversion: main, chain }, options);
    const { leaf, time } = chain;
    const isUndone = main.undo();
    const current = chain.leaf;
    yield* chain.drain();
    const children = childrenOf(source.id, all);
    const starters = new Map(main.starters);
    for (const record of children) {
      const id = sessionIdOf(record);
      const starter = starters.get(id);
      chain.leaf = starter?.entryId ?? leaf;
      // Use its start time, because the end of the session changes with every turn.
      const began = timeOf(record.value, "created");
      if (began !== undefined) chain.time = new Date(began).toISOString();
      const link = { agentId: id, toolCallId: starter?.callId, callEntryId: starter?.entryId };
      yield subagentEntry(chain.take(foreignId(id, "subagent")), {
        agent: "opencode",
        ...link,
        meta: { title: record.value?.title },
      });
      const conversion = new SessionConversion({ session: id, role: "sub-agent", report: options.report, chain });
      for (const entry of readSession({ store, record, conversion, chain }, options)) yield subagentTalk(entry);
      for (const [child, call] of conversion.starters) starters.set(child, call);
    }
    if (!isUndone && children.length === 0) return;
    yield positionEntry(current, time, `${source.id} ${options.report.report().records}`);
  } finally {
    store.close();
  }
}

interface OpenSession {
  readonly store: SessionStore;
  readonly record: StoredRecord;
  readonly conversion: SessionConversion;
  readonly chain: EntryChain;
}

function* readSession(
  { store, record, conversion, chain }: OpenSession,
  { signal }: ReadOptions,
): Generator<SessionEntry> {
  const id = sessionIdOf(record);
  conversion.session(record);
  let messages = 0;
  for (const message of store.messages(id)) {
    signal?.throwIfAborted();
    messages += 1;
    conversion.message(message);
    yield* chain.drain();
  }
  for (const row of store.rows(id)) {
    signal?.throwIfAborted();
    if (messages > 0) keepRow(row, conversion);
    else convertRow(row, conversion);
    yield* chain.drain();
  }
  conversion.finish();
  yield* chain.drain();
}

/** Converts a row to an entry, or to the message and parts that represent it. */
function convertRow(row: StoredRow, conversion: SessionConversion): void {
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

/** Keeps a row as a note, for sessions that also have regular messages, which are then used. */
function keepRow(row: StoredRow, { entries }: SessionConversion): void {
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

/** Joins the blocks of a result into one text, as in regular parts. */
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

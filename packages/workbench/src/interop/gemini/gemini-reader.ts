/** Reads Gemini CLI's chats and checkpoints, with the sub-agents of a chat, as one tree. */
import type { SessionEntry } from "@bough/session/entry/index.js";
import type { ForeignReader, ForeignSession, ReadOptions } from "../contract.js";
import { EntryChain } from "../conversion/entry-chain.js";
import { foreignId, positionEntry, subagentEntry, subagentTalk } from "../foreign-entry.js";
import { TORN_LINE, UNREADABLE_LINE } from "../loss-report.js";
import { ChatConversion } from "./chat-conversion.js";
import { ChatEntries } from "./chat-entries.js";
import { chatRecords } from "./chat-records.js";
import { describeChat, detectChat, findChats } from "./gemini-places.js";

export const geminiReader: ForeignReader = {
  agent: "gemini",
  detect: async (path) => detectChat(path),
  describe: async (path) => [describeChat(path)],
  find: findChats,
  read: readGemini,
};

async function* readGemini(source: ForeignSession, options: ReadOptions): AsyncGenerator<SessionEntry> {
  const chain = new EntryChain();
  chain.time = source.created.toISOString();
  const entries = new ChatEntries(source.id, chain);
  yield* readChat({ file: source.path, session: source.id, chain, entries }, options);
  const { leaf, time } = chain;
  const agents = source.files.slice(1);
  for (const file of agents) {
    const { id, title, created } = describeChat(file);
    const starter = entries.starters.get(id);
    chain.leaf = starter?.entryId ?? leaf;
    // Use its start time, because the end of the chat changes with every turn.
    chain.noteTime(created.toISOString());
    const place = chain.take(foreignId(id, "subagent"));
    const link = { agentId: id, toolCallId: starter?.callId, callEntryId: starter?.entryId };
    yield subagentEntry(place, { agent: "gemini", ...link, meta: { path: file, title } });
    const chat = { file, session: id, chain, entries: new ChatEntries(id, chain, "sub-agent") };
    for (const entry of readChat(chat, options)) yield subagentTalk(entry);
  }
  if (agents.length === 0) return;
  yield positionEntry(leaf, time, `${source.id} ${options.report.report().records}`);
}

function* readChat(
  chat: { readonly file: string; readonly session: string; readonly chain: EntryChain; readonly entries: ChatEntries },
  options: ReadOptions,
): Generator<SessionEntry> {
  const { file, chain } = chat;
  const { report, signal } = options;
  const cuts = new Set(options.cuts?.get(file));
  const conversion = new ChatConversion({ ...chat, report });
  let records = 0;
  for (const { line, value, terminated } of chatRecords(file)) {
    signal?.throwIfAborted();
    records += 1;
    if (value !== undefined) conversion.feed(value, line);
    else report.count("reported", { file, line, type: terminated ? UNREADABLE_LINE : TORN_LINE });
    if (cuts.has(records)) conversion.settle(records);
    yield* chain.drain();
  }
  conversion.settle(records);
  yield* chain.drain();
}

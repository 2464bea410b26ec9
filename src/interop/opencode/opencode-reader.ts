/** Reads opencode's sessions, from its database, its older files, or an export, with their sub-agents, as one tree. */
import type { SessionEntry } from "../../entry/index.js";
import type { ForeignReader, ForeignSession, ReadOptions } from "../contract.js";
import { EntryChain } from "../conversion/entry-chain.js";
import { foreignId, positionEntry, subagentEntry, subagentTalk } from "../foreign-entry.js";
import { childrenOf, describeStore, findOpencode, isStore, openStore } from "./opencode-places.js";
import { convertRow, keepRow } from "./row-conversion.js";
import { SessionConversion } from "./session-conversion.js";
import { type SessionStore, type StoredRecord, sessionIdOf, timeOf } from "./session-store.js";

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
    const undone = main.undoneTo(own.value?.revert);
    const children = childrenOf(source.id, all);
    const starters = new Map(main.starters);
    for (const record of children) {
      const id = sessionIdOf(record);
      const starter = starters.get(id);
      chain.leaf = starter?.entryId ?? leaf;
      // When it began: the end of the session is another one after each turn.
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
    if (undone === undefined && children.length === 0) return;
    yield positionEntry(undone === undefined ? leaf : undone, time, `${source.id} ${options.report.report().records}`);
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

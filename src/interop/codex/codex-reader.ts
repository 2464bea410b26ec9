/** Reads Codex rollouts: a thread, the history it goes on from, and the sub-agents it started, as one tree. */
import type { SessionEntry } from "../../entry/index.js";
import { EntryChain } from "../conversion/entry-chain.js";
import type { ForeignReader, ForeignSession, ReadOptions } from "../contract.js";
import { foreignId, isConversationEntry, positionEntry, subagentEntry } from "../foreign-entry.js";
import { TORN_LINE } from "../loss-report.js";
import { CallLedger } from "./call-ledger.js";
import { describeRollout, detectRollout, findRollouts, headOf } from "./codex-places.js";
import { RolloutConversion } from "./rollout-conversion.js";
import { rolloutLines } from "./rollout-lines.js";
import { type RolloutIdentity, rolloutRecord } from "./rollout-record.js";

export const codexReader: ForeignReader = {
  agent: "codex",
  detect: async (path) => (await detectRollout(path)) !== undefined,
  describe: async (path) => [await describeRollout(path)],
  find: findRollouts,
  read: readCodex,
};

async function* readCodex(source: ForeignSession, options: ReadOptions): AsyncGenerator<SessionEntry> {
  const heads = await Promise.all(source.files.map(async (file) => ({ file, identity: await headOf(file) })));
  const threads = new Map(heads.flatMap(({ file, identity }) => (identity === undefined ? [] : [[identity.id, file]])));
  const chain = new EntryChain();
  chain.time = source.created.toISOString();
  const calls = new CallLedger();
  const main = heads[0]?.identity;
  const bases = basesOf(main, heads);
  let lastTalk: string | undefined;
  const watch = (entry: SessionEntry) => {
    if (isConversationEntry(entry)) lastTalk = entry.id;
    return entry;
  };
  for (const [at, { file, identity, end }] of bases.entries()) {
    const thread = identity?.id ?? source.id;
    const stretch = { file, thread, provider: identity?.provider ?? "openai", end, chain, calls };
    for await (const entry of readStretch(stretch, options)) yield watch(entry);
    if (at < bases.length - 1) continue;
  }
  const { leaf } = chain;
  const inBases = new Set(bases.map(({ file }) => file));
  for (const { file, identity } of heads) {
    if (inBases.has(file) || identity === undefined) continue;
    const starter = calls.starters.get(identity.id);
    chain.leaf = starter?.entryId ?? leaf;
    const place = chain.take(foreignId(identity.id, "subagent"));
    const meta = { path: file, nickname: identity.nickname };
    const link = { agent: "codex" as const, agentId: identity.id, toolCallId: starter?.callId, callEntryId: starter?.entryId };
    yield subagentEntry(place, { ...link, meta });
    const stretch = { file, thread: identity.id, provider: identity.provider, end: undefined, chain, calls };
    for await (const entry of readStretch(stretch, options)) yield watch(entry);
  }
  void threads;
  if (lastTalk !== undefined && chain.leaf !== leaf) yield positionEntry(leaf, chain.time, `${source.id} ${seedOf(options)}`);
}

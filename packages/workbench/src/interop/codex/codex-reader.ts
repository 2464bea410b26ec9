/** Reads Codex rollouts: a thread, its earlier history in other files, and the sub-agents it started, as one tree. */
import type { SessionEntry } from "@bough/session/entry/index.js";
import type { ForeignReader, ForeignSession, ReadOptions } from "../contract.js";
import { EntryChain } from "../conversion/entry-chain.js";
import { isLaterGeneration } from "../conversion/program-version.js";
import { foreignId, positionEntry, subagentEntry, subagentTalk } from "../foreign-entry.js";
import { TORN_LINE, UNREADABLE_LINE } from "../loss-report.js";
import { CallLedger } from "./call-ledger.js";
import { describeRollout, detectRollout, findRollouts } from "./codex-places.js";
import type { RolloutConversionOptions } from "./conversion-options.js";
import { RolloutConversion } from "./rollout-conversion.js";
import { threadInName } from "./rollout-files.js";
import { headOf } from "./rollout-head.js";
import { rolloutLines } from "./rollout-lines.js";
import { nameOfRecord, type RolloutIdentity, rolloutRecord } from "./rollout-record.js";

export const codexReader: ForeignReader = {
  agent: "codex",
  detect: detectRollout,
  describe: async (path) => [await describeRollout(path)],
  find: findRollouts,
  read: readCodex,
};

/** The major version of Codex that this reader supports. */
const GENERATION = 0;

interface RolloutFile {
  readonly file: string;
  /** Undefined if the first line is damaged. */
  readonly identity: RolloutIdentity | undefined;
  /** From the first line, or else from the file name. */
  readonly thread: string | undefined;
}

async function* readCodex(source: ForeignSession, options: ReadOptions): AsyncGenerator<SessionEntry> {
  const files: RolloutFile[] = [];
  for (const file of source.files) {
    const identity = (await headOf(file))?.identity;
    files.push({ file, identity, thread: identity?.id ?? threadInName(file) });
    if (isLaterGeneration(identity?.version, GENERATION)) options.report.nameUnknown(`version ${identity.version}`);
  }
  const chain = new EntryChain();
  chain.time = source.created.toISOString();
  const calls = new CallLedger();
  const history = historyOf(files);
  for (const [at, { file, identity, end, thread = source.id }] of history.entries()) {
    const provider = identity?.provider ?? "openai";
    // The oldest file found may itself continue one that was not found.
    const missing = at === 0 ? identity?.base?.thread : undefined;
    if (missing !== undefined) options.report.nameMissing(missingHistory(missing));
    yield* readStretch({ file, thread, role: "thread", provider, end, missing, chain, calls }, options);
  }
  const { leaf, time } = chain;
  const agents = files.filter(
    ({ file, identity }) => identity !== undefined && !history.some((part) => part.file === file),
  );
  for (const { file, identity } of agents) {
    if (identity === undefined) continue;
    const starter = calls.starters.get(identity.id);
    chain.leaf = starter?.entryId ?? leaf;
    // Use its start time, because the end of the thread changes with every turn.
    chain.noteTime(identity.created);
    yield subagentEntry(chain.take(foreignId(identity.id, "subagent")), {
      agent: "codex",
      agentId: identity.id,
      toolCallId: starter?.callId,
      callEntryId: starter?.entryId,
      meta: { path: file, nickname: identity.nickname },
    });
    const stretch = {
      ...{ file, thread: identity.id, role: "sub-agent" as const, provider: identity.provider, chain, calls },
      ...{ end: undefined, missing: identity.base?.thread },
    };
    for await (const entry of readStretch(stretch, options)) yield subagentTalk(entry);
  }
  if (agents.length > 0) yield positionEntry(leaf, time, `${source.id} ${options.report.report().records}`);
}

function missingHistory(thread: string): string {
  return `This is a fork of thread ${thread}, whose rollout was not found: the conversation before the fork is missing.`;
}

interface HistoryPart extends RolloutFile {
  /** The first ordinal that does not belong to the session anymore. */
  readonly end: number | undefined;
}

/** The files that a paginated fork continues, oldest first, followed by the thread's own. */
function historyOf(files: readonly RolloutFile[]): HistoryPart[] {
  const [own] = files;
  if (own === undefined) return [];
  const parts: HistoryPart[] = [{ ...own, end: undefined }];
  for (let base = own.identity?.base; base !== undefined; ) {
    const { thread, endOrdinal } = base;
    const found = files.find((part) => part.thread === thread);
    if (found === undefined || parts.some(({ file }) => file === found.file)) break;
    parts.unshift({ ...found, end: endOrdinal });
    base = found.identity?.base;
  }
  return parts;
}

interface Stretch extends Omit<RolloutConversionOptions, "report"> {
  readonly end: number | undefined;
}

async function* readStretch(stretch: Stretch, options: ReadOptions): AsyncGenerator<SessionEntry> {
  const { file, end, chain } = stretch;
  const { report, signal } = options;
  const cuts = new Set(options.cuts?.get(file));
  const conversion = new RolloutConversion({ ...stretch, report });
  let records = 0;
  for await (const { line, value, terminated } of rolloutLines(file)) {
    signal?.throwIfAborted();
    records += 1;
    const record = value === undefined ? undefined : rolloutRecord(value, line);
    if (value === undefined) {
      report.count("reported", { file, line, type: terminated ? UNREADABLE_LINE : TORN_LINE });
    } else if (record === undefined) {
      conversion.keep(value, line);
    } else if (end !== undefined && record.ordinal !== undefined && record.ordinal >= end) {
      const type = nameOfRecord(record);
      report.count("reported", { file, line, type, reason: "later than the point the fork continues from" });
    } else conversion.feed(record);
    if (cuts.has(records)) conversion.settle(records);
    yield* chain.drain();
  }
  conversion.settle(records);
  yield* chain.drain();
}

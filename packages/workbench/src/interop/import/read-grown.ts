/** Reads what another agent added to its session since an earlier look. */
import { Kind, kindOf, type SessionEntry } from "@bough/session/entry/index.js";
import { LeafTrail } from "@bough/session/entry/internal.js";
import type { ForeignSession } from "../contract.js";
import { LossCollector, TORN_LINE } from "../loss-report.js";
import { checkReadable } from "../source-problem.js";

/** How much of a session had been read. Plain data. */
export interface ReadMark {
  readonly entries: number;
  /** The last of these entries; null if there were none. */
  readonly lastId: string | null;
  /** Records in each file, so that an entry never spans two looks. */
  readonly records: Readonly<Record<string, number>>;
}

export interface Grown {
  /** What came after the mark, parents first; everything if the start is no longer the same. */
  readonly entries: readonly SessionEntry[];
  readonly isRewritten: boolean;
  /** Where the agent continues: the last of all entries in its conversation. */
  readonly leaf: string | null;
  readonly mark: ReadMark;
}

export interface GrownOptions {
  readonly since?: ReadMark | undefined;
  /** `records` of looks after the mark whose entries were used, oldest first: these come out the same again. */
  readonly cuts?: readonly ReadMark["records"][];
}

/** Throws what the reader throws for a damaged source. */
export async function readGrown(source: ForeignSession, { since, cuts: later = [] }: GrownOptions): Promise<Grown> {
  checkReadable(source);
  const { readerFor } = await import("../agents.js");
  const report = new LossCollector();
  const looks = [...(since === undefined ? [] : [since.records]), ...later];
  const cuts = new Map(
    source.files.map((file) => [file, looks.map((records) => records[file] ?? 0).filter((count) => count > 0)]),
  );
  const all: SessionEntry[] = [];
  const trail = new LeafTrail();
  for await (const entry of readerFor(source.agent).read(source, { report, cuts })) {
    trail.take(entry);
    // Says only where the leaf is, so it comes and goes.
    if (kindOf(entry) !== Kind.position) all.push(entry);
  }
  const records: Record<string, number> = {};
  for (const { file, type, count } of report.report().counts) {
    if (type !== TORN_LINE) records[file] = (records[file] ?? 0) + count;
  }
  const mark = { entries: all.length, lastId: all.at(-1)?.id ?? null, records };
  const known = since?.entries ?? 0;
  const isRewritten = known > 0 && all[known - 1]?.id !== since?.lastId;
  return { entries: isRewritten ? all : all.slice(known), isRewritten, leaf: trail.leaf, mark };
}

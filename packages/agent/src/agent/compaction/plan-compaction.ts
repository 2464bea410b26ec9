import {
  type CompactionEntry,
  type ContextReplacement,
  contentText,
  type EntryId,
  entryText,
  Kind,
  kindOf,
  type SessionEntry,
} from "@bough/session/entry/index.js";
import { inOneGo, inSlices, type Steps } from "@bough/session/log/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import type { CompactionPreparation } from "../../extension/index.js";
import type { CompactionSettings } from "../../project/index.js";
import { TouchedFiles } from "../summary/file-tracking.js";
import { contextTokens, contextTokensInSlices } from "../summary/token-estimate.js";
import { compactionCut } from "./compaction-cut.js";
import { editsOn } from "./context-edits.js";
import { pinsOn } from "./pins.js";

export type CompactionPlan =
  | { readonly kind: "nothing" }
  | {
      readonly kind: "compact";
      readonly preparation: CompactionPreparation;
      /** Newest first. */
      readonly previousCompactions: readonly CompactionEntry[];
      readonly edits: ReadonlyMap<EntryId, ContextReplacement>;
    };

/**
 * What a compaction at the leaf would summarize and keep. Reads only.
 *
 *     a ─ b ─ c ─ [keeps from c] ─ d ─ e ─ f*      summarizes c d, keeps e f, updates the summary of a b
 *
 * Files are those of everything the summary will represent, earlier summaries included; pins are those whose entries are
 * no longer shown afterwards.
 */
export function planCompaction(
  session: SessionManager,
  settings: Pick<CompactionSettings, "keepRecentTokens">,
): CompactionPlan {
  return withTokens(inOneGo(planSteps(session.getBranch(), settings)), () => contextTokens(session).tokens);
}

/** The same in slices, so that a long path does not block. */
export async function planCompactionInSlices(
  session: SessionManager,
  settings: Pick<CompactionSettings, "keepRecentTokens">,
): Promise<CompactionPlan> {
  const path = await inSlices(readSteps(session.readBranch()));
  const plan = await inSlices(planSteps(path, settings));
  const { tokens } = plan === undefined ? { tokens: 0 } : await contextTokensInSlices(session);
  return withTokens(plan, () => tokens);
}

function* readSteps(path: Iterable<SessionEntry>): Steps<SessionEntry[]> {
  const entries: SessionEntry[] = [];
  for (const entry of path) {
    entries.push(entry);
    yield;
  }
  return entries;
}

type Compaction = Extract<CompactionPlan, { kind: "compact" }>;

/** A plan without token counts. */
interface Uncounted extends Omit<Compaction, "preparation"> {
  readonly preparation: Omit<CompactionPreparation, "tokensBefore">;
}

function withTokens(plan: Uncounted | undefined, tokens: () => number): CompactionPlan {
  if (plan === undefined) return { kind: "nothing" };
  return { ...plan, preparation: { ...plan.preparation, tokensBefore: tokens() } };
}

function* planSteps(
  path: readonly SessionEntry[],
  settings: Pick<CompactionSettings, "keepRecentTokens">,
): Steps<Uncounted | undefined> {
  const compactionAt = path.findLastIndex((entry) => kindOf(entry) === Kind.compaction);
  const latest = path[compactionAt];
  // What was cleared is not summarised again.
  const previous = latest?.type === "compaction" ? latest : undefined;
  const shown = shownEntries(path, { previous, compactionAt });
  const cut = yield* compactionCut(shown, settings.keepRecentTokens);
  if (cut === undefined) return undefined;
  const entries = shown.slice(0, cut.at);
  const firstKept = shown[cut.at] as SessionEntry;
  yield;
  const edits = editsOn(path);
  const files = new TouchedFiles();
  if (previous !== undefined) files.add(previous);
  for (const entry of entries) {
    files.add(entry);
    yield;
  }
  return {
    kind: "compact",
    preparation: {
      entriesToSummarize: entries,
      firstKeptEntryId: firstKept.id,
      previousSummary: typeof previous?.summary === "string" ? previous.summary : undefined,
      splitTurn: cut.splitTurn,
      ...files.details(),
      pins: pinnedTexts(path, { firstKeptId: firstKept.id, edits }),
    },
    previousCompactions: path.filter((entry) => entry.type === "compaction").reverse(),
    edits,
  };
}

/** What the context shows verbatim: all of it, or what the latest compaction kept and what followed it. */
function shownEntries(
  path: readonly SessionEntry[],
  latest: { readonly previous: CompactionEntry | undefined; readonly compactionAt: number },
): SessionEntry[] {
  const { previous, compactionAt } = latest;
  const anchor = previous === undefined ? -1 : path.findIndex((entry) => entry.id === previous.firstKeptEntryId);
  const kept = anchor < 0 || anchor >= compactionAt ? [] : path.slice(anchor, compactionAt);
  // Older compactions among the kept entries are not shown: the latest one covers them.
  return [...kept, ...path.slice(compactionAt + 1)].filter((entry) => kindOf(entry) !== Kind.compaction);
}

function pinnedTexts(
  path: readonly SessionEntry[],
  { firstKeptId, edits }: { readonly firstKeptId: EntryId; readonly edits: ReadonlyMap<EntryId, ContextReplacement> },
): string[] {
  const pins = pinsOn(path);
  const texts: string[] = [];
  for (const entry of path) {
    if (entry.id === firstKeptId) break;
    if (!pins.has(entry.id)) continue;
    // An edit overrides the entry's original content.
    const edit = edits.get(entry.id);
    const text = edit === undefined ? entryText(entry) : contentText(edit ?? "");
    if (text.trim() !== "") texts.push(text);
  }
  return texts;
}

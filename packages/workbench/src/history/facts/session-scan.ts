/** Collects the turns of a session in one pass: what each did, which were abandoned, and why. */
import {
  type BranchSummaryEntry,
  type CustomEntry,
  entryText,
  FILES_TYPE,
  type FileState,
  isPrompt,
  Kind,
  LeafEffect,
  type SessionEntry,
} from "@bough/session/entry/index.js";
import {
  filesRecord,
  LeafRule,
  SUBAGENT_PROMPT_TYPE,
  SUBAGENT_TYPE,
  SubagentEntries,
  sameFile,
} from "@bough/session/entry/internal.js";
import { isRecord } from "@bough/session/text/index.js";
import { type BranchIndex, branchIndexOf, isConversation, type TreeSource } from "@bough/session/tree/index.js";
import { type Departure, markAbandoned } from "./abandoned-turns.js";
import { cutWords } from "./cut-words.js";
import { RestoreTrail } from "./restores.js";
import { TurnDraft } from "./turn-draft.js";

const LONGEST_SUMMARY = 900;
const MERGE_TYPE = "bough.cherry-pick";

export class SessionScan {
  readonly turns: TurnDraft[] = [];
  /** Index of each entry's turn, or -1. */
  readonly turnOf: Int32Array;
  readonly summaries: { readonly id: string; readonly text: string }[] = [];
  readonly recorded = new Set<string>();
  readonly renamed: (readonly [string, string])[] = [];
  recordedElsewhere = false;
  readonly #source: TreeSource;
  readonly #branches: BranchIndex;
  readonly #departures: Departure[] = [];
  readonly #trail = new RestoreTrail();
  /** Entries that were merged or cherry-picked, and tips of branches that were merged as a summary. */
  readonly #merged: { readonly at: number; readonly ids: readonly unknown[]; readonly tip: unknown }[] = [];
  #leaf = -1;
  readonly #rule = new LeafRule();
  readonly #subagents = new SubagentEntries<number>();

  constructor(source: TreeSource) {
    this.#source = source;
    this.#branches = branchIndexOf(source.tree);
    this.turnOf = new Int32Array(source.tree.count).fill(-1);
  }

  /** Call with every entry, in file order. */
  take(n: number, entry: SessionEntry): void {
    const { tree } = this.#source;
    const kind = tree.kindOf(n);
    const turn = this.#turnAt(n, entry);
    if (kind === Kind.message) {
      if (isPrompt(entry)) turn?.addPrompt(entryText(entry));
      else turn?.addMessage(entry);
    } else if (kind === Kind.customMessage && turn?.id === entry.id) turn.addPrompt(entryText(entry));
    else if (kind === Kind.branchSummary) this.#takeSummary(n, entry as BranchSummaryEntry);
    else if (kind === Kind.custom) this.#takeCustom(n, entry as CustomEntry);
    this.#follow(n, entry);
  }

  /** Call after the last entry: marks the turns that were abandoned, merged or labelled. */
  finish(isActive: (n: number) => boolean): void {
    const { turns, turnOf } = this;
    markAbandoned(this.#departures, { turns, turnOf, branches: this.#branches });
    for (const { at, ids, tip } of this.#merged) {
      if (!isActive(at)) continue;
      for (const id of ids) this.#turnOfId(id, (turn) => (turn.merged = true));
      this.#markMergedBranch(tip, at);
    }
    for (const id of this.#source.labelTargets?.() ?? []) {
      const n = this.#source.tree.ids.findText(id);
      const label = n < 0 ? undefined : this.#source.labelOf(n)?.label;
      if (label !== undefined) this.#turnOfId(id, (turn) => turn.labels.push(cutWords(label, 60)));
    }
  }

  /** A turn starts at a prompt, or where a branch starts in the middle of a turn. */
  #turnAt(n: number, entry: SessionEntry): TurnDraft | undefined {
    const { tree } = this.#source;
    const above = tree.parentOf(n);
    const inherited = above < 0 ? -1 : (this.turnOf[above] as number);
    const kind = tree.kindOf(n);
    if (!isConversation(kind)) {
      this.turnOf[n] = inherited;
      return this.turns[inherited];
    }
    const branch = this.#branches.branchOf(n);
    const known = this.turns[inherited];
    const starts = isPrompt(entry) || isSubagentPrompt(entry) || known === undefined || known.branch !== branch;
    if (!starts) {
      this.turnOf[n] = inherited;
      known.last = n;
      return known;
    }
    const time = Date.parse(entry.timestamp) || 0;
    const turn = new TurnDraft({ id: entry.id, parent: inherited, branch, time, last: n });
    if (known !== undefined) {
      turn.prompt = known.prompt;
      if (known.branch === branch) turn.subagentOf = known.subagentOf;
    }
    if (isSubagentPrompt(entry)) turn.subagentOf = Math.max(0, this.#callAbove(n));
    this.turns.push(turn);
    this.turnOf[n] = this.turns.length - 1;
    return turn;
  }

  /** The entry whose tool call started the sub-agent, or the parent of `n`. */
  #callAbove(n: number): number {
    const { tree } = this.#source;
    for (let at = tree.parentOf(n), steps = 0; at >= 0 && steps < 50; at = tree.parentOf(at), steps++) {
      if (tree.kindOf(at) !== Kind.custom) continue;
      const { customType, data } = this.#source.entryAt(at) as CustomEntry;
      if (customType !== SUBAGENT_TYPE) continue;
      const call = isRecord(data) && typeof data.callEntryId === "string" ? tree.ids.findText(data.callEntryId) : -1;
      return call >= 0 ? call : Math.max(0, tree.parentOf(at));
    }
    return tree.parentOf(n);
  }

  #takeSummary(n: number, entry: BranchSummaryEntry): void {
    const { details, summary, fromId, abandonedLeafId, cause } = entry;
    const merged = isRecord(details) ? details.mergedTipId : undefined;
    if (typeof merged === "string") {
      this.#merged.push({ at: n, ids: [], tip: merged });
      return;
    }
    const { tree } = this.#source;
    const from = [abandonedLeafId, fromId].map((id) => (typeof id === "string" ? tree.ids.findText(id) : -1));
    this.summaries.push({ id: entry.id, text: cutWords(typeof summary === "string" ? summary : "", LONGEST_SUMMARY) });
    this.#departures.push({
      from: from.find((at) => at >= 0) ?? this.#leaf,
      to: tree.parentOf(n),
      cause: typeof cause === "string" ? cause : undefined,
      summary: this.summaries.length - 1,
    });
  }

  #takeCustom(n: number, { customType, data }: CustomEntry): void {
    if (customType === MERGE_TYPE && isRecord(data) && Array.isArray(data.sourceIds)) {
      this.#merged.push({ at: n, ids: data.sourceIds, tip: data.tipId });
    }
    const record = customType === FILES_TYPE ? filesRecord(data) : undefined;
    if (record === undefined) return;
    if (record.changesIn !== undefined) this.recordedElsewhere = true;
    const turn = this.turns[this.turnOf[n] as number];
    for (const delta of record.changes) {
      this.recorded.add(delta.path);
      const { before, after } = delta;
      const from = record.changes.find((one) => before === null && one.after === null && isMoved(one.before, after));
      if (from !== undefined) this.renamed.push([from.path, delta.path]);
      if (record.by === "restore") this.#trail.restore(delta);
      else {
        this.#trail.add(turn, delta);
        if (record.by !== "person") turn?.addFile(delta.path);
      }
    }
  }

  /** Derives moves from the order of entries in the file. */
  #follow(n: number, entry: SessionEntry): void {
    const { tree } = this.#source;
    const kind = tree.kindOf(n);
    const above = tree.parentOf(n);
    const role = tree.roleOf(n);
    const ruled = this.#rule.effectOf(kind, role, entry.id);
    const effect = this.#subagents.effectOf(ruled, { id: n, parent: above, role, leaf: this.#leaf });
    if (effect === LeafEffect.points) {
      const data = (entry as CustomEntry).data;
      const cause = isRecord(data) && typeof data.cause === "string" ? data.cause : undefined;
      if (above !== this.#leaf) this.#departures.push({ from: this.#leaf, to: above, cause, summary: undefined });
      this.#leaf = above;
    } else if (effect === LeafEffect.sets) {
      const isJump = kind !== Kind.branchSummary && this.#leaf >= 0 && above !== this.#leaf;
      if (isJump) this.#departures.push({ from: this.#leaf, to: above, cause: undefined, summary: undefined });
      this.#leaf = n;
    } else if (effect === LeafEffect.extends && above === this.#leaf) this.#leaf = n;
  }

  #turnOfId(id: unknown, then: (turn: TurnDraft) => void): void {
    const n = typeof id === "string" ? this.#source.tree.ids.findText(id) : -1;
    const turn = n < 0 ? undefined : this.turns[this.turnOf[n] as number];
    if (turn !== undefined) then(turn);
  }

  /** Marks all turns of a merged branch, up to the common ancestor. */
  #markMergedBranch(tip: unknown, at: number): void {
    const n = typeof tip === "string" ? this.#source.tree.ids.findText(tip) : -1;
    if (n < 0) return;
    const shared = this.#branches.commonAncestor(n, at);
    const stop = shared < 0 ? -1 : (this.turnOf[shared] as number);
    for (let t = this.turnOf[n] as number; t >= 0 && t !== stop; ) {
      const turn = this.turns[t] as TurnDraft;
      turn.merged = true;
      t = turn.parent;
    }
  }
}

function isSubagentPrompt(entry: SessionEntry): boolean {
  return entry.type === "custom_message" && entry.customType === SUBAGENT_PROMPT_TYPE;
}

/** Whether the content is the same under another name. Empty files do not count, since they are all alike. */
function isMoved(before: FileState, after: FileState): boolean {
  return after !== null && "hash" in after && after.size > 0 && sameFile(before, after);
}

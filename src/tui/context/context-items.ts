/** What the model is shown at the leaf, piece by piece: read in slices, because a long path takes a while. */
import { type AgentSession, estimateEntryTokens, estimateTextTokens, PIN_TYPE } from "../../agent/index.js";
import { type ContextReplacement, type EntryId, Kind, type SessionEntry } from "../../entry/index.js";
import type { TreeSource } from "../../tree/index.js";
import { type ContextItem, contextItem, counted } from "../../view/index.js";

export class ContextItems {
  readonly #source: TreeSource;
  readonly #numbers: readonly number[];
  readonly #pins: ReadonlySet<EntryId>;
  readonly #edits: ReadonlyMap<EntryId, ContextReplacement>;
  readonly #items: ContextItem[];
  #next = 0;

  constructor(agent: Pick<AgentSession, "session" | "systemPrompt" | "tools">) {
    this.#source = agent.session.getSource();
    this.#numbers = shownNumbers(this.#source);
    this.#pins = pinnedIds(this.#source);
    this.#edits = editsAmong(this.#source, this.#numbers);
    this.#items = [...fixedItems(agent)];
  }

  /** Those read so far, as the model sees them one after the other. */
  get items(): readonly ContextItem[] {
    return this.#items;
  }

  get isComplete(): boolean {
    return this.#next >= this.#numbers.length;
  }

  /** What stands in the place of an entry; undefined where it is the entry itself. */
  editOf(id: EntryId): ContextReplacement | undefined {
    return this.#edits.get(id);
  }

  advance(deadline: () => boolean): "more" | "done" {
    while (!this.isComplete) {
      const item = this.#itemAt(this.#numbers[this.#next++] as number);
      if (item !== undefined) this.#items.push(item);
      if (deadline()) break;
    }
    return this.isComplete ? "done" : "more";
  }

  #itemAt(n: number): ContextItem | undefined {
    const kind = this.#source.tree.kindOf(n);
    if (kind < Kind.message || kind > Kind.customMessage) return undefined;
    const entry = this.#source.entryAt(n);
    const edit = this.#edits.get(entry.id);
    const edited = edit !== undefined && edit !== null && !sameContent(entry, edit);
    const tokens = edited ? replacementTokens(edit) : estimateEntryTokens(entry);
    return contextItem(entry, tokens, {
      ...(this.#pins.has(entry.id) ? { pinned: true } : {}),
      ...(edited ? { edited: true } : {}),
      ...(edit === null ? { leftOut: true } : {}),
    });
  }
}

function* fixedItems({ systemPrompt, tools }: Pick<AgentSession, "systemPrompt" | "tools">): Generator<ContextItem> {
  const instructions = { id: undefined, kind: "system", title: "instructions and project files" } as const;
  yield { ...instructions, tokens: estimateTextTokens(systemPrompt) };
  if (tools.length === 0) return;
  const told = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const tokens = estimateTextTokens(JSON.stringify(told));
  yield { id: undefined, kind: "tools", title: `${counted(tools.length, "tool")}: ${namesOf(tools)}`, tokens };
}

function namesOf(tools: readonly { readonly name: string }[]): string {
  return tools.map(({ name }) => name).join(", ");
}

/**
 * Numbers of what can show: all of the path, or the latest compaction, what it keeps and what follows.
 *
 *     root - a - b - c - compaction(keeps from b) - d*    ->    compaction b c d
 */
function shownNumbers({ tree, leaf, entryAt }: TreeSource): number[] {
  const after: number[] = [];
  let compaction = -1;
  for (let n = leaf; n >= 0; n = tree.parentOf(n)) {
    if (tree.kindOf(n) === Kind.compaction && entryAt(n).type === "compaction") {
      compaction = n;
      break;
    }
    after.push(n);
  }
  if (compaction < 0) return after.reverse();
  const { firstKeptEntryId } = entryAt(compaction) as { readonly firstKeptEntryId?: unknown };
  const anchor = typeof firstKeptEntryId === "string" ? tree.ids.findText(firstKeptEntryId) : -1;
  const kept: number[] = [];
  let found = false;
  for (let n = anchor < 0 ? -1 : tree.parentOf(compaction); n >= 0 && !found; n = tree.parentOf(n)) {
    // An older compaction among them is not shown: the latest one speaks for it.
    if (tree.kindOf(n) !== Kind.compaction) kept.push(n);
    found = n === anchor;
  }
  return [compaction, ...(found ? kept.reverse() : []), ...after.reverse()];
}

/** The latest edit of each entry. An edit changes only what stands above it. */
function editsAmong({ tree, entryAt }: TreeSource, numbers: readonly number[]): Map<EntryId, ContextReplacement> {
  const above = new Set<EntryId>();
  const edits = new Map<EntryId, ContextReplacement>();
  for (const n of numbers) {
    above.add(tree.ids.textOf(n));
    if (tree.kindOf(n) !== Kind.contextEdit) continue;
    const { targetId, replacement } = entryAt(n) as { readonly targetId?: unknown; readonly replacement?: unknown };
    if (typeof targetId !== "string" || !above.has(targetId)) continue;
    if (replacement === null || typeof replacement === "string" || Array.isArray(replacement)) {
      edits.set(targetId, replacement);
    }
  }
  return edits;
}

/** Reads only extensions' notes on the path, pins among them. */
function pinnedIds({ tree, leaf, entryAt }: TreeSource): Set<EntryId> {
  const records: { readonly targetId: EntryId; readonly pinned: boolean }[] = [];
  for (let n = leaf; n >= 0; n = tree.parentOf(n)) {
    if (tree.kindOf(n) !== Kind.custom) continue;
    const entry = entryAt(n);
    if (entry.type !== "custom" || entry.customType !== PIN_TYPE) continue;
    const data = entry.data as { readonly targetId?: unknown; readonly pinned?: unknown } | null | undefined;
    if (typeof data?.targetId === "string") records.push({ targetId: data.targetId, pinned: data.pinned !== false });
  }
  const pins = new Set<EntryId>();
  for (const { targetId, pinned } of records.reverse()) {
    if (pinned) pins.add(targetId);
    else pins.delete(targetId);
  }
  return pins;
}

function replacementTokens(edit: Exclude<ContextReplacement, null>): number {
  return estimateTextTokens(typeof edit === "string" ? edit : JSON.stringify(edit));
}

/** Taking an edit back is an edit too: one with the original content. */
function sameContent(entry: SessionEntry, edit: Exclude<ContextReplacement, null>): boolean {
  const holder = (entry.type === "message" ? entry.message : entry) as unknown as Readonly<Record<string, unknown>>;
  const original = holder.content ?? holder.summary ?? holder.output;
  return JSON.stringify(original) === JSON.stringify(edit);
}

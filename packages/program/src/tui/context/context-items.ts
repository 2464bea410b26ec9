/** What the model sees at the leaf, item by item. Read in slices, because a long path takes a while. */
import type { AgentSession } from "@bough/agent/agent/index.js";
import { estimateEntryTokens, estimateTextTokens, PIN_TYPE, serverShares } from "@bough/agent/agent/internal.js";
import { type ContextReplacement, type EntryId, Kind, type SessionEntry } from "@bough/session/entry/index.js";
import { replacementOf } from "@bough/session/entry/internal.js";
import { counted } from "@bough/session/text/index.js";
import { isConversation, type TreeSource } from "@bough/session/tree/index.js";
import { type ContextItem, contextItem } from "@bough/session/view/internal.js";
import { countedContext, shownNumbers } from "./context-size.js";

export class ContextItems {
  readonly #source: TreeSource;
  readonly #numbers: readonly number[];
  readonly #pins: ReadonlySet<EntryId>;
  readonly #edits: ReadonlyMap<EntryId, ContextReplacement>;
  readonly #items: ContextItem[];
  /** The provider's token count; undefined if everything is estimated. */
  readonly counted: ReturnType<typeof countedContext>;
  /** Parts that are present regardless of the conversation. */
  readonly fixedTokens: number;
  #next = 0;

  constructor(agent: Pick<AgentSession, "session"> & FixedParts) {
    this.#source = agent.session.getSource();
    this.#numbers = shownNumbers(this.#source);
    this.#pins = pinnedIds(this.#source);
    this.#edits = editsAmong(this.#source, this.#numbers);
    this.#items = [...fixedItems(agent)];
    this.fixedTokens = this.#items.reduce((sum, { tokens }) => sum + tokens, 0);
    this.counted = countedContext(this.#source);
  }

  /** The items read so far, in the order the model sees them. */
  get items(): readonly ContextItem[] {
    return this.#items;
  }

  get isComplete(): boolean {
    return this.#next >= this.#numbers.length;
  }

  /** What replaces an entry; undefined if nothing does. */
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
    if (!isConversation(this.#source.tree.kindOf(n))) return undefined;
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

function* fixedItems({ systemPrompt, tools: all, servers }: FixedParts): Generator<ContextItem> {
  const instructions = { id: undefined, kind: "system", title: "instructions and project files" } as const;
  yield { ...instructions, tokens: estimateTextTokens(systemPrompt) };
  const tools = all.filter(({ server }) => server === undefined);
  for (const { name, sent, searched } of serverShares({ servers, tools: all })) {
    const list = all.filter(({ server }) => server?.name === name);
    const found = searched.tools === 0 ? "" : `${counted(searched.tools, "tool")} found by search`;
    const title = [sent.tools === 0 ? "" : `${counted(sent.tools, "tool")}: ${namesOf(list)}`, found];
    yield {
      id: undefined,
      kind: "tools",
      title: `${name}, ${title.filter((part) => part !== "").join("; ")}`,
      tokens: sent.tokens,
    };
  }
  if (tools.length === 0) return;
  const told = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const tokens = estimateTextTokens(JSON.stringify(told));
  yield { id: undefined, kind: "tools", title: `${counted(tools.length, "tool")}: ${namesOf(tools)}`, tokens };
}

type FixedParts = Pick<AgentSession, "systemPrompt" | "tools"> & Partial<Pick<AgentSession, "servers">>;

function namesOf(tools: readonly { readonly name: string }[]): string {
  return tools.map(({ name }) => name).join(", ");
}

/** The latest edit of each entry. An edit applies only to entries above it. */
function editsAmong({ tree, entryAt }: TreeSource, numbers: readonly number[]): Map<EntryId, ContextReplacement> {
  const edits = new Map<EntryId, ContextReplacement>();
  // Few paths have edits; without them, no more needs to be known about the entries.
  if (!numbers.some((n) => tree.kindOf(n) === Kind.contextEdit)) return edits;
  const above = new Set<number>();
  for (const n of numbers) {
    above.add(n);
    if (tree.kindOf(n) !== Kind.contextEdit) continue;
    const edit = entryAt(n) as { readonly targetId?: unknown; readonly replacement?: unknown };
    if (typeof edit.targetId !== "string" || !above.has(tree.ids.findText(edit.targetId))) continue;
    const replacement = replacementOf(edit);
    if (replacement !== undefined) edits.set(edit.targetId, replacement);
  }
  return edits;
}

/** Reads only extensions' notes on the path, which include pins. */
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

/** Undoing an edit is recorded as an edit with the original content. */
function sameContent(entry: SessionEntry, edit: Exclude<ContextReplacement, null>): boolean {
  const holder = (entry.type === "message" ? entry.message : entry) as unknown as Readonly<Record<string, unknown>>;
  const original = holder.content ?? holder.summary ?? holder.output;
  return JSON.stringify(original) === JSON.stringify(edit);
}

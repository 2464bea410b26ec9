/** What a search in the tree looks at: everything an entry says, and what its row says, in lower case. */
import { entryText, Kind, type SessionEntry } from "../../entry/index.js";
import { isConversation } from "../../tree/index.js";
import { blocksIn, messageIn } from "../transcript/read-content.js";
import type { FactsSource } from "./facts-source.js";
import { isRuledOut } from "./line-check.js";
import type { EntryFacts } from "./rows/entry-facts.js";
import type { TreeFilter } from "./tree-filter.js";

/** Texts up to this many characters are kept for the next key. Beyond it, entries are read again. */
const MOST_KEPT = 32_000_000;

export interface SearchRequest {
  /** What has to be in the line of an entry, from `partsInLine`. The text may be "" for one that does not hold it. */
  readonly parts: readonly string[];
  readonly filter: TreeFilter;
}

interface TextRequest {
  readonly filter: TreeFilter;
  /** From `partsInLine`. */
  readonly parts: readonly string[];
  readonly facts: () => EntryFacts;
}

export class SearchTexts {
  readonly #texts = new Map<number, string>();
  /** Entries that are found only if everything is shown. */
  readonly #aside = new Set<number>();
  #kept = 0;

  clear(): void {
    this.#texts.clear();
    this.#aside.clear();
    this.#kept = 0;
  }

  /**
   * The text of an entry, without its label; "" if a search under this filter passes it by, or if it cannot hold all the
   * parts that have to be in its line.
   */
  of(from: FactsSource, n: number, wish: TextRequest): string {
    const isAll = wish.filter === "all";
    if (!isSearched(from.source.tree.kindOf(n), wish.filter) || (!isAll && this.#aside.has(n))) return "";
    const known = this.#texts.get(n);
    if (known !== undefined) return known;
    if (isRuledOut(from.source, n, wish.parts)) return "";
    const facts = wish.facts();
    if (!isAll && (facts.hidden || isCallOnly(facts))) {
      this.#aside.add(n);
      return "";
    }
    const entry = from.source.entryAt(n);
    const texts = [facts.words, entryText(entry), ...hiddenTexts(entry)].filter((part) => typeof part === "string");
    const text = texts.join("\n").toLowerCase();
    // What was read for "all" may be aside under another filter, so it is not kept.
    if (!isAll && this.#kept + text.length <= MOST_KEPT) {
      this.#texts.set(n, text);
      this.#kept += text.length;
    }
    return text;
  }
}

/** What a search looks at next to the text: thinking, and why a reply failed. */
function hiddenTexts(entry: SessionEntry): unknown[] {
  const message = messageIn(entry);
  const thinking = blocksIn(message?.content).filter(({ type }) => type === "thinking");
  return [...thinking.map((block) => block.thinking), message?.errorMessage];
}

/** Bookkeeping has rows, and so can be found, only if everything is shown. */
export function isSearched(kind: Kind, filter: TreeFilter): boolean {
  if (filter === "all" || isConversation(kind)) return true;
  return kind === Kind.unreadable && filter !== "user-only";
}

/** Where tools are shown, a call is found at its result. */
function isCallOnly({ sort, speaks, calls }: EntryFacts): boolean {
  return sort === "answer" && !speaks && calls > 0;
}

/** The text that a tree search covers: the whole text of an entry, and that of its row, in lower case. */
import { entryText, Kind, type SessionEntry } from "../../entry/index.js";
import { isConversation } from "../../tree/index.js";
import { blocksIn, messageIn } from "../transcript/read-content.js";
import type { FactsSource } from "./facts-source.js";
import { isRuledOut } from "./line-check.js";
import type { EntryFacts } from "./rows/entry-facts.js";
import type { TreeFilter } from "./tree-filter.js";

/** Texts up to this total of characters are cached for the next keystroke. Beyond it, entries are read again. */
const MOST_KEPT = 32_000_000;

export interface SearchRequest {
  /** What must be in the line of an entry, from `partsInLine`. The text may be "" for an entry without it. */
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
   * The text of an entry, without its label; "" if a search under this filter skips it, or if its line lacks one of the
   * required parts.
   */
  of(from: FactsSource, n: number, request: TextRequest): string {
    const isAll = request.filter === "all";
    if (!isSearched(from.source.tree.kindOf(n), request.filter) || (!isAll && this.#aside.has(n))) return "";
    const known = this.#texts.get(n);
    if (known !== undefined) return known;
    if (isRuledOut(from.source, n, request.parts)) return "";
    const facts = request.facts();
    if (!isAll && (facts.hidden || isCallOnly(facts))) {
      this.#aside.add(n);
      return "";
    }
    const entry = from.source.entryAt(n);
    const texts = [facts.words, entryText(entry), ...hiddenTexts(entry)].filter((part) => typeof part === "string");
    const text = texts.join("\n").toLowerCase();
    // Text read for "all" may be excluded under another filter, so it is not cached.
    if (!isAll && this.#kept + text.length <= MOST_KEPT) {
      this.#texts.set(n, text);
      this.#kept += text.length;
    }
    return text;
  }
}

/** Searched in addition to the text: thinking, and why a reply failed. */
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

/** If tools are shown, a call is found at its result. */
function isCallOnly({ sort, speaks, calls }: EntryFacts): boolean {
  return sort === "answer" && !speaks && calls > 0;
}

/** One entry in the transcript. Its content is written only once, so that what a reader opened or focused stays. */

import { firstWords } from "@bough/session/text/index.js";
import { Component, createRef } from "preact";
import { blockHtml } from "../../html/block-html.js";
import type { BlockLook } from "../../html/block-look.js";
import { blocksHtml, turnHeading } from "../../html/entry-html.js";
import { html } from "../../html/html.js";
import type { TranscriptList } from "../data/transcript-list.js";
import { type Versions, versionsAt } from "../data/versions.js";
import { highlightCode } from "../render/highlight.js";
import { safeHtml } from "../render/safe-html.js";
import { goTo } from "../state/go-to.js";
import type { PageStore } from "../state/page-store.js";

interface Props {
  readonly store: PageStore;
  readonly list: TranscriptList;
  readonly index: number;
  /** Its index in the scrollable part of the list. */
  readonly offset: number;
  readonly version: number;
}

export class TranscriptItem extends Component<Props> {
  readonly #inside = createRef<HTMLDivElement>();

  override componentDidMount(): void {
    this.#write();
    const inside = this.#inside.current;
    // The toggle event does not bubble, so listen in the capture phase.
    inside?.addEventListener("toggle", this.#onToggle, { capture: true });
    inside?.addEventListener("click", this.#onClick);
  }

  override componentDidUpdate(before: Props): void {
    if (before.version !== this.props.version || before.list !== this.props.list) this.#write();
  }

  render() {
    const { store, list, index, offset } = this.props;
    const n = list.entryNumberAt(index);
    const versions = n < 0 ? undefined : versionsAt(store.model, n);
    return (
      <article
        class={`entry${n >= 0 && n === store.state.chosen ? " chosen" : ""}`}
        data-key={list.keyAt(index)}
        data-offset={offset}
        tabIndex={-1}
        aria-posinset={index + 1}
        aria-setsize={list.count}
      >
        {versions === undefined ? null : <ForkSwitch store={store} versions={versions} />}
        <div class="blocks" ref={this.#inside} />
      </article>
    );
  }

  #write(): void {
    const inside = this.#inside.current;
    if (inside !== null) inside.innerHTML = itemHtml(this.props.store, this.props.index);
  }

  readonly #onToggle = (event: Event): void => {
    const details = event.target as HTMLDetailsElement;
    const id = details.dataset?.block;
    if (id === undefined) return;
    const { store, index } = this.props;
    store.unfolded.setOpen(id, details.open);
    const inside = details.querySelector(".inside");
    if (details.open && inside !== null && inside.childElementCount === 0) {
      inside.innerHTML = openedHtml(store, index, id);
    }
  };

  readonly #onClick = (event: MouseEvent): void => {
    const id = (event.target as HTMLElement).closest<HTMLElement>("[data-more]")?.dataset.more;
    if (id === undefined) return;
    this.props.store.unfolded.showMore(id);
    this.#write();
  };
}

/** The HTML inside one item of the transcript. */
function itemHtml(store: PageStore, index: number): string {
  const { list } = store;
  const blocks = list.blocksAt(index);
  const [first] = blocks;
  if (first === undefined) return "";
  const turn = list.turnAt(index);
  const id = list.entryNumberAt(index) < 0 ? undefined : first.entryId;
  const heading = turn === 0 ? undefined : turnHeading({ turn, id, time: first.time });
  return safeHtml(html`${heading}${blocksHtml(blocks, lookOf(store))}`);
}

/** The HTML inside a block that was just opened. */
function openedHtml(store: PageStore, index: number, blockId: string): string {
  const block = store.list.blocksAt(index).find(({ id }) => id === blockId);
  if (block === undefined) return "";
  const drawn = document.createElement("div");
  drawn.innerHTML = safeHtml(blockHtml(block, { ...lookOf(store), isOpen: () => true }));
  return drawn.querySelector(".inside")?.innerHTML ?? "";
}

function lookOf({ unfolded, state }: PageStore): BlockLook {
  return {
    isOpen: (id, kind) => unfolded.isOpen(id, kind, state),
    limits: (id) => unfolded.limits(id),
    more: "more",
    images: "pictures",
    folded: "lazy",
    highlight: highlightCode,
  };
}

/** At a fork: the number of the shown version, buttons for its neighbors, and how the others begin. */
function ForkSwitch({ store, versions }: { readonly store: PageStore; readonly versions: Versions }) {
  const { number, count, previous, next, others } = versions;
  const go = (n: number) => () => goTo(store, n, { history: "push", focus: "article" });
  return (
    <nav class="fork" aria-label={`Version ${number} of ${count}`}>
      <span class="switch">
        <button type="button" disabled={previous < 0} aria-label="Previous version" onClick={go(previous)}>
          ‹
        </button>
        <span>
          <span class="visually-hidden">Version </span>
          {number}
          <span aria-hidden="true">/</span>
          <span class="visually-hidden"> of </span>
          {count}
        </span>
        <button type="button" disabled={next < 0} aria-label="Next version" onClick={go(next)}>
          ›
        </button>
      </span>
      <span class="also">
        <span class="muted">also: </span>
        {others.map(({ n, branch, words }) => (
          <button type="button" class="link" key={n} onClick={go(n)}>
            #{branch} <bdi>{shortened(words)}</bdi>
          </button>
        ))}
        {count - 1 > others.length ? <span class="muted">and {count - 1 - others.length} more</span> : null}
      </span>
    </nav>
  );
}

const MOST_WORDS = 50;

function shortened(words: string): string {
  const short = firstWords(words, MOST_WORDS);
  return short.length < firstWords(words, MOST_WORDS + 1).length ? `${short.trimEnd()}…` : short;
}

/**
 * The conversation. Only the part around the screen is in the page. The reader's position is an item and an offset in
 * it, and stays in place when anything above it is measured or changes its height.
 */
import { Component, createRef } from "preact";
import type { TranscriptList } from "../data/transcript-list.js";
import { Heights } from "../state/heights.js";
import type { Target } from "../state/page-state.js";
import type { PageStore } from "../state/page-store.js";
import { TranscriptItem } from "./transcript-item.js";

/** How much to draw above and below the visible part. */
const MARGIN_PIXELS = 600;
const MOST_ITEMS = 150;
/** Browsers draw nothing beyond about thirty million pixels, so only a part of a longer list is shown. */
const MOST_IN_LIST = 150_000;
const LEAST_HEIGHT = 40;

interface Props {
  readonly store: PageStore;
  readonly list: TranscriptList;
  readonly target: Target | undefined;
  readonly version: number;
  readonly heading: preact.ComponentChildren;
  /** Passes the transcript to a parent that needs the reader's position. */
  readonly onMade: (transcript: Transcript) => void;
}

export class Transcript extends Component<Props> {
  readonly #scroller = createRef<HTMLDivElement>();
  readonly #items = createRef<HTMLDivElement>();
  #heights: Heights;
  /** Index of the first item in the scrollable part of the list. */
  #from = 0;
  #place: { readonly index: number; readonly inside: number };
  #observer: ResizeObserver | undefined;
  #focusKey: string | undefined;
  #settled = false;
  /** The item that was navigated to last. Near the end of the list it cannot reach the top of the screen. */
  #aimed = -1;

  constructor(props: Props) {
    super(props);
    this.#from = Math.max(0, props.list.count - MOST_IN_LIST);
    this.#heights = this.#guessed(props.list);
    this.#place = { index: this.#heights.count, inside: 0 };
    if (props.target !== undefined) this.#aimAt(props.target, props.list);
    props.onMade(this);
  }

  override componentDidMount(): void {
    this.#observer = new ResizeObserver(() => this.#measure());
    if (this.#items.current !== null) this.#observer.observe(this.#items.current);
    if (this.#scroller.current !== null) this.#observer.observe(this.#scroller.current);
    this.#measure();
    this.forceUpdate();
  }

  override componentWillUnmount(): void {
    this.#observer?.disconnect();
  }

  override shouldComponentUpdate(next: Props): boolean {
    if (next.list !== this.props.list) {
      this.#from = Math.max(0, next.list.count - MOST_IN_LIST);
      this.#heights = this.#guessed(next.list);
      this.#place = { index: this.#heights.count, inside: 0 };
      this.#aimed = -1;
      this.#settled = false;
    }
    if (next.target !== this.props.target && next.target !== undefined) this.#aimAt(next.target, next.list);
    return true;
  }

  override componentDidUpdate(): void {
    this.#measure();
  }

  /** The item the reader is looking at: the one navigated to while it is visible, otherwise the topmost one. */
  get current(): number {
    const scroller = this.#scroller.current;
    if (scroller !== null && this.#aimed >= 0 && this.#aimed < this.#heights.count) {
      const top = this.#listTop() + this.#heights.before(this.#aimed) - scroller.scrollTop;
      if (top > -this.#heights.of(this.#aimed) && top < scroller.clientHeight) return this.#from + this.#aimed;
    }
    return this.#from + Math.min(this.#place.index, this.#heights.count - 1);
  }

  render() {
    const { store, list, version, heading } = this.props;
    const { first, last } = this.#window();
    const items = [];
    for (let index = first; index < last; index++) {
      const at = this.#from + index;
      items.push(
        <TranscriptItem key={list.keyAt(at)} store={store} list={list} index={at} offset={index} version={version} />,
      );
    }
    return (
      <div class="scroller" id="transcript" tabIndex={-1} ref={this.#scroller} onScroll={this.#onScroll}>
        {heading}
        {this.#from === 0 ? null : (
          <p class="muted cut">
            {this.#from.toLocaleString("en")} earlier entries: choose one in the tree to read on there.
          </p>
        )}
        <div style={{ height: `${this.#heights.before(first)}px` }} />
        <div role="feed" aria-busy={false} aria-label="Conversation" ref={this.#items}>
          {items}
        </div>
        <div style={{ height: `${Math.max(0, this.#heights.total - this.#heights.before(last))}px` }} />
      </div>
    );
  }

  /** The items to draw: the visible ones around the reader's position, and a margin. */
  #window(): { first: number; last: number } {
    const { count } = this.#heights;
    if (count === 0) return { first: 0, last: 0 };
    const height = this.#scroller.current?.clientHeight ?? 800;
    const top = this.#heights.before(this.#place.index) + this.#place.inside;
    const first = this.#heights.at(Math.max(0, top - MARGIN_PIXELS - (this.#isAtEnd() ? height : 0)));
    const last = this.#heights.at(top + height + MARGIN_PIXELS) + 1;
    return { first, last: Math.min(count, last, first + MOST_ITEMS) };
  }

  #isAtEnd(): boolean {
    return this.#place.index >= this.#heights.count;
  }

  #guessed(list: TranscriptList): Heights {
    return new Heights(Math.min(list.count, MOST_IN_LIST), (index) =>
      Math.min(600, LEAST_HEIGHT + list.lengthAt(this.#from + index) / 20),
    );
  }

  #aimAt({ n, focus }: Target, list = this.props.list): void {
    const at = list.indexOf(n);
    if (at < 0) return;
    if (at < this.#from || at >= this.#from + this.#heights.count) {
      this.#from = Math.max(0, Math.min(list.count - MOST_IN_LIST, at - MOST_IN_LIST / 2));
      this.#heights = this.#guessed(list);
    }
    this.#place = { index: at - this.#from, inside: 0 };
    this.#aimed = at - this.#from;
    this.#focusKey = focus === "article" ? list.keyAt(at) : undefined;
    this.#settled = false;
  }

  readonly #onScroll = (): void => {
    const scroller = this.#scroller.current;
    if (scroller === null || !this.#settled || this.#heights.count === 0) return;
    const top = scroller.scrollTop - this.#listTop();
    const index = this.#heights.at(Math.max(0, top));
    this.#place = { index, inside: top - this.#heights.before(index) };
    this.forceUpdate();
  };

  /** Measures the heights of items, and restores the reader's position. */
  #measure(): void {
    const [items, scroller] = [this.#items.current, this.#scroller.current];
    if (items === null || scroller === null || scroller.clientHeight === 0) return;
    let news = false;
    for (const element of items.children as HTMLCollectionOf<HTMLElement>) {
      if (this.#heights.set(Number(element.dataset.offset), element.getBoundingClientRect().height)) news = true;
    }
    if (news) {
      this.forceUpdate();
      return;
    }
    const wanted = Math.round(this.#listTop() + this.#heights.before(this.#place.index) + this.#place.inside);
    const most = scroller.scrollHeight - scroller.clientHeight;
    const target = Math.max(0, Math.min(most, wanted));
    if (Math.abs(scroller.scrollTop - target) > 1) scroller.scrollTop = target;
    this.#settled = true;
    if (this.#isAtEnd()) this.#onScroll();
    this.#focusWanted(items);
  }

  #focusWanted(items: HTMLElement): void {
    const key = this.#focusKey;
    if (key === undefined) return;
    this.#focusKey = undefined;
    const element = [...items.children].find((child) => (child as HTMLElement).dataset.key === key);
    (element as HTMLElement | undefined)?.focus({ preventScroll: true });
  }

  /** Where the list starts within the scrolled content. */
  #listTop(): number {
    const items = this.#items.current;
    const spacer = items?.previousElementSibling as HTMLElement | null | undefined;
    return spacer?.offsetTop ?? 0;
  }
}

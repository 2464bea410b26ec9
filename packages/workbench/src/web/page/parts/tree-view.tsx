/** The tree: a single tab stop with arrow keys, and only the visible rows are in the page. */

import {
  firstRow,
  foldOrStepOut,
  lastRow,
  nextPage,
  nextRow,
  openOrStepIn,
  openRow,
  previousPage,
  previousRow,
  type TreeModel,
  type TreeRow,
  type TreeState,
} from "@bough/session/view/index.js";
import { selectedPlace } from "@bough/session/view/internal.js";
import { Component, createRef } from "preact";
import { goTo } from "../state/go-to.js";
import type { PageState } from "../state/page-state.js";
import type { PageStore } from "../state/page-store.js";
import { TypeAhead } from "../state/type-ahead.js";
import { Row } from "./tree-row.js";

const MARGIN_ROWS = 8;

interface Props {
  readonly store: PageStore;
  /** Redraws the tree when it changes. */
  readonly state: PageState;
}

export class TreeView extends Component<Props> {
  readonly #scroller = createRef<HTMLDivElement>();
  readonly #probe = createRef<HTMLDivElement>();
  #rowHeight = 30;
  #cursor = "";
  #rows: readonly TreeRow[] = [];
  readonly #typeAhead = new TypeAhead();
  #wantsFocus = false;
  #target: PageState["target"];
  #observer: ResizeObserver | undefined;

  override componentDidMount(): void {
    this.#observer = new ResizeObserver(() => {
      this.#rowHeight = this.#probe.current?.offsetHeight || this.#rowHeight;
      this.#showCursor();
      this.forceUpdate();
    });
    if (this.#scroller.current !== null) this.#observer.observe(this.#scroller.current);
    if (this.#probe.current !== null) this.#observer.observe(this.#probe.current);
  }

  override componentWillUnmount(): void {
    this.#observer?.disconnect();
  }

  override componentDidUpdate(): void {
    const { model, state } = this.props.store;
    if (state.target !== this.#target) {
      this.#target = state.target;
      if (state.target?.focus === "row") this.#wantsFocus = true;
    }
    const { rows } = model.rows(state.tree);
    const cursor = rows[selectedPlace(model, state.tree)]?.key ?? "";
    if (cursor === this.#cursor && rows === this.#rows) {
      this.#focusCursor();
      return;
    }
    this.#cursor = cursor;
    this.#rows = rows;
    this.#showCursor();
    // The row may only have been added to the page now.
    this.forceUpdate(() => this.#focusCursor());
  }

  render() {
    const { store, state } = this.props;
    const { model } = store;
    const { rows } = model.rows(state.tree);
    const place = selectedPlace(model, state.tree);
    const scroller = this.#scroller.current;
    const top = scroller?.scrollTop ?? 0;
    const first = Math.max(0, Math.floor(top / this.#rowHeight) - MARGIN_ROWS);
    const seen = Math.ceil((scroller?.clientHeight ?? 800) / this.#rowHeight);
    const last = Math.min(rows.length, first + seen + 2 * MARGIN_ROWS);
    // There must always be a tab stop: if the cursor is out of sight, use a visible row.
    const tabStop = place >= first && place < last ? place : Math.min(last - 1, first + MARGIN_ROWS);
    const sets = setsOf(rows);
    const items = [];
    for (let at = first; at < last; at++) {
      const row = rows[at] as TreeRow;
      const [position, setSize] = sets(at);
      items.push(
        <Row
          key={row.key}
          at={at}
          {...{ model, row, position, setSize }}
          state={state.tree}
          isCursor={at === place}
          isTabStop={at === tabStop}
          isChosen={state.chosen >= 0 && row.kind !== "end" && row.n === state.chosen}
          isOnPath={row.n >= 0 && row.kind !== "side" && row.kind !== "end" && standsOnPath(model, row.n, state.end)}
          now={Date.now()}
        />,
      );
    }
    return (
      <div
        class="rows"
        role="tree"
        id="tree"
        aria-label="Session tree"
        ref={this.#scroller}
        onScroll={() => this.forceUpdate()}
        onFocusIn={this.#onFocus}
        onClick={this.#onClick}
        onKeyDown={this.#onKey}
      >
        <div class="row probe" aria-hidden="true" ref={this.#probe} />
        <div role="presentation" style={{ height: `${first * this.#rowHeight}px` }} />
        {items}
        <div role="presentation" style={{ height: `${Math.max(0, rows.length - last) * this.#rowHeight}px` }} />
      </div>
    );
  }

  #set(tree: TreeState): void {
    if (tree !== this.props.store.state.tree) this.props.store.set({ tree });
  }

  #choose(row: TreeRow): void {
    const { store } = this.props;
    const { tree } = store.state;
    if (row.kind === "earlier" || row.kind === "later" || row.kind === "more") {
      this.#set(openRow(store.model, selecting(tree, row)));
      return;
    }
    if (row.n < 0) return;
    goTo(store, row.n, { history: "push" });
    store.set({ tree: selecting(store.state.tree, row) });
  }

  /** Tab enters the tree at the row that receives the focus. */
  readonly #onFocus = (event: FocusEvent): void => {
    const { store } = this.props;
    const row = this.#rowOf(event.target);
    if (row !== undefined && row.key !== this.#cursor) this.#set(selecting(store.state.tree, row));
  };

  #rowOf(target: EventTarget | null): TreeRow | undefined {
    const { model, state } = this.props.store;
    const at = target instanceof Element ? target.closest<HTMLElement>("[data-at]")?.dataset.at : undefined;
    return at === undefined ? undefined : model.rows(state.tree).rows[Number(at)];
  }

  readonly #onClick = (event: MouseEvent): void => {
    const { store } = this.props;
    const row = this.#rowOf(event.target);
    if (row === undefined) return;
    const tree = selecting(store.state.tree, row);
    if (!(event.target instanceof Element) || event.target.closest(".fold") === null) this.#choose(row);
    else this.#set(row.open ? foldOrStepOut(store.model, tree) : openOrStepIn(store.model, tree));
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { store } = this.props;
    const { model } = store;
    const { tree } = store.state;
    const page = Math.max(1, Math.floor((this.#scroller.current?.clientHeight ?? 0) / this.#rowHeight) - 1);
    const typed = this.#typeAhead.take(event.key, event.timeStamp);
    const moves: Readonly<Record<string, () => TreeState>> = {
      ArrowDown: () => nextRow(model, tree),
      ArrowUp: () => previousRow(model, tree),
      ArrowRight: () => openOrStepIn(model, tree),
      ArrowLeft: () => foldOrStepOut(model, tree),
      Home: () => firstRow(model, tree),
      End: () => lastRow(model, tree),
      PageDown: () => nextPage(model, tree, page),
      PageUp: () => previousPage(model, tree, page),
      j: () => nextRow(model, tree),
      k: () => previousRow(model, tree),
    };
    // Letters that are keys of the page remain keys, unless they continue a word that was started.
    const isCommand = typed === undefined || /^(?:[jk]+|t+)$/.test(typed);
    const move = isCommand && Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
    this.#wantsFocus = true;
    if (move !== undefined) this.#set(move());
    else if (event.key === "Enter" || event.key === " ") {
      const row = model.rows(tree).rows[selectedPlace(model, tree)];
      if (row !== undefined) this.#choose(row);
    } else if (typed !== undefined && !isCommand) this.#jumpTo(typed);
    else {
      this.#wantsFocus = false;
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  /** Goes to the next row that starts with the typed text. */
  #jumpTo(typed: string): void {
    const { model, state } = this.props.store;
    const { rows } = model.rows(state.tree);
    const from = selectedPlace(model, state.tree) + (typed.length === 1 ? 1 : 0);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[(from + i) % rows.length] as TreeRow;
      if (row.n < 0 || !model.facts(row.n).words.toLowerCase().startsWith(typed)) continue;
      this.#set(selecting(state.tree, row));
      return;
    }
  }

  #showCursor(): void {
    const scroller = this.#scroller.current;
    const { model, state } = this.props.store;
    if (scroller === null) return;
    const top = selectedPlace(model, state.tree) * this.#rowHeight;
    const bottom = top + this.#rowHeight;
    if (top < scroller.scrollTop) scroller.scrollTop = top - this.#rowHeight;
    else if (bottom > scroller.scrollTop + scroller.clientHeight)
      scroller.scrollTop = bottom - scroller.clientHeight + this.#rowHeight;
  }

  /** Takes the focus only after a key or a step in the history. */
  #focusCursor(): void {
    if (!this.#wantsFocus) return;
    this.#wantsFocus = false;
    this.#scroller.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }
}

function selecting(tree: TreeState, row: TreeRow): TreeState {
  return { ...tree, selected: { key: row.key, n: row.n } };
}

/** Position among siblings, and their number, including rows that are not in the page. */
function setsOf(rows: readonly TreeRow[]): (at: number) => readonly [position: number, size: number] {
  const positions = new Int32Array(rows.length);
  const sizes = new Map<number, number>();
  for (const [at, { level }] of rows.entries()) {
    const size = (sizes.get(level) ?? 0) + 1;
    sizes.set(level, size);
    positions[at] = size;
  }
  return (at) => [positions[at] as number, sizes.get((rows[at] as TreeRow).level) ?? 1];
}

/** Whether an entry is on the path to `end`. Goes from branch to branch, so it is cheap enough for every row. */
function standsOnPath({ branches }: TreeModel, n: number, end: number): boolean {
  const at = branches.conversationAt(n);
  return at >= 0 && branches.commonAncestor(at, end) === at;
}

/** One entry in the transcript. Its inside is written once, so that what a reader opened or focused stays. */
import { Component, createRef } from "preact";
import type { TranscriptList } from "../data/transcript-list.js";
import { versionsAt } from "../data/versions.js";
import { itemHtml, openedHtml } from "../drawn/item-html.js";
import type { PageStore } from "../state/page-store.js";
import { ForkSwitch } from "./fork-switch.js";

interface Props {
  readonly store: PageStore;
  readonly list: TranscriptList;
  readonly index: number;
  /** Its place in the part that can be scrolled through. */
  readonly offset: number;
  readonly version: number;
}

export class TranscriptItem extends Component<Props> {
  readonly #inside = createRef<HTMLDivElement>();

  override componentDidMount(): void {
    this.#write();
    const inside = this.#inside.current;
    // Toggling does not bubble, so it is caught on the way down.
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

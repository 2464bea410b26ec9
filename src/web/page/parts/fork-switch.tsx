/** At a fork: which version is shown, the ones next to it, and what the others begin with. */
import { firstWords } from "../../../text/index.js";
import type { Versions } from "../data/versions.js";
import { goTo } from "../state/go-to.js";
import type { PageStore } from "../state/page-store.js";

export function ForkSwitch({ store, versions }: { readonly store: PageStore; readonly versions: Versions }) {
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

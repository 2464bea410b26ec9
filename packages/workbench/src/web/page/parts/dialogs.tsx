/** Dialogs above the page: keys, and the cost of branches. Esc closes them. */

import { attempt, shortCost, shortCount } from "@bough/session/text/index.js";
import { branchName } from "@bough/session/view/internal.js";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type BranchUsage, USAGE_ID } from "../../data/export-facts.js";
import type { PageStore } from "../state/page-store.js";

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["j k", "next, previous prompt; rows when the tree is focused"],
  ["[ ]", "previous, next version at the fork above"],
  ["/", "search; Enter goes to the next match, Shift+Enter to the one before"],
  ["t", "open or fold all tools"],
  ["?", "these keys"],
  ["Esc", "closes what is on top"],
  ["↑ ↓ Home End", "in the tree: rows; letters jump to a row that starts with them"],
  ["→ ←", "in the tree: open a branch or step into it; fold it or go to its fork"],
  ["Enter", "in the tree: show the row's branch and go there"],
];

export function Dialogs({ store }: { readonly store: PageStore }) {
  const { dialog } = store.state;
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (dialog !== undefined && element.current?.open === false) element.current.showModal();
    if (dialog === undefined && element.current?.open === true) element.current.close();
  }, [dialog]);
  return (
    <dialog ref={element} aria-labelledby="dialog-title" onClose={() => store.set({ dialog: undefined })}>
      <div class="dialog-head">
        <h2 id="dialog-title">{dialog === "charts" ? "Tokens and cost per branch" : "Keys"}</h2>
        <button type="button" onClick={() => element.current?.close()}>
          Close
        </button>
      </div>
      {dialog === "charts" ? <Charts store={store} /> : null}
      {dialog === "keys" ? <Keys /> : null}
    </dialog>
  );
}

function Keys() {
  return (
    <dl class="keys">
      {KEYS.map(([keys, does]) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}

const MOST_BRANCHES = 100;

function Charts({ store }: { readonly store: PageStore }) {
  const rows = readUsage();
  if (rows.length === 0) {
    return <p class="muted">{store.state.complete ? "This session has no token counts." : "Still reading…"}</p>;
  }
  const shown = [...rows].sort((a, b) => tokensOf(b) - tokensOf(a)).slice(0, MOST_BRANCHES);
  const mostTokens = Math.max(...shown.map(tokensOf), 1);
  const mostCost = Math.max(...shown.map((row) => row[5]), 0);
  return (
    <div class="charts">
      <table>
        <thead>
          <tr>
            <th scope="col">Branch</th>
            <th scope="col">Tokens</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row[0]}>
              <th scope="row">
                #{row[0]} <bdi>{branchName(store.source, row[0])}</bdi>
              </th>
              <td>
                <Bar share={tokensOf(row) / mostTokens} />
                {shortCount(tokensOf(row))}
              </td>
              <td>
                <Bar share={mostCost === 0 ? 0 : row[5] / mostCost} />
                {shortCost(row[5])}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="muted">
        {rows.length > shown.length ? `The ${shown.length} largest of ${rows.length} branches. ` : ""}
        Tokens in and out, with what came from a cache.
      </p>
    </div>
  );
}

function Bar({ share }: { readonly share: number }) {
  return (
    <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-rest" width="100" height="10" />
      <rect class="bar-full" width={Math.max(share > 0 ? 1 : 0, share * 100)} height="10" />
    </svg>
  );
}

function tokensOf([, input, output, cacheRead, cacheWrite]: BranchUsage): number {
  return input + output + cacheRead + cacheWrite;
}

function readUsage(): readonly BranchUsage[] {
  const text = document.getElementById(USAGE_ID)?.textContent ?? "[]";
  return attempt(() => JSON.parse(text) as readonly BranchUsage[]) ?? [];
}

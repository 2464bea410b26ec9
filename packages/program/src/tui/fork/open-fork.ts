/** /fork: the prompts of this path, newest first; the chosen one starts a new session. */

import type { EntryId } from "@bough/session/entry/index.js";
import type { DrawnList, LayoutOptions } from "@bough/session/view/internal.js";
import { forkFrom, showOutcome } from "../../command/index.js";
import type { Screen } from "../app/screen.js";
import { bindKeys, key, type ScreenKeys } from "../keys/key-table.js";
import type { OffReason } from "../keys/off-reason.js";
import { workingOffer } from "../keys/working-offer.js";
import type { ListView } from "../list/list-content.js";
import { listEnds, listMoves } from "../list/list-moves.js";
import { ListPanel } from "../list/list-panel.js";
import { layoutPromptRows } from "../list/prompt-rows.js";
import { PromptList } from "./prompt-list.js";

type Choice = { readonly kind: "fork"; readonly id: EntryId } | { readonly kind: "tree" } | { readonly kind: "none" };

interface ForkScreen {
  readonly panel: ListPanel;
  readonly prompts: PromptList;
  readonly choose: (choice: Choice) => void;
  /** Why no session can be created now. */
  readonly off: () => OffReason | undefined;
}

/** The keys of the list of prompts to fork from. */
export const FORK_KEYS: ScreenKeys<ForkScreen> = {
  title: "Fork",
  actions: [
    ...listMoves({ scope: "fork", thing: "prompt", kind: "typing" }),
    key("fork.enter", ["enter"], "start a new session from just before this prompt", {
      run: ({ prompts, panel, choose }) => {
        const row = prompts.row(panel.selected);
        if (row !== undefined) choose({ kind: "fork", id: row.id });
      },
      disabled: ({ prompts, off }) => (prompts.count === 0 ? "No prompt is selected." : off()),
    }),
    key("fork.tree", ["tab"], "choose in the tree instead", ({ choose }) => choose({ kind: "tree" })),
    ...listEnds("fork", "typing"),
  ],
};

export const openFork: Screen<"fork"> = async (app) => {
  const { host, context } = app;
  const prompts = new PromptList(context.agent.session.getSource());
  let searching = new AbortController();
  const choice = await host.open<Choice>((done) => {
    const panel: ListPanel = new ListPanel(host, {
      name: "fork",
      typing: "always",
      placeholder: "type part of the prompt",
      count: () => prompts.count,
      layout: (view, options) => layoutPrompts(prompts, view, options),
      onWords: (words) => {
        searching.abort();
        searching = new AbortController();
        prompts.search(words);
        host.inSlices((deadline) => {
          host.redraw();
          return prompts.advance(deadline);
        }, searching.signal);
      },
      keys: bindKeys(FORK_KEYS, {
        get panel() {
          return panel;
        },
        prompts,
        choose: done,
        off: () =>
          context.agent.operation === undefined
            ? undefined
            : workingOffer("fork", context.front, context.agent.operation),
      }),
      close: () => done({ kind: "none" }),
      dispose: () => searching.abort(),
    });
    return panel;
  });
  if (choice?.kind === "tree") await app.open({ screen: "tree", purpose: "fork" });
  if (choice?.kind === "fork") showOutcome(context.front, await forkFrom(context, choice.id));
};

function layoutPrompts(prompts: PromptList, view: ListView, options: LayoutOptions): DrawnList {
  const { hint } = options;
  return layoutPromptRows(
    {
      title: "Fork",
      count: prompts.count,
      total: prompts.total,
      isComplete: prompts.isComplete,
      row: (index) => prompts.row(index),
      hints: [
        { keys: hint("fork.enter"), text: "new session from just before it", keep: true },
        { keys: hint("fork.tree"), text: "in the tree", priority: 1 },
        { keys: hint("fork.close"), text: "close" },
      ],
      none: "No prompt on this path to fork from yet.",
      clear: hint("fork.close"),
    },
    view,
    options,
  );
}

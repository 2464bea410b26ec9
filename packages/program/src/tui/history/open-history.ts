/** Ctrl+R: earlier prompts of this session and others; the chosen one goes to the editor. */
import { nextOf } from "@bough/session/text/index.js";
import type { DrawnList, LayoutOptions } from "@bough/session/view/internal.js";
import type { ScreenApp } from "../app/screen.js";
import { bindKeys, key, type ScreenKeys } from "../keys/key-table.js";
import type { ListView } from "../list/list-content.js";
import { listEnds, listMoves } from "../list/list-moves.js";
import { ListPanel } from "../list/list-panel.js";
import { layoutPromptRows } from "../list/prompt-rows.js";
import { type HistoryScope, PromptHistory } from "./prompt-history.js";

interface HistoryScreen {
  readonly panel: ListPanel;
  /** What is selected; undefined if nothing is found. */
  readonly text: string | undefined;
  readonly choose: () => void;
  readonly nextScope: () => void;
}

/** The keys of the list of earlier prompts. */
export const HISTORY_KEYS: ScreenKeys<HistoryScreen> = {
  title: "Prompt history",
  actions: [
    ...listMoves({ scope: "history", thing: "prompt", kind: "typing" }),
    key("history.enter", ["enter"], "put this prompt into the editor", {
      run: ({ choose }) => choose(),
      disabled: ({ text }) => (text === undefined ? "No prompt is selected." : undefined),
    }),
    key("history.scope", ["tab"], "switch between this folder and all folders", ({ nextScope }) => nextScope()),
    ...listEnds("history", "typing"),
  ],
};

const SCOPES: readonly HistoryScope[] = ["folder", "all"];

export async function openHistory({ host, context }: ScreenApp): Promise<void> {
  const places = { session: context.agent.session, dir: context.sessionDir };
  let scope: HistoryScope = "folder";
  const gather = () => new PromptHistory(places, { scope, changed: () => host.redraw() });
  let history = gather();
  const text = await host.open<string | undefined>((done) => {
    const chosen = () => history.found[panel.selected]?.whole;
    const panel: ListPanel = new ListPanel(host, {
      name: "history",
      typing: "always",
      placeholder: "type part of the prompt",
      count: () => history.found.length,
      layout: (view, options) => layoutHistory({ history, scope, view }, options),
      onWords: (words) => history.search(words),
      keys: bindKeys(HISTORY_KEYS, {
        get panel() {
          return panel;
        },
        get text() {
          return chosen();
        },
        choose: () => done(chosen()),
        nextScope: () => {
          scope = nextOf(SCOPES, scope);
          history.stop();
          history = gather();
          history.search(panel.words);
          panel.select(0);
        },
      }),
      close: () => done(undefined),
      dispose: () => history.stop(),
    });
    return panel;
  });
  if (text !== undefined) host.setEditorText(text);
}

interface ShownHistory {
  readonly history: PromptHistory;
  readonly scope: HistoryScope;
  readonly view: ListView;
}

function layoutHistory({ history, scope, view }: ShownHistory, options: LayoutOptions): DrawnList {
  const { hint } = options;
  const { found, total, isComplete } = history;
  return layoutPromptRows(
    {
      title: "Prompt history",
      place: scope === "folder" ? "in this folder" : "in all folders",
      count: found.length,
      total,
      isComplete,
      row: (index) => found[index],
      hints: [
        { keys: hint("history.enter"), text: "edit it", keep: true },
        { keys: hint("history.scope"), text: scope === "folder" ? "all folders" : "this folder", priority: 1 },
        { keys: hint("history.close"), text: "close" },
      ],
      none: "No prompts yet.",
      clear: hint("history.close"),
    },
    view,
    options,
  );
}

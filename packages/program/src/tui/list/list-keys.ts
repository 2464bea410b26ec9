/** The keys of every list whose letters are not commands: choices, models, sessions while searching. */
import { key, type ScreenKeys } from "../keys/key-table.js";
import { listMoves } from "./list-moves.js";
import type { ListPanel } from "./list-panel.js";

export const LIST_KEYS: ScreenKeys<{ readonly panel: ListPanel; readonly choose: (row: number) => void }> = {
  title: "Lists",
  actions: [
    ...listMoves({ scope: "list", thing: "line", kind: "typing" }),
    key("list.choose", ["enter"], "choose the line", ({ choose, panel }) => choose(panel.selected)),
    key("list.close", ["esc", "ctrl+c"], "clear the search, then close", ({ panel }) => panel.close()),
  ],
};

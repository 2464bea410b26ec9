/** The keys of every list that has no letters of its own: choices, models, sessions while searching. */
import type { ScreenKeys } from "../keys/key-table.js";
import { FAR, moves } from "./list-moves.js";
import type { ListPanel } from "./list-panel.js";

export const LIST_KEYS: ScreenKeys<{ readonly panel: ListPanel; readonly choose: (row: number) => void }> = {
  title: "Lists",
  actions: [
    { id: "list.previous", keys: ["up", "ctrl+p"], help: "go to the line above", ...moves("up", () => 1) },
    { id: "list.next", keys: ["down", "ctrl+n"], help: "go to the line below", ...moves("down", () => 1) },
    { id: "list.pageUp", keys: ["pageup"], help: "go a page up", ...moves("up", ({ pageSize }) => pageSize) },
    { id: "list.pageDown", keys: ["pagedown"], help: "go a page down", ...moves("down", ({ pageSize }) => pageSize) },
    { id: "list.first", keys: ["home"], help: "go to the first line", ...moves("up", () => FAR) },
    { id: "list.last", keys: ["end"], help: "go to the last line", ...moves("down", () => FAR) },
    { id: "list.choose", keys: ["enter"], help: "choose the line", run: ({ choose, panel }) => choose(panel.selected) },
    {
      id: "list.close",
      keys: ["esc", "ctrl+c"],
      help: "clear the search, then close",
      run: ({ panel }) => panel.close(),
    },
  ],
};

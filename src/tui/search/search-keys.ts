/** The keys of the search over sessions. */
import type { KeyScope } from "../keys/key-table.js";
import { listMoves } from "../list/list-moves.js";

export const SEARCH_KEYS: KeyScope = {
  title: "Search",
  actions: [
    ...listMoves("search", "hit", "letters"),
    { id: "search.enter", keys: ["enter"], help: "go to this entry, in the session it is in" },
    { id: "search.search", keys: ["/"], help: "look for other words" },
    { id: "search.scope", keys: ["tab"], help: "search this session, this folder, or all sessions" },
    { id: "search.tree", keys: ["t"], help: "show this entry in the tree" },
    { id: "search.copy", keys: ["y"], help: "copy the address of this entry" },
    { id: "search.help", keys: ["?", "f1"], help: "show all keys" },
    { id: "search.close", keys: ["esc", "q", "ctrl+c"], help: "stop the search, then close" },
  ],
};

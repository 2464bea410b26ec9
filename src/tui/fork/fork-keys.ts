/** The keys of the list of prompts to fork from. */
import type { KeyScope } from "../keys/key-table.js";
import { listEnds, listMoves } from "../list/list-moves.js";

export const FORK_KEYS: KeyScope = {
  title: "Fork",
  actions: [
    ...listMoves("fork", "prompt", "typing"),
    { id: "fork.enter", keys: ["enter"], help: "make a new session from before this prompt" },
    { id: "fork.tree", keys: ["tab"], help: "choose in the tree instead" },
    ...listEnds("fork", "typing"),
  ],
};

/** The keys of the branch list. */
import type { KeyScope } from "../keys/key-table.js";

export const BRANCHES_KEYS: KeyScope = {
  title: "Branches",
  actions: [
    { id: "branches.previous", keys: ["up", "k"], help: "go to the branch above" },
    { id: "branches.next", keys: ["down", "j"], help: "go to the branch below" },
    { id: "branches.first", keys: ["home", "g"], help: "go to the first branch" },
    { id: "branches.last", keys: ["end", "G"], help: "go to the last branch" },
    { id: "branches.pageUp", keys: ["pageup"], help: "go a page up" },
    { id: "branches.pageDown", keys: ["pagedown"], help: "go a page down" },
    { id: "branches.here", keys: ["@"], help: "go to the branch you are on" },
    { id: "branches.enter", keys: ["enter"], help: "go to the end of this branch" },
    { id: "branches.summary", keys: ["s"], help: "go there and bring a summary of what you leave" },
    { id: "branches.compare", keys: ["d"], help: "compare this branch with where you are" },
    { id: "branches.merge", keys: ["M"], help: "bring this branch to where you are" },
    { id: "branches.name", keys: ["m", "L"], help: "name this branch; an empty name removes it" },
    { id: "branches.tree", keys: ["t"], help: "show this branch in the tree" },
    { id: "branches.copy", keys: ["y"], help: "copy the id of its end" },
    { id: "branches.sort", keys: ["o", "tab"], help: "sort by the next order: recent, age, size" },
    { id: "branches.filter", keys: ["f"], help: "show the next kind: all, mine, merged, failed, labelled" },
    { id: "branches.search", keys: ["/"], help: "show the branches with these words" },
    { id: "branches.help", keys: ["?", "f1"], help: "show all keys" },
    { id: "branches.close", keys: ["esc", "q", "ctrl+c"], help: "clear the words, then close the list" },
  ],
};

/** The keys of the question whether a summary comes along when a branch is left. */
import type { KeyScope } from "../keys/key-table.js";

export const LEAVING_KEYS: KeyScope = {
  title: "Leaving a branch",
  actions: [
    { id: "leaving.enter", keys: ["enter"], help: "take the first answer" },
    { id: "leaving.none", keys: ["n"], help: "go without a summary" },
    { id: "leaving.summary", keys: ["s"], help: "bring a summary of what you leave" },
    { id: "leaving.about", keys: ["w"], help: "bring a summary, and say what it should keep" },
    { id: "leaving.never", keys: ["a"], help: "go without a summary, and never ask again" },
    { id: "leaving.again", keys: ["r"], help: "try again after a summary failed" },
    { id: "leaving.stay", keys: ["esc", "q", "ctrl+c"], help: "stay here" },
  ],
};

/** The keys of a plan: what a cherry-pick or a merge would bring, before it is done. */
import type { KeyScope } from "../keys/key-table.js";

export const PLAN_KEYS: KeyScope = {
  title: "Cherry-pick and merge",
  actions: [
    { id: "plan.previous", keys: ["up", "k"], help: "go to the turn above" },
    { id: "plan.next", keys: ["down", "j"], help: "go to the turn below" },
    { id: "plan.first", keys: ["home", "g"], help: "go to the first turn" },
    { id: "plan.last", keys: ["end", "G"], help: "go to the last turn" },
    { id: "plan.pageUp", keys: ["pageup"], help: "go a page up" },
    { id: "plan.pageDown", keys: ["pagedown"], help: "go a page down" },
    { id: "plan.apply", keys: ["enter"], help: "do it" },
    { id: "plan.drop", keys: ["space"], help: "leave this turn out, or include it again" },
    { id: "plan.form", keys: ["tab"], help: "bring a summary, or the turns themselves" },
    { id: "plan.about", keys: ["w"], help: "say what the summary should keep" },
    { id: "plan.help", keys: ["?", "f1"], help: "show all keys" },
    { id: "plan.close", keys: ["esc", "q", "ctrl+c"], help: "go back, and change nothing" },
  ],
};

/** The keys of the list of settings. */
import type { KeyScope } from "../keys/key-table.js";
import { listEnds, listMoves } from "../list/list-moves.js";

export const SETTINGS_KEYS: KeyScope = {
  title: "Settings",
  actions: [
    ...listMoves("settings", "setting", "typing"),
    { id: "settings.enter", keys: ["enter"], help: "change this setting" },
    { id: "settings.reset", keys: ["ctrl+x", "delete"], help: "reset to default" },
    ...listEnds("settings", "typing"),
  ],
};

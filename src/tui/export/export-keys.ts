/** The keys of the export form. */
import type { KeyScope } from "../keys/key-table.js";

export const EXPORT_KEYS: KeyScope = {
  title: "Export",
  actions: [
    { id: "export.previous", keys: ["up", "shift+tab"], help: "go to the line above" },
    { id: "export.next", keys: ["tab", "down"], help: "go to the line below" },
    { id: "export.change", keys: ["right", "space"], help: "take the next format or part" },
    { id: "export.changeBack", keys: ["left"], help: "take the previous format or part" },
    { id: "export.enter", keys: ["enter"], help: "write the file" },
    { id: "export.help", keys: ["f1"], help: "show all keys" },
    { id: "export.close", keys: ["esc", "ctrl+c"], help: "close without writing" },
  ],
};

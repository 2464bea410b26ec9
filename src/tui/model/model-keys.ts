/** The keys of the list of models. */
import type { KeyScope } from "../keys/key-table.js";
import { listEnds, listMoves } from "../list/list-moves.js";

export const MODEL_KEYS: KeyScope = {
  title: "Models",
  actions: [
    ...listMoves("model", "model", "typing"),
    { id: "model.enter", keys: ["enter"], help: "use this model from the next prompt" },
    { id: "model.save", keys: ["ctrl+s"], help: "start new sessions with this model" },
    { id: "model.key", keys: ["ctrl+k"], help: "enter the key of its provider" },
    { id: "model.all", keys: ["tab"], help: "show only models you can use, or all" },
    ...listEnds("model", "typing"),
  ],
};

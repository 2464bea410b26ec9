/** The keys of the list of what the model sees. */
import type { KeyScope } from "../keys/key-table.js";
import { listEnds, listMoves } from "../list/list-moves.js";

export const CONTEXT_KEYS: KeyScope = {
  title: "Context",
  actions: [
    ...listMoves("context", "message", "letters"),
    { id: "context.enter", keys: ["enter", "v"], help: "read the whole message" },
    { id: "context.edit", keys: ["e"], help: "change what the model sees of it; the session keeps the original" },
    { id: "context.leaveOut", keys: ["x"], help: "leave it out of what the model sees" },
    { id: "context.restore", keys: ["r"], help: "show the model the original again" },
    { id: "context.pin", keys: ["p"], help: "pin it, so that every compaction keeps its words, or unpin it" },
    { id: "context.sort", keys: ["o", "tab"], help: "sort by order or by size" },
    { id: "context.tree", keys: ["t"], help: "show it in the tree" },
    { id: "context.copy", keys: ["y"], help: "copy its text" },
    ...listEnds("context", "letters"),
  ],
};

/** The keys of the list of sessions. */
import type { KeyScope } from "../keys/key-table.js";
import { listEnds, listMoves } from "../list/list-moves.js";

export const RESUME_KEYS: KeyScope = {
  title: "Sessions",
  actions: [
    ...listMoves("resume", "session", "letters"),
    {
      id: "resume.enter",
      keys: ["enter"],
      help: "open this session; import another agent's; from the archive, bring it back",
    },
    { id: "resume.search", keys: ["/"], help: "show the sessions with these words" },
    { id: "resume.scope", keys: ["tab"], help: "show this folder, all folders, other agents, or the archive" },
    { id: "resume.sort", keys: ["o", "s"], help: "sort by the next order: recent, name, size" },
    { id: "resume.rename", keys: ["m", "r"], help: "name this session" },
    { id: "resume.archive", keys: ["x", "delete"], help: "move this session to the archive" },
    { id: "resume.undo", keys: ["z"], help: "bring back what was archived last" },
    { id: "resume.copy", keys: ["y"], help: "copy the path of its file" },
    ...listEnds("resume", "letters"),
  ],
};

/** The keys that work on every screen where the screen itself does not use them. */
import type { KeyScope } from "./key-table.js";

export const EVERYWHERE_KEYS: KeyScope = {
  title: "Everywhere",
  actions: [
    { id: "everywhere.help", keys: ["f1"], help: "show the keys that work here" },
    { id: "everywhere.interrupt", keys: ["ctrl+c"], help: "clear the editor; twice within two seconds quits" },
    {
      id: "everywhere.enlarge",
      keys: ["f2", "alt+z"],
      help: "toggle full-screen panel",
    },
    { id: "everywhere.suspend", keys: ["ctrl+z"], help: "suspend to the shell; fg resumes" },
    { id: "everywhere.redraw", keys: ["ctrl+l"], help: "redraw the screen" },
  ],
};

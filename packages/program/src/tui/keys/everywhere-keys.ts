/** The global keys: they work on every screen that does not use them itself. */
import { key, type ScreenKeys } from "./key-table.js";

/** What the keys act on. */
export interface EverywhereTarget {
  readonly showHelp: () => void;
  readonly interrupt: () => void;
  readonly isPanelOpen: () => boolean;
  readonly toggleEnlarged: () => void;
  readonly suspend: () => void;
  readonly redrawAll: () => void;
}

export const EVERYWHERE_KEYS: ScreenKeys<EverywhereTarget> = {
  title: "Everywhere",
  actions: [
    key("everywhere.help", ["f1"], "show the keys that work here", (shell) => shell.showHelp()),
    key("everywhere.interrupt", ["ctrl+c"], "clear the editor; twice within two seconds quits", (shell) =>
      shell.interrupt(),
    ),
    key("everywhere.enlarge", ["f2", "alt+z"], "toggle full-screen panel", {
      run: (shell) => shell.toggleEnlarged(),
      disabled: (shell) => (shell.isPanelOpen() ? undefined : "No panel is open."),
    }),
    key("everywhere.suspend", ["ctrl+z"], "suspend to the shell; fg resumes", {
      run: (shell) => shell.suspend(),
      disabled: () => (process.platform === "win32" ? "Suspend is not supported on this system." : undefined),
    }),
    key("everywhere.redraw", ["ctrl+l"], "redraw the screen", (shell) => shell.redrawAll()),
  ],
};

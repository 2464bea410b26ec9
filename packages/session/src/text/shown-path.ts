/** A path as it is shown: the home folder is `~`, as shells write it, and nothing in it is hidden. */
import { visibleText } from "./visible-text.js";

/**
 * Folders can have any name. Characters that reorder, hide or control something are shown as escapes, so that the name
 * that is shown is the name that is there.
 */
export function shownPath(path: string, home?: string): string {
  return visibleText(withTilde(path, home), { newlines: "escape" }).text;
}

function withTilde(path: string, home: string | undefined): string {
  if (home === undefined || home === "") return path;
  if (path === home) return "~";
  return path.startsWith(`${home}/`) || path.startsWith(`${home}\\`) ? `~${path.slice(home.length)}` : path;
}

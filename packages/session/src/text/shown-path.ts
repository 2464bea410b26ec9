import { visibleText } from "./visible-text.js";

/**
 * A path for display, with the home folder as `~`. Folders can have any name, so characters that reorder, hide or
 * control something are shown as escapes: the name shown is the real name.
 */
export function shownPath(path: string, home?: string): string {
  return visibleText(withTilde(path, home), { newlines: "escape" }).text;
}

function withTilde(path: string, home: string | undefined): string {
  if (home === undefined || home === "") return path;
  if (path === home) return "~";
  return path.startsWith(`${home}/`) || path.startsWith(`${home}\\`) ? `~${path.slice(home.length)}` : path;
}

/** Light, dark or as the system; remembered if the browser allows it. */
import { THEMES, type Theme } from "./page-state.js";
import type { PageStore } from "./page-store.js";

const KEY = "bough-theme";

export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === stored) ?? "system";
  } catch {
    return "system";
  }
}

export function showTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function nextTheme(store: PageStore): void {
  const theme = THEMES[(THEMES.indexOf(store.state.theme) + 1) % THEMES.length] ?? "system";
  showTheme(theme);
  store.set({ theme, announcement: `Theme: ${theme}.` });
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // A page opened from disk may have no storage; the choice then lasts as long as the page.
  }
}

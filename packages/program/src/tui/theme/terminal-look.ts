/** What the terminal can show, from its environment and the user's settings: theme, colors, symbols. */
import { ASCII_GLYPHS, type Glyphs, UNICODE_GLYPHS } from "@bough/session/view/index.js";
import { createTheme } from "./create-theme.js";
import type { Theme } from "./theme.js";

interface LookOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** Setting `theme`. */
  readonly theme?: string | undefined;
  /** Setting `glyphs`. */
  readonly glyphs?: "auto" | "unicode" | "ascii" | undefined;
}

export interface TerminalLook {
  readonly theme: Theme;
  readonly glyphs: Glyphs;
}

export function terminalLook({ env, platform, theme = "default", glyphs = "auto" }: LookOptions): TerminalLook {
  const dumb = env.TERM === "dumb";
  // https://no-color.org: any value but the empty one.
  const bare = (env.NO_COLOR ?? "") !== "";
  const name = theme === "auto" ? backgroundTheme(env.COLORFGBG) : theme;
  return {
    theme: createTheme({ name, colours: dumb ? "plain" : bare ? "none" : "all" }),
    glyphs: glyphs === "ascii" || (glyphs === "auto" && !showsUnicode(env, platform)) ? ASCII_GLYPHS : UNICODE_GLYPHS,
  };
}

/** Some terminals announce their colors as `15;0`: text, then background. 7 and 9 to 15 are light. */
function backgroundTheme(colours: string | undefined): "dark" | "light" {
  const background = Number(colours?.split(";").at(-1) ?? "");
  return colours !== undefined && (background === 7 || (background >= 9 && background <= 15)) ? "light" : "dark";
}

function showsUnicode(env: LookOptions["env"], platform: string): boolean {
  if (env.TERM === "dumb" || env.TERM === "linux") return false;
  // Old Windows consoles have no box drawing; newer ones identify themselves.
  if (platform === "win32") return env.WT_SESSION !== undefined || env.TERM_PROGRAM !== undefined;
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find((value) => value !== undefined && value !== "");
  // macOS terminals sometimes start programs without a locale, but always show Unicode.
  if (locale === undefined) return platform === "darwin";
  return /utf-?8/i.test(locale);
}

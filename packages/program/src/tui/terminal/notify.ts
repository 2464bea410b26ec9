/** Notifies the user: a desktop notification if the terminal supports it, otherwise the bell. */
import { firstWords } from "@bough/session/text/index.js";

export type Notifications = "auto" | "bell" | "off";

type Environment = Readonly<Record<string, string | undefined>>;

const BELL = "\x07";
/** Ends a sequence. Not BEL, which some terminals would ring. */
const END = "\x1b\\";

/** The bytes to write to the terminal; "" if there is nothing to do. */
export function notification(text: string, { kind, env }: { readonly kind: Notifications; readonly env: Environment }) {
  if (kind === "off") return "";
  const style = kind === "bell" ? undefined : desktopStyle(env);
  if (style === undefined) return BELL;
  const said = firstWords(text, 200).replaceAll(";", ",");
  if (style === "kitty") return `\x1b]99;;${said}${END}`;
  return style === "urxvt" ? `\x1b]777;notify;Bough;${said}${END}` : `\x1b]9;${said}${END}`;
}

/** tmux and screen swallow such sequences, but they pass on the bell and mark the window. */
function desktopStyle(env: Environment): "iterm" | "kitty" | "urxvt" | undefined {
  const { TERM = "", TERM_PROGRAM = "" } = env;
  if (env.TMUX !== undefined || env.STY !== undefined || /^(?:tmux|screen)/.test(TERM)) return undefined;
  if (env.KITTY_WINDOW_ID !== undefined || TERM === "xterm-kitty") return "kitty";
  if (["iTerm.app", "WezTerm", "ghostty"].includes(TERM_PROGRAM)) return "iterm";
  if (env.VTE_VERSION !== undefined || /^(?:foot|rxvt)/.test(TERM)) return "urxvt";
  return undefined;
}

/** The first lines of a conversation: the introduction, or the last position. */
import { basename, dirname, extname, sep } from "node:path";
import {
  counted,
  firstWords,
  longAge,
  type Notice,
  noticeText,
  titleOf,
  withoutControls,
} from "@bough/session/text/index.js";
import { type Glyphs, type Line, span } from "@bough/session/view/index.js";
import { type CommandContext, whereYouWere } from "../../../command/index.js";
import type { KeyMap } from "../../keys/key-map.js";
import { shownFolder } from "../app-footer.js";

interface IntroParts {
  readonly context: CommandContext;
  readonly keys: KeyMap;
  readonly glyphs: Glyphs;
  readonly now: number;
  readonly notice: string | undefined;
  /** What was found of other agents' sessions, if this session is still empty. */
  readonly others?: Notice | undefined;
  /** Shows the introduction for new users even if it was just marked as seen. */
  readonly isFirstRun: boolean;
}

export function introLines({ context, keys, glyphs, now, notice, others, isFirstRun }: IntroParts): readonly Line[] {
  const { agent } = context;
  const { session } = agent;
  const said: Line[] = notice === undefined ? [] : [[span(` ${withoutControls(notice)}`, "note")]];
  const where = whereYouWere(context);
  if (where === undefined) {
    const file = session.getSessionFile();
    const start = {
      place: file === undefined ? undefined : shortPlace(shownFolder(file), session.getSessionId(), glyphs),
      first: isFirstRun,
      keys: { tree: keys.hint("chat.doubleEscape"), help: keys.hint("chat.help") },
      offline: agent.driver === undefined && agent.model?.info.provider === "offline",
      others,
    };
    return [...newSessionLines(start, glyphs), ...said];
  }
  return [laterStartLine({ ...where, now }, glyphs), ...said];
}

/** Must fit in most windows: the sessions folder, and enough of the ID for `-r`. */
const WIDEST_FOLDER = 28;
const ID_START = 8;

/**
 * `~/.bough/sessions/…/01a0fe11….jsonl`: the omitted folder is named after the working directory, which the footer
 * shows.
 */
function shortPlace(path: string, id: string, { ellipsis }: Glyphs): string {
  const own = dirname(path);
  const grouped = /^--.*--$/.test(basename(own));
  const folder = grouped ? dirname(own) : own;
  const start = folder.length <= WIDEST_FOLDER ? folder : `${ellipsis}${folder.slice(1 - WIDEST_FOLDER)}`;
  const name = basename(path).includes(id) ? `${id.slice(0, ID_START)}${ellipsis}${extname(path)}` : basename(path);
  return [start, ...(grouped ? [ellipsis] : []), name].join(sep);
}

/** The lines at the top when the terminal opens. */
interface NewStart {
  /** The file it will be saved to, shortened for display; undefined in memory. */
  readonly place: string | undefined;
  /** Whether this user starts Bough for the first time. */
  readonly first: boolean;
  /** Keys as hints show them. */
  readonly keys: { readonly tree: string; readonly help: string };
  /** A note if the model is not a language model. */
  readonly offline: boolean;
  /** About sessions of other agents. */
  readonly others?: Notice | undefined;
}

function newSessionLines({ place, first, keys, offline, others }: NewStart, glyphs: Glyphs): readonly Line[] {
  const where = place === undefined ? "in memory only, not saved" : `saved as you go in ${firstWords(place)}`;
  const lines: Line[] = [[span(" New session", "strong"), span(` ${glyphs.dot} ${where}`, "muted")]];
  if (first) {
    const hint = (key: string, words: string): Line => [span(key, "accent"), span(`  ${words}      `)];
    lines.push(
      [span(" Everything you try is kept. To try something else, go back and ask again:")],
      [
        span("   "),
        ...hint(keys.tree, "tree"),
        ...hint("/branches", "list"),
        ...hint("/pop", "go back"),
        span(keys.help, "accent"),
        span("  keys"),
      ],
    );
  }
  if (others !== undefined) for (const line of noticeText(others).split("\n")) lines.push([span(` ${line}`)]);
  if (offline) {
    lines.push(
      [span(" No model is set up, so a rule-based stand-in answers. It is not a language model.")],
      [span("   "), span("/model", "accent"), span("  sets up a real one")],
    );
  }
  return lines;
}

interface LaterStart {
  readonly name?: string | undefined;
  readonly branch: { readonly number: number; readonly name: string };
  readonly turns: number;
  /** Milliseconds; undefined if the session has no messages. */
  readonly last: number | undefined;
  readonly now: number;
}

/** `Resumed parser session · #1 wire the tokenizer · 214 turns · last active 12 minutes ago` */
function laterStartLine({ name, branch, turns, last, now }: LaterStart, glyphs: Glyphs): Line {
  const dot = span(` ${glyphs.dot} `, "muted");
  const cut = (words: string, most: number) => titleOf(words, most).replace("…", glyphs.ellipsis);
  return [
    span(" Resumed "),
    ...(name === undefined ? [] : [span(cut(name, 60), "strong"), dot]),
    span(`#${branch.number} ${cut(branch.name, 40)}`, "here"),
    dot,
    span(counted(turns, "turn")),
    ...(last === undefined ? [] : [dot, span(`last active ${longAge(last, now)}`)]),
  ];
}

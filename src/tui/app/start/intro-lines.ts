/** The first lines of a conversation: what is new about it, or where one was. */
import { basename, dirname, extname, sep } from "node:path";
import { type CommandWorld, whereYouWere } from "../../../command/index.js";
import { withoutControls } from "../../../text/index.js";
import { type Glyphs, type Line, span } from "../../../view/index.js";
import type { KeyMap } from "../../keys/key-map.js";
import { shownFolder } from "../app-footer.js";
import { laterStartLine, newSessionLines } from "./start-lines.js";

interface IntroParts {
  readonly world: CommandWorld;
  readonly keys: KeyMap;
  readonly glyphs: Glyphs;
  readonly now: number;
  readonly notice: string | undefined;
  /** What was found of other agents, for a session that is still empty. */
  readonly others?: string | undefined;
  /** The introduction for newcomers, also where it was counted as seen a moment ago. */
  readonly isFirstRun: boolean;
}

export function introLines({ world, keys, glyphs, now, notice, others, isFirstRun }: IntroParts): readonly Line[] {
  const { agent } = world;
  const { session } = agent;
  const said: Line[] = notice === undefined ? [] : [[span(` ${withoutControls(notice)}`, "note")]];
  const where = whereYouWere(world);
  if (where === undefined) {
    const file = session.getSessionFile();
    const start = {
      place: file === undefined ? undefined : shortPlace(shownFolder(file), session.getSessionId(), glyphs),
      first: isFirstRun,
      keys: { tree: keys.hint("chat.doubleEscape"), help: keys.hint("chat.help") },
      offline: agent.model?.info.provider === "offline",
      others,
    };
    return [...newSessionLines(start, glyphs), ...said];
  }
  const { name = "Session", here = "the start" } = where;
  return [laterStartLine({ ...where, name, here, now }, glyphs), ...said];
}

/** The line is to fit in most windows: where sessions are kept, and the start of the id that `-r` takes. */
const WIDEST_FOLDER = 28;
const ID_START = 8;

/** `~/.bough/sessions/…/01a0fe11….jsonl`: the folder is named after the one it is about, which the footer says. */
function shortPlace(path: string, id: string, { ellipsis }: Glyphs): string {
  const own = dirname(path);
  const grouped = /^--.*--$/.test(basename(own));
  const folder = grouped ? dirname(own) : own;
  const start = folder.length <= WIDEST_FOLDER ? folder : `${ellipsis}${folder.slice(1 - WIDEST_FOLDER)}`;
  const name = basename(path).includes(id) ? `${id.slice(0, ID_START)}${ellipsis}${extname(path)}` : basename(path);
  return [start, ...(grouped ? [ellipsis] : []), name].join(sep);
}

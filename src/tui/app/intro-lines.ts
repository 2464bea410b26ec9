/** The first lines of a conversation: what is new about it, or where one was. */
import { dirname, join, parse } from "node:path";
import { type CommandWorld, currentBranch, entryTitle } from "../../command/index.js";
import { branchIndexOf } from "../../tree/index.js";
import { type Glyphs, type Line, span, withoutControls } from "../../view/index.js";
import type { KeyMap } from "../keys/key-map.js";
import { shownFolder } from "./app-footer.js";
import type { Hints } from "./hints.js";
import { laterStartLine, newSessionLines } from "./start-lines.js";

export interface IntroParts {
  readonly world: CommandWorld;
  readonly hints: Hints;
  readonly keys: KeyMap;
  readonly glyphs: Glyphs;
  readonly now: number;
  readonly notice: string | undefined;
}

export function introLines({ world, hints, keys, glyphs, now, notice }: IntroParts): readonly Line[] {
  const { agent } = world;
  const { session } = agent;
  const said: Line[] = notice === undefined ? [] : [[span(` ${withoutControls(notice)}`, "note")]];
  const source = session.getSource();
  if (source.tree.count === 0) {
    const file = session.getSessionFile();
    const start = {
      place: file === undefined ? undefined : shortPlace(shownFolder(file), glyphs),
      first: hints.first("first-run"),
      keys: { tree: keys.hint("chat.doubleEscape"), help: keys.hint("chat.help") },
      offline: agent.model?.info.provider === "offline",
    };
    return [...newSessionLines(start, glyphs), ...said];
  }
  // Labels and names hang below the conversation: what was said last is above them.
  const branches = branchIndexOf(source.tree);
  const here = branches.conversationAt(source.leaf);
  const hereId = here < 0 ? null : source.tree.ids.textOf(here);
  const entry = hereId === null ? undefined : session.getEntry(hereId);
  const last = entry === undefined ? Number.NaN : Date.parse(entry.timestamp);
  const line = laterStartLine(
    {
      name: session.getSessionName() ?? "Session",
      branch: currentBranch(session),
      turns: branches.turns,
      last: Number.isFinite(last) ? last : undefined,
      now,
      here: hereId === null ? "the start" : entryTitle(world, hereId),
    },
    glyphs,
  );
  return [line, ...said];
}

/** The line is to fit in most windows: the end of the folder and the start of the name tell most. */
const WIDEST_FOLDER = 28;
const WIDEST_NAME = 16;

function shortPlace(path: string, { ellipsis }: Glyphs): string {
  const folder = dirname(path);
  const { name, ext } = parse(path);
  const start = folder.length <= WIDEST_FOLDER ? folder : `${ellipsis}${folder.slice(-WIDEST_FOLDER)}`;
  const end = name.length <= WIDEST_NAME ? name : `${name.slice(0, WIDEST_NAME)}${ellipsis}`;
  return join(start, `${end}${ext}`);
}

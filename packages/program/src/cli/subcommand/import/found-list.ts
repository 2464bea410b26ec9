/** Lists other agents' sessions: in columns for a terminal, tab-separated for a pipe, and as JSON. */

import { homedir } from "node:os";
import { AGENT_TITLES } from "@bough/session/entry/index.js";
import { defined, firstWords, grouped, shortAge, shortBytes, shownPath } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { cutToWidth, displayWidth, padToWidth } from "@bough/session/view/internal.js";
import type { ForeignSession } from "@bough/workbench/interop/index.js";
import type { ImportedFiles } from "@bough/workbench/interop/internal.js";
import { shortIds } from "../browse/short-ids.js";

interface FoundListOptions {
  readonly imported: ImportedFiles;
  readonly width: number;
  /** Milliseconds. */
  readonly now: number;
  /** Whether they are from several folders. */
  readonly folders: "one" | "many";
  /** Ids that prefixes must be distinguished from, listed or not. */
  readonly all: readonly ForeignSession[];
}

const LEAST_TITLE = 12;
const LEAST_ID = 8;

/** More would scroll away. */
const MOST = 100;

/** The title gets the remaining width. If that is too narrow, columns are dropped from the right. */
export function* foundColumns(found: readonly ForeignSession[], options: FoundListOptions): Generator<Line> {
  const sessions = found.slice(0, MOST);
  const ids = shortIds(options.all.map(({ id }) => id));
  const names = ["id", "agent", "age", "size", "", ...(options.folders === "many" ? ["folder"] : [])];
  const rows = sessions.map((session) => ({
    cells: cellsOf(session, ids.get(session.id) ?? session.id, options),
    session,
  }));
  const widths = names.map((name, i) =>
    Math.max(name.length, ...rows.map(({ cells }) => displayWidth(cells[i] ?? ""))),
  );
  let shown = names.length;
  const room = () =>
    options.width - widths.slice(0, shown).reduce((sum, width) => sum + (width === 0 ? 0 : width + 2), 0);
  while (shown > 1 && room() < LEAST_TITLE) shown -= 1;
  const cell = (text: string, i: number) => {
    const width = widths[i] as number;
    if (width === 0) return "";
    return `  ${names[i] === "age" || names[i] === "size" ? " ".repeat(width - displayWidth(text)) + text : padToWidth(text, width)}`;
  };
  const line = (cells: readonly string[], title: string, tone: "text" | "muted"): Line => [
    span(`${padToWidth(cells[0] ?? "", widths[0] as number)}  `, tone === "muted" ? "muted" : "accent"),
    span(padToWidth(cutToWidth(title, Math.max(1, room())), Math.max(1, room())), tone),
    span(
      cells
        .slice(1, shown)
        .map((text, i) => cell(text, i + 1))
        .join(""),
      "muted",
    ),
  ];
  yield line(names, "title", "muted");
  for (const { cells, session } of rows) yield line(cells, titleOf(session), "text");
  if (found.length > MOST) yield [span(`and ${grouped(found.length - MOST)} more`, "muted")];
}

function cellsOf(session: ForeignSession, id: string, { imported, now }: FoundListOptions): string[] {
  return [
    firstWords(id, 80),
    AGENT_TITLES[session.agent],
    shortAge(session.modified.getTime(), now),
    shortBytes(session.size),
    imported.find(session) === undefined ? "" : "imported",
    session.cwd === "" ? "?" : shownPath(session.cwd, homedir()),
  ];
}

/** The name a user sees. */
export function titleOf({ title, firstPrompt, id }: ForeignSession): string {
  return firstWords(title ?? firstPrompt ?? "", 200) || `session ${id.slice(0, LEAST_ID)}`;
}

/** A heading, and a line for each. */
export function* foundTsv(sessions: readonly ForeignSession[], imported: ImportedFiles): Generator<string> {
  yield `${["id", "agent", "title", "last", "bytes", "folder", "file", "imported"].join("\t")}\n`;
  for (const session of sessions) {
    const { id, agent, modified, size, cwd, path } = session;
    const cells = [
      id,
      agent,
      titleOf(session),
      modified.toISOString(),
      size,
      ...[cwd, path, imported.find(session) ?? ""].map(shownCell),
    ];
    // A tab or a line break inside a text would break the columns.
    yield `${cells.map((cell) => String(cell).replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ")).join("\t")}\n`;
  }
}

/** Without `~`, because a program may read it. */
function shownCell(path: string): string {
  return shownPath(path);
}

export function foundJson(session: ForeignSession, imported: ImportedFiles): Readonly<Record<string, unknown>> {
  return {
    ...sourceJson(session),
    created: session.created.toISOString(),
    modified: session.modified.toISOString(),
    bytes: session.size,
    imported: imported.find(session) ?? null,
  };
}

export function sourceJson(session: ForeignSession): Readonly<Record<string, unknown>> {
  const { agent, id, path, cwd, title, problem } = session;
  return { agent, id, path, cwd, title: title ?? null, ...defined({ problem }) };
}

/** Sessions as a list shows them: their titles, and which of them match. */
import { firstWords, shownPath, wordMatcher } from "../../text/index.js";

/** The data about a session; `SessionInfo` of the session room has these fields. */
export interface SessionFacts {
  /** The agent it belongs to, if it is another one. */
  readonly agent?: string | undefined;
  /** The machines it is on, if it is only in a store. */
  readonly stored?: string | undefined;
  readonly path: string;
  readonly id: string;
  readonly cwd: string;
  readonly name: string | undefined;
  readonly modified: Date;
  readonly size: number;
  readonly firstMessage: string;
  readonly messageCount: number | undefined;
  readonly branchCount: number | undefined;
}

export interface SessionRow {
  /** "" for Bough's own. */
  readonly agent: string;
  /** The machines it is on, if it is only in a store; "" for a local one. */
  readonly stored: string;
  readonly path: string;
  readonly id: string;
  /** Its name, or its first prompt, or a note that there is none. */
  readonly title: string;
  readonly named: boolean;
  /** Its folder, with `~` for the home folder. */
  readonly folder: string;
  /** Milliseconds. */
  readonly modified: number;
  readonly size: number;
  /** Undefined until counted. */
  readonly messages: number | undefined;
  readonly branches: number | undefined;
  /** The session that is open here. */
  readonly current: boolean;
  /** The text to search, in lower case. */
  readonly words: string;
}

export type SessionSort = "recent" | "name" | "size";

export const SESSION_SORTS: readonly SessionSort[] = ["recent", "name", "size"];

export interface SessionSurroundings {
  /** The file of the open session. */
  readonly current?: string | undefined;
  readonly home?: string | undefined;
}

const LONGEST_FOLDER = 1000;

export function sessionRow(facts: SessionFacts, { current, home }: SessionSurroundings = {}): SessionRow {
  const name = firstWords(facts.name ?? "", 200);
  const prompt = firstWords(facts.firstMessage, 200);
  const folder = shownPath(facts.cwd, home).slice(0, LONGEST_FOLDER);
  const agent = firstWords(facts.agent ?? "", 40);
  const stored = firstWords(facts.stored ?? "", 100);
  return {
    agent,
    stored,
    path: facts.path,
    id: facts.id,
    title: name || prompt || "(nothing said yet)",
    named: name !== "",
    folder,
    modified: facts.modified.getTime(),
    size: facts.size,
    messages: facts.messageCount,
    branches: facts.branchCount,
    current: current !== undefined && current === facts.path,
    words: `${name} ${prompt} ${folder} ${facts.id} ${agent} ${stored}`.toLowerCase(),
  };
}

/** The rows that contain all the words, sorted. The rows themselves are not modified. */
export function listedSessions(
  rows: readonly SessionRow[],
  { words, sort }: { readonly words: string; readonly sort: SessionSort },
): SessionRow[] {
  const fits = wordMatcher(words);
  const found = rows.filter((row) => fits(row.words));
  const recent = (a: SessionRow, b: SessionRow) => b.modified - a.modified || compareTexts(a.path, b.path);
  switch (sort) {
    case "recent":
      return found.sort(recent);
    case "name":
      // Named sessions first: the titles of the others are their prompts.
      return found.sort(
        (a, b) =>
          Number(b.named) - Number(a.named) ||
          compareTexts(a.title.toLowerCase(), b.title.toLowerCase()) ||
          recent(a, b),
      );
    case "size":
      return found.sort((a, b) => b.size - a.size || recent(a, b));
  }
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

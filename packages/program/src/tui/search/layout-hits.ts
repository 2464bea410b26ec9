/**
 * Hits of a search: where they are, what they say, and whether they are on the path, on another branch, or before a
 * compaction.
 */
import { basename } from "node:path";
import type { SearchHit } from "@bough/session/session/index.js";
import { counted, firstWords, grouped, shortAge, withoutControls } from "@bough/session/text/index.js";
import { type Line, type Span, span } from "@bough/session/view/index.js";
import {
  type Column,
  type DrawnList,
  fitLine,
  type Hint,
  keySentence,
  type LayoutOptions,
  noMatchText,
  rule,
  type TableHead,
  tableScreen,
} from "@bough/session/view/internal.js";
import type { ListView } from "../list/list-content.js";
import type { SearchRun, SearchScope } from "./search-run.js";

interface HitListState extends ListView {
  readonly run: SearchRun | undefined;
  readonly scope: SearchScope;
  /** The file of the open session. */
  readonly current: string | undefined;
}

const WHERE: Readonly<Record<SearchScope, string>> = {
  session: "in this session",
  folder: "in this folder",
  all: "in all sessions",
};

export function layoutHits(state: HitListState, options: LayoutOptions): DrawnList {
  const hits = state.run?.hits ?? [];
  const hit = hits[state.selected];
  return tableScreen(
    {
      head: headOf(state, options),
      columns: columnsAt(state, options),
      rows: hits,
      empty: emptyText(state, options),
      notes: hit === undefined ? [] : placeLines(hit, state, options),
      hints: hints(state, options),
    },
    state,
    options,
  );
}

function headOf({ run, scope, words }: HitListState, { width, glyphs }: LayoutOptions): TableHead {
  const facts = run === undefined ? [] : [hitsFound(run)];
  const more = width < 60 ? [] : [span(` ${WHERE[scope]}`)];
  return { title: "Search", facts, more, words, right: stateText(run, glyphs.ellipsis) };
}

function hitsFound({ hits, state }: SearchRun): string {
  return `${counted(hits.length, "hit")}${state.kind === "full" ? " and more" : ""}`;
}

function stateText(run: SearchRun | undefined, ellipsis: string): string {
  if (run === undefined) return "";
  const { state, progress } = run;
  if (state.kind === "stopped") return "stopped";
  const unread = progress?.problems.length ?? 0;
  if (state.kind !== "searching") return unread === 0 ? "" : `${counted(unread, "file")} could not be searched`;
  if (progress === undefined || progress.filesTotal === 0) return `searching${ellipsis}`;
  return `${grouped(progress.filesDone)} of ${counted(progress.filesTotal, "file")}${ellipsis}`;
}

function emptyText({ run, words, scope }: HitListState, { hint }: LayoutOptions): string {
  if (run === undefined) return 'Type words, a "quoted phrase", or re: and a regular expression.';
  switch (run.state.kind) {
    case "searching":
      return "Searching";
    case "failed":
      return firstWords(run.state.reason);
    case "stopped":
      return "Stopped before anything was found.";
    default:
      return `${noMatchText("entry", words, "")}${keySentence(scope === "all" ? "" : hint("search.scope"), "looks further")}`;
  }
}

const STATE: Readonly<
  Record<SearchHit["state"], { readonly text: string; readonly sign: "here" | "leftOut" | "folded" }>
> = {
  active: { text: "on the path", sign: "here" },
  abandoned: { text: "on another branch", sign: "folded" },
  compacted: { text: "before a compaction", sign: "leftOut" },
};

/** The entry's kind, in at most four letters if space is tight. */
function kindOf({ role, entryType }: SearchHit): string {
  const names: Readonly<Record<string, string>> = {
    user: "prompt",
    assistant: "answer",
    toolResult: "result",
    bashExecution: "shell",
    compaction: "note",
    branch_summary: "note",
    custom_message: "note",
    label: "label",
    session_info: "name",
  };
  return names[role ?? entryType] ?? "entry";
}

function columnsAt({ current }: HitListState, { width, glyphs, now }: LayoutOptions): readonly Column<SearchHit>[] {
  const isElsewhere = (hit: SearchHit) => hit.path !== current;
  return [
    {
      width: 2,
      text: (hit) => (isElsewhere(hit) ? "" : glyphs[STATE[hit.state].sign]),
      tone: (hit) => (hit.state === "active" && !isElsewhere(hit) ? "here" : "muted"),
    },
    { from: 50, width: 8, text: kindOf },
    {
      text: (hit, room) => {
        const age = width >= 40 ? [span(shortAge(Date.parse(hit.timestamp), now), "muted")] : [];
        return fitLine(excerptSpans(hit), age, room, glyphs.ellipsis);
      },
    },
  ];
}

/** The excerpt with its matches marked. Its text comes from a file, so each part is escaped. */
function excerptSpans({ excerpt, matches }: SearchHit): Span[] {
  const spans: Span[] = [];
  const plain = (from: number, to: number, tone: "text" | "accent"): void => {
    const text = withoutControls(excerpt.slice(from, to)).replace(/\s/g, " ");
    if (text !== "") spans.push(span(text, tone));
  };
  let at = 0;
  for (const [start, end] of matches) {
    if (start < at || end > excerpt.length) continue;
    plain(at, start, "text");
    plain(start, end, "accent");
    at = end;
  }
  plain(at, excerpt.length, "text");
  return spans;
}

/** For the selected hit: which session it is in, and what Enter does. */
function placeLines(hit: SearchHit, { current }: HitListState, { width, glyphs, height }: LayoutOptions): Line[] {
  if (height < 8) return [];
  const state = STATE[hit.state].text;
  const session = firstWords(hit.sessionName ?? basename(hit.path), 80);
  const place = hit.path === current ? `This session, ${state}` : `${session}, ${state}`;
  return [rule(width, glyphs), [span(` ${place}`, "muted")]];
}

function hints({ run, scope, selected, current }: HitListState, { hint }: LayoutOptions): readonly Hint[] {
  const hit = run?.hits[selected];
  const elsewhere = hit !== undefined && hit.path !== current;
  const next: Readonly<Record<SearchScope, string>> = {
    session: "this folder",
    folder: "all sessions",
    all: "this session",
  };
  return [
    {
      keys: hit === undefined ? "" : hint("search.enter"),
      text: elsewhere ? "open it there" : "go there",
      keep: true,
    },
    { keys: run?.state.kind === "searching" ? hint("search.close") : "", text: "stop", priority: 4 },
    { keys: hint("search.search"), text: "other words", priority: 3 },
    { keys: hint("search.scope"), text: next[scope], priority: 2 },
    { keys: hit === undefined ? "" : hint("search.tree"), text: "in tree" },
    { keys: hint("search.help"), text: "keys", keep: true },
  ];
}

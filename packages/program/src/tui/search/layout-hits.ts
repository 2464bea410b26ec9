/** Hits of a search: where they are, what they say, and whether they are on the path, left, or behind a compaction. */
import { basename } from "node:path";
import type { SearchHit } from "@bough/session/session/index.js";
import { counted, firstWords, grouped, shortAge, withoutControls } from "@bough/session/text/index.js";
import { type Line, type Span, span } from "@bough/session/view/index.js";
import {
  type DrawnList,
  fitLine,
  frameList,
  hintLine,
  keySentence,
  type LayoutOptions,
  noMatchText,
  rule,
} from "@bough/session/view/internal.js";
import type { ListView } from "../list/list-content.js";
import type { SearchRun, SearchScope } from "./search-run.js";

interface HitListState extends ListView {
  readonly run: SearchRun | undefined;
  readonly scope: SearchScope;
  /** The file of the session that is open. */
  readonly current: string | undefined;
}

const WHERE: Readonly<Record<SearchScope, string>> = {
  session: "in this session",
  folder: "in this folder",
  all: "in all sessions",
};

export function layoutHits(state: HitListState, options: LayoutOptions): DrawnList {
  const { width, glyphs } = options;
  const hits = state.run?.hits ?? [];
  const { selected } = state;
  const hit = hits[selected];
  return frameList(
    {
      head: [headLine(state, options), rule(width, glyphs)],
      foot: [...(hit === undefined ? [] : placeLines(hit, state, options)), state.message ?? hints(state, options)],
      count: hits.length,
      selected,
      top: state.top,
      row: (index) => rowLine(hits[index] as SearchHit, { state, options, selected: index === selected }),
      empty: [[span(` ${emptyText(state, options)}`, "muted")]],
    },
    options,
  );
}

function headLine({ run, scope, words }: HitListState, { width, glyphs }: LayoutOptions): Line {
  const found = run === undefined ? "" : ` ${glyphs.dot} ${hitsFound(run)}`;
  const left = [span(" Search", "strong"), span(`${found}${width < 60 ? "" : ` ${WHERE[scope]}`}`)];
  const typed = firstWords(words, 60);
  if (typed !== "") left.push(span(`  /${typed}`, "accent"));
  return fitLine(left, [span(stateText(run, glyphs.ellipsis), "muted")], width, glyphs.ellipsis);
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
  compacted: { text: "behind a compaction", sign: "leftOut" },
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

function rowLine(
  hit: SearchHit,
  {
    state,
    options,
    selected,
  }: { readonly state: HitListState; readonly options: LayoutOptions; readonly selected: boolean },
): Line {
  const { width, glyphs, now } = options;
  const elsewhere = hit.path !== state.current;
  const { sign } = STATE[hit.state];
  const kind = width >= 50 ? kindOf(hit).padEnd(8) : "";
  const left: Line = [
    span(` ${selected ? glyphs.selected : " "} `),
    span(`${elsewhere ? " " : glyphs[sign]} `, hit.state === "active" && !elsewhere ? "here" : "muted"),
    span(kind, "muted"),
    ...excerptSpans(hit),
  ];
  const right = width >= 40 ? [span(shortAge(Date.parse(hit.timestamp), now), "muted")] : [];
  return fitLine(left, right, width, glyphs.ellipsis);
}

/** The excerpt with what matched marked in it. Its text comes from a file and is cleaned part by part. */
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

/** Of the selected hit: which session, and what Enter means there. */
function placeLines(hit: SearchHit, { current }: HitListState, { width, glyphs, height }: LayoutOptions): Line[] {
  if (height < 8) return [];
  const state = STATE[hit.state].text;
  const session = firstWords(hit.sessionName ?? basename(hit.path), 80);
  const place = hit.path === current ? `This session, ${state}` : `${session}, ${state}`;
  return [rule(width, glyphs), [span(` ${place}`, "muted")]];
}

function hints({ run, scope, selected, current }: HitListState, { width, hint }: LayoutOptions): Line {
  const hits = run?.hits ?? [];
  const hit = hits[selected];
  const elsewhere = hit !== undefined && hit.path !== current;
  const next: Readonly<Record<SearchScope, string>> = {
    session: "this folder",
    folder: "all sessions",
    all: "this session",
  };
  return hintLine(
    [
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
    ],
    width,
    hits.length === 0 || width < 60 ? "" : `${grouped(selected + 1)} of ${grouped(hits.length)}`,
  );
}

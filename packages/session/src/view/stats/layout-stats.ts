/** /session: counts, tokens and cost of this path and of the whole session. */
import { counted, firstWords, grouped, shortCost, shortCount } from "../../text/index.js";
import { cutLine, rule } from "../fit-line.js";
import { type Line, span } from "../line.js";
import type { DrawnList, LayoutOptions } from "../list-layout.js";
import { tableRow } from "../table-row.js";
import { wrapWords } from "../text/wrap-words.js";

export interface Totals {
  readonly entries: number;
  readonly userMessages: number;
  readonly answers: number;
  readonly toolCalls: number;
  /** Tool results that are errors, and answers that failed. */
  readonly errors: number;
  readonly compactions: number;
  readonly usage: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
    readonly tokens: number;
    /** The known cost. */
    readonly dollars: number;
    /** Model calls with an unknown price; if there are any, `dollars` is incomplete. */
    readonly unpriced: number;
  };
}

export interface SessionStats {
  readonly sessionId: string;
  readonly file: string | undefined;
  readonly name: string | undefined;
  readonly branches: number;
  /** From the root to the leaf. */
  readonly path: Totals;
  /** Everything that ever happened in the session, including abandoned branches and summaries. */
  readonly session: Totals;
  /** What sub-agents did, which `session` includes; absent if there were none. */
  readonly subAgents?: Totals;
  readonly context: {
    readonly tokens: number;
    /** The part that a provider counted; 0 if all of it is an estimate. */
    readonly counted: number;
  };
}

interface StatsState {
  readonly top: number;
  /** "anthropic/claude", and its context window. */
  readonly model?: string | undefined;
  readonly window?: number | undefined;
}

const TITLE_WIDTH = 11;

export function layoutStats(stats: SessionStats, state: StatsState, options: LayoutOptions): DrawnList {
  const { width, glyphs } = options;
  const height = Math.max(1, options.height);
  const body = [...factLines(stats, state, options), [], ...countLines(stats, options)];
  const name = firstWords(stats.name ?? "", 100);
  const head: Line[] = [
    [span(" Session", "strong"), ...(name === "" ? [] : [span(` ${glyphs.dot} ${name}`)])],
    rule(width, glyphs),
  ];
  if (height < 6) head.length = Math.min(1, height - 1);
  const room = height - head.length;
  const top = Math.max(0, Math.min(state.top, body.length - room));
  const lines = [...head, ...body.slice(top, top + room)].map((line) => cutLine(line, width, glyphs.ellipsis));
  return { lines, top, cursorRow: undefined };
}

function factLines(stats: SessionStats, state: StatsState, { width, glyphs }: LayoutOptions): Line[] {
  const { tokens, counted: sure } = stats.context;
  const window = state.window ?? 0;
  const of = window > 0 ? ` of ${shortCount(window)} tokens (${Math.round((tokens / window) * 100)}%)` : " tokens";
  const how = sure === 0 ? "estimated" : `${shortCount(sure)} reported by the provider`;
  const facts: readonly (readonly [string, string])[] = [
    ["id", firstWords(stats.sessionId, 100)],
    ["file", stats.file === undefined ? "none (in memory only)" : firstWords(stats.file, 1000)],
    ["branches", grouped(stats.branches)],
    ["model", firstWords(state.model ?? "", 100)],
    ["context", `${glyphs.about}${shortCount(tokens)}${of}, ${how}`],
  ];
  const room = Math.max(1, width - TITLE_WIDTH);
  return facts
    .filter(([, value]) => value !== "")
    .flatMap(([title, value]) =>
      // A cut path would be useless, so it continues on the next line.
      wrapWords(value, room).map((part, index) =>
        tableRow(
          [
            { text: index === 0 ? ` ${title}` : "", width: Math.min(TITLE_WIDTH, width), tone: "muted" },
            { text: part, width: room },
          ],
          glyphs.ellipsis,
        ),
      ),
    );
}

/** Of "all branches", this is what sub-agents did. */
function subAgentLines(totals: Totals, { width }: Pick<LayoutOptions, "width">): Line[] {
  const { input, output, cacheRead, cacheWrite } = totals.usage;
  const tokens = shortCount(input + output + cacheRead + cacheWrite);
  const text = `of these, sub-agents: ${counted(totals.answers, "answer")}, ${tokens} tokens, ${costOf(totals)}`;
  return wrapWords(text, Math.max(1, width - 1)).map((line) => [span(` ${line}`, "muted")]);
}

function countLines({ path, session, subAgents }: SessionStats, { width, glyphs }: LayoutOptions): Line[] {
  const wide = width >= 50 ? 16 : 12;
  const row = (title: string, here: string, all: string, tone: "text" | "muted" = "text"): Line =>
    tableRow(
      [
        { text: ` ${title}`, width: Math.min(15, width), tone: "muted" },
        { text: here, width: wide, align: "right", tone },
        { text: all, width: wide, align: "right", tone },
      ],
      glyphs.ellipsis,
    );
  const counts = (title: string, of: (totals: Totals) => number) => row(title, grouped(of(path)), grouped(of(session)));
  const tokens = (title: string, of: (usage: Totals["usage"]) => number) =>
    row(title, shortCount(of(path.usage)), shortCount(of(session.usage)));
  const lines = [
    row("", "this path", width >= 50 ? "all branches" : "all", "muted"),
    counts("entries", ({ entries }) => entries),
    counts("prompts", ({ userMessages }) => userMessages),
    counts("answers", ({ answers }) => answers),
    counts("tool calls", ({ toolCalls }) => toolCalls),
    counts("errors", ({ errors }) => errors),
    counts("compactions", ({ compactions }) => compactions),
    tokens("tokens in", ({ input }) => input),
    tokens("tokens out", ({ output }) => output),
    tokens("cache read", ({ cacheRead }) => cacheRead),
    tokens("cache written", ({ cacheWrite }) => cacheWrite),
    row("cost", costOf(path), costOf(session)),
    ...(subAgents === undefined ? [] : [[], ...subAgentLines(subAgents, { width })]),
  ];
  const { unpriced } = session.usage;
  // Unknown prices are reported, never counted as zero.
  if (unpriced > 0) lines.push([span(` ${counted(unpriced, "call")} without a known price`, "muted")]);
  return lines;
}

function costOf({ usage }: Totals): string {
  return usage.unpriced > 0 ? `${shortCost(usage.dollars)}+` : shortCost(usage.dollars);
}

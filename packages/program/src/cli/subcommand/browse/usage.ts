/** `bough usage`: what model calls used and cost, in all sessions, each call once. */
import { homedir } from "node:os";
import { AGENT_TITLES, type AgentName } from "@bough/session/entry/index.js";
import { counted, grouped, shortCost, shortCount, shownPath } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { wrapWords } from "@bough/session/view/internal.js";
import { knownFilesPlace, knowsBranches } from "@bough/workbench/interop/internal.js";
import {
  readUsage,
  type UsageGroup,
  type UsageReport,
  type UsageRow,
  type UsageSource,
  usageReport,
} from "@bough/workbench/usage/index.js";
import { usageError } from "../../cli-error.js";
import { pricesHere } from "../prices-here.js";
import { costText } from "../session-columns.js";
import { StatusLine } from "../status-line.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { DRAWING_FLAGS } from "../subcommand-flag.js";
import { type ChartOptions, usageChart } from "../usage-chart.js";

export const row: SubcommandRow = {
  name: "usage",
  usage: "",
  summary: "Show what all sessions used and cost",
  details:
    "Adds up tokens and dollars of every model call in Bough's sessions of all folders, including the archive; --all-agents adds Claude Code, Codex, opencode, Gemini CLI and pi. Every call is counted once: copies made by forks, imports, resumed sessions and sub-agents are left out, and the output says how many. A cost that the session states counts as stated; otherwise the prices of that day are used, and your settings can override them. Unknown prices are listed, not taken as zero. Days and weeks are in your time zone. The first run reads all sessions; later runs read what changed. See docs/usage.md.",
  flags: {
    by: {
      value: "group",
      choices: ["day", "week", "project", "model", "agent", "branch"],
      help: "group by this (default day)",
    },
    since: { value: "when", help: "only calls since this day (2026-11-01) or for this long (7d, 4w, 6m)" },
    "all-agents": { help: "include other agents' sessions" },
    limit: { short: "n", value: "n", help: "show at most N groups (default 20)" },
    csv: { help: "print all groups as comma-separated values" },
    ascii: DRAWING_FLAGS.ascii,
  },
  examples: [
    ["usage", "by day, Bough's sessions"],
    ["usage --all-agents --by model --since 4w", "the last four weeks, every agent, by model"],
    ["usage --by branch", "the most expensive branches"],
    ["usage --all-agents --by project --csv > usage.csv", "for a spreadsheet"],
  ],
  json: '{ "by", "from", "to", "sessions", "total": sum, "rows": [{ name, ...sum, session?: { id, agent, title, path }, branch?: { number, name } }], "copies": sum, "left": sum, "subagents": sum, "caching": { dollars, unpriced }, "compaction": { tokens, dollars, unpriced }, "unpricedModels": [{ model, calls, tokens }], "odd", "withoutBranches": [agent], "problems": [{ path, reason }] }; sum is { calls, input, output, cacheRead, cacheWrite, tokens, dollars, unpriced }. copies were left out of all other sums; left are calls on branches that were left; odd counts calls with impossible numbers.',
  args: { least: 0, most: 0 },
  completes: "none",
};

const ROWS = 20;

export async function run(call: SubcommandCall): Promise<number> {
  const { flags, out } = call;
  const since = sinceTime(flags.text("since"), call.now());
  const by = (flags.text("by") ?? "day") as UsageGroup;
  const scope = flags.isOn("all-agents") ? "all-agents" : "own";
  const source = await read(call, scope);
  const priceOf = pricesHere(call.places.cwd);
  const report = usageReport(source, { by, since, priceOf, knowsBranches });
  if (out.json) out.value({ ...report, from: report.from ?? null, to: report.to ?? null, problems: source.problems });
  else if (flags.isOn("csv")) await out.raw(csvOf(report));
  else {
    const glyphs = out.glyphs({ ascii: flags.isOn("ascii") });
    const rows = flags.count("limit") ?? ROWS;
    await out.lines(usageLines(report, { width: out.width, glyphs, rows, scope }));
  }
  for (const { path, reason } of source.problems) out.notice(`bough: ${path}: ${reason}`);
  return source.problems.length === 0 ? 0 : 1;
}

async function read({ signal }: SubcommandCall, scope: "own" | "all-agents"): Promise<UsageSource> {
  const status = new StatusLine();
  try {
    return await readUsage({
      scope,
      signal,
      cache: knownFilesPlace(),
      onProgress: (done, total) => status.tell(() => `Reading: ${done} of ${total} sessions`),
    });
  } finally {
    status.clear();
  }
}

const DAY = 24 * 60 * 60_000;
const DAYS: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30, y: 365 };

/** Milliseconds. A day starts at midnight here. */
function sinceTime(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = ""] = /^([1-9]\d{0,4})([dwmy])$/.exec(text) ?? [];
  if (count !== undefined) return now.getTime() - Number(count) * (DAYS[unit] ?? 1) * DAY;
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00`) : Date.parse(text);
  if (!/^\d{4}-/.test(text) || Number.isNaN(time)) {
    throw usageError(`--since needs a day or a number of days, not ${text}`, "For example 2026-11-01, 7d, 4w or 6m.");
  }
  return time;
}

interface UsageLinesOptions extends Omit<ChartOptions, "total" | "bars"> {
  readonly rows: number;
  readonly scope: "own" | "all-agents";
}

const TITLES: Readonly<Record<UsageGroup, string>> = {
  day: "By day",
  week: "By week, from Monday",
  project: "By project",
  model: "By model",
  agent: "By agent",
  branch: "By branch",
};

function* usageLines(report: UsageReport, options: UsageLinesOptions): Generator<Line | string> {
  const { total, rows, by, from, to, sessions } = report;
  const whose = options.scope === "own" ? "Bough's sessions" : "all agents";
  if (total.calls === 0) {
    yield options.scope === "own"
      ? "No model calls yet. Other agents' sessions: --all-agents"
      : "No model calls found.";
    return;
  }
  const days = from === undefined ? "" : from === to ? `, ${from}` : `, ${from} to ${to}`;
  yield [span(`Usage of ${whose}${days}`, "strong")];
  yield `  ${counted(total.calls, "call")} in ${counted(sessions, "session")}, ${shortCount(total.tokens)} tokens, ${costText(total)}`;
  yield "";
  const isTime = by === "day" || by === "week";
  const shown = isTime ? rows.slice(-options.rows) : rows.slice(0, options.rows);
  const home = homedir();
  yield* usageChart(
    TITLES[by],
    shown.map((one) => ({ name: nameOf(one, by, home), detail: counted(one.calls, "call"), usage: one })),
    { ...options, total: rows.length, bars: total.dollars > 0 ? "dollars" : "tokens" },
  );
  for (const sentence of sentences(report)) {
    const [first = "", ...rest] = wrapWords(sentence, Math.max(20, options.width - 2));
    yield `  ${first}`;
    for (const line of rest) yield `    ${line}`;
  }
}

function nameOf({ name, session, branch }: UsageRow, by: UsageGroup, home: string): string {
  if (by === "agent") return AGENT_TITLES[name as AgentName] ?? "Bough";
  if (by === "project") return name.startsWith(`${home}/`) ? `~${shownPath(name.slice(home.length))}` : shownPath(name);
  if (session === undefined || branch === undefined || branch.number === 0) return name;
  return `#${branch.number} ${branch.name === "" ? name : branch.name} (${name})`;
}

function* sentences(report: UsageReport): Generator<string> {
  const { total, copies, left, subagents, caching, compaction, unpricedModels, odd, withoutBranches } = report;
  if (left.calls > 0) {
    const share = total.dollars > 0 ? `, ${Math.round((left.dollars / total.dollars) * 100)}% of the total` : "";
    yield `Explored and left: ${costText(left)}${share} (${counted(left.calls, "call")} on branches you did not continue).`;
  }
  if (withoutBranches.length > 0) {
    const titles = withoutBranches.map((agent) => AGENT_TITLES[agent as AgentName] ?? agent);
    yield `Left branches of ${titles.join(", ")} are not known and count as continued.`;
  }
  if (subagents.calls > 0) yield `Sub-agents: ${costText(subagents)} (${counted(subagents.calls, "call")}).`;
  const without = somePrices(caching.unpriced);
  if (caching.dollars > LEAST_SAVING) yield `Caching saved ${shortCost(caching.dollars)}${without}.`;
  if (caching.dollars < -LEAST_SAVING)
    yield `Caching cost ${shortCost(-caching.dollars)} more than it saved${without}.`;
  if (compaction.tokens > 0) {
    const least = compaction.dollars > 0 ? `, worth at least ${shortCost(compaction.dollars)}` : "";
    yield `Compaction kept ${shortCount(compaction.tokens)} tokens out of later prompts${least}${somePrices(compaction.unpriced)}.`;
  }
  if (copies.calls > 0) {
    yield `Left out as copies: ${counted(copies.calls, "call")}, ${shortCount(copies.tokens)} tokens, ${costText(copies)} (forks, imports, resumed sessions and sub-agents repeat calls).`;
  }
  if (unpricedModels.length > 0) {
    const named = unpricedModels.slice(0, 5).map(({ model, calls }) => `${model} (${counted(calls, "call")})`);
    const more = unpricedModels.length > 5 ? ` and ${grouped(unpricedModels.length - 5)} more` : "";
    yield `No known price: ${named.join(", ")}${more}. To set one, see docs/usage.md.`;
  }
  if (odd > 0) yield `${counted(odd, "call")} with impossible numbers, taken as 0.`;
}

const LEAST_SAVING = 0.005;

function somePrices(unpriced: number): string {
  return unpriced === 0 ? "" : ` (not counting ${counted(unpriced, "call")} of unknown price)`;
}

const CSV_SUMS = ["calls", "input", "output", "cacheRead", "cacheWrite", "tokens", "dollars", "unpriced"] as const;

function* csvOf({ by, rows }: UsageReport): Generator<string> {
  const heading = by === "branch" ? ["session", "title", "branch", "branchName"] : [by];
  yield `${[...heading, ...CSV_SUMS].join(",")}\r\n`;
  for (const one of rows) {
    const { session, branch, name } = one;
    const names =
      by === "branch" ? [session?.id ?? "", name, String(branch?.number ?? ""), branch?.name ?? ""] : [name];
    yield `${[...names.map(csvCell), ...CSV_SUMS.map((sum) => String(one[sum]))].join(",")}\r\n`;
  }
}

/** A spreadsheet would run a cell that starts like a formula. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

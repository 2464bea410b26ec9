/** What is said about imported sessions, to people and to programs. */

import { damagedRecords, importRemarks, importSentence } from "../../../command/index.js";
import { AGENT_TITLES } from "../../../entry/index.js";
import { lossLines } from "../../../interop/index.js";
import { counted, shellWord } from "../../../text/index.js";
import type { SubcommandCall } from "../subcommand.js";
import { sourceJson, titleOf } from "./found-list.js";
import type { ImportedSession } from "./import-one.js";

export interface ImportWords {
  readonly mood: "did" | "would";
  readonly report: "sums" | "all";
  /** Alone it needs no name. */
  readonly count: "one" | "several";
}

export function importLines(
  imported: ImportedSession,
  { mood, report, count }: ImportWords,
  { now, places }: Pick<SubcommandCall, "now" | "places">,
): string[] {
  const { source, outcome, id, folder } = imported;
  const said = [importSentence(outcome, outcome.counts, { now: now(), mood }), ...importRemarks(outcome)];
  if (folder === "gone") said.push(`Its folder no longer exists: ${source.cwd}`);
  if (folder === "unknown") said.push("The transcript does not name its folder; it is listed under this one.");
  if (mood === "would" || report === "all") said.push(...lossLines(outcome.report, { all: report === "all" }));
  if (mood === "did" && count === "one") said.push(`Open it with: ${openingCommand(id, places)}`);
  // Paths and types come from the source: none of them makes its own line.
  const lines = said.map((line) => line.replace(/[\r\n\t]+/g, " "));
  if (count === "one") return lines;
  const name = `"${titleOf(source)}" (${AGENT_TITLES[source.agent]})`;
  return [mood === "did" ? `${id.slice(0, SHORT_ID)}  ${name}` : name, ...lines.map((line) => `  ${line}`)];
}

/** As long as a list of sessions shows it; any start of an id that only one has will do. */
const SHORT_ID = 8;

/** How a session that was imported is opened; `id` may represent any. */
export function openingCommand(id: string, places: SubcommandCall["places"]): string {
  return `bough --session ${id}${places.dir === undefined ? "" : ` --session-dir ${shellWord(places.dir)}`}`;
}

export function importJson(
  { source, outcome, id, folder }: ImportedSession,
  { mood, report }: Pick<ImportWords, "mood" | "report">,
): Readonly<Record<string, unknown>> {
  const { kind, path, added, counts, rewritten, changed } = outcome;
  const { counts: lines, ...sums } = outcome.report;
  return {
    source: sourceJson(source),
    kind,
    session: mood === "did" ? { id, path } : null,
    entries: added,
    turns: counts.turns,
    branches: counts.branches,
    since: counts.since?.toISOString() ?? null,
    folder,
    rewritten,
    changed,
    report: {
      ...sums,
      damaged: damagedRecords(outcome.report),
      ...(mood === "would" || report === "all" ? { lines } : {}),
    },
  };
}

interface ImportSums {
  readonly done: readonly ImportedSession[];
  readonly empty: number;
  readonly failed: number;
  readonly mood: "did" | "would";
}

/** "3 sessions imported, 1 brought up to date, 9 without news, 1 failed." */
export function importSummary({ done, empty, failed, mood }: ImportSums): string {
  const count = (wanted: string) => done.filter(({ outcome }) => outcome.kind === wanted).length;
  const [fresh, grown, same] = [count("imported"), count("extended"), count("unchanged")];
  const would = mood === "would" ? "would be " : "";
  const parts = [
    [fresh, `${would}imported`],
    [grown, `${would}updated`],
    [same, "without news"],
    [empty, "without a conversation"],
    [failed, "failed"],
  ] as const;
  const said = parts.filter(([amount]) => amount > 0);
  return `${said.map(([amount, how], i) => `${i === 0 ? counted(amount, "session") : amount} ${how}`).join(", ")}.`;
}

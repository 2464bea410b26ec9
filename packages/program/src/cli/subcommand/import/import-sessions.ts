/** Imports sessions one by one, reports each outcome, and returns the exit code. */

import { AGENT_TITLES } from "@bough/session/entry/index.js";
import { counted, shellWord, shortBytes } from "@bough/session/text/index.js";
import { type ForeignSession, lossLines } from "@bough/workbench/interop/index.js";
import {
  damagedRecords,
  ImportedFiles,
  type ImportedSession,
  importNotices,
  importOne,
  importSentence,
  tryImport,
} from "@bough/workbench/interop/internal.js";
import { type ErrorReport, errorReportOf, errorReportText, exitCodeOfReport } from "../../error-report.js";
import { StatusLine } from "../status-line.js";
import type { SubcommandCall } from "../subcommand.js";
import { sourceJson, titleOf } from "./found-list.js";

interface ImportTask {
  readonly sessions: readonly ForeignSession[];
  /** Whether each was named, or all were selected. */
  readonly kind: "named" | "found";
}

/** A failure does not stop the others, but sets the exit code. */
export async function importSessions({ sessions, kind }: ImportTask, call: SubcommandCall): Promise<number> {
  const { flags, out } = call;
  const words: ImportWords = {
    mood: flags.isOn("dry-run") ? "would" : "did",
    report: flags.isOn("report") ? "all" : "sums",
    count: sessions.length > 1 ? "several" : "one",
  };
  const done: ImportedSession[] = [];
  const empty: ForeignSession[] = [];
  const failed: { readonly source: ForeignSession; readonly error: ErrorReport }[] = [];
  for await (const result of results(sessions, words.mood, call)) {
    if (result.kind === "failed") {
      failed.push(result);
      out.notice(failureText(result.source, result.error));
    } else if (result.content === "nothing-said") {
      empty.push(result.source);
      if (kind === "named") out.notice(`bough: No conversation in ${result.source.path}`);
    } else {
      done.push(result);
      const isNews = kind === "named" || words.report === "all" || result.outcome.kind !== "unchanged";
      if (!out.json && isNews) await out.lines(importLines(result, words, call));
    }
  }
  if (out.json) {
    out.value({
      sessions: done.map((imported) => importJson(imported, words)),
      empty: empty.map(sourceJson),
      failed: failed.map(({ source, error }) => ({ source: sourceJson(source), error })),
      dryRun: words.mood === "would",
    });
  } else if (words.count === "several") {
    out.line(importSummary({ done, empty: empty.length, failed: failed.length, mood: words.mood }));
    const isNews = done.some(({ outcome }) => outcome.kind !== "unchanged");
    if (words.mood === "did" && isNews) out.line(`Open one with: ${openingCommand("<id>", call.places)}`);
  }
  if (kind === "named" && failed.length > 0) return Math.max(...failed.map(({ error }) => exitCodeOfReport(error)));
  return failed.length > 0 || (kind === "named" && empty.length > 0) ? 1 : 0;
}

type Result =
  | (ImportedSession & { readonly kind: "read" })
  | { readonly kind: "failed"; readonly source: ForeignSession; readonly error: ErrorReport };

async function* results(
  sessions: readonly ForeignSession[],
  mood: ImportWords["mood"],
  call: SubcommandCall,
): AsyncGenerator<Result> {
  const progress = progressLine();
  for (const [i, source] of sessions.entries()) {
    const place = sessions.length === 1 ? "Reading" : `${i + 1} of ${sessions.length}:`;
    progress.show(`${place} ${titleOf(source)} (${shortBytes(source.size)})`);
    try {
      const imported = await (mood === "did" ? importOne(source, call) : tryImport(source, call));
      progress.clear();
      yield { kind: "read", ...imported };
    } catch (error) {
      progress.clear();
      if (call.signal.aborted) {
        call.out.notice(stoppedText(source, { done: i, all: sessions.length }, call));
        throw error;
      }
      yield { kind: "failed", source, error: importErrorReport(error) };
    }
  }
}

/** The log's retry notices are for sessions that stay open. */
function importErrorReport(error: unknown): ErrorReport {
  const errorReport = errorReportOf(error);
  if (errorReport.code === "write-failed") return { ...errorReport, hint: "Check that the folder is writable." };
  return errorReport.code === "disk-full"
    ? { ...errorReport, hint: "Free some disk space; run the same command to continue." }
    : errorReport;
}

function stoppedText(
  source: ForeignSession,
  { done, all }: { readonly done: number; readonly all: number },
  { places, flags }: SubcommandCall,
): string {
  if (all > 1) return `Stopped. ${done} of ${all} are done; run the same command to continue.`;
  const isThere = flags.isOn("dry-run") || new ImportedFiles(places).find(source) !== undefined;
  return isThere ? "Stopped. Run the same command to continue." : "Stopped. Nothing was imported.";
}

function failureText(source: ForeignSession, { message, hint }: ErrorReport): string {
  // An unreadable session has no name; the message names its file.
  const name =
    source.problem === undefined ? `"${titleOf(source)}" (${AGENT_TITLES[source.agent]})` : AGENT_TITLES[source.agent];
  const said = source.problem === undefined ? `${name} was not imported: ${message}` : `${name}: ${message}`;
  return errorReportText({ message: said, hint }).trimEnd();
}

/** What is being imported, and for how long. */
interface ProgressLine {
  /** Shown at once; after one second, with the elapsed time. */
  readonly show: (words: string) => void;
  readonly clear: () => void;
}

const SECOND_MS = 1000;

function progressLine(): ProgressLine {
  const line = new StatusLine();
  let timer: NodeJS.Timeout | undefined;
  return {
    show(words) {
      clearInterval(timer);
      let seconds = 0;
      line.say(words);
      timer = setInterval(() => {
        seconds += 1;
        line.say(`${seconds} s · ${words}`);
      }, SECOND_MS);
      timer.unref();
    },
    clear() {
      clearInterval(timer);
      line.clear();
    },
  };
}

/** What is reported about imported sessions, to people and to programs. */
interface ImportWords {
  readonly mood: "did" | "would";
  readonly report: "sums" | "all";
  /** A single one needs no name. */
  readonly count: "one" | "several";
}

function importLines(
  imported: ImportedSession,
  { mood, report, count }: ImportWords,
  { now, places }: Pick<SubcommandCall, "now" | "places">,
): string[] {
  const { source, outcome, id, folder } = imported;
  const said = [importSentence(outcome, outcome.counts, { now: now(), mood }), ...importNotices(outcome)];
  if (folder === "gone") said.push(`Its folder no longer exists: ${source.cwd}`);
  if (folder === "unknown") said.push("The transcript does not name its folder; it is listed under this one.");
  if (mood === "would" || report === "all") said.push(...lossLines(outcome.report, { all: report === "all" }));
  if (mood === "did" && count === "one") said.push(`Open it with: ${openingCommand(id, places)}`);
  // Paths and types come from the source; they must not break the line.
  const lines = said.map((line) => line.replace(/[\r\n\t]+/g, " "));
  if (count === "one") return lines;
  const name = `"${titleOf(source)}" (${AGENT_TITLES[source.agent]})`;
  return [mood === "did" ? `${id.slice(0, SHORT_ID)}  ${name}` : name, ...lines.map((line) => `  ${line}`)];
}

/** As long as in a list of sessions; any unique prefix works. */
const SHORT_ID = 8;

/** How to open an imported session; `id` may be a placeholder. */
function openingCommand(id: string, places: SubcommandCall["places"]): string {
  return `bough --session ${id}${places.dir === undefined ? "" : ` --session-dir ${shellWord(places.dir)}`}`;
}

function importJson(
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
function importSummary({ done, empty, failed, mood }: ImportSums): string {
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

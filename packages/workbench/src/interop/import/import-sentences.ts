/** Messages about an import: how much was imported, what had no equivalent, and what was damaged or rewritten. */

import { counted, titleOf } from "@bough/session/text/index.js";
import { type LossReport, type RecordCount, TORN_LINE, UNREADABLE_LINE } from "../loss-report.js";
import type { ImportCounts } from "./import-counts.js";
import type { ImportOutcome } from "./import-session.js";

/** Number of places shown per kind of message; the report has all of them. */
const MOST_PLACES = 5;

interface ImportSentenceOptions {
  readonly now: Date;
  /** `would` for a dry run. Default `did`. */
  readonly mood?: "did" | "would";
}

/** "Imported 212 turns, 4 branches. 3 items had no equivalent and were kept as notes." */
export function importSentence(
  { kind, added, report }: Pick<ImportOutcome, "kind" | "added" | "report">,
  counts: ImportCounts,
  { now, mood = "did" }: ImportSentenceOptions,
): string {
  const { turns, branches } = counts;
  const since = counts.since === undefined ? "" : ` since ${shortDay(counts.since, now)}`;
  if (kind === "unchanged") return `Nothing new${since}.`;
  const grown = [turns > 0 ? counted(turns, "turn") : "", branches > 0 ? counted(branches, "branch", "branches") : ""];
  const much = grown.filter((part) => part !== "").join(", ") || counted(added, "entry", "entries");
  if (kind === "extended") return `${mood === "did" ? "Added" : "Would add"} ${much}${since}.`;
  const notes = report.notes === 0 ? "" : ` ${notesSentence(report.notes, mood)}`;
  return `${mood === "did" ? "Imported" : "Would import"} ${much}.${notes}`;
}

function notesSentence(notes: number, mood: "did" | "would"): string {
  const [has, kept] = notes === 1 ? ["has", "kept as a note"] : ["have", "kept as notes"];
  const be = mood === "would" ? "would be" : notes === 1 ? "was" : "were";
  return `${counted(notes, "item")} ${mood === "did" ? "had" : has} no equivalent and ${be} ${kept}.`;
}

/** Other things a user should know, one sentence each: damage, missing parts, unknown types, a rewritten source. */
export function importNotices({
  rewritten,
  changed,
  report,
}: Pick<ImportOutcome, "rewritten" | "changed" | "report">): string[] {
  const remarks: string[] = [];
  const damage = damageSentence(report);
  if (damage !== undefined) remarks.push(damage);
  for (const sentence of report.missing) remarks.push(sentence);
  if (report.unknown.length > 0) {
    const shown = report.unknown.slice(0, MOST_PLACES).map((what) => titleOf(what));
    const more = report.unknown.length > shown.length ? `, and ${report.unknown.length - shown.length} more` : "";
    remarks.push(`Unknown to this version, kept as notes: ${shown.join(", ")}${more}`);
  }
  // Some programs rewrite their files on every turn, so mention it only if an entry would differ.
  if (rewritten.length > 0 && changed.length > 0) {
    const stay = changed.length === 1 ? "was kept" : "were kept";
    remarks.push(
      `The source was rewritten since the last import; ${counted(changed.length, "entry", "entries")} would now be converted differently and ${stay}.`,
    );
  }
  return remarks;
}

/** "3 lines could not be read: 4, 17-18 of rollout.jsonl"; undefined if all could be read. */
export function damageSentence(report: LossReport): string | undefined {
  const damaged = damagedRecords(report);
  if (damaged.length === 0) return undefined;
  const count = damaged.reduce((sum, record) => sum + record.count, 0);
  const thing = damaged.every(({ type }) => isLine(type)) ? "line" : "record";
  const places = new Map<string, string[]>();
  let left = MOST_PLACES;
  for (const { file, lines } of damaged) {
    const shown = lines.slice(0, left).map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
    left -= shown.length;
    if (shown.length > 0) places.set(file, [...(places.get(file) ?? []), ...shown]);
  }
  const all = damaged.reduce((sum, { lines }) => sum + lines.length, 0);
  const named = [...places].map(([file, lines]) => `${lines.join(", ")} of ${nameOf(file)}`).join("; ");
  return `${counted(count, thing)} could not be read: ${named}${all > MOST_PLACES ? ", and more" : ""}`;
}

/** Records that could not be read. Duplicate records are reported too, but are not damage. */
export function damagedRecords({ counts }: LossReport): RecordCount[] {
  return counts.filter(({ fate, type, reason }) => fate === "reported" && (isLine(type) || reason === "unreadable"));
}

function isLine(type: string): boolean {
  return type === UNREADABLE_LINE || type === TORN_LINE;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** "12 Nov", with the year if it is another one; the time of day if it is today. */
export function shortDay(then: Date, now: Date): string {
  const day = `${then.getDate()} ${MONTHS[then.getMonth()]}`;
  if (then.getFullYear() !== now.getFullYear()) return `${day} ${then.getFullYear()}`;
  if (then.getMonth() !== now.getMonth() || then.getDate() !== now.getDate()) return day;
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(then.getHours())}:${two(then.getMinutes())}`;
}

/** The longest name that file systems allow: a file name is useful only if it is complete. */
const LONGEST_NAME = 255;

function nameOf(file: string): string {
  return titleOf(file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1), LONGEST_NAME);
}

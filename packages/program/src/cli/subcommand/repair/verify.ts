/** `bough verify`: what is damaged in a session, and what that means. */

import { AGENT_TITLES, SessionError } from "@bough/session/entry/index.js";
import { findingLevel, type VerifyReport, verifySession } from "@bough/session/session/index.js";
import { everySessionFile } from "@bough/session/session/internal.js";
import { counted, shellWord, shownPath } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { sessionArgument } from "../session-argument.js";
import { DAMAGED, type SubcommandCall, type SubcommandRow } from "../subcommand.js";

export const row: SubcommandRow = {
  name: "verify",
  usage: "[session...]",
  summary: "Check session files for damage",
  details:
    "Reads every byte and lists each finding with its line, its cause and its effect. Nothing is written. Exits with 3 if there is damage; warnings and notes do not change the exit code.",
  flags: {
    all: { short: "a", help: "check every session in every folder" },
    notes: { help: "include notes, which are not problems" },
  },
  examples: [
    ["verify", "the last session in this folder"],
    ["verify --all", "every session"],
  ],
  json: '{ "reports": [{ path, version, lines, entries, readable, ok, counts: { damage, odd, note }, findings: [{ level, code, line, offset, bytes, cause, effect, entryId? }] }] }',
  args: { least: 0, most: Number.POSITIVE_INFINITY },
  completes: "sessions",
};

export async function run(call: SubcommandCall): Promise<number> {
  const { out, flags, signal } = call;
  const files = await filesFor(call);
  let damaged = 0;
  const reports: object[] = [];
  for (const file of files) {
    const report = await verifySession(file, { signal });
    if (!report.ok) damaged += 1;
    if (out.json) reports.push(jsonOf(report));
    else if (files.length === 1 || !report.ok || flags.isOn("notes")) {
      await out.lines(reportLines(report, { notes: flags.isOn("notes") }));
    }
  }
  if (out.json) await out.values({}, "reports", reports);
  else if (files.length !== 1) {
    const bad = damaged === 0 ? "none damaged" : `${damaged} damaged`;
    out.line(files.length === 0 ? "No sessions to verify." : `${counted(files.length, "session")}, ${bad}`);
  }
  return damaged > 0 ? DAMAGED : 0;
}

async function filesFor({ args, flags, places }: SubcommandCall): Promise<readonly string[]> {
  // Includes files without a header: a normal list would omit the most damaged ones.
  if (flags.isOn("all")) return everySessionFile({ archived: "leave-out" });
  const files = new Set<string>();
  const references: readonly (string | undefined)[] = args.length === 0 ? [undefined] : args;
  for (const reference of references) files.add(await ownFile(reference, places));
  return [...files];
}

/** Other agents' formats have their own report, except pi's, which is Bough's. */
async function ownFile(reference: string | undefined, places: SubcommandCall["places"]): Promise<string> {
  const { file, foreign } = await sessionArgument(reference, places, { where: "here" });
  if (foreign === undefined || foreign.foreign.agent === "pi") return file;
  const { agent, id, path } = foreign.foreign;
  throw new SessionError(
    "read-only",
    `That session belongs to ${AGENT_TITLES[agent]}; only Bough sessions can be verified`,
    {
      data: { agent, id, path, reason: "foreign" },
      hint: `To see what is readable: bough import --dry-run --report ${shellWord(foreign.reference)}`,
    },
  );
}

/** The names of the levels for people; `--json` has those of the library. */
const LEVELS = { damage: "damaged", odd: "warning", note: "note" } as const;

function* reportLines(report: VerifyReport, { notes }: { readonly notes: boolean }): Generator<Line> {
  const { damage, odd, note } = report.counts;
  const state: Line = report.ok ? [span("no damage", "good")] : [span("damaged", "bad")];
  yield [span(shownPath(report.path), "strong"), span("  "), ...state];
  const counts = `${counted(report.lines, "line")}, ${counted(report.entries, "entry", "entries")}, ${report.readable} of them readable`;
  yield [span(`  ${counts}`, "muted")];
  let hidden = 0;
  for (const { code, line, cause, effect } of report.findings) {
    const level = findingLevel(code);
    if (level === "note" && !notes) {
      hidden += 1;
      continue;
    }
    const place = line === 0 ? "file" : `line ${line}`;
    const tone = level === "damage" ? "bad" : "note";
    yield [
      span("  "),
      span(LEVELS[level].padEnd(7), tone),
      span(`  ${place}  `),
      span(cause),
      span(`  (${code})`, "muted"),
    ];
    yield [span(`           ${effect}`, "muted")];
  }
  if (damage + odd + note > 0) {
    const quiet = hidden === 0 ? "" : `; ${counted(hidden, "note")} shown with --notes`;
    yield [span(`  ${damage} damaged, ${counted(odd, "warning")}, ${counted(note, "note")}${quiet}`, "muted")];
  }
  if (!report.ok) yield [span(`  ${wayOn(report)}`)];
}

/** Repair keeps what is readable and refuses what it does not know, so suggest it only if it would change something. */
function wayOn({ path, readable, findings }: VerifyReport): string {
  if (findings.some(({ code }) => code === "future-version"))
    return "It was written by a newer version. Update Bough to repair it.";
  if (readable > 0) return `To recover what is readable: bough repair ${path}`;
  return "Nothing in it is recoverable. Look for a backup, an export or a fork.";
}

function jsonOf(report: VerifyReport): object {
  const { path, version, lines, entries, readable, ok, counts, findings } = report;
  const found = findings.map((finding) => ({ level: findingLevel(finding.code), ...finding }));
  return { path, version: version ?? null, lines, entries, readable, ok, counts, findings: found };
}

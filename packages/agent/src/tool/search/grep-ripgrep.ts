/** Searches with ripgrep. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { basename, dirname, join } from "node:path";
import { startProgram } from "@bough/session/log/index.js";
import { LineCutter } from "../file/line-cutter.js";
import { isClosedTo } from "../path/allowed-path.js";
import { failureSentence } from "../tool-failure.js";
import { GrepCollector } from "./grep-collector.js";
import type { GrepOutcome, GrepRequest } from "./grep-request.js";

/** Longer lines of ripgrep's output are skipped: each one contains a whole line of the searched file. */
const MAX_REPORT_LINE = 32 * 1024 * 1024;

type RipgrepOutcome =
  | { readonly kind: "searched"; readonly outcome: GrepOutcome }
  /** Not installed, too old, or the pattern is not supported: the built-in search may do better. */
  | { readonly kind: "unable"; readonly reason: string };

/** Kills ripgrep as soon as the limit is exceeded or the signal aborts. Ignores ripgrep's configuration file. */
export async function grepWithRipgrep(program: string, request: GrepRequest): Promise<RipgrepOutcome> {
  const { root, rootIsFile, signal } = request;
  const folder = rootIsFile ? dirname(root) : root;
  const child = startProgram({ program, cwd: folder }, (found) =>
    spawn(found, argumentsFor(request), { cwd: folder, stdio: ["ignore", "pipe", "pipe"], signal }),
  );
  const ended = once(child, "close").then(
    ([code]) => ({ code: code as number | null }),
    (error: Error) => ({ error }),
  );
  const collector = new GrepCollector(request);
  const lines = new LineCutter(MAX_REPORT_LINE);
  let tooLong = 0;
  let complaint = "";
  let misunderstood: unknown;
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(0, 2000);
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    try {
      for (const line of lines.add(text)) {
        if (collector.full) break;
        if (line.cut) tooLong++;
        else takeReport(JSON.parse(line.text) as Report, { request, folder, collector });
      }
    } catch (error) {
      // Another program called `rg`. Throwing here would crash this process.
      misunderstood = error;
    }
    if (collector.full || misunderstood !== undefined) child.kill();
  });
  const end = await ended;
  signal.throwIfAborted();
  if (misunderstood !== undefined) return { kind: "unable", reason: failureSentence(misunderstood) };
  if ("error" in end) return { kind: "unable", reason: end.error.message };
  const notes = tooLong === 0 ? [] : [`${tooLong} matches in lines longer than 16 MB are not shown`];
  const outcome = collector.outcome(notes);
  // Exit code 2 is also used for single unreadable files, but `--no-messages` suppresses messages about those.
  if (end.code === 2 && outcome.lines.length === 0 && complaint !== "") {
    return { kind: "unable", reason: complaint.trim() };
  }
  return { kind: "searched", outcome };
}

function argumentsFor(request: GrepRequest): readonly string[] {
  const { root, rootIsFile, pattern, literal, ignoreCase, glob, context, rules } = request;
  return [
    ...["--json", "--sort=path", "--no-config", "--no-messages", "--crlf", "--hidden"],
    // Exactly the rules of `IgnoreRules`.
    ...["--no-require-git", "--no-ignore-global", "--no-ignore-exclude"],
    ...(rules.ignores(root, rootIsFile ? "file" : "folder") ? ["--no-ignore-parent"] : []),
    ...(literal ? ["--fixed-strings"] : []),
    ignoreCase ? "--ignore-case" : "--case-sensitive",
    `--context=${context}`,
    ...(glob === undefined ? [] : [`--glob=${glob}`]),
    "--glob=!.git",
    `--regexp=${pattern}`,
    "--",
    rootIsFile ? `./${basename(root)}` : "./",
  ];
}

interface ReportText {
  readonly text?: string;
  /** Base64, if it is not UTF-8. */
  readonly bytes?: string;
}

type Report =
  | { readonly type: "begin" | "summary" }
  | {
      readonly type: "match" | "context";
      readonly data: { readonly path: ReportText; readonly lines: ReportText; readonly line_number: number };
    }
  | { readonly type: "end"; readonly data: { readonly binary_offset: number | null } };

interface Taking {
  readonly request: GrepRequest;
  readonly folder: string;
  readonly collector: GrepCollector;
}

function takeReport(report: Report, { request, folder, collector }: Taking): void {
  if (report.type === "begin") collector.beginFile();
  if (report.type === "end" && report.data.binary_offset !== null) collector.dropFile();
  if (report.type !== "match" && report.type !== "context") return;
  const file = textOf(report.data.path).replace(/^\.\//, "");
  const path = join(folder, file);
  if (isClosedTo(request.root, { path, place: request.place })) return;
  // In ripgrep, a glob includes ignored files again; here it only narrows the search.
  if (request.glob !== undefined && !request.rootIsFile && request.rules.ignoresBelow(folder, path)) return;
  const text = textOf(report.data.lines).replace(/\r?\n$/, "");
  collector.add({ file, line: report.data.line_number, text, isMatch: report.type === "match" });
}

function textOf({ text, bytes }: ReportText): string {
  return text ?? Buffer.from(bytes ?? "", "base64").toString("utf8");
}

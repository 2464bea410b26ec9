/** The steps of an export: choose, look for secrets, say what leaves the machine, write, say what was done. */
import { randomUUID } from "node:crypto";
import { createReadStream, existsSync, realpathSync } from "node:fs";
import { stepDiffs } from "../../../checkpoint/index.js";
import { ExportError } from "../../../entry/index.js";
import { exportPlace, type StagedExport, stageExport, type WriteRequest, writeExport } from "../../../export/index.js";
import { placeIn } from "../../../find/index.js";
import { type TemporaryFolder, temporaryFolder } from "../../../log/index.js";
import { boughHome, type SessionManager } from "../../../session/index.js";
import { counted, firstWords, shortBytes, withoutControls } from "../../../text/index.js";
import { safeJson } from "../../safe-json.js";
import { openToLook } from "../open-to-look.js";
import { type SessionArgument, sessionArgument } from "../session-argument.js";
import { sessionFacts, sessionTitle } from "../session-facts.js";
import { StatusLine } from "../status-line.js";
import type { SubcommandCall } from "../subcommand.js";
import { type ExportOptions, exportOptions, type FixedOptions, type Scope, withMaskedName } from "./export-options.js";

export async function exportSession(
  call: SubcommandCall,
  fixed: FixedOptions & { readonly argument?: SessionArgument } = {},
): Promise<number> {
  const { out, signal, places } = call;
  const argument = fixed.argument ?? (await sessionArgument(call.args[0], places, call));
  const { file, place } = argument;
  const { session, foreign, close } = await openToLook(argument, call, "keep");
  const progress = new StatusLine();
  let temporary: TemporaryFolder | undefined;
  try {
    temporary = temporaryFolder("export");
    const folder = temporary.path;
    const leafId = session.getLeafId();
    if (place !== undefined) session.branch(placeIn(session, place));
    const wished = withBranchPlace(session, call, exportOptions(call, session, fixed));
    refuseOwnFile(wished, foreign?.files ?? [file]);
    if (session.getLeafId() === null && (wished.scope !== "all" || session.getCounts().entries === 0)) {
      throw new ExportError("no-content", "Nothing to export there", {
        hint: "Choose --scope all, or another session: bough ls",
      });
    }
    const now = call.now();
    // Read it here, it is this session; opened with Bough, it is another one.
    const id = wished.format === "jsonl" ? randomUUID() : session.getSessionId();
    const onProgress = (entries: number) => progress.tell(() => `Scanning for secrets: ${entries} entries`);
    const title = session.getSessionName() ?? foreign?.title;
    const homes = { sessionCwd: session.getCwd(), cwd: places.cwd, home: boughHome() };
    const fileDiffs = wished.format === "jsonl" ? undefined : stepDiffs(homes);
    const stage = { session, leafId, title, options: wished, id, now, folder, signal, onProgress, fileDiffs };
    const staged = await stageExport(stage);
    progress.clear();
    const wish = withMaskedName(wished, call, { session, title: staged.title });
    if (!out.json)
      sayWhatLeaves(call, {
        // A title can hold what was masked: it may be the first prompt.
        title: title === undefined ? sessionTitle(session, foreign) : firstWords(staged.title, 80),
        all: session.getCounts(),
        wish,
        staged,
      });
    const { format, scope } = wish;
    const target = targetOf(wish, call);
    const made = { staged: staged.file, title: staged.title, folder };
    const bytes = await writeExport({ format, scope, ...made, now, signal, target });
    report(call, { wish, staged, bytes, facts: sessionFacts(session, foreign) });
    return 0;
  } finally {
    progress.clear();
    close();
    temporary?.remove();
  }
}

/** A file, standard output, or with `--dry-run` nothing. */
function targetOf({ file, replace, dryRun }: ExportOptions, { out }: SubcommandCall): WriteRequest["target"] {
  if (dryRun) return undefined;
  if (file !== undefined) return { file, existing: replace ? "replace" : "refuse" };
  return (made) => out.raw(out.isTerminal ? shown(made) : createReadStream(made));
}

/** For a terminal, which obeys control characters; a file or a pipe gets every byte. */
async function* shown(file: string): AsyncGenerator<string> {
  for await (const text of createReadStream(file, "utf8")) yield withoutControls(text as string);
}

/** Not even with `--force`: a session is only ever added to. */
function refuseOwnFile({ file, dryRun }: ExportOptions, sources: readonly string[]): void {
  if (file === undefined || dryRun || !existsSync(file)) return;
  const target = realpathSync(file);
  if (!sources.some((source) => existsSync(source) && realpathSync(source) === target)) return;
  throw new ExportError("export-failed", `${file} is the session itself`, {
    data: { file },
    hint: "Choose another name with -o.",
  });
}

interface Leaving {
  readonly title: string;
  readonly all: { readonly entries: number; readonly branches: number };
  readonly wish: ExportOptions;
  readonly staged: StagedExport;
}

/** `--scope branch`: from where the branch begins that the session is on. */
function withBranchPlace(session: SessionManager, { flags }: SubcommandCall, wish: ExportOptions): ExportOptions {
  if (flags.text("scope") !== "branch") return wish;
  const { scope, entryId } = exportPlace(session, "branch");
  if (entryId !== undefined) session.branch(entryId);
  return { ...wish, scope };
}

const SCOPES: Readonly<Record<Scope, string>> = {
  path: "one path, from the start",
  subtree: "an entry and everything below it",
  all: "every branch",
};

function sayWhatLeaves({ out }: SubcommandCall, { title, all, wish, staged }: Leaving): void {
  const { findings } = staged;
  out.notice(
    `Export of "${title}": ${SCOPES[wish.scope]}; ${staged.entries} of ${counted(all.entries, "entry", "entries")}`,
  );
  if (findings.length === 0) out.notice("No secrets found. Review the file before sharing; the scan can miss things.");
  else
    out.notice(`${counted(findings.length, "value")} in it ${findings.length === 1 ? "looks" : "look"} like a secret:`);
  for (const { number, title: what, place, line, entryId, excerpt, count, kept } of findings) {
    const where = entryId === undefined ? place : `${place}, line ${line}, entry ${entryId}`;
    const often = count === 1 ? "" : `, ${count} times`;
    out.notice(`  ${kept ? "KEPT  " : "masked"}  ${number}  ${what}: ${where}${often}`);
    out.notice(`             ${excerpt}`);
  }
  if (findings.some(({ kept }) => !kept)) out.notice("  To keep one unmasked, pass --keep and its number.");
}

function report(
  { out }: SubcommandCall,
  done: { wish: ExportOptions; staged: StagedExport; bytes: number; facts: object },
): void {
  const { wish, staged, bytes, facts } = done;
  const { format, scope, file, dryRun } = wish;
  if (out.json) {
    const { file: _made, title: _title, ...rest } = staged;
    const value = { session: facts, file: dryRun ? null : (file ?? null), format, scope, bytes, ...rest };
    if (file === undefined && !dryRun) process.stderr.write(`${safeJson(value)}\n`);
    else out.value(value);
    return;
  }
  const size = shortBytes(bytes);
  const line = dryRun
    ? `Would write ${size} to ${file ?? "standard output"}; nothing was written`
    : `Wrote ${file ?? "to standard output"} (${size}, ${counted(staged.entries, "entry", "entries")})`;
  const notices = [line, ...outcomes(staged)];
  for (const text of notices) {
    if (file === undefined) out.notice(text);
    else out.line(text);
  }
}

function outcomes({ masked, shortened, leftOut, findings }: StagedExport): string[] {
  const kept = findings.filter((finding) => finding.kept).length;
  const said = [
    masked > 0 ? `masked in ${counted(masked, "place")}` : "",
    kept > 0 ? `${counted(kept, "value")} that may be a secret not masked, as requested` : "",
    shortened > 0 ? `the home folder written as ~ in ${counted(shortened, "place")}` : "",
  ].filter((part) => part !== "");
  const out = [
    leftOut.images > 0 ? counted(leftOut.images, "image") : "",
    leftOut.toolOutputs > 0 ? counted(leftOut.toolOutputs, "tool output") : "",
    leftOut.systemPrompts > 0 ? counted(leftOut.systemPrompts, "system prompt") : "",
    leftOut.originals > 0
      ? counted(leftOut.originals, "original record from another agent", "original records from another agent")
      : "",
    leftOut.unreadable > 0 ? counted(leftOut.unreadable, "unreadable line") : "",
  ].filter((part) => part !== "");
  const lines = said.length === 0 ? [] : [`  ${said.join(", ")}`];
  return out.length === 0 ? lines : [...lines, `  left out: ${out.join(", ")}`];
}

/** The steps of an export: choose, find secrets, say what will be included, write, report. */
import { createReadStream } from "node:fs";
import { boughHome } from "@bough/session/session/index.js";
import { counted, firstWords, shortBytes, withoutControls } from "@bough/session/text/index.js";
import { stepDiffs } from "@bough/workbench/checkpoint/index.js";
import {
  type ExportRequest,
  type ExportStaged,
  exportSession as exportSessionAs,
} from "@bough/workbench/export/index.js";
import { findEntry } from "@bough/workbench/find/index.js";
import { storedContents } from "@bough/workbench/store/door.js";
import { safeJson } from "../../safe-json.js";
import { openToLook } from "../open-to-look.js";
import { type SessionArgument, sessionArgument } from "../session-argument.js";
import { type SessionFacts, sessionFacts, sessionTitle } from "../session-facts.js";
import { StatusLine } from "../status-line.js";
import type { SubcommandCall } from "../subcommand.js";
import { type ExportOptions, exportOptions, type FixedOptions, withFlags } from "./export-options.js";

export async function exportSession(
  call: SubcommandCall,
  fixed: FixedOptions & { readonly argument?: SessionArgument } = {},
): Promise<number> {
  const { out, signal, places, now } = call;
  const argument = fixed.argument ?? (await sessionArgument(call.args[0], places, call));
  const { file, place } = argument;
  const { session, foreign, close } = await openToLook(argument, call, "keep");
  const progress = new StatusLine();
  try {
    const { goes, ...options } = exportOptions(call, fixed);
    const entryId = place === undefined ? undefined : findEntry(session, place);
    const title = session.getSessionName() ?? foreign?.title;
    const home = boughHome();
    const homes = { sessionCwd: session.getCwd(), cwd: places.cwd, home, contents: storedContents(home) };
    let staged: ExportStaged | undefined;
    const { bytes } = await exportSessionAs(session, {
      ...options,
      entryId,
      title,
      instead: insteadOf(goes, call),
      sources: foreign?.files ?? [file],
      fileDiffs: stepDiffs(homes),
      now,
      signal,
      onProgress: (entries) => progress.tell(() => `Scanning for secrets: ${entries} entries`),
      onStaged: (made) => {
        progress.clear();
        staged = made;
        // The title may contain what was masked, because it may be the first prompt.
        const shown = title === undefined ? sessionTitle(session, foreign) : firstWords(made.title, 80);
        if (!out.json) sayWhatLeaves(call, { title: shown, all: session.getCounts(), staged: made });
      },
    });
    if (staged === undefined) throw new Error("bug: exported without being staged");
    report(call, { goes, format: options.format, staged, bytes, facts: sessionFacts(session, foreign) });
    return 0;
  } catch (error) {
    throw withFlags(error);
  } finally {
    progress.clear();
    close();
  }
}

/** Standard output, or with `--dry-run` nothing. */
function insteadOf(goes: ExportOptions["goes"], { out }: SubcommandCall): ExportRequest["instead"] {
  if (goes === "to-file") return undefined;
  return goes === "nowhere" ? goes : (made) => out.raw(out.isTerminal ? shown(made) : createReadStream(made));
}

/** Terminals interpret control characters, so they are removed; a file or a pipe gets every byte. */
async function* shown(file: string): AsyncGenerator<string> {
  for await (const text of createReadStream(file, "utf8")) yield withoutControls(text as string);
}

interface Leaving {
  readonly title: string;
  readonly all: { readonly entries: number; readonly branches: number };
  readonly staged: ExportStaged;
}

const SCOPES: Readonly<Record<ExportStaged["scope"], string>> = {
  path: "one path, from the start",
  subtree: "an entry and everything below it",
  all: "every branch",
};

function sayWhatLeaves({ out }: SubcommandCall, { title, all, staged }: Leaving): void {
  const { findings } = staged;
  out.notice(
    `Export of "${title}": ${SCOPES[staged.scope]}; ${staged.entries} of ${counted(all.entries, "entry", "entries")}`,
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

interface Done extends Pick<ExportOptions, "goes" | "format"> {
  readonly staged: ExportStaged;
  readonly bytes: number;
  readonly facts: SessionFacts;
}

function report({ out, flags }: SubcommandCall, { goes, format, staged, bytes, facts }: Done): void {
  const dryRun = goes === "nowhere";
  const file = flags.text("output") === "-" ? undefined : staged.target;
  if (out.json) {
    const { file: _made, title: _title, target: _target, scope, ...rest } = staged;
    const value = { session: facts, file: dryRun ? null : (file ?? null), format, scope, bytes, ...rest };
    if (goes === "to-stdout") process.stderr.write(`${safeJson(value)}\n`);
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

function outcomes({ masked, shortened, leftOut, findings }: ExportStaged): string[] {
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

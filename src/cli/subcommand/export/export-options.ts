/** What an export should be, from the command line. */
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ExportError } from "../../../entry/index.js";
import {
  defaultExportScope,
  type ExportFormat,
  type ExportScope,
  exportFormatOf,
  type StageOptions,
  suggestedExportName,
} from "../../../export/index.js";
import type { SessionManager } from "../../../session/index.js";
import { usageError } from "../../cli-error.js";
import type { SubcommandCall } from "../subcommand.js";

export type Scope = StageOptions["scope"];

export interface ExportOptions extends StageOptions {
  readonly format: ExportFormat;
  /** Undefined is standard output. */
  readonly file: string | undefined;
  readonly replace: boolean;
  readonly dryRun: boolean;
}

export interface FixedOptions {
  readonly format?: ExportFormat;
  /** The scope without a flag. */
  readonly scope?: Scope;
}

/** `fixed` is what the command itself says, before any flag. */
export function exportOptions(
  { flags, places, out }: Pick<SubcommandCall, "flags" | "places" | "out">,
  session: SessionManager,
  fixed: FixedOptions = {},
): ExportOptions {
  const output = flags.text("output");
  const toStdout = output === "-";
  const format =
    fixed.format ??
    (flags.text("format") as ExportFormat | undefined) ??
    (output === undefined || toStdout ? undefined : exportFormatOf(output)) ??
    "html";
  if (toStdout && format === "html" && out.isTerminal) {
    throw usageError("Refusing to write HTML to a terminal", "Choose --format markdown, or a file with -o.");
  }
  const wish: ExportOptions = {
    format,
    scope: scopeOf(flags) ?? fixed.scope ?? defaultExportScope(format),
    file: toStdout ? undefined : resolve(places.cwd, output ?? suggestedExportName(session, format)),
    replace: flags.isOn("force"),
    dryRun: flags.isOn("dry-run"),
    keep: flags.isOn("no-redact") ? "all" : numbersIn(flags.all("keep")),
    keepHome: flags.isOn("keep-home") || flags.isOn("no-redact"),
    leaveOut: {
      images: flags.isOn("no-images"),
      toolOutputs: flags.text("tools") === "names",
      systemPrompts: !flags.isOn("system-prompt"),
    },
  };
  checkTarget(wish);
  return wish;
}

/** `branch` is decided by the caller, which knows where the session is. */
function scopeOf(flags: SubcommandCall["flags"]): Scope | undefined {
  const scope = flags.text("scope") as ExportScope | undefined;
  if (!flags.isOn("all")) return scope === "branch" ? "subtree" : scope;
  if (scope !== undefined && scope !== "all") throw usageError("--all and --scope conflict", "Pass one of them.");
  return "all";
}

/** A file that is named after the session must not tell what was masked in it. */
export function withMaskedName(
  wish: ExportOptions,
  { flags, places }: Pick<SubcommandCall, "flags" | "places">,
  { session, title }: { readonly session: SessionManager; readonly title: string },
): ExportOptions {
  const name = session.getSessionName();
  if (flags.text("output") !== undefined || name === undefined || name === title) return wish;
  const named = { getSessionId: () => session.getSessionId(), getSessionName: () => title };
  const renamed = { ...wish, file: resolve(places.cwd, suggestedExportName(named, wish.format)) };
  checkTarget(renamed);
  return renamed;
}

/** Before anything is read: a scan can take long, and be for nothing. */
function checkTarget({ file, replace, dryRun }: ExportOptions): void {
  if (file === undefined || dryRun) return;
  if (!existsSync(file)) return;
  const there = statSync(file);
  if (there.isDirectory()) {
    throw new ExportError("export-failed", `Not a file, but a folder: ${file}`, {
      data: { file },
      hint: `Name a file: -o ${join(file, "session.html")}`,
    });
  }
  if (!there.isFile()) {
    throw new ExportError("export-failed", `Not a regular file: ${file}`, {
      data: { file },
      hint: "Name a file with -o; -o - writes to standard output.",
    });
  }
  if (!replace) {
    throw new ExportError("export-failed", `File already exists: ${file}`, {
      data: { file },
      hint: "Choose another name with -o, or pass --force to overwrite.",
    });
  }
}

function numbersIn(values: readonly string[]): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const value of values.flatMap((text) => text.split(","))) {
    if (!/^[1-9]\d{0,6}$/.test(value.trim())) {
      throw usageError(`--keep needs the number of a finding, not ${value}`, "--dry-run lists the numbers.");
    }
    numbers.add(Number(value));
  }
  return numbers;
}

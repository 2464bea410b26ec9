/** Builds the options of an export from the command line. */
import { join, resolve } from "node:path";
import { ExportError } from "@bough/session/entry/index.js";
import {
  type ExportFormat,
  type ExportRequest,
  type ExportScope,
  exportFormatOf,
  type LeaveOutOptions,
} from "@bough/workbench/export/index.js";
import { usageError } from "../../cli-error.js";
import type { SubcommandCall } from "../subcommand.js";

/** The defaults of the command, before any flag. */
export interface FixedOptions {
  readonly format?: ExportFormat;
  /** The default scope. */
  readonly scope?: ExportScope;
}

type AskedFor = "format" | "scope" | "file" | "folder" | "existing" | "secrets" | "keep" | "keepHome";

export interface ExportOptions extends Pick<ExportRequest, AskedFor> {
  readonly leaveOut: LeaveOutOptions;
  /** `nowhere`: a dry run. */
  readonly goes: "to-file" | "to-stdout" | "nowhere";
}

export function exportOptions(
  { flags, places, out }: Pick<SubcommandCall, "flags" | "places" | "out">,
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
  const scope = scopeOf(flags) ?? fixed.scope;
  const masks = !flags.isOn("no-redact");
  return {
    format,
    scope,
    ...(output === undefined || toStdout ? { folder: places.cwd } : { file: resolve(places.cwd, output) }),
    goes: flags.isOn("dry-run") ? "nowhere" : toStdout ? "to-stdout" : "to-file",
    existing: flags.isOn("force") ? "replace" : "refuse",
    secrets: masks ? "mask" : "keep",
    keep: masks ? numbersIn(flags.all("keep")) : undefined,
    keepHome: flags.isOn("keep-home") || !masks,
    leaveOut: {
      images: flags.isOn("no-images"),
      toolOutputs: flags.text("tools") === "names",
      systemPrompts: !flags.isOn("system-prompt"),
    },
  };
}

function scopeOf(flags: SubcommandCall["flags"]): ExportScope | undefined {
  const scope = flags.text("scope") as ExportScope | undefined;
  if (!flags.isOn("all")) return scope;
  if (scope !== undefined && scope !== "all") throw usageError("--all and --scope conflict", "Pass one of them.");
  return "all";
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

/** The same failure in terms of the command line: which flag helps. */
export function withFlags(error: unknown): unknown {
  if (!(error instanceof ExportError)) return error;
  const { code, data } = error;
  if (code === "no-content") {
    const hint = "Choose --scope all, or another session: bough ls";
    return new ExportError(code, "Nothing to export there", { hint, cause: error });
  }
  const file = String(data.file);
  const told: Readonly<Record<string, readonly [message: string, hint: string]>> = {
    own: [`${file} is the session itself`, "Choose another name with -o."],
    folder: [`Not a file, but a folder: ${file}`, `Name a file: -o ${join(file, "session.html")}`],
    special: [`Not a regular file: ${file}`, "Name a file with -o; -o - writes to standard output."],
    exists: [`File already exists: ${file}`, "Choose another name with -o, or pass --force to overwrite."],
  };
  const [message, hint] = told[String(data.reason)] ?? [];
  return message === undefined || hint === undefined
    ? error
    : new ExportError(code, message, { data, hint, cause: error });
}

/** The form of /export: format, part, file name, and what leaves this machine with it. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import {
  EXPORT_FORMATS,
  EXPORT_SCOPES,
  type ExportFormat,
  type ExportScope,
  exportFormatOf,
  suggestedExportName,
} from "../../agent/index.js";
import type { SessionManager } from "../../session/index.js";

export interface ExportWish {
  readonly format: ExportFormat;
  readonly scope: ExportScope;
  /** Absolute. */
  readonly file: string;
}

/** What the person has chosen so far. The ending of the name and the format always agree. */
export class ExportForm {
  readonly #session: SessionManager;
  readonly #cwd: string;
  #format: ExportFormat;
  #scope: ExportScope = "path";
  #name: string;

  constructor(session: SessionManager, { cwd, file }: { readonly cwd: string; readonly file?: string | undefined }) {
    this.#session = session;
    this.#cwd = cwd;
    const wanted = file === undefined ? undefined : exportFormatOf(file);
    this.#format = wanted === "jsonl" || wanted === "markdown" ? wanted : "markdown";
    this.#name = file ?? suggestedExportName(session, this.#format);
  }

  get format(): ExportFormat {
    return this.#format;
  }

  get scope(): ExportScope {
    return this.#scope;
  }

  get name(): string {
    return this.#name;
  }

  /** Another name; where its ending is that of a format, that is the format. */
  rename(name: string): void {
    this.#name = name;
    const format = exportFormatOf(name);
    if (format === "jsonl" || format === "markdown") this.#format = format;
  }

  changeFormat(step: 1 | -1): void {
    this.#format = around(EXPORT_FORMATS, this.#format, step);
    const ending = this.#format === "jsonl" ? ".jsonl" : ".md";
    this.#name = `${this.#name.replace(/\.(jsonl|md|markdown|html?)$/i, "")}${ending}`;
  }

  changeScope(step: 1 | -1): void {
    this.#scope = around(EXPORT_SCOPES, this.#scope, step);
  }

  /** Why it cannot be written as it is; undefined where it can. */
  get problem(): string | undefined {
    if (this.#name.trim() === "") return "The file needs a name.";
    const format = exportFormatOf(this.#name.trim());
    if (format === "html") return "HTML export is not there yet. A name ending in .md or .jsonl works.";
    if (format === undefined) return "The name has to end in .md or .jsonl, so that others know what it is.";
    return undefined;
  }

  wish(): ExportWish {
    const name = this.#name.trim();
    const path = name.startsWith("~/") ? `${homedir()}${name.slice(1)}` : name;
    return { format: this.#format, scope: this.#scope, file: resolve(this.#cwd, path) };
  }

  /** What is in the file, as sentences: nobody should find out afterwards. */
  consequences(): readonly string[] {
    const { branches, entries } = this.#session.getCounts();
    const all = this.#scope === "all";
    const part = {
      path: "What was said from the first prompt to here.",
      branch:
        this.#format === "jsonl"
          ? "What was said since this branch began, and whatever hangs below it."
          : "What was said since this branch began, to here.",
      all: `All ${entries} entries of ${branches === 1 ? "the one branch" : `all ${branches} branches`}, those you left included.`,
    }[this.#scope];
    const format =
      this.#format === "jsonl"
        ? "As Bough stores it, so that it can be opened again: thinking, images, labels, the name of this folder."
        : "To read: prompts, answers, tool calls and results. Thinking and images stay out.";
    const secrets =
      "Text of files that were read and output of commands are in it, secrets included. Nothing is cleaned.";
    const own = `The file is readable by you alone${all ? "; look through it before you pass it on" : ""}.`;
    return [part, format, secrets, own];
  }
}

function around<Value>(values: readonly Value[], value: Value, step: 1 | -1): Value {
  return values[(values.indexOf(value) + step + values.length) % values.length] as Value;
}

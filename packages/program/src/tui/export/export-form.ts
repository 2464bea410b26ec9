/** The form of /export: format, part, file name, and what the file will contain. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { SessionManager } from "@bough/session/session/index.js";
import { nextOf } from "@bough/session/text/index.js";
import {
  defaultExportScope,
  EXPORT_FORMATS,
  type ExportFormat,
  exportFormatOf,
  suggestedExportName,
} from "@bough/workbench/export/index.js";

interface ExportOptions {
  readonly format: ExportFormat;
  readonly scope: ExportScope;
  /** Absolute. */
  readonly file: string;
}

/** The user's choices so far. The extension of the name always matches the format. */
export class ExportForm {
  readonly #session: SessionManager;
  readonly #cwd: string;
  #format: ExportFormat;
  /** Undefined until the user chooses: each format has a default part. */
  #chosen: ExportScope | undefined;
  #name: string;

  constructor(session: SessionManager, { cwd, file }: { readonly cwd: string; readonly file?: string | undefined }) {
    this.#session = session;
    this.#cwd = cwd;
    const wanted = file === undefined ? undefined : exportFormatOf(file);
    this.#format = wanted ?? "html";
    this.#name = file ?? suggestedExportName(session, this.#format);
  }

  get format(): ExportFormat {
    return this.#format;
  }

  get scope(): ExportScope {
    return this.#chosen ?? defaultExportScope(this.#format);
  }

  get name(): string {
    return this.#name;
  }

  /** Changes the name; a known extension selects the format. */
  rename(name: string): void {
    this.#name = name;
    this.#format = exportFormatOf(name) ?? this.#format;
  }

  changeFormat(step: 1 | -1): void {
    this.#format = nextOf(EXPORT_FORMATS, this.#format, step);
    this.#name = `${this.#name.replace(/\.(jsonl|md|markdown|html?)$/i, "")}${ENDINGS[this.#format]}`;
  }

  changeScope(step: 1 | -1): void {
    this.#chosen = nextOf(SCOPES, this.scope, step);
  }

  /** Why the file cannot be written like this; undefined if it can. */
  get problem(): string | undefined {
    if (this.#name.trim() === "") return "The file needs a name.";
    const format = exportFormatOf(this.#name.trim());
    if (format === undefined) return "The file name must end in .html, .md or .jsonl.";
    return undefined;
  }

  options(): ExportOptions {
    const name = this.#name.trim();
    const path = name.startsWith("~/") ? `${homedir()}${name.slice(1)}` : name;
    return { format: this.#format, scope: this.scope, file: resolve(this.#cwd, path) };
  }

  /** Says what the file will contain, so that no one finds out too late. */
  consequences(): readonly string[] {
    const { branches, entries } = this.#session.getCounts();
    const all = this.scope === "all";
    const part = {
      path: "Everything from the first prompt to here.",
      branch: "Everything since this branch started, and everything below it.",
      all: `All ${entries} entries of ${branches === 1 ? "the one branch" : `all ${branches} branches`}, including abandoned ones.`,
    }[this.scope];
    const format = {
      html: "One HTML page with the tree; works offline. Includes thinking, tools and images.",
      jsonl: "Bough's own format, which can be opened again. Includes thinking, images, labels and this folder's name.",
      markdown: "Prompts, answers, tool calls and results, for reading. Without thinking and images.",
    }[this.#format];
    const secrets =
      "Includes file contents and command output. Values that look like secrets are masked, but no scan finds everything.";
    const own = `Only you can read the file${all ? "; review it before sharing" : ""}.`;
    return [part, format, secrets, own];
  }
}

const ENDINGS: Readonly<Record<ExportFormat, string>> = { html: ".html", jsonl: ".jsonl", markdown: ".md" };
const SCOPES = ["path", "branch", "all"] as const;
type ExportScope = (typeof SCOPES)[number];

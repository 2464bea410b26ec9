/** Completions in the editor: commands with their arguments, and files after `@`. */

import { firstWords } from "@bough/session/text/index.js";
import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from "@earendil-works/pi-tui";
import type { Completion } from "../../../command/index.js";
import type { ProjectFiles } from "./project-files.js";
import { rankFiles } from "./rank-files.js";

export interface ChatCompletionOptions {
  /** For the part of a slash-command line before the cursor; `from` is where the value starts. */
  readonly completeCommand: (
    line: string,
  ) => Promise<{ readonly from: number; readonly items: readonly Completion[] } | undefined>;
  readonly files: Pick<ProjectFiles, "list">;
  /** Resources of MCP servers, as `server:uri`. */
  readonly resources?: () => readonly Completion[];
}

/** What Enter does. `name`: completes it and sends. `argument`: sends the text as is. `file`: completes it. */
type CompletionKind = "name" | "argument" | "file";

const MOST = 50;
const AFTER_AT = /(?:^|[\s(])@("[^"]*|[^\s"]*)$/;

export class ChatCompletion implements AutocompleteProvider {
  readonly #options: ChatCompletionOptions;
  #kind: CompletionKind = "file";
  /** The text before the cursor when the last list was requested. */
  #before = "";

  constructor(options: ChatCompletionOptions) {
    this.#options = options;
  }

  /** What kind of items the last list contained. */
  get kind(): CompletionKind {
    return this.#kind;
  }

  async getSuggestions(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    { force }: { readonly signal: AbortSignal; readonly force?: boolean },
  ): Promise<AutocompleteSuggestions | null> {
    const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
    const found = await this.#found(before, { firstLine: cursorLine === 0, force: force === true });
    if (found !== null) this.#before = before;
    return found;
  }

  #found(
    before: string,
    { firstLine, force }: { readonly firstLine: boolean; readonly force: boolean },
  ): Promise<AutocompleteSuggestions | null> {
    const file = AFTER_AT.exec(before)?.[1];
    if (file !== undefined) return this.#files(file, "@");
    if (firstLine && before.startsWith("/")) return this.#command(before);
    if (!force) return Promise.resolve(null);
    return this.#files(/[^\s]*$/.exec(before)?.[0] ?? "", "");
  }

  applyCompletion(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    item: AutocompleteItem,
    prefix: string,
  ): { lines: string[]; cursorLine: number; cursorCol: number } {
    const line = lines[cursorLine] ?? "";
    // A fast typist is ahead of the list, which was made for a shorter text.
    if (line.slice(0, cursorCol) !== this.#before) return { lines, cursorLine, cursorCol };
    const rest = line.slice(cursorCol);
    const goesOn = item.value.endsWith("/") || rest.startsWith(" ");
    const start = `${line.slice(0, cursorCol - prefix.length)}${item.value}${goesOn ? "" : " "}`;
    const changed = [...lines];
    changed[cursorLine] = start + rest;
    return { lines: changed, cursorLine, cursorCol: start.length };
  }

  shouldTriggerFileCompletion(lines: string[], cursorLine: number, cursorCol: number): boolean {
    return (lines[cursorLine] ?? "").slice(0, cursorCol).trim() !== "";
  }

  async #command(before: string): Promise<AutocompleteSuggestions | null> {
    const found = await this.#options.completeCommand(before);
    if (found === undefined) return null;
    const isName = !before.includes(" ");
    // The library treats a list whose items start with a slash as commands.
    const slash = isName && found.from > 0 ? "/" : "";
    const prefix = slash + before.slice(found.from);
    const items = found.items.slice(0, MOST).map((item) => shownItem(item, slash));
    if (items.length === 0 || (items.length === 1 && items[0]?.value === prefix && !isName)) return null;
    this.#kind = isName ? "name" : "argument";
    return { items, prefix };
  }

  async #files(typed: string, sign: "@" | ""): Promise<AutocompleteSuggestions | null> {
    const wanted = typed.replace(/^"/, "");
    const paths = rankFiles(await this.#options.files.list(), wanted, MOST);
    const resources = sign === "" ? [] : this.#resources(wanted);
    if (paths.length + resources.length === 0) return null;
    this.#kind = "file";
    const items = paths.map((path) => ({
      value: sign + (/\s/.test(path) ? `"${path}"` : path),
      label: firstWords(path),
    }));
    return { items: [...resources, ...items], prefix: sign + typed };
  }

  /** Only after a server's name was typed, because files are wanted most of the time. */
  #resources(wanted: string): AutocompleteItem[] {
    const all = wanted.length < 2 ? [] : (this.#options.resources?.() ?? []);
    const found = all.filter(({ value }) => value.toLowerCase().startsWith(wanted.toLowerCase()));
    return found.slice(0, MOST).map((item) => shownItem(item, "@"));
  }
}

function shownItem({ value, label, description }: Completion, slash: string): AutocompleteItem {
  return {
    value: slash + value,
    label: firstWords(label ?? slash + value, 120),
    description: description && firstWords(description, 200),
  };
}

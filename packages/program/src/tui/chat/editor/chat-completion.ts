/** What the editor offers while a user writes: commands with their arguments, and files after `@`. */

import { firstWords } from "@bough/session/text/index.js";
import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from "@earendil-works/pi-tui";
import type { Completion } from "../../../command/index.js";
import type { ProjectFiles } from "./project-files.js";
import { rankFiles } from "./rank-files.js";

export interface ChatCompletionOptions {
  /** For a line that begins with a slash, up to the cursor; `from` is where a value begins. */
  readonly completeCommand: (
    line: string,
  ) => Promise<{ readonly from: number; readonly items: readonly Completion[] } | undefined>;
  readonly files: Pick<ProjectFiles, "list">;
  /** What MCP servers have, as `server:uri`. */
  readonly resources?: () => readonly Completion[];
}

/** `name`: Enter takes it and sends. `argument`: Enter sends what is written. `file`: Enter takes it. */
type CompletionKind = "name" | "argument" | "file";

const MOST = 50;
const AFTER_AT = /(?:^|[\s(])@("[^"]*|[^\s"]*)$/;

export class ChatCompletion implements AutocompleteProvider {
  readonly #options: ChatCompletionOptions;
  #kind: CompletionKind = "file";
  /** What was before the cursor when the last list was asked for. */
  #before = "";

  constructor(options: ChatCompletionOptions) {
    this.#options = options;
  }

  /** What the list that was given last is a list of. */
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
    // A fast typist is ahead of the list: it was made for less text than there is now.
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
    // The editor takes a list whose words begin with a slash as one of commands.
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

  /** Only once the name of a server was typed: files are what people want most. */
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
    ...(description === undefined ? {} : { description: firstWords(description, 200) }),
  };
}

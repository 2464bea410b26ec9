/** The rows of the page: those of the terminal, with a search that looks at everything that was said. */
import type { SessionEntry } from "../../../entry/index.js";
import { type SearchWish, TreeModel } from "../../../view/index.js";
import { isSearched } from "../../../view/internal.js";
import type { PageSource } from "./page-source.js";

export class PageModel extends TreeModel {
  readonly #page: PageSource;

  constructor(source: PageSource) {
    super(source);
    this.#page = source;
  }

  /** What the search of this page looks at. Nothing is kept: a large file would be held twice. */
  override searchText(n: number, { parts, filter }: SearchWish): string {
    if (!isSearched(this.#page.tree.kindOf(n), filter)) return "";
    const label = this.labelled.has(n) ? this.#page.labelOf(n) : undefined;
    const labelText = label === undefined ? "" : `${label.label.toLowerCase()} `;
    const line = this.#page.lineAt(n);
    if (line === undefined) return labelText;
    const raw = line.toLowerCase();
    const isOut = parts.some((part) => !raw.includes(part) && !labelText.includes(part));
    return isOut ? "" : `${labelText}${saidIn(this.#page.entryAt(n)).toLowerCase()}`;
  }
}

const STRUCTURE: ReadonlySet<string> = new Set(["type", "id", "parentId", "timestamp", "role", "toolCallId", "api"]);

/** All texts of an entry but its structure and its pictures. */
function saidIn(entry: SessionEntry): string {
  const texts: string[] = [];
  const open: unknown[] = [entry];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === "string") texts.push(value);
    if (typeof value !== "object" || value === null) continue;
    if ("type" in value && value.type === "image") continue;
    const fields = Object.entries(value);
    for (let i = fields.length - 1; i >= 0; i--) {
      const [name, inner] = fields[i] as [string, unknown];
      if (!(STRUCTURE.has(name) && typeof inner === "string") && inner !== undefined) open.push(inner);
    }
  }
  return texts.join("\n");
}

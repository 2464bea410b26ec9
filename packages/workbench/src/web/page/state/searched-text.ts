/**
 * The text that the page searches: everything that was said. Not cached, because that would double the memory of a
 * large file.
 */
import type { SessionEntry } from "@bough/session/entry/index.js";
import type { SearchRequest, TreeModel } from "@bough/session/view/index.js";
import { isSearched } from "@bough/session/view/internal.js";
import type { PageSource } from "../data/page-source.js";

interface SearchedPage {
  readonly source: PageSource;
  readonly model: TreeModel;
}

/** In lower case; empty for an entry that cannot contain all parts. */
export function searchedText({ source, model }: SearchedPage, n: number, { parts, filter }: SearchRequest): string {
  if (!isSearched(source.tree.kindOf(n), filter)) return "";
  const label = model.labelled.has(n) ? source.labelOf(n) : undefined;
  const labelText = label === undefined ? "" : `${label.label.toLowerCase()} `;
  const line = source.lineAt(n);
  if (line === undefined) return labelText;
  const raw = line.toLowerCase();
  const isOut = parts.some((part) => !raw.includes(part) && !labelText.includes(part));
  return isOut ? "" : `${labelText}${saidIn(source.entryAt(n)).toLowerCase()}`;
}

const STRUCTURE: ReadonlySet<string> = new Set(["type", "id", "parentId", "timestamp", "role", "toolCallId", "api"]);

/** All texts of an entry except structural fields and images. */
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

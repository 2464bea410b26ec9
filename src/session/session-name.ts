import type { SessionEntry, SessionHeader, TitleLine } from "../entry/index.js";
import type { TreeIndex } from "../tree/index.js";

/** What a name is looked for in. */
interface NamedSession {
  readonly tree: TreeIndex;
  readonly header: SessionHeader;
  readonly index: { readonly title: TitleLine | undefined };
  entryAt(n: number): SessionEntry;
}

/** The name given last, in the session or by the sibling program's title. */
export function sessionName(store: NamedSession): string | undefined {
  const { nameEntries } = store.tree;
  for (let i = nameEntries.length - 1; i >= 0; i--) {
    const entry = store.entryAt(nameEntries[i] as number) as { readonly name?: unknown; readonly title?: unknown };
    const name = nonEmpty(entry.name) ?? nonEmpty(entry.title);
    if (name !== undefined) return name;
  }
  const slot = nonEmpty(store.index.title?.title);
  return slot ?? nonEmpty((store.header as { readonly title?: unknown }).title);
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** Trees for the tests of this room, written as drawings: only positions and kinds, no content. */
import { Kind, Role } from "../entry/index.js";
import { TreeIndex } from "./tree-index.js";

export interface DrawnTree {
  readonly tree: TreeIndex;
  /** The number of a name; -1 for an unknown name. */
  readonly n: (name: string) => number;
  /** Numbers as names in one string; `-` for -1. */
  readonly names: (numbers: ArrayLike<number>) => string;
}

/**
 * `a-b-c; b-d` is a chain and a second branch at `b`. A new name starts another root; a known one continues from its
 * entry. Entries are messages unless `kinds` says otherwise.
 */
export function drawTree(drawing: string, kinds: Readonly<Record<string, Kind>> = {}): DrawnTree {
  return treeOfRows(
    readDrawing(drawing).rows.map(({ name, parent }) => [name, parent]),
    kinds,
  );
}

export interface ReadDrawing {
  readonly rows: readonly { readonly name: string; readonly parent: string | null }[];
  /** The name marked `*`. */
  readonly leaf: string | null;
}

/** The entries of a drawing in file order, each once; the one marked `*` is the leaf. */
export function readDrawing(drawing: string): ReadDrawing {
  const parents = new Map<string, string | null>();
  let leaf: string | null = null;
  for (const chain of drawing.split(";")) {
    let parent: string | null = null;
    for (const drawn of chain.trim().split("-")) {
      const name = drawn.replace("*", "");
      if (drawn.endsWith("*")) leaf = name;
      if (!parents.has(name)) parents.set(name, parent);
      parent = name;
    }
  }
  return { rows: Array.from(parents, ([name, parent]) => ({ name, parent })), leaf };
}

/**
 * Like `drawTree`, row by row: names and the parents they claim, in file order. A name that is taken is a duplicate.
 */
export function treeOfRows(
  rows: readonly (readonly [name: string, parent: string | null])[],
  kinds: Readonly<Record<string, Kind>> = {},
): DrawnTree {
  const tree = new TreeIndex();
  for (const [i, [name, parent]] of rows.entries()) {
    const kind = kinds[name] ?? Kind.message;
    const entry = { kind, role: kind === Kind.message ? Role.user : Role.none, offset: i * 100, length: 99 };
    if (tree.add(name, parent, entry) >= 0) tree.addDuplicate(name, entry);
  }
  return {
    tree,
    n: (name) => tree.ids.findText(name),
    names: (numbers) => Array.from(numbers, (n) => (n < 0 ? "-" : tree.ids.textOf(n))).join(" "),
  };
}

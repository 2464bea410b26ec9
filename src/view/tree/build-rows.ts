/** From a session and what is opened in it to rows. Each open branch is a level; levels are put into each other here. */
import { type Level, levelRows } from "./level-rows.js";
import type { TreeReader } from "./tree-reader.js";
import type { TreeRow, TreeRows } from "./tree-row.js";
import type { TreeState } from "./tree-state.js";

export function buildRows(reader: TreeReader, state: TreeState): TreeRows {
  const rows: TreeRow[] = [];
  const isEmpty = reader.branches.count === 0 && (state.filter !== "all" || reader.source.tree.count === 0);
  if (isEmpty) return { rows, ...placesOf(rows) };
  const trunk: Level = { first: -1, end: reader.source.leaf, above: -1, rails: [] };
  // A search may open thousands of branches inside each other: a stack of our own, not the machine's (keeps I9).
  const stack = [{ rows: levelRows(reader, state, trunk), next: 0 }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const row = top.rows[top.next++];
    if (row === undefined) stack.pop();
    else {
      rows.push(row);
      if (row.kind === "side" && row.open)
        stack.push({ rows: levelRows(reader, state, insideOf(reader, row)), next: 0 });
    }
  }
  return { rows, ...placesOf(rows) };
}

function insideOf({ branches }: TreeReader, side: TreeRow): Level {
  return {
    first: side.n,
    end: branches.tipOf(branches.branchOf(side.n)),
    above: side.fork,
    rails: [...side.rails, !side.last],
  };
}

function placesOf(rows: readonly TreeRow[]): Pick<TreeRows, "places" | "entries"> {
  const places = new Map<string, number>();
  const entries = new Map<number, number>();
  for (const [place, row] of rows.entries()) {
    places.set(row.key, place);
    if (row.kind === "entry" || row.kind === "here") entries.set(row.n, place);
    // The first prompt of an open branch has no row but the branch's own.
    else if (row.kind === "side" && !entries.has(row.n)) entries.set(row.n, place);
  }
  return { places, entries };
}

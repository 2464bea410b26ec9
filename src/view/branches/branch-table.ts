/** The branch list for pipes: tab-separated, one branch a line, names first. */
import type { BranchRow } from "./branch-list.js";

export function branchTable(rows: readonly BranchRow[]): string {
  const lines = [["here", "number", "name", "from", "turns", "files", "last", "failed", "merged", "id"].join("\t")];
  for (const row of rows) {
    const cells = [
      row.here ? "@" : "",
      row.number,
      row.name,
      row.from ?? "start",
      row.turns,
      row.files ?? "",
      row.last === 0 ? "" : new Date(row.last).toISOString(),
      row.failed ? "failed" : "",
      row.merged ? "merged" : "",
      row.tipId,
    ];
    // A tab inside a text would make a column of its own.
    lines.push(cells.map((cell) => String(cell).replace(/\s+/g, " ")).join("\t"));
  }
  return `${lines.join("\n")}\n`;
}

/** The branch list for `--plain`: numbered lines of words, printed once. */
import { counted, longAge } from "../../text/index.js";
import type { BranchRow } from "../branches/branch-list.js";

/** The number of a line is the number of its branch. */
export function outlineBranches(rows: readonly BranchRow[], now: number): string[] {
  if (rows.length === 0) return ["No branches."];
  const here = rows.find((row) => row.here);
  const where = here === undefined ? "" : ` You are on branch ${here.number}, ${here.name}.`;
  const wide = rows.reduce((most, { number }) => Math.max(most, String(number).length), 1);
  return [
    `${counted(rows.length, "branch", "branches")}.${where}`,
    ...rows.map((row) => `${String(row.number).padStart(wide + 1)}  ${branchWords(row, now)}`),
  ];
}

function branchWords(row: BranchRow, now: number): string {
  const parts = [row.name];
  if (row.from === null) parts.push("from the start");
  else if (row.from !== "") parts.push(`from "${row.from.length > 60 ? `${row.from.slice(0, 57)}...` : row.from}"`);
  parts.push(counted(row.turns, "turn"));
  if (row.files !== undefined) parts.push(`${counted(row.files, "file")} changed`);
  if (row.last !== 0) parts.push(longAge(row.last, now));
  if (row.failed) parts.push("failed or stopped");
  if (row.merged) parts.push("merged");
  if (row.here) parts.push("you are here");
  return parts.join(", ");
}

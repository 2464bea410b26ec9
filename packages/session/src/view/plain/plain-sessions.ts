/** The list of sessions for `--plain`: numbered lines of text, printed once. */
import { counted, longAge, shortBytes } from "../../text/index.js";
import type { SessionRow } from "../sessions/session-rows.js";

/** Numbers start at 1. */
export function plainSessions(rows: readonly SessionRow[], now: number): string[] {
  if (rows.length === 0) return ["No sessions."];
  const wide = String(rows.length).length;
  return [
    `${counted(rows.length, "session")}.`,
    ...rows.map((row, index) => `${String(index + 1).padStart(wide + 1)}  ${sessionWords(row, now)}`),
  ];
}

function sessionWords(row: SessionRow, now: number): string {
  const parts = row.agent === "" ? [row.title] : [row.agent, row.title];
  if (row.folder !== "") parts.push(`in ${row.folder}`);
  if (row.messages !== undefined) parts.push(counted(row.messages, "message"));
  if (row.branches !== undefined) parts.push(counted(row.branches, "branch", "branches"));
  parts.push(shortBytes(row.size), longAge(row.modified, now));
  if (row.current) parts.push("open here");
  return parts.filter((part) => part !== "").join(", ");
}

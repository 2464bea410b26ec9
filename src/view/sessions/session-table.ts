/** The list of sessions for pipes: tab-separated, one session a line. */
import type { SessionRow } from "./session-rows.js";

export function sessionTable(rows: readonly SessionRow[]): string {
  const lines = [["name", "folder", "last", "messages", "branches", "bytes", "id", "file"].join("\t")];
  for (const row of rows) {
    const last = Number.isFinite(row.modified) ? new Date(row.modified).toISOString() : "";
    const cells = [row.title, row.folder, last, row.messages ?? "", row.branches ?? "", row.size, row.id, row.path];
    // A tab inside a text would make a column of its own.
    lines.push(cells.map((cell) => String(cell).replace(/\s+/g, " ")).join("\t"));
  }
  return `${lines.join("\n")}\n`;
}

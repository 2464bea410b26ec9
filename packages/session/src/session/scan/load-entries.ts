import { type FileEntry, parseSessionEntries } from "../../entry/index.js";
import { FileLog } from "../../log/index.js";
import { lineText } from "./line-text.js";

/**
 * The header and entries of a file as plain objects, not upgraded and without unreadable lines. Empty if the file does
 * not exist. Holds the whole session in memory; `SessionManager.open` does not.
 */
export function loadEntriesFromFile(path: string): FileEntry[] {
  let log: FileLog;
  try {
    log = new FileLog(path, { access: "read" });
  } catch {
    return [];
  }
  const entries: FileEntry[] = [];
  try {
    log.scan(0, (line) => {
      const complete = line.length === line.end - line.start;
      const bytes = complete ? line.bytes.subarray(line.start, line.end) : log.readAt(line.offset, line.length);
      for (const entry of parseSessionEntries(lineText(bytes) ?? "")) entries.push(entry);
    });
  } finally {
    log.close();
  }
  return entries;
}

import { callsIn, type FileDetails, resultIn, type SessionEntry } from "../../entry/index.js";
import { isRecord } from "../../text/index.js";

/**
 * Files the entries read and changed, by the tool calls `read`, `write` and `edit` and by the details of summaries that
 * represent earlier ones, so that the lists grow over compactions and branch summaries. Each file is named once,
 * sorted; one that was changed is not listed as read. Calls whose result is an error did nothing and do not count.
 */
export function filesTouched(entries: readonly SessionEntry[]): FileDetails {
  const failed = new Set<string>();
  for (const entry of entries) {
    const result = resultIn(entry);
    if (result?.isError === true) failed.add(result.toolCallId);
  }
  const read = new Set<string>();
  const modified = new Set<string>();
  for (const entry of entries) {
    const earlier = fileDetailsOf(entry);
    for (const path of earlier.readFiles) read.add(path);
    for (const path of earlier.modifiedFiles) modified.add(path);
    for (const call of callsIn(entry)) {
      const path = pathArgument(call.arguments);
      if (path === undefined || failed.has(call.id)) continue;
      if (call.name === "read") read.add(path);
      else if (call.name === "write" || call.name === "edit") modified.add(path);
    }
  }
  return {
    readFiles: [...read].filter((path) => !modified.has(path)).sort(),
    modifiedFiles: [...modified].sort(),
  };
}

/** The file lists in the details of a summary; empty if an extension put something else there. */
function fileDetailsOf(entry: SessionEntry): FileDetails {
  const summary = entry.type === "compaction" || entry.type === "branch_summary";
  const details: unknown = summary ? entry.details : undefined;
  if (!isRecord(details)) return { readFiles: [], modifiedFiles: [] };
  return { readFiles: strings(details.readFiles), modifiedFiles: strings(details.modifiedFiles) };
}

/** The blocks that end a summary. Empty if no file was touched. */
export function fileBlocks({ readFiles, modifiedFiles }: FileDetails): string {
  const blocks: string[] = [];
  if (readFiles.length > 0) blocks.push(`<read-files>\n${readFiles.join("\n")}\n</read-files>`);
  if (modifiedFiles.length > 0) blocks.push(`<modified-files>\n${modifiedFiles.join("\n")}\n</modified-files>`);
  return blocks.join("\n\n");
}

const PATH_ARGUMENTS = ["path", "file_path", "filePath"] as const;

function pathArgument(input: Readonly<Record<string, unknown>>): string | undefined {
  for (const name of PATH_ARGUMENTS) {
    const value = input[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

import { callsIn, type FileDetails, resultIn, type SessionEntry } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";

/**
 * Files that the entries read and changed, from the tool calls `read`, `write` and `edit` and from the details of
 * earlier summaries, so that the lists accumulate over compactions and branch summaries. Each file is listed once,
 * sorted; a changed file is not listed as read. Failed calls do not count.
 */
export function filesTouched(entries: Iterable<SessionEntry>): FileDetails {
  const files = new TouchedFiles();
  for (const entry of entries) files.add(entry);
  return files.details();
}

/** The same, entry by entry. */
export class TouchedFiles {
  readonly #failed = new Set<string>();
  readonly #read = new Set<string>();
  readonly #modified = new Set<string>();
  /** Keyed by file and action, because whether a call failed may only be known later. */
  readonly #calls: { readonly id: string; readonly path: string; readonly to: "read" | "modified" }[] = [];

  add(entry: SessionEntry): void {
    const result = resultIn(entry);
    if (result?.isError === true) this.#failed.add(result.toolCallId);
    const earlier = fileDetailsOf(entry);
    for (const path of earlier.readFiles) this.#read.add(path);
    for (const path of earlier.modifiedFiles) this.#modified.add(path);
    for (const { id, name, arguments: input } of callsIn(entry)) {
      const path = pathArgument(input);
      if (path === undefined) continue;
      if (name === "read") this.#calls.push({ id, path, to: "read" });
      else if (name === "write" || name === "edit") this.#calls.push({ id, path, to: "modified" });
    }
  }

  details(): FileDetails {
    const read = new Set(this.#read);
    const modified = new Set(this.#modified);
    for (const { id, path, to } of this.#calls) {
      if (!this.#failed.has(id)) (to === "read" ? read : modified).add(path);
    }
    return {
      readFiles: [...read].filter((path) => !modified.has(path)).sort(),
      modifiedFiles: [...modified].sort(),
    };
  }
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

/** Searches all sessions of a folder: bytes first; only lines that match are parsed. */

import { statSync } from "node:fs";
import { SessionError } from "../entry/index.js";
import { attempt, errorText } from "../text/index.js";
import { sessionsRoot } from "./locations.js";
import { type SessionFileStat, sessionFilesIn } from "./most-recent.js";
import type { SearchHit, SearchProblem } from "./search/search-hit.js";
import { planSearch, type SearchPlan } from "./search/search-plan.js";
import { projectFolders } from "./sessions-folder.js";

export interface SearchOptions {
  /**
   * Folders to search: the `.jsonl` files in them and in their direct subfolders, so either one project's folder or the
   * root of all. Without `dir` and `files`: all sessions.
   */
  readonly dir?: string | readonly string[];
  /** Additional files to search. */
  readonly files?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SearchProgress) => void;
  /** Stops after this many hits. */
  readonly limit?: number;
  /** Only messages with these roles; other entries match by their type: `["user", "compaction"]`. */
  readonly roles?: readonly string[];
  /** Default: case-insensitive. */
  readonly caseSensitive?: boolean;
  /** Longest excerpt, in UTF-16 units. Default 160. */
  readonly maxExcerpt?: number;
}

/** The progress of a search. Numbers only grow; when a search ends by itself, everything is done. */
export interface SearchProgress {
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly bytesDone: number;
  /** File sizes as of the start of the search. */
  readonly bytesTotal: number;
  /** What could not be searched so far. */
  readonly problems: readonly SearchProblem[];
}

const EXCERPT = 160;

/**
 * Yields the entries that match a query as they are found: newest file first, and in file order within a file. The
 * generator's return value is the last progress.
 *
 * **Queries.**
 * - `merge conflict`: words. An entry must contain all of them, in any order, also inside longer words. Unless
 *   `caseSensitive`, case is ignored in every script: Unicode's simple case folding, as in a regular expression with
 *   the flags `iu`. So `straße` finds STRAẞE but not STRASSE, and an accent written as a separate character does not
 *   match an accented letter.
 * - `"merge conflict"`: a phrase. A space in it matches any white space, including line breaks. `\"` is a quote; an
 *   unclosed phrase extends to the end. A quote inside a word is literal. Words and phrases can be mixed.
 * - `re:time(d )?out`: everything after `re:` is one JavaScript regular expression with the flag `u`, and `i` unless
 *   `caseSensitive`. It is matched against one line of text at a time, up to 32,768 units of it. An empty match does
 *   not count. A pattern can take exponential time; it runs in a worker if one can be started, and `signal` stops it
 *   there at any time.
 *
 * **Text.** What a user would have seen: messages, thinking, names of tools and values of their arguments, results,
 * shell commands and their output, summaries, extension messages, labels, session names; the parts of an entry are
 * separate lines. Never image data, IDs or JSON keys. A title in the header is not an entry: hits show it, but it is
 * not searched.
 *
 * **Guarantees.** Matching is done on the parsed text, regardless of how its JSON was written; the search on bytes only
 * decides what need not be parsed. Old files are searched as upgraded. A damaged line is not a hit and stops nothing. A
 * file or folder that cannot be read becomes a problem in the progress. Memory does not grow with the files: only a
 * matching line is held, and one longer than the runtime can hold as a string (512 MB) is a problem. Nothing is
 * written.
 *
 * Throws `bad-query` immediately, and `aborted` from the iteration after `signal` fires. However the iteration ends,
 * including by `break`, workers and descriptors are released.
 */
export function searchSessions(
  query: string,
  options: SearchOptions = {},
): AsyncGenerator<SearchHit, SearchProgress, undefined> {
  const { caseSensitive = false, maxExcerpt = EXCERPT, roles } = options;
  return hits(planSearch(query, { caseSensitive, maxExcerpt, roles }), options);
}

async function* hits(plan: SearchPlan, options: SearchOptions): AsyncGenerator<SearchHit, SearchProgress, undefined> {
  const { limit = Number.POSITIVE_INFINITY, signal, onProgress } = options;
  const problems: SearchProblem[] = [];
  const files = sessionFiles(foldersOf(options), options.files ?? [], problems);
  const bytesTotal = files.reduce((sum, file) => sum + file.size, 0);
  /** Total bytes of the finished files. */
  let before = 0;
  let progress: SearchProgress = {
    filesDone: 0,
    filesTotal: files.length,
    bytesDone: 0,
    bytesTotal,
    problems: [...problems],
  };
  let found = 0;
  if (found >= limit) return progress;
  // Imported late: it is a large part of this room, and most programs never search.
  const { searchFiles } = await import("./search/search-files.js");
  for await (const { file, step, last } of searchFiles({ files, plan, signal })) {
    const { size } = files[file] as { readonly size: number };
    if (step.problem !== undefined) problems.push(step.problem);
    // A file that grows during the search counts with its original size.
    const bytesDone = before + (last ? size : Math.min(step.done, size));
    if (last) before += size;
    progress = { ...progress, filesDone: file + (last ? 1 : 0), bytesDone, problems: [...problems] };
    onProgress?.(progress);
    for (const hit of step.hits) {
      if (signal?.aborted) throw new SessionError("aborted", "The search was stopped");
      yield hit;
      found += 1;
      if (found >= limit) return progress;
    }
  }
  return progress;
}

function foldersOf({ dir, files }: SearchOptions): readonly string[] {
  if (dir === undefined) return files === undefined ? [sessionsRoot()] : [];
  return typeof dir === "string" ? [dir] : dir;
}

/**
 * The `.jsonl` files in folders and their direct subfolders, plus the named ones, newest first, each once. Folders that
 * cannot be read become problems.
 */
function sessionFiles(
  folders: readonly string[],
  named: readonly string[],
  problems: SearchProblem[],
): SessionFileStat[] {
  const byPath = new Map<string, SessionFileStat>();
  const take = (folder: string, names?: readonly string[]) => {
    for (const file of sessionFilesIn(folder, names)) byPath.set(file.path, file);
  };
  const reportUnreadable = (error: unknown, path: string) => {
    const why = error instanceof SessionError ? error.cause : error;
    problems.push({ path, code: "read-failed", message: errorText(why) });
  };
  for (const root of folders) {
    try {
      take(root);
      for (const { folder, name, names } of projectFolders(root, reportUnreadable)) {
        if (!name.endsWith(".jsonl")) take(folder, names);
      }
    } catch (error) {
      reportUnreadable(error, root);
    }
  }
  for (const path of named) {
    const stats = attempt(() => statSync(path));
    // A missing file stays in the list, so that the search reports it.
    byPath.set(path, { path, size: stats?.size ?? 0, modifiedMs: stats?.mtimeMs ?? 0 });
  }
  return [...byPath.values()].sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? 1 : -1));
}

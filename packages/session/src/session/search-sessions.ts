/** Search over all sessions of a folder: bytes first, and only lines that hit are parsed. */

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
   * Folders whose `.jsonl` files are searched, and the folders right below them: a project's folder or the root of all.
   * Without `dir` and `files`: all sessions.
   */
  readonly dir?: string | readonly string[];
  /** Files to search as well. */
  readonly files?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SearchProgress) => void;
  /** Stops after this many hits. */
  readonly limit?: number;
  /** Only messages of these roles; entries that are not messages count by their type: `["user", "compaction"]`. */
  readonly roles?: readonly string[];
  /** Default: upper and lower case are the same. */
  readonly caseSensitive?: boolean;
  /** Longest excerpt, in UTF-16 units. Default 160. */
  readonly maxExcerpt?: number;
}

/** How far a search is. Numbers only grow; at the end of a search that was not cut short all is done. */
export interface SearchProgress {
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly bytesDone: number;
  /** As the files were when the search started. */
  readonly bytesTotal: number;
  /** What could not be searched so far. */
  readonly problems: readonly SearchProblem[];
}

const EXCERPT = 160;

/**
 * The entries that match a query, as they are found: newest file first, in the order of the file inside it. The
 * generator's return value is the last progress.
 *
 * **Queries.**
 * - `merge conflict`: words. An entry must contain all of them, in any order, also inside longer words. Upper
 *   and lower case are the same unless `caseSensitive`, in every script: Unicode's simple case folding, as in a regular
 *   expression with the flags `iu`. So `straße` finds STRAẞE but not STRASSE, and an accent written as a character of
 *   its own is not the same as an accented letter.
 * - `"merge conflict"`: a phrase. A blank in it represents any white space, line breaks included. `\"` is a quote; a
 *   phrase that is not closed goes to the end. A quote inside a word is itself. Words and phrases can be mixed.
 * - `re:time(d )?out`: everything after `re:` is one JavaScript regular expression with the flag `u`, and `i` unless
 *   `caseSensitive`. It sees one line of the text at a time and of a line the first 32,768 units. A match of nothing
 *   does not count. A pattern can take exponential time; it runs in a worker if one can be started, and `signal`
 *   stops it there at any time.
 *
 * **Text.** What a user would have seen: messages, thinking, names of tools and values of their arguments, results,
 * shell commands and their output, summaries, extension messages, labels, session names; the parts of an entry are
 * separate lines. Never image data, ids or keys of JSON. A title in the header is not an entry: hits show it, none is in it.
 *
 * **Promises.** The match is made on the parsed text, however its JSON was written; the search on bytes only decides
 * what need not be parsed. Old files are searched as their upgrade. A damaged line is not a hit and stops nothing. A file
 * or folder that cannot be read is a problem in the progress. Memory does not grow with the files: only a line that hits is held,
 * and one longer than the runtime can hold as a string (512 MB) is a problem. Nothing is written.
 *
 * Throws `bad-query` at once, and `aborted` from the iteration after `signal` fired. However the iteration ends, also by
 * `break`, workers and descriptors are gone then.
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
  /** Bytes of the files that are done. */
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
  // Only now: it is a good part of this room, and most programs never search.
  const { searchFiles } = await import("./search/search-files.js");
  for await (const { file, step, last } of searchFiles({ files, plan, signal })) {
    const { size } = files[file] as { readonly size: number };
    if (step.problem !== undefined) problems.push(step.problem);
    // A file that grows while it is searched counts as large as it was.
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
 * The `.jsonl` files in folders and in the folders right below them, and those named, newest first, each once. Folders that
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
  const closed = (error: unknown, path: string) => {
    const why = error instanceof SessionError ? error.cause : error;
    problems.push({ path, code: "read-failed", message: errorText(why) });
  };
  for (const root of folders) {
    try {
      take(root);
      for (const { folder, name, names } of projectFolders(root, closed)) {
        if (!name.endsWith(".jsonl")) take(folder, names);
      }
    } catch (error) {
      closed(error, root);
    }
  }
  for (const path of named) {
    const stats = attempt(() => statSync(path));
    // One that is not there stays in the list, so that the search can say so.
    byPath.set(path, { path, size: stats?.size ?? 0, modifiedMs: stats?.mtimeMs ?? 0 });
  }
  return [...byPath.values()].sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? 1 : -1));
}

/** Searches without ripgrep: same files, same results, but slower. */
import { lstat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createContext, Script } from "node:vm";
import { fileKind } from "../file/file-kind.js";
import { readHead } from "../file/read-head.js";
import { textLines } from "../file/text-lines.js";
import { isClosedTo } from "../path/allowed-path.js";
import { failureSentence, systemCode, ToolFailure } from "../tool-failure.js";
import { GrepCollector } from "./grep-collector.js";
import type { GrepOutcome, GrepRequest } from "./grep-request.js";
import { listFiles } from "./list-files.js";

/** Only this much of a line is searched. */
const MAX_SEARCHED_LENGTH = 1024 * 1024;

export async function grepWithoutRipgrep(request: GrepRequest): Promise<GrepOutcome> {
  const { root, rootIsFile, glob = "**", rules, place, signal } = request;
  const matcher = lineMatcher(request);
  const collector = new GrepCollector(request);
  const folder = rootIsFile ? dirname(root) : root;
  const isClosed = (path: string) => isClosedTo(root, { path, place });
  const files = rootIsFile
    ? [basename(root)]
    : await listFiles({ root, pattern: glob, kind: "file", rules, isClosed, signal });
  for (const file of files) {
    if (collector.full) break;
    signal.throwIfAborted();
    collector.beginFile();
    try {
      await searchFile({ path: join(folder, file), file, matcher, collector, request });
    } catch (error) {
      // Deleted since the walk, or unreadable: skip it, as ripgrep does.
      const code = systemCode(error);
      if (code !== "ENOENT" && code !== "EACCES" && code !== "EPERM") throw error;
    }
  }
  return collector.outcome([]);
}

interface FileSearch {
  readonly path: string;
  readonly file: string;
  readonly matcher: LineMatcher;
  readonly collector: GrepCollector;
  readonly request: GrepRequest;
}

async function searchFile({ path, file, matcher, collector, request }: FileSearch): Promise<void> {
  const { context, signal } = request;
  // Skip links, which lead elsewhere, and pipes, which block.
  if (!(await lstat(path)).isFile()) return;
  const kind = fileKind((await readHead(path)).head);
  const encoding = kind.kind === "text" ? kind.encoding : "utf-8";
  const before: { readonly line: number; readonly text: string }[] = [];
  let number = 0;
  let after = 0;
  for await (const batch of textLines(path, { encoding, maxLineLength: MAX_SEARCHED_LENGTH, signal })) {
    if (batch.some(({ text }) => text.includes("\0"))) return collector.dropFile();
    const matches = matcher(batch.map((line) => line.text));
    for (const [index, { text }] of batch.entries()) {
      number++;
      if (matches[index] === true) {
        for (const earlier of before.splice(0)) collector.add({ file, ...earlier, isMatch: false });
        collector.add({ file, line: number, text, isMatch: true });
        after = context;
      } else if (after > 0) {
        collector.add({ file, line: number, text, isMatch: false });
        after--;
      } else if (context > 0) {
        before.push({ line: number, text });
        if (before.length > context) before.shift();
      }
    }
    if (collector.full) return;
  }
}

/** Tests a batch of lines, within a time limit. */
type LineMatcher = (lines: readonly string[]) => readonly boolean[];

interface LinePattern {
  readonly pattern: string;
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  /** For one batch of lines; 2000 by default. */
  readonly timeLimitMs?: number;
}

/**
 * Throws a `ToolFailure` for an invalid pattern; the matcher throws one for a pattern that backtracks too much, which
 * can take forever on a single line and block everything else. The watchdog of `node:vm` stops such patterns.
 */
function lineMatcher({ pattern, literal, ignoreCase, timeLimitMs = 2000 }: LinePattern): LineMatcher {
  const expression = compile(literal ? pattern.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&") : pattern, { ignoreCase });
  const work = { lines: [] as readonly string[], found: [] as boolean[] };
  const script = new Script("search()");
  const context = createContext({
    search: () => {
      work.found = work.lines.map((line) => expression.test(line));
    },
  });
  return (lines) => {
    if (lines.length === 0) return [];
    work.lines = lines;
    try {
      script.runInContext(context, { timeout: timeLimitMs });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      throw new ToolFailure(`The pattern takes too long on some lines: make it simpler (${pattern})`);
    }
    return work.found;
  };
}

/** Patterns written for other engines often have escapes that the `u` flag rejects; they work without it. */
function compile(source: string, { ignoreCase }: { readonly ignoreCase: boolean }): RegExp {
  const flags = ignoreCase ? "i" : "";
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    try {
      return new RegExp(source, flags);
    } catch (error) {
      throw new ToolFailure(
        `The pattern is not a valid regular expression: ${failureSentence(error)}. Set literal to search for it as plain text`,
      );
    }
  }
}

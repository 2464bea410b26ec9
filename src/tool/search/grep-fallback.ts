/** Search without ripgrep: the same files, the same answer, more slowly. */
import { lstat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileKind } from "../file/file-kind.js";
import type { TextLine } from "../file/line-cutter.js";
import { readHead } from "../file/read-head.js";
import { textLines } from "../file/text-lines.js";
import { isClosedTo } from "../path/allowed-path.js";
import { systemCode } from "../tool-failure.js";
import { GrepCollector } from "./grep-collector.js";
import type { GrepOutcome, GrepRequest } from "./grep-request.js";
import { type LineMatcher, lineMatcher } from "./line-matcher.js";
import { listFiles } from "./list-files.js";

/** Only so much of a line is searched. */
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
      // Gone since the walk, or closed to us: a search continues, as ripgrep does.
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
  // Links lead elsewhere, pipes wait for ever.
  if (!(await lstat(path)).isFile()) return;
  const kind = fileKind((await readHead(path)).head);
  const encoding = kind.kind === "text" ? kind.encoding : "utf-8";
  const before: { readonly line: number; readonly text: string }[] = [];
  let number = 0;
  let after = 0;
  for await (const batch of textLines(path, { encoding, maxLineLength: MAX_SEARCHED_LENGTH, signal })) {
    if (batch.some(hasNul)) return collector.dropFile();
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

function hasNul({ text }: TextLine): boolean {
  return text.includes("\0");
}

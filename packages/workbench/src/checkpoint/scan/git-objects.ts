/**
 * Which tracked files are on disk exactly as git's objects have them, and those objects. A checkout converts line
 * endings, keywords, encodings and links, and a filter can do anything: what was on disk is only known from the disk,
 * or if nothing was converted.
 */
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { GitPlace } from "./git-files.js";
import type { IndexEntry } from "./git-index.js";
import { runGit } from "./run-git.js";

/** Attributes that may change a file without changing its size. Line ending conversion always changes the size. */
const CONVERTING = ["filter", "ident", "working-tree-encoding"];
const LINK = 0o12;

/**
 * Of clean files, those whose content may differ from their object: git has another size on disk (or 0, if it does not
 * trust its value), an attribute converts them, they are links, or the object is missing.
 */
export async function convertedFiles(
  place: GitPlace,
  entries: readonly IndexEntry[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  if (entries.length === 0) return new Set();
  const [sizes, converted] = await Promise.all([
    objectSizes(place, entries, signal),
    withAttributes(place, entries, signal),
  ]);
  signal?.throwIfAborted();
  const found = new Set<string>();
  for (const [at, { path, mode, size }] of entries.entries()) {
    const isAsStored = sizes?.[at] !== undefined && sizes[at] % 2 ** 32 === size && mode >> 12 !== LINK;
    if (!isAsStored || converted === undefined || converted.has(path)) found.add(path);
  }
  return found;
}

/** Bytes of each object; undefined if it is missing. */
async function objectSizes(
  { root, index }: GitPlace,
  entries: readonly IndexEntry[],
  signal?: AbortSignal,
): Promise<readonly (number | undefined)[] | undefined> {
  const said = await runGit(["cat-file", "--batch-check=%(objecttype) %(objectsize)", "--buffer"], {
    cwd: root,
    index,
    input: entries.map(({ object }) => `${object}\n`).join(""),
    signal,
  });
  const lines = said?.toString("latin1").split("\n");
  return lines?.map((line) => (line.startsWith("blob ") ? Number(line.slice(5)) : undefined));
}

/** Paths that an attribute converts. Undefined if git fails. */
async function withAttributes(
  { root, index }: GitPlace,
  entries: readonly IndexEntry[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  const said = await runGit(["check-attr", "-z", "--stdin", ...CONVERTING], {
    cwd: root,
    index,
    input: entries.map(({ path }) => `${path}\0`).join(""),
    signal,
  });
  if (said === undefined) return undefined;
  const found = new Set<string>();
  // `path NUL attribute NUL value NUL`: nearly all are irrelevant, so no strings are created for them.
  for (let at = 0; at < said.length; ) {
    const pathEnd = said.indexOf(0, at);
    const value = said.indexOf(0, pathEnd + 1) + 1;
    const end = said.indexOf(0, value);
    if (pathEnd < 0 || value === 0 || end < 0) return undefined;
    if (!isValue(said, { from: value, to: end }, UNSPECIFIED) && !isValue(said, { from: value, to: end }, UNSET)) {
      found.add(said.toString("utf8", at, pathEnd));
    }
    at = end + 1;
  }
  return found;
}

const UNSPECIFIED = Buffer.from("unspecified");
const UNSET = Buffer.from("unset");

function isValue(said: Buffer, { from, to }: { readonly from: number; readonly to: number }, value: Buffer): boolean {
  return to - from === value.length && said.compare(value, 0, value.length, from, to) === 0;
}

/** How much is requested at a time, because all of it is held in memory. */
const AT_ONCE = { objects: 1000, bytes: 32 * 1024 * 1024 };

/** Objects as they are stored, one at a time; undefined for a missing one, its size for one that is too large. */
export async function* objectContents(
  place: GitPlace,
  entries: readonly IndexEntry[],
  largest: number,
): AsyncGenerator<{ readonly entry: IndexEntry; readonly content: Buffer | undefined; readonly size?: number }> {
  const sizes = (await objectSizes(place, entries)) ?? [];
  let some: IndexEntry[] = [];
  let bytes = 0;
  for (const [at, entry] of entries.entries()) {
    const size = sizes[at];
    if (size === undefined || size > largest) {
      yield { entry, content: undefined, ...(size === undefined ? {} : { size }) };
      continue;
    }
    if (some.length === AT_ONCE.objects || bytes + size > AT_ONCE.bytes) {
      yield* contentsOf(place, some);
      [some, bytes] = [[], 0];
    }
    some.push(entry);
    bytes += size;
  }
  yield* contentsOf(place, some);
}

async function* contentsOf({ root, index }: GitPlace, entries: readonly IndexEntry[]) {
  if (entries.length === 0) return;
  const input = entries.map(({ object }) => `${object}\n`).join("");
  const said = (await runGit(["cat-file", "--batch=%(objectsize)", "--buffer"], { cwd: root, index, input })) ?? "";
  let at = 0;
  for (const entry of entries) {
    // `size LF content LF`, or `name missing LF`.
    const end = said.indexOf("\n", at);
    const head = typeof said === "string" || end < 0 ? "" : said.toString("latin1", at, end);
    const size = /^\d+$/.test(head) ? Number(head) : undefined;
    const content = typeof said === "string" || size === undefined ? undefined : said.subarray(end + 1, end + 1 + size);
    at = size === undefined ? (end < 0 ? said.length : end + 1) : end + size + 2;
    yield { entry, content };
  }
}

export interface GitSettings {
  /** Bytes of an object's name. */
  readonly hashBytes: number;
  /** Whether git respects the executable bit on disk. */
  readonly hasModes: boolean;
  /** For `-c`: runs no filter of the project. A file that a filter would convert back counts as changed. */
  readonly withoutFilters: readonly string[];
  /** Files with ignore rules for the whole repository. */
  readonly excludes: readonly string[];
}

export async function gitSettings(root: string): Promise<GitSettings> {
  const keys =
    "^(extensions\\.objectformat|core\\.(filemode|excludesfile)|filter\\..*\\.(clean|smudge|process|required))$";
  const said = await runGit(["config", "-z", "--get-regexp", keys], { cwd: root });
  const lines = said?.toString().split("\0") ?? [];
  const values = new Map(lines.map((line) => splitOnce(line, "\n")));
  const filters = new Set<string>();
  for (const key of values.keys()) {
    const name = /^(filter\..*)\.[a-z]+$/s.exec(key)?.[1];
    // A name with an equals sign cannot be passed to `-c`.
    if (name !== undefined && !/[=\n]/.test(name)) filters.add(name);
  }
  const off = [...filters].flatMap((name) => [`${name}.clean=`, `${name}.process=`, `${name}.required=false`]);
  const exclude = (await runGit(["rev-parse", "--git-path", "info/exclude"], { cwd: root }))?.toString();
  const own = values.get("core.excludesfile") ?? "~/.config/git/ignore";
  return {
    excludes: [resolve(root, exclude?.replace(/\r?\n$/, "") ?? ""), resolve(root, own.replace(/^~(?=\/)/, homedir()))],
    hashBytes: values.get("extensions.objectformat") === "sha256" ? 32 : 20,
    hasModes: values.get("core.filemode") !== "false",
    withoutFilters: off,
  };
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** The diffs of a step for an export: short, as text that can be masked, and only what is not shown otherwise. */
import { FILES_TYPE, type FileDelta, type FileState } from "@bough/session/entry/index.js";
import { filesRecord } from "@bough/session/entry/internal.js";
import { counted, shortBytes } from "@bough/session/text/index.js";
import { changeLetter, differenceWords, type FileDifference } from "@bough/session/view/door.js";
import type { FileDiffsOf, SecretsIn, StepDiffs } from "../export/index.js";
import { CheckpointError } from "./checkpoint-error.js";
import { diffFiles } from "./diff-files.js";
import { withoutSecretLines } from "./secret-lines.js";
import { sessionRoot } from "./session-root.js";
import { changesOf } from "./steps-between.js";
import { BlobStore, type BlobStoreOptions } from "./store/blob-store.js";
import { textContent } from "./text-content.js";

const MOST_FILES = 50;
const MOST_LINES_OF_A_FILE = 200;
const MOST_LINES_OF_A_STEP = 600;
/** A longer line is omitted: half of a secret is no longer recognizable. */
const MOST_LENGTH_OF_A_LINE = 500;
/** Characters of all diffs together, so that a page can still be opened. */
const MOST_LENGTH = 20_000_000;
/** Characters of contents searched for secrets, per side of a file and in total, because searching is slow. */
const MOST_SEARCHED_OF_A_FILE = 1_000_000;
const MOST_SEARCHED = 100_000_000;

interface StepDiffsOptions extends BlobStoreOptions {
  readonly sessionCwd: string;
  readonly cwd: string;
  /** `$BOUGH_HOME`. */
  readonly home: string;
}

/**
 * Returns undefined for a step whose own result shows what it changed. Looks for the store at the first record.
 * Contents that are missing here, and in `contents`, are named without a diff.
 */
export function stepDiffs(options: StepDiffsOptions): FileDiffsOf {
  let store: Promise<BlobStore | undefined> | undefined;
  let left = MOST_LENGTH;
  const search = { left: MOST_SEARCHED };
  return async (entry, secretsIn) => {
    if (entry.type !== "custom" || entry.customType !== FILES_TYPE) return undefined;
    const record = filesRecord(entry.data);
    if (record === undefined || isShownByTool(record.by, record.tool)) return undefined;
    store ??= storeFor(options);
    const blobs = await store;
    const changes = await listOf(() => (blobs === undefined ? record.changes : changesOf(record, blobs)));
    const short = record.by === "restore" || left <= 0;
    const found = await shortDiffs(changes.slice(0, MOST_FILES), short ? undefined : blobs, { search, secretsIn });
    for (const { diff } of found) left -= diff.length;
    return { diffs: found, moreFiles: Math.max(0, changes.length - MOST_FILES) };
  };
}

/** Their results include a diff or the whole content. */
function isShownByTool(by: string, tool: string | undefined): boolean {
  const tools = tool?.split(/[\s,+]+/).filter((name) => name !== "") ?? [];
  return by === "tool" && tools.length > 0 && tools.every((name) => name === "edit" || name === "write");
}

async function storeFor(options: StepDiffsOptions): Promise<BlobStore | undefined> {
  try {
    return new BlobStore((await sessionRoot(options)).store, options);
  } catch (error) {
    if (error instanceof CheckpointError) return undefined;
    throw error;
  }
}

async function listOf(read: () => readonly FileDelta[] | Promise<readonly FileDelta[]>): Promise<readonly FileDelta[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof CheckpointError) return [];
    throw error;
  }
}

interface Search {
  readonly secretsIn: SecretsIn;
  /** Characters that may still be searched. */
  readonly search: { left: number };
}

async function shortDiffs(
  changes: readonly FileDelta[],
  store: BlobStore | undefined,
  search: Search,
): Promise<StepDiffs["diffs"][number][]> {
  const found: StepDiffs["diffs"][number][] = [];
  let lines = MOST_LINES_OF_A_STEP;
  if (store === undefined) {
    return changes.map(({ path, before, after }) => {
      const letter = before === null ? "A" : after === null ? "D" : "M";
      return { title: `${letter} ${path}`, diff: "", moreLines: 0 };
    });
  }
  for await (const difference of diffFiles({ changes, blocked: new Map() }, { store })) {
    const cut = cutHunks(difference.hunks ?? "", Math.min(lines, MOST_LINES_OF_A_FILE));
    const shown = cut.lines.length === 0 ? [] : await safeLines(cut.lines, { difference, store, ...search });
    const title = titleOf(difference);
    lines -= cut.lines.length;
    if (shown === undefined) found.push({ title: `${title}  ${NOT_SEARCHED}`, diff: "", moreLines: 0 });
    else found.push({ title, diff: shown.join("\n"), moreLines: cut.moreLines });
  }
  return found;
}

const NOT_SEARCHED = "diff left out: too large to check for secrets";

/** Undefined if the contents are too long to search. */
async function safeLines(
  lines: readonly string[],
  {
    difference: { before, after },
    store,
    secretsIn,
    search,
  }: Search & { readonly difference: FileDifference; readonly store: BlobStore },
): Promise<readonly string[] | undefined> {
  const contents = { before: await textOf(before, store), after: await textOf(after, store) };
  const length = contents.before.length + contents.after.length;
  if (Math.max(contents.before.length, contents.after.length) > MOST_SEARCHED_OF_A_FILE) return undefined;
  if (length > search.left) return undefined;
  search.left -= length;
  return withoutSecretLines(lines, contents, secretsIn);
}

/** Only called for files with a diff, so it is text. */
async function textOf(state: FileState, store: BlobStore): Promise<string> {
  if (state === null) return "";
  return "link" in state ? state.link : (textContent(await store.get(state.hash)) ?? "");
}

function titleOf(difference: FileDifference): string {
  const { path, from } = difference;
  const name = from === undefined ? path : `${from} => ${path}`;
  return `${changeLetter(difference)} ${name}  ${differenceWords(difference, shortBytes)}`.trimEnd();
}

function cutHunks(hunks: string, most: number): { readonly lines: readonly string[]; readonly moreLines: number } {
  const lines = hunks === "" ? [] : hunks.replace(/\n$/, "").split("\n");
  const shown = lines
    .slice(0, lines.length > most ? beforeOpenKey(lines, most) : most)
    .map((line) =>
      line.length > MOST_LENGTH_OF_A_LINE ? `${line.charAt(0)}… ${counted(line.length, "character")} left out` : line,
    );
  return { lines: shown, moreLines: lines.length - shown.length };
}

/** A private key without its end is no longer recognizable, so the cut is made above it. */
function beforeOpenKey(lines: readonly string[], most: number): number {
  for (let at = most - 1; at >= 0; at--) {
    if (/-----END [A-Z0-9 ]*PRIVATE KEY/.test(lines[at] as string)) return most;
    if (/-----BEGIN [A-Z0-9 ]*PRIVATE KEY/.test(lines[at] as string)) return at;
  }
  return most;
}

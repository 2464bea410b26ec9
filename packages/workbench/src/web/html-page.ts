/** A session as a single HTML page that needs nothing else: no network, no server, not even script. */
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { setImmediate as nextRound } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  CURRENT_SESSION_VERSION,
  ExportError,
  type SessionEntry,
  type SessionHeader,
} from "@bough/session/entry/index.js";
import { inSlices, type Steps, WorkTurns } from "@bough/session/log/index.js";
import { counted, firstWords, isRecord } from "@bough/session/text/index.js";
import { type BranchIndex, branchIndexOf, pathTo, type TreeSource } from "@bough/session/tree/index.js";
import { chunkOf } from "./data/chunk-of.js";
import { type BranchUsage, chunkId, type ExportFacts, FACTS_ID, USAGE_ID } from "./data/export-facts.js";
import { treeColumns } from "./data/tree-columns.js";
import { PageEntries } from "./export/page-entries.js";
import type { BlockLook } from "./html/block-look.js";
import { escapeHtml, html } from "./html/html.js";
import { otherBranchesHtml, pathHtml } from "./html/path-html.js";

export interface HtmlPageRequest {
  /** Everything readable in it goes into the page, so anything that must not be shared has to be removed before. */
  readonly source: TreeSource;
  readonly header: SessionHeader;
  /** Default: the session's name. */
  readonly title?: string;
  readonly now: Date;
  /** The ID of the session that the page offers for download as JSONL. */
  readonly newSessionId?: () => string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /** The template to use instead of the one in this package. */
  readonly template?: string;
}

interface HtmlPage {
  readonly entries: number;
  readonly branches: number;
  /** The page in order. Throws the signal's reason when aborted. */
  readonly pieces: AsyncIterable<string>;
}

/** The page in pieces, so that the session is never in memory as a whole. Throws `no-content` for an empty session. */
export async function htmlPage(request: HtmlPageRequest): Promise<HtmlPage> {
  const entries = await inSlices(PageEntries.of(request.source, request.now));
  if (entries.tree.count === 0) {
    throw new ExportError("no-content", "Nothing to export", { hint: "Send a prompt first." });
  }
  await nextRound();
  const branches = branchIndexOf(entries.tree).count;
  await nextRound();
  return { entries: entries.tree.count, branches, pieces: pagePieces(request, entries) };
}

async function* pagePieces(request: HtmlPageRequest, entries: PageEntries): AsyncGenerator<string> {
  const { signal, onProgress } = request;
  const template = readPageTemplate(request.template);
  await nextRound();
  const facts = await inSlices(factsOf(request, entries));
  await nextRound();
  yield `${template.beforeTitle}${escapeHtml(facts.title)}${template.beforeFacts}`;
  yield dataBlock(FACTS_ID, inertJson(facts));
  await nextRound();
  const usage = new UsageByBranch(branchIndexOf(entries.tree));
  const order = chunkOrder(entries, facts.chunks);
  await nextRound();
  const turns = new WorkTurns();
  let done = 0;
  async function* chunks(numbers: readonly number[]): AsyncGenerator<string> {
    for (const chunk of numbers) {
      signal?.throwIfAborted();
      const [from, to] = [facts.chunks[chunk] as number, facts.chunks[chunk + 1] ?? entries.tree.count];
      const lines: string[] = [];
      for (let n = from; n < to; n++) {
        const entry = entries.entryAt(n);
        usage.add(n, entry);
        lines.push(entryLine(entry));
        if (turns.isDue) await turns.yieldNow();
      }
      yield dataBlock(chunkId(chunk), lines.join("\n"));
      done += to - from;
      onProgress?.(done, entries.tree.count);
      await turns.yieldNow();
    }
  }
  yield* chunks(order.first);
  yield template.client;
  await nextRound();
  yield* chunks(order.rest);
  yield dataBlock(USAGE_ID, inertJson(usage.rows));
  yield "<noscript>\n";
  for (const piece of scriptlessPage(entries, facts)) {
    signal?.throwIfAborted();
    yield piece;
    await nextRound();
  }
  yield `</noscript>\n${template.end}`;
}

function* factsOf(request: HtmlPageRequest, entries: PageEntries): Steps<ExportFacts> {
  const { header, now, newSessionId = randomUUID } = request;
  const words = (text: unknown) => firstWords(String(text), 200);
  const madeAt = now.toISOString();
  return {
    title: words(request.title ?? entries.name ?? "Session") || "Session",
    sessionId: words(header.id),
    madeAt,
    startedAt: words(header.timestamp),
    header: {
      type: "session",
      version: CURRENT_SESSION_VERSION,
      id: newSessionId(),
      timestamp: madeAt,
      cwd: words(header.cwd),
    },
    index: yield* treeColumns(entries.tree),
    leaf: entries.leaf,
    chunks: chunkStarts(entries),
  };
}

interface PageTemplate {
  readonly beforeTitle: string;
  readonly beforeFacts: string;
  /** The client, which starts as soon as the browser has read it. */
  readonly client: string;
  readonly end: string;
}

/** Where the template is: in the package or, when running from source, in the build. */
const PLACES = [import.meta.url.endsWith(".ts") ? "../../../../dist/web/page.html" : "../web/page.html"];
const MARKS = /<!--bough:(?:title|facts|rest)-->/;

function readPageTemplate(path?: string): PageTemplate {
  const places = path === undefined ? PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))) : [path];
  const found = places.find((place) => existsSync(place));
  const parts = found === undefined ? [] : readFileSync(found, "utf8").split(MARKS);
  const [beforeTitle, beforeFacts, client, end] = parts;
  if (beforeTitle === undefined || beforeFacts === undefined || client === undefined || end === undefined) {
    throw new ExportError("export-failed", "The page for HTML exports is missing from this installation", {
      data: { places },
      hint: "Reinstall Bough; in a checkout, run npm run build.",
    });
  }
  return { beforeTitle, beforeFacts, client, end };
}

type Fields = Readonly<Record<string, unknown>>;

class UsageByBranch {
  readonly #sums = new Map<number, [number, number, number, number, number, number]>();
  readonly #branches: BranchIndex;

  constructor(branches: BranchIndex) {
    this.#branches = branches;
  }

  add(n: number, entry: SessionEntry): void {
    const usage = usageIn(entry as unknown as Fields);
    if (usage === undefined) return;
    const branch = this.#branches.branchOf(n);
    const sum = this.#sums.get(branch) ?? [branch, 0, 0, 0, 0, 0];
    sum[1] += amount(usage.input);
    sum[2] += amount(usage.output);
    sum[3] += amount(usage.cacheRead);
    sum[4] += amount(usage.cacheWrite);
    sum[5] += isRecord(usage.cost) ? amount(usage.cost.total) : 0;
    this.#sums.set(branch, sum);
  }

  /** Sorted by branch number. */
  get rows(): readonly BranchUsage[] {
    return [...this.#sums.values()].sort(([a], [b]) => a - b);
  }
}

function usageIn(entry: Fields): Fields | undefined {
  if (isRecord(entry.usage)) return entry.usage;
  return isRecord(entry.message) && isRecord(entry.message.usage) ? entry.message.usage : undefined;
}

function amount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

/** Shows everything that was said, but only the beginning of tool output. */
const LIMITS = { text: 100_000, output: 2_000 };

const LOOK: BlockLook = {
  isOpen: () => false,
  limits: () => LIMITS,
  more: "no-more",
  images: "words",
  folded: "whole",
};

/** How many entries go into one piece. */
const PIECE_ENTRIES = 10;

function* scriptlessPage(
  source: TreeSource,
  facts: Pick<ExportFacts, "title" | "madeAt" | "sessionId">,
): Generator<string> {
  const branches = branchIndexOf(source.tree);
  const turns = counted(branches.turnsAt(source.leaf), "turn");
  const about = `${turns} · ${counted(branches.count, "branch", "branches")} in this file · made ${facts.madeAt.slice(0, 10)} · session ${facts.sessionId}`;
  yield html`<main class="scriptless"><header><h1>${facts.title}</h1><p class="muted">${about}</p></header>\n`.html;
  let piece = "";
  let entries = 0;
  for (const one of pathHtml(source, source.leaf, { look: LOOK })) {
    piece += one.html.html;
    entries += 1;
    if (entries % PIECE_ENTRIES !== 0) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}${otherBranchesHtml(source, source.leaf).html}</main>\n`;
}

/** Approximate size of a chunk in characters; a chunk is read when one of its entries is shown. */
const CHUNK_LENGTH = 128 * 1024;
/** How many entries at the end of the path the first screens show. */
const FIRST_ENTRIES = 120;
/** More data than this before the script would delay it. */
const FIRST_LENGTH = 3 * 1024 * 1024;

/** JSON with escaped `<`, so that it cannot contain an end tag or a comment. */
function inertJson(value: unknown): string {
  return JSON.stringify(value).replace(/</g, "\\u003c");
}

function dataBlock(id: string, text: string): string {
  return `<script type="application/json" id="${id}">${text}</script>\n`;
}

/** The first entry of each chunk, based on the lengths in the index. */
function chunkStarts({ tree }: TreeSource): number[] {
  const starts: number[] = [];
  let length = Number.POSITIVE_INFINITY;
  for (let n = 0; n < tree.count; n++) {
    const own = tree.lengthOf(n);
    if (length + own > CHUNK_LENGTH && length > 0) {
      starts.push(n);
      length = 0;
    }
    length += own;
  }
  return starts;
}

/** The order of chunks in the page: first what the first screens show, then from newest to oldest. */
function chunkOrder(
  source: TreeSource,
  starts: readonly number[],
): { first: readonly number[]; rest: readonly number[] } {
  const { tree, leaf } = source;
  const first = new Set<number>();
  let length = 0;
  const path = pathTo(tree, leaf);
  for (let at = path.length - 1; at >= Math.max(0, path.length - FIRST_ENTRIES) && length < FIRST_LENGTH; at--) {
    const chunk = chunkOf(starts, path[at] as number);
    if (first.has(chunk)) continue;
    first.add(chunk);
    const end = starts[chunk + 1] ?? tree.count;
    for (let n = starts[chunk] as number; n < end; n++) length += tree.lengthOf(n);
  }
  const rest: number[] = [];
  for (let chunk = starts.length - 1; chunk >= 0; chunk--) if (!first.has(chunk)) rest.push(chunk);
  return { first: [...first], rest };
}

/** One entry as a line, with fields in the order of the format, so that the lines form a session file. */
function entryLine(entry: SessionEntry): string {
  const { type, id, parentId, timestamp, ...fields } = entry;
  return inertJson({ type, id, parentId, timestamp, ...fields });
}

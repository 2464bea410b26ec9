/** A session as one HTML page that needs nothing else: no network, no server, not even script. */
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { setImmediate as nextRound } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { CURRENT_SESSION_VERSION, ExportError, type SessionEntry, type SessionHeader } from "../entry/index.js";
import { firstWords, isRecord } from "../text/index.js";
import { type BranchIndex, branchIndexOf, type TreeSource } from "../tree/index.js";
import { type BranchUsage, chunkId, type ExportFacts, FACTS_ID, USAGE_ID } from "./data/export-facts.js";
import { treeColumns } from "./data/tree-columns.js";
import { chunkOrder, chunkStarts, dataBlock, entryLine, inertJson } from "./export/data-blocks.js";
import { PageEntries } from "./export/page-entries.js";
import { scriptlessPage } from "./export/scriptless-page.js";
import { escapeHtml } from "./html/html.js";

export interface HtmlPageRequest {
  /** Everything readable in it goes into the page, so what must not leave the machine has to be gone from it already. */
  readonly source: TreeSource;
  readonly header: SessionHeader;
  /** Default: the session's name. */
  readonly title?: string;
  readonly now: Date;
  /** The ID of the session that the page offers for download as JSONL. */
  readonly newSessionId?: () => string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /** The page to fill, if it is not the one in this package. */
  readonly template?: string;
}

interface HtmlPage {
  readonly entries: number;
  readonly branches: number;
  /** The page, to be written in this order. Throws the signal's reason when stopped. */
  readonly pieces: AsyncIterable<string>;
}

/** The page as pieces: the session is never held as a whole. Throws `no-content` for an empty session. */
export function htmlPage(request: HtmlPageRequest): HtmlPage {
  const entries = new PageEntries(request.source, request.now);
  if (entries.tree.count === 0) {
    throw new ExportError("no-content", "There is nothing to export", { hint: "Send a prompt first." });
  }
  return {
    entries: entries.tree.count,
    branches: branchIndexOf(entries.tree).count,
    pieces: pagePieces(request, entries),
  };
}

async function* pagePieces(request: HtmlPageRequest, entries: PageEntries): AsyncGenerator<string> {
  const { signal, onProgress } = request;
  const template = readPageTemplate(request.template);
  const facts = factsOf(request, entries);
  yield `${template.beforeTitle}${escapeHtml(facts.title)}${template.beforeFacts}`;
  yield dataBlock(FACTS_ID, inertJson(facts));
  const usage = new UsageByBranch(branchIndexOf(entries.tree));
  const order = chunkOrder(entries, facts.chunks);
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
      }
      yield dataBlock(chunkId(chunk), lines.join("\n"));
      done += to - from;
      onProgress?.(done, entries.tree.count);
      await nextRound();
    }
  }
  yield* chunks(order.first);
  yield template.client;
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

function factsOf(request: HtmlPageRequest, entries: PageEntries): ExportFacts {
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
    index: treeColumns(entries.tree),
    leaf: entries.leaf,
    chunks: chunkStarts(entries),
  };
}

interface PageTemplate {
  readonly beforeTitle: string;
  readonly beforeFacts: string;
  /** The client, which starts as soon as the browser is here. */
  readonly client: string;
  readonly end: string;
}

/** Where the template is in the package, and where a run from the sources finds it. */
const PLACES = ["../web/page.html", "../../dist/web/page.html"];
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

  /** By number. */
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

/** Answers the API. Every request names a session by its key; nothing in a request is ever used as a path. */
import type { ServerResponse } from "node:http";
import { inSlices } from "@bough/session/log/index.js";
import { type SessionManager, searchSessions } from "@bough/session/session/index.js";
import { isConversation, pathTo, type TreeIndex } from "@bough/session/tree/index.js";
import { branchName } from "@bough/session/view/internal.js";
import { type History, History as HistoryOfAll } from "../../history/index.js";
import { parseQuery, searchHistory, sourceKey } from "../../history/internal.js";
import { knowsBranches } from "../../interop/internal.js";
import { LocalDays, USAGE_GROUPS, type UsageGroup, usageReport } from "../../usage/index.js";
import {
  type EntriesAnswer,
  type FindAnswer,
  type NumberedEntry,
  type SearchAnswer,
  type TreeAnswer,
  type TreePage,
  treeColumns,
} from "../../web/internal.js";
import { rowOf, streamEvents } from "../live/event-stream.js";
import { cursorText } from "../live/live-cursor.js";
import type { OpenedSession } from "../live/opened-session.js";
import { type Lease, SessionPool } from "../live/session-pool.js";
import { ApiError, badRequest } from "./api-error.js";
import { agentOf, Catalog, type CatalogOptions, isoOf } from "./catalog.js";

/** What the server needs from rooms that know more. */
export interface ServeServices {
  readonly compare: (session: SessionManager, tips: { readonly a: string; readonly b: string }) => unknown;
  /** How files differ between two entries. Masks nothing, as the session itself. */
  readonly diff: (session: SessionManager, ends: { readonly from: string; readonly to: string }) => Promise<unknown>;
}

export interface ApiOptions extends CatalogOptions {
  readonly services: ServeServices;
}

export interface ApiRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  /** Where an event stream continues, as browsers send it. */
  readonly lastEventId: string | undefined;
}

/** Entries at the end of the path that the first screen shows. */
const FIRST_ENTRIES = 120;
const MOST_CHARACTERS = 4 << 20;
const MOST_NUMBERS = 2_000;
const MOST_PAGE = 20_000;
const MOST_STREAMS = 200;
const MOST_HITS = 50;
const MOST_FOUND = 20_000;
const LONGEST_QUERY = 1_000;
const SEARCH_MS = 2_000;
const EXCERPT = 240;

/** The stream, which is not answered at once. */
export const EVENTS_PATH = "/api/events";

type Handler = (request: ApiRequest) => Promise<unknown>;

export class Api {
  readonly #options: ApiOptions;
  readonly #catalog: Catalog;
  readonly #pool = new SessionPool();
  readonly #history: History;
  #streams = 0;

  constructor(options: ApiOptions) {
    this.#options = options;
    this.#catalog = new Catalog(options);
    this.#history = new HistoryOfAll(options);
  }

  /** Paths of the API, except the stream. */
  readonly #handlers: Readonly<Record<string, Handler>> = {
    "/api/sessions": () => this.#catalog.sessions(),
    "/api/tree": (request) => this.#tree(request),
    "/api/entries": (request) => this.#entries(request),
    "/api/find": (request) => this.#find(request),
    "/api/search": (request) => this.#search(request),
    "/api/compare": (request) => this.#compare(request),
    "/api/diff": (request) => this.#diff(request),
    "/api/usage": (request) => this.#usage(request),
  };

  keyOf(file: string, id: string | undefined): Promise<string | undefined> {
    return this.#catalog.keyOf(file, id);
  }

  /** Throws an ApiError for a request that cannot be answered. */
  answer(request: ApiRequest): Promise<unknown> {
    const { path } = request;
    const handler = Object.hasOwn(this.#handlers, path) ? this.#handlers[path] : undefined;
    if (handler === undefined) throw new ApiError(404, "not-found", "There is nothing here");
    return handler(request);
  }

  /** Opens the session before the answer starts, so that a failure still has a status. */
  async stream({ query, lastEventId }: ApiRequest, start: () => ServerResponse): Promise<void> {
    if (this.#streams >= MOST_STREAMS) throw new ApiError(503, "too-many-streams", "Too many pages follow sessions");
    this.#streams += 1;
    try {
      const lease = await this.#lease(query);
      try {
        await streamEvents(lease, start(), { cursor: lastEventId ?? query.get("cursor") ?? "" });
      } finally {
        lease.release();
      }
    } finally {
      this.#streams -= 1;
    }
  }

  /** Everything that is answered. */
  get paths(): readonly string[] {
    return [...Object.keys(this.#handlers), EVENTS_PATH];
  }

  /** For tests: what a server keeps for its clients. */
  get inUse(): { readonly streams: number; readonly sessions: number } {
    return { streams: this.#streams, sessions: this.#pool.size };
  }

  async close(): Promise<void> {
    this.#pool.close();
    await this.#history.close();
  }

  async #lease(query: URLSearchParams): Promise<Lease> {
    const key = query.get("s") ?? "";
    const source = await this.#catalog.source(key);
    if (source === undefined) throw new ApiError(404, "no-session", "There is no such session (any more)");
    return this.#pool.open(key, source);
  }

  async #with<Answer>(
    query: URLSearchParams,
    use: (opened: OpenedSession) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const lease = await this.#lease(query);
    try {
      await lease.opened.refresh();
      return await use(lease.opened);
    } finally {
      lease.release();
    }
  }

  #tree({ query }: ApiRequest): Promise<TreeAnswer | TreePage> {
    return this.#with(query, async (opened) => (query.has("from") ? treePage(opened, query) : wholeTree(opened)));
  }

  #entries({ query }: ApiRequest): Promise<EntriesAnswer> {
    return this.#with(query, ({ tree: source }) => {
      const numbers = numbersIn(query.get("n") ?? "", source.tree.count);
      const entries: NumberedEntry[] = [];
      let characters = 0;
      let at = 0;
      // At least one, however long.
      for (; at < numbers.length && (at === 0 || characters < MOST_CHARACTERS); at++) {
        const n = numbers[at] as number;
        characters += source.tree.lengthOf(n);
        entries.push([n, source.entryAt(n)]);
      }
      return { entries, left: numbers.slice(at) };
    });
  }

  #find({ query }: ApiRequest): Promise<FindAnswer> {
    return this.#with(query, async ({ file, tree: { tree } }) => {
      const words = (query.get("q") ?? "")
        .slice(0, LONGEST_QUERY)
        .split(/\s+/)
        .filter((word) => word !== "");
      const numbers: number[] = [];
      if (words.length === 0) return { numbers, more: false };
      // Each word is meant as it is: quotes and the like have a meaning in a search for phrases.
      const phrases = words.map(phraseOf).join(" ");
      for await (const { entryId } of searchSessions(phrases, { files: [file], dir: [], limit: MOST_FOUND + 1 })) {
        const n = tree.ids.findText(entryId);
        if (n >= 0) numbers.push(n);
      }
      return { numbers: numbers.slice(0, MOST_FOUND), more: numbers.length > MOST_FOUND };
    });
  }

  async #search({ query }: ApiRequest): Promise<SearchAnswer> {
    const words = (query.get("q") ?? "").slice(0, LONGEST_QUERY);
    const coverage = await this.#history.refresh(SEARCH_MS);
    const { hits, next } = searchHistory(this.#history, {
      query: parseQuery(words),
      limit: MOST_HITS,
      within: SEARCH_MS,
    });
    return {
      hits: hits.map(({ session, row, text, spans }) => {
        const first = spans[0]?.[0] ?? 0;
        const start = Math.max(0, first - EXCERPT / 3);
        const excerpt = text.slice(start, start + EXCERPT);
        const inside = spans.map(([from, to]) => [from - start, to - start] as const);
        return {
          key: session.key,
          agent: agentOf(session),
          title: session.title,
          cwd: session.cwd,
          entryId: row.id,
          who: row.who,
          time: isoOf(row.time),
          excerpt,
          spans: inside.filter(([from, to]) => from >= 0 && to <= excerpt.length),
        };
      }),
      more: next !== undefined,
      waiting: coverage.waiting,
    };
  }

  #compare({ query }: ApiRequest): Promise<unknown> {
    return this.#with(query, ({ session }) => {
      const [a, b] = [entryIn(session, query, "a"), entryIn(session, query, "b")];
      return this.#options.services.compare(session, { a, b });
    });
  }

  #diff({ query }: ApiRequest): Promise<unknown> {
    return this.#with(query, ({ session }) => {
      const [from, to] = [entryIn(session, query, "from"), entryIn(session, query, "to")];
      return this.#options.services.diff(session, { from, to });
    });
  }

  async #usage({ query }: ApiRequest): Promise<unknown> {
    const by = (query.get("by") ?? "day") as UsageGroup;
    if (!USAGE_GROUPS.includes(by)) throw badRequest(`by must be one of ${USAGE_GROUPS.join(", ")}`);
    const since = query.get("since");
    const time = since === null ? undefined : Date.parse(since);
    if (Number.isNaN(time)) throw badRequest("since must be a time, as in 2026-11-16T00:00:00Z");
    const { priceOf } = this.#options;
    const cwd = query.get("cwd") ?? undefined;
    const sessionKey = query.get("s") ?? undefined;
    const source = await this.#catalog.usage();
    return usageReport(source, { by, since: time, cwd, sessionKey, priceOf, knowsBranches, days: new LocalDays() });
  }
}

async function wholeTree(opened: OpenedSession): Promise<TreeAnswer> {
  const { tree: source, session } = opened;
  const { tree } = source;
  // A last line that is still being written is in the tree already, and is sent again once it is complete.
  const { count, mark } = opened.end();
  const { agent, foreign } = opened.source;
  const leaf = Math.min(tree.loadedLeaf, count - 1);
  const header = session.getHeader();
  return {
    key: sourceKey(opened.source),
    agent: agentOf({ agent }),
    id: foreign?.id ?? header.id,
    title: source.name ?? foreign?.title ?? (tree.count === 0 ? "" : branchName(source, 1)),
    cwd: foreign?.cwd ?? session.getCwd(),
    startedAt: typeof header.timestamp === "string" ? header.timestamp : "",
    leaf,
    index: await inSlices(treeColumns(tree)),
    cursor: cursorText(mark),
    entries: firstEntries(source, leaf),
  };
}

/** The end of the path, newest first, and the labels. */
function firstEntries(
  source: { readonly tree: TreeIndex; entryAt(n: number): unknown },
  leaf: number,
): readonly NumberedEntry[] {
  const { tree } = source;
  const entries: NumberedEntry[] = [];
  let characters = 0;
  const add = (n: number): void => {
    characters += tree.lengthOf(n);
    if (characters <= MOST_CHARACTERS / 4) entries.push([n, source.entryAt(n)]);
  };
  const path = leaf < 0 ? new Int32Array(0) : pathTo(tree, leaf);
  for (let at = path.length - 1; at >= Math.max(0, path.length - FIRST_ENTRIES); at--) add(path[at] as number);
  for (const n of tree.labelEntries.slice(-FIRST_ENTRIES)) add(n);
  return entries;
}

function treePage(opened: OpenedSession, query: URLSearchParams): TreePage {
  const { tree } = opened.tree;
  const from = wholeNumber(query.get("from"), "from");
  const limit = Math.min(MOST_PAGE, Math.max(1, wholeNumber(query.get("limit") ?? String(MOST_PAGE), "limit")));
  const { count } = opened.end();
  const to = Math.min(count, from + limit);
  const rows = [];
  for (let n = from; n < to; n++) rows.push(rowOf(tree, n));
  return { from, rows, count, ...(to < count ? { next: to } : {}) };
}

/** `3,7-20`: numbers of entries that exist, without repetitions. */
function numbersIn(text: string, count: number): number[] {
  const numbers = new Set<number>();
  for (const part of text.split(",").slice(0, MOST_NUMBERS)) {
    const [, first, last = first] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(part) ?? [];
    if (first === undefined) throw badRequest("n must be numbers and ranges, as in 3,7-20");
    for (let n = Number(first); n <= Math.min(Number(last), count - 1) && numbers.size < MOST_NUMBERS; n++)
      numbers.add(n);
  }
  return [...numbers];
}

/** A phrase cannot contain a backslash right before a quote: such words are searched without quotes. */
function phraseOf(word: string): string {
  return /^(?!"|re:).*\\(?:"|$)/.test(word) ? word : `"${word.replace(/"/g, '\\"')}"`;
}

function wholeNumber(text: string | null, name: string): number {
  if (text === null || !/^\d{1,10}$/.test(text)) throw badRequest(`${name} must be a whole number`);
  return Number(text);
}

/** An ID of an entry of the conversation. */
function entryIn(session: SessionManager, query: URLSearchParams, name: string): string {
  const id = query.get(name) ?? "";
  const { tree } = session.getSource();
  const n = tree.ids.findText(id);
  if (n < 0 || !isConversation(tree.kindOf(n))) throw badRequest(`${name} must be the ID of an entry`);
  return id;
}

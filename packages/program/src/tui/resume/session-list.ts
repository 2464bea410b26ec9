/**
 * The sessions of a folder, of all folders, of other agents, or of the archive: read step by step, searched and sorted.
 */

import { homedir } from "node:os";
import { join } from "node:path";
import {
  archiveRoot,
  listAllSessions,
  listArchived,
  listSessions,
  type SearchHit,
  type SessionInfo,
  searchSessions,
} from "@bough/session/session/index.js";
import { exactSessionInfo } from "@bough/session/session/internal.js";
import { errorText, withoutControls } from "@bough/session/text/index.js";
import { listedSessions, type SessionRow, type SessionSort, sessionRow } from "@bough/session/view/internal.js";
import type { AgentPlaces, ForeignSession } from "@bough/workbench/interop/index.js";
import { foreignListed, foreignReference, streamForeign } from "@bough/workbench/interop/internal.js";
import type { StoredSession } from "@bough/workbench/store/index.js";
import type { SessionsNotHere } from "@bough/workbench/store/internal.js";

export type SessionScope = "folder" | "all" | "agents" | "archive";

interface SessionListOptions {
  /** The folder of this project's sessions. */
  readonly dir: string;
  /** `$BOUGH_HOME`, where the archive is. */
  readonly home: string;
  /** Where other agents keep their sessions (default: this user's folders). */
  readonly agentPlaces?: AgentPlaces | undefined;
  /** Sessions that are only in a store; absent if none is configured. May be slow, and may fail. */
  readonly notHere?: ((scope: "project" | "all") => Promise<SessionsNotHere>) | undefined;
  /** The file of the open session. */
  readonly current: () => string | undefined;
  /** Something changed: redraw soon. */
  readonly changed: () => void;
  /** Why a folder or a store cannot be listed, as a sentence. */
  readonly failed: (reason: string, level: "warning" | "error") => void;
}

/** Wait this long after a key before searching messages: a search per letter would be wasted. */
const SEARCH_AFTER_MS = 150;
/** Shorter words are in nearly every message. */
const LEAST_TO_SEARCH = 2;

/** Counting the messages of a larger file would cause a noticeable pause. */
const MOST_TO_COUNT = 32 * 1024 * 1024;

export class SessionList {
  readonly #options: SessionListOptions;
  #infos = new Map<string, SessionInfo>();
  #rowOf = new Map<SessionInfo | ForeignSession | StoredSession, SessionRow>();
  /** Other agents' sessions by a unique key, because a database holds several. */
  #foreign = new Map<string, ForeignSession>();
  /** Stored sessions by ID. */
  #stored = new Map<string, StoredSession>();
  #store: { readonly name: string; readonly asking: boolean } | undefined;
  #reading: { readonly done: number; readonly total: number } | undefined;
  #stopping = new AbortController();
  #words = "";
  #sort: SessionSort = "recent";
  #scope: SessionScope = "folder";
  #listed: readonly SessionRow[] | undefined;
  /** The first hit in the messages of each session, by file. */
  #hits = new Map<string, SearchHit>();
  #searching: AbortController | undefined;

  constructor(options: SessionListOptions) {
    this.#options = options;
  }

  get scope(): SessionScope {
    return this.#scope;
  }

  get sort(): SessionSort {
    return this.#sort;
  }

  get total(): number {
    return this.#infos.size + this.#foreign.size;
  }

  /** The store being listed, and how many of its sessions are not on this machine. */
  get store(): { readonly name: string; readonly count: number; readonly asking: boolean } | undefined {
    return this.#store === undefined ? undefined : { ...this.#store, count: this.#stored.size };
  }

  /** The progress; undefined if everything was read. */
  get reading(): { readonly done: number; readonly total: number } | undefined {
    return this.#reading;
  }

  /**
   * Sessions with the words in their name, first prompt, folder, ID or messages, in order. Rebuilt only after a change.
   */
  get rows(): readonly SessionRow[] {
    this.#listed ??= this.#rowsFound();
    return this.#listed;
  }

  #rowsFound(): readonly SessionRow[] {
    const [all, sort] = [this.#allRows(), this.#sort];
    const named = listedSessions(all, { words: this.#words, sort });
    if (this.#hits.size === 0) return named;
    const isNamed = new Set(named);
    const found = all.filter((row) => isNamed.has(row) || this.#hits.has(row.path));
    return listedSessions(found, { words: "", sort });
  }

  /** Where the words are in the messages of a session. */
  hit(path: string): SearchHit | undefined {
    return this.#hits.get(path);
  }

  /** Whether messages are still being searched. */
  get searching(): boolean {
    return this.#searching !== undefined;
  }

  /** Searches names at once, and messages after a short pause without keys. Stops a running search. */
  search(words: string): void {
    if (words === this.#words) return;
    this.#words = words;
    this.#hits = new Map();
    this.#listed = undefined;
    this.#searchMessages();
  }

  /** Not in sessions of other agents or stores, whose messages are not available here. */
  #searchMessages(): void {
    this.#searching?.abort();
    this.#searching = undefined;
    const words = this.#words.trim();
    if (words.length < LEAST_TO_SEARCH || this.#scope === "agents") return;
    const stopping = new AbortController();
    this.#searching = stopping;
    const timer = setTimeout(() => void this.#find(words, stopping), SEARCH_AFTER_MS);
    stopping.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  }

  async #find(words: string, stopping: AbortController): Promise<void> {
    const { signal } = stopping;
    try {
      for await (const hit of searchSessions(words, { files: [...this.#infos.keys()], signal })) {
        if (signal.aborted) return;
        if (this.#hits.has(hit.path)) continue;
        this.#hits.set(hit.path, hit);
        this.#change();
      }
    } catch (error) {
      if (!signal.aborted) this.#options.failed(errorText(error), "warning");
    }
    if (this.#searching !== stopping) return;
    this.#searching = undefined;
    this.#change();
  }

  sortBy(sort: SessionSort): void {
    this.#sort = sort;
    this.#listed = undefined;
  }

  /** Starts reading. Stops what was being read before. */
  show(scope: SessionScope): void {
    this.#stopping.abort();
    this.#stopping = new AbortController();
    this.#scope = scope;
    this.#infos = new Map();
    this.#foreign = new Map();
    this.#stored = new Map();
    this.#store = undefined;
    this.#rowOf = new Map();
    this.#listed = undefined;
    this.#hits = new Map();
    this.#searching?.abort();
    this.#searching = undefined;
    this.#reading = { done: 0, total: 0 };
    const { signal } = this.#stopping;
    // After the next drawing, because even reading the names of thousands of files takes a while.
    setImmediate(() => {
      if (signal.aborted) return;
      void this.#read(scope, signal);
      if (scope === "folder" || scope === "all") void this.#askStore(scope, signal);
    });
  }

  info(path: string): SessionInfo | undefined {
    return this.#infos.get(path);
  }

  /** The other agent's session in a row. */
  foreign({ path }: SessionRow): ForeignSession | undefined {
    return this.#foreign.get(path);
  }

  put(info: SessionInfo): void {
    this.#infos.set(info.path, info);
    this.#change();
  }

  remove(path: string): void {
    this.#infos.delete(path);
    this.#change();
  }

  /** The first of these rows whose messages and branches have not been counted yet. */
  uncounted(rows: readonly SessionRow[]): SessionInfo | undefined {
    for (const { path } of rows) {
      const info = this.#infos.get(path);
      if (info !== undefined && !info.exact && info.size <= MOST_TO_COUNT) return info;
    }
    return undefined;
  }

  /** Reads the whole file. One that is no longer readable stays unchanged and is not retried. */
  count(info: SessionInfo): void {
    let counted: SessionInfo;
    try {
      counted = exactSessionInfo(info);
    } catch {
      // Gone or damaged since the list was read: opening it reports what is wrong.
      counted = { ...info, exact: true };
    }
    if (this.#infos.get(info.path) === info) this.put(counted);
  }

  dispose(): void {
    this.#stopping.abort();
    this.#searching?.abort();
  }

  #allRows(): SessionRow[] {
    const current = this.#options.current();
    const rows: SessionRow[] = [];
    for (const info of this.#infos.values()) {
      let row = this.#rowOf.get(info);
      if (row === undefined || row.current !== (row.path === current)) {
        row = sessionRow(info, { current, home: homedir() });
        this.#rowOf.set(info, row);
      }
      rows.push(row);
    }
    const elsewhere = [
      ...[...this.#foreign.values()].map((session) => [session, () => foreignListed(session)] as const),
      ...[...this.#stored.values()].map((session) => [session, () => storedFacts(session)] as const),
    ];
    for (const [session, facts] of elsewhere) {
      const row = this.#rowOf.get(session) ?? sessionRow(facts(), { home: homedir() });
      this.#rowOf.set(session, row);
      rows.push(row);
    }
    return rows;
  }

  /** In parallel: local sessions do not wait for the store. */
  async #askStore(scope: "folder" | "all", signal: AbortSignal): Promise<void> {
    const { notHere, failed } = this.#options;
    if (notHere === undefined) return;
    this.#store = { name: "the store", asking: true };
    this.#change();
    try {
      const { store, sessions } = await notHere(scope === "all" ? "all" : "project");
      if (signal.aborted) return;
      this.#store = { name: store, asking: false };
      this.#stored = new Map(sessions.map((session) => [session.id, session]));
    } catch (error) {
      if (signal.aborted) return;
      this.#store = undefined;
      failed(`Sessions of other machines are not shown: ${errorText(error)}`, "warning");
    }
    this.#change();
  }

  async #read(scope: SessionScope, signal: AbortSignal): Promise<void> {
    const { dir, home, failed } = this.#options;
    const onProgress = (done: number, total: number, info: SessionInfo | undefined): void => {
      if (signal.aborted) return;
      this.#reading = { done, total };
      if (info !== undefined) this.#infos.set(info.path, info);
      this.#change();
    };
    try {
      const onUnreadable = ({ message }: Error): void => failed(message, "warning");
      if (scope === "folder") await listSessions(dir, onProgress, { signal, onUnreadable });
      else if (scope === "all") await listAllSessions(onProgress, { signal, onUnreadable });
      else if (scope === "agents") await this.#readForeign(signal);
      else
        for (const folder of archiveFolders(home, onUnreadable))
          await listSessions(folder, onProgress, { signal, onUnreadable });
    } catch (error) {
      if (!signal.aborted) failed(errorText(error), "error");
    }
    if (signal.aborted) return;
    this.#reading = undefined;
    // Sessions that arrived after the search started were not searched.
    this.#searchMessages();
    this.#change();
  }

  async #readForeign(signal: AbortSignal): Promise<void> {
    for await (const session of streamForeign({ places: this.#options.agentPlaces, signal })) {
      if (signal.aborted) return;
      this.#foreign.set(foreignReference(session), session);
      this.#change();
    }
  }

  #change(): void {
    this.#listed = undefined;
    this.#options.changed();
  }
}

/** It has no file here, so it is identified by its ID. */
function storedFacts({ id, title, cwd = "", updated, replicas }: StoredSession): Parameters<typeof sessionRow>[0] {
  return {
    ...{ path: `${STORED}${id}`, id, cwd, name: title, modified: updated ?? new Date(0), size: 0 },
    ...{ firstMessage: "", messageCount: undefined, branchCount: undefined },
    stored: replicas.map(({ name }) => withoutControls(name)).join(", ") || "another machine",
  };
}

const STORED = "stored:";

function archiveFolders(home: string, onUnreadable: (error: Error) => void): string[] {
  const folders = new Set<string>();
  for (const { path } of listArchived({ home, onUnreadable })) folders.add(join(path, ".."));
  return [...folders].filter((folder) => folder.startsWith(archiveRoot(home)));
}

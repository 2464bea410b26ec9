/** The Claude Agent SDK's `SessionStore` on any store: `query({ options: { sessionStore: new AgentSdkStore(store) } })`. */

import { temporaryFolder } from "@bough/session/log/index.js";
import { type OpenedForeign, openForeign } from "../../interop/index.js";
import type { Store, StoredSession } from "../store.js";
import { StoreError } from "../store-error.js";
import {
  type AgentSdkEntry,
  type AgentSdkKey,
  type AppendedEntry,
  entryIn,
  keyIn,
  lineOf,
  storedId,
  storedProject,
  uuidOf,
} from "./agent-sdk-line.js";
import { AgentSdkSummaries, type AgentSdkSummary, type FoldSessionSummary } from "./agent-sdk-summaries.js";
import { writeAgentSdkTranscript } from "./agent-sdk-transcript.js";

/** How many transcripts' IDs are remembered between appends. */
const MOST_REMEMBERED = 100;

export interface AgentSdkStoreOptions {
  /** The SDK's function of the same name. */
  readonly foldSessionSummary?: FoldSessionSummary;
}

/** What is known about a transcript: the IDs of its entries and the time of the newest one. */
interface Known {
  readonly uuids: Set<string>;
  at: number;
}

/** A session as the SDK lists it; `mtime` is the last change in milliseconds. */
export interface AgentSdkListed {
  sessionId: string;
  mtime: number;
}

/**
 * Entries come back in the order in which they were appended. An entry with a `uuid` comes back once, no matter how
 * often and by how many processes it was appended; entries without one are all kept.
 *
 * Appends of one instance are stored in the order of the calls. An entry appended after a transcript was loaded comes
 * after everything that was in it, even if it was loaded on another machine with a different clock.
 */
export class AgentSdkStore {
  readonly #store: Store;
  readonly #known = new Map<string, Known>();
  /** The latest pending operation on each transcript. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #folded: AgentSdkSummaries | undefined;
  /** Present only with `foldSessionSummary`; the SDK then lists sessions without loading each one. */
  readonly listSessionSummaries?: (projectKey: string) => Promise<AgentSdkSummary[]>;

  constructor(store: Store, { foldSessionSummary }: AgentSdkStoreOptions = {}) {
    this.#store = store;
    if (foldSessionSummary === undefined) return;
    const summaries = new AgentSdkSummaries(store, foldSessionSummary);
    this.#folded = summaries;
    this.listSessionSummaries = (projectKey) => this.#summaries(projectKey, summaries);
  }

  append(key: AgentSdkKey, entries: readonly AgentSdkEntry[]): Promise<void> {
    return this.#inTurn(storedId(key), () => this.#append(key, entries));
  }

  async load(key: AgentSdkKey): Promise<AgentSdkEntry[] | null> {
    const found = await this.#load(storedId(key));
    return found.length === 0 ? null : found.map(({ entry }) => entry);
  }

  async listSessions(projectKey: string): Promise<AgentSdkListed[]> {
    const found: AgentSdkListed[] = [];
    for (const session of await this.#transcripts(projectKey)) {
      const key = keyIn(session.id);
      if (key === undefined || key.subpath !== undefined) continue;
      found.push({ sessionId: key.sessionId, mtime: await this.#modified(session) });
    }
    return found;
  }

  async #summaries(projectKey: string, summaries: AgentSdkSummaries): Promise<AgentSdkSummary[]> {
    const found: AgentSdkSummary[] = [];
    for (const session of await this.#transcripts(projectKey)) {
      const key = keyIn(session.id);
      if (key === undefined || key.subpath !== undefined) continue;
      const mtime = await this.#modified(session);
      const one = await summaries.of({ projectKey, sessionId: key.sessionId }, { mtime, cursor: session.cursor });
      if (one !== undefined) found.push(one);
    }
    return found;
  }

  async listSubkeys({ projectKey, sessionId }: AgentSdkKey): Promise<string[]> {
    return (await this.#transcripts(projectKey)).flatMap(({ id }) => {
      const key = keyIn(id);
      return key?.sessionId === sessionId && key.subpath !== undefined ? [key.subpath] : [];
    });
  }

  /** Without a `subpath`, also deletes the transcripts of the session's sub-agents. */
  async delete(key: AgentSdkKey): Promise<void> {
    const gone = (await this.#transcripts(key.projectKey)).filter(({ id }) => {
      const { sessionId, subpath } = keyIn(id) ?? {};
      return sessionId === key.sessionId && (key.subpath === undefined || key.subpath === subpath);
    });
    for (const { id } of gone) {
      await this.#inTurn(id, async () => {
        await this.#store.remove(id);
        this.#known.delete(id);
        this.#folded?.forget(id);
      });
    }
  }

  /**
   * Writes a session below a folder in the file layout of Claude Code and returns the path of the main file. `bough
   * tree`, `search`, `compare` and `import` can read it.
   */
  async writeTranscript(key: Omit<AgentSdkKey, "subpath">, folder: string): Promise<string> {
    const { projectKey, sessionId } = key;
    const main = await this.load({ projectKey, sessionId });
    if (main === null)
      throw new StoreError("session-not-stored", `The store has no transcript of session ${sessionId}`);
    const parts = new Map<string, readonly AgentSdkEntry[]>();
    for (const subpath of await this.listSubkeys(key))
      parts.set(subpath, (await this.load({ projectKey, sessionId, subpath })) ?? []);
    return writeAgentSdkTranscript(folder, { sessionId, main, parts });
  }

  /** Opens a session as a tree, read-only, from a private temporary folder that `close` removes. */
  async open(key: Omit<AgentSdkKey, "subpath">): Promise<OpenedForeign> {
    const { path, remove } = temporaryFolder("agent-sdk");
    try {
      const opened = await openForeign(await this.writeTranscript(key, path));
      const close = () => {
        opened.close();
        remove();
      };
      return { ...opened, close };
    } catch (error) {
      remove();
      throw error;
    }
  }

  async #append(key: AgentSdkKey, entries: readonly AgentSdkEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const id = storedId(key);
    const about = { project: storedProject(key.projectKey) };
    const known = this.#known.get(id) ?? (await this.#learn(id));
    const lines = linesOf(entries, known);
    try {
      // If nothing is new, another process may have deleted what we know.
      if (lines.length > 0) await this.#store.push(id, lines, about);
      else if ((await this.#store.head(id))?.removed === true) await this.#beginAgain(id, entries, about);
    } catch (error) {
      // Part of the lines or none may be stored: forget what is known, so that the transcript is read again.
      this.#known.delete(id);
      if (!(error instanceof StoreError) || error.code !== "session-removed") throw error;
      await this.#beginAgain(id, entries, about);
    }
  }

  /** The SDK may restart a transcript that it deleted, here or elsewhere: nothing known about it is still stored. */
  async #beginAgain(id: string, entries: readonly AgentSdkEntry[], about: { readonly project: string }): Promise<void> {
    this.#known.delete(id);
    this.#folded?.forget(id);
    await this.#store.readmit(id);
    const known = await this.#learn(id);
    try {
      await this.#store.push(id, linesOf(entries, known), about);
    } catch (error) {
      this.#known.delete(id);
      throw error;
    }
  }

  async #learn(id: string): Promise<Known> {
    const found = await this.#load(id);
    const known = this.#known.get(id) ?? { uuids: new Set(), at: 0 };
    this.#remember(id, known, found);
    return known;
  }

  #remember(id: string, known: Known, found: readonly AppendedEntry[]): void {
    for (const { at, entry } of found) {
      known.at = Math.max(known.at, at);
      const uuid = uuidOf(entry);
      if (uuid !== undefined) known.uuids.add(uuid);
    }
    this.#known.delete(id);
    this.#known.set(id, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
  }

  /** Entries in the order in which they were appended, each ID once. */
  async #load(id: string): Promise<readonly AppendedEntry[]> {
    const found: AppendedEntry[] = [];
    for await (const { lines } of this.#store.pull(id)) {
      for (const { bytes } of lines) {
        const one = entryIn(bytes);
        if (one !== undefined) found.push(one);
      }
    }
    found.sort((a, b) => a.at - b.at);
    const seen = new Set<string>();
    const once = found.filter(({ entry }) => {
      const uuid = uuidOf(entry);
      if (uuid === undefined) return true;
      const isNew = !seen.has(uuid);
      seen.add(uuid);
      return isNew;
    });
    const known = this.#known.get(id);
    if (known !== undefined) this.#remember(id, known, once);
    return once;
  }

  async #transcripts(projectKey: string): Promise<readonly StoredSession[]> {
    const project = storedProject(projectKey);
    return (await this.#store.list({ project })).filter(({ removed }) => removed !== true);
  }

  /** Falls back to the newest entry, because not every store knows when lines arrived. */
  async #modified({ id, updated }: StoredSession): Promise<number> {
    return Math.floor(updated?.getTime() ?? (await this.#load(id)).at(-1)?.at ?? 0);
  }

  #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(id) ?? Promise.resolve();
    const done = before.then(work, work);
    const settled = done.then(
      () => {},
      () => {},
    );
    this.#last.set(id, settled);
    void settled.then(() => {
      if (this.#last.get(id) === settled) this.#last.delete(id);
    });
    return done;
  }
}

/** Lines for the entries whose IDs are not known yet. Adds them to the known ones. */
function linesOf(entries: readonly AgentSdkEntry[], known: Known): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (const entry of entries) {
    const uuid = uuidOf(entry);
    if (uuid !== undefined && known.uuids.has(uuid)) continue;
    if (uuid !== undefined) known.uuids.add(uuid);
    known.at = Math.max(Date.now(), known.at + 1);
    lines.push(lineOf({ at: known.at, entry }));
  }
  return lines;
}

/**
 * A store in a git remote. Each replica has one ref for each project, never a branch; every push adds one file with its
 * lines.
 *
 *     refs/bough/<project>/<replica>:
 *       replica.json                          its name
 *       sessions/<session>/<number>.jsonl     lines of one push
 *       sessions/<session>/about.json         project, title, folder
 *       sessions/<session>/removed-<number>-n, readmitted-<number>-n
 *     refs/bough-files/<replica>:
 *       <2 hex>/<rest>                        contents of files
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { cursorOf, marksIn } from "../file-cursor.js";
import { aboutIn } from "../session-about.js";
import type {
  ListFilter,
  PulledLines,
  PushOptions,
  PushOutcome,
  Replica,
  SessionAbout,
  Store,
  StoreBlobs,
  StoredSession,
  StoreHit,
  StoreSearch,
} from "../store.js";
import { sessionRemoved } from "../store-error.js";
import { lineHash } from "../stored-line.js";
import { gitAddress } from "./git-address.js";
import { gitBlobs } from "./git-blobs.js";
import { ABOUT, fileOf, folderOf, jsonBytes, NAME, projectKey } from "./git-files.js";
import { followList } from "./git-follow.js";
import type { Change } from "./git-import.js";
import { evenIfRemade } from "./git-mirror.js";
import { isRemoved, isSame, markAfter, marksOf, type Part, restAfter, sessionOf } from "./git-parts.js";
import { readmittalMarks, removalMark } from "./git-removal.js";
import { GitRepository } from "./git-repository.js";
import { GitRunner } from "./git-run.js";
import { GitSessions } from "./git-sessions.js";

const POLL_MS = 5_000;
const SILENCE_MS = 60_000;
/** How many files to read at once. Each has the lines of one push, a few megabytes at most. */
const READ_AT_ONCE = 16;

export interface GitStoreOptions {
  readonly remote: string;
  readonly replica: Replica;
  /** The store's own repository is kept below this folder. */
  readonly home: string;
  readonly search: (store: Store, query: StoreSearch) => Promise<readonly StoreHit[]>;
  readonly pollMs?: number;
  /** How long the remote may be silent before it counts as unreachable. Default: one minute. */
  readonly silenceMs?: number;
  readonly now?: () => Date;
}

interface Repositories {
  readonly sessions: GitRepository;
  readonly contents: GitRepository;
  readonly runner: GitRunner;
}

export class GitStore implements Store {
  readonly kind = "git";
  readonly address: string;
  readonly key: string;
  readonly replica: Replica;
  readonly blobs: StoreBlobs;
  readonly #options: GitStoreOptions;
  readonly #repository: GitRepository;
  readonly #sessions: GitSessions;
  readonly #runner: GitRunner;
  /** Sessions of the last list that were not pulled since: they need no fetch beyond that of the list. */
  #listed = new Set<string>();

  private constructor(options: GitStoreOptions, { sessions, contents, runner }: Repositories) {
    const { shown, key } = gitAddress(options.remote);
    this.#options = options;
    this.#repository = sessions;
    this.#sessions = new GitSessions(sessions);
    this.#runner = runner;
    this.address = shown;
    this.key = key;
    this.replica = options.replica;
    const { address, replica } = this;
    this.blobs = gitBlobs(contents, { replica, address, now: () => this.#now() });
  }

  /** Contacts the remote, so that a wrong address is noticed right away. */
  static async open(options: GitStoreOptions): Promise<GitStore> {
    const { remote, home, replica, silenceMs: silence = SILENCE_MS } = options;
    const address = gitAddress(remote);
    // Copies with other IDs have their own repositories, because each pushes to its own refs.
    const name = createHash("sha256").update(`${remote} ${replica.id}`).digest("hex").slice(0, 16);
    const runner = new GitRunner();
    const place = { folder: join(home, "stores", name, "git"), address, runner, silence };
    const sessions = await GitRepository.open(place);
    await sessions.fetch();
    const contents = await GitRepository.open({ ...place, refs: "-files" });
    return new GitStore(options, { sessions, contents, runner });
  }

  async list({ project }: ListFilter = {}): Promise<readonly StoredSession[]> {
    const parts = await this.#fetched("stored");
    this.#listed = new Set(parts.keys());
    const sessions = [...parts].map(([id, of]) => sessionOf(id, of));
    return sessions.filter((one) => project === undefined || one.project === project);
  }

  async head(sessionId: string): Promise<StoredSession | undefined> {
    const parts = (await this.#fetched("stored")).get(sessionId);
    return parts === undefined ? undefined : sessionOf(sessionId, parts);
  }

  push(sessionId: string, lines: readonly Uint8Array[], options: PushOptions = {}): Promise<PushOutcome> {
    return evenIfRemade(() => this.#push(sessionId, lines, options));
  }

  async #push(sessionId: string, lines: readonly Uint8Array[], options: PushOptions): Promise<PushOutcome> {
    const parts = (await this.#fetched("kept")).get(sessionId) ?? [];
    if (isRemoved(parts)) throw sessionRemoved(sessionId, this.address);
    const stored = await this.#sessions.linesIn(parts.flatMap((part) => part.lines));
    const known = new Set(stored.flat().map(lineHash));
    const fresh = lines.filter((line) => {
      const hash = lineHash(line);
      const isNew = !known.has(hash);
      known.add(hash);
      return isNew;
    });
    const own = this.#ownOf(parts);
    const about = { ...own?.about, ...aboutIn(options) };
    const ref = own?.ref ?? `${projectKey(about.project)}/${this.replica.id}`;
    // Lines that the remote lost count as known above, so push them again here, even if nothing is new.
    for (const { ref: other, replica } of parts)
      if (replica.id === this.replica.id && (other !== ref || fresh.length === 0))
        if (await this.#repository.isLost(other)) await this.#sessions.commit(other, [], this.#now());
    const introduction = this.#introduction(sessionId, own, about);
    if (fresh.length === 0) {
      if (lines.length === 0 && parts.length > 0 && introduction.length > 0)
        await this.#sessions.commit(ref, introduction, this.#now());
      return { added: 0 };
    }
    const changes = [fileOf(sessionId, fresh), ...introduction];
    await this.#sessions.commit(ref, changes, this.#now());
    const now = marksOf((await this.#sessions.stored()).get(sessionId) ?? []);
    // Whether everything except this push had been pulled before.
    const before = own?.lines ?? [];
    const isAlone = now[ref]?.at === before.length + 1;
    const follows = isAlone && isSame(marksIn(options.since), { ...now, [ref]: markAfter(before) });
    return { added: fresh.length, ...(follows ? { cursor: cursorOf(now), isAlone: true } : {}) };
  }

  async *pull(sessionId: string, cursor?: string): AsyncGenerator<PulledLines> {
    const isRecent = this.#listed.delete(sessionId);
    const all = isRecent ? await evenIfRemade(() => this.#sessions.stored()) : await this.#fetched("stored");
    const parts = all.get(sessionId) ?? [];
    if (isRemoved(parts)) return;
    const { files, marks, isLost } = restAfter(parts, marksIn(cursor));
    const reached = new Map(marks);
    const lost = isLost ? ({ lost: true } as const) : {};
    if (isLost && files.length === 0) yield { lines: [], cursor: cursorOf(Object.fromEntries(reached)), ...lost };
    for (let at = 0; at < files.length; at += READ_AT_ONCE) {
      const piece = files.slice(at, at + READ_AT_ONCE);
      const read = await evenIfRemade(() => this.#sessions.linesIn(piece.map(({ file }) => file)));
      for (const [ref, end] of new Map(piece.map((one) => [one.ref, one.end]))) reached.set(ref, end());
      const lines = piece.flatMap(({ replica }, n) => (read[n] ?? []).map((bytes) => ({ bytes, replica })));
      yield { lines, cursor: cursorOf(Object.fromEntries(reached)), ...(at === 0 ? lost : {}) };
    }
  }

  follow(sessionId: string | undefined, signal: AbortSignal): AsyncGenerator<StoredSession> {
    const { pollMs = POLL_MS } = this.#options;
    return followList({ list: () => this.list(), pollMs, sessionId, signal });
  }

  search(query: StoreSearch): Promise<readonly StoreHit[]> {
    return this.#options.search(this, query);
  }

  remove(sessionId: string): Promise<void> {
    return evenIfRemade(() => this.#mark(sessionId, "removed"));
  }

  readmit(sessionId: string): Promise<void> {
    return evenIfRemade(() => this.#mark(sessionId, "readmitted"));
  }

  /** Stops running git calls, which may be waiting for a network that is gone. */
  async close(): Promise<void> {
    this.#runner.close();
    this.#sessions.clear();
  }

  /** A removal also deletes our own files. Their objects go when the remote collects its garbage. */
  async #mark(sessionId: string, mark: "removed" | "readmitted"): Promise<void> {
    const parts = (await this.#fetched("kept")).get(sessionId) ?? [];
    if (isRemoved(parts) === (mark === "removed")) return;
    const own = this.#ownOf(parts);
    const gone = mark === "removed" ? (own?.lines ?? []).map(({ path }) => ({ path })) : [];
    const names = mark === "removed" ? [removalMark()] : readmittalMarks(parts.flatMap(({ marks }) => marks));
    const notes = names.map((name) => ({ path: `${folderOf(sessionId)}/${name}`, content: Buffer.from("\n") }));
    const ref = own?.ref ?? `${projectKey(undefined)}/${this.replica.id}`;
    const changes = [...gone, ...notes, ...this.#introduction(sessionId, own, own?.about ?? {})];
    await this.#sessions.commit(ref, changes, this.#now());
  }

  #introduction(sessionId: string, own: Part | undefined, about: SessionAbout): readonly Change[] {
    const changes: Change[] = [];
    if (own === undefined || own.replica.name !== this.replica.name)
      changes.push({ path: NAME, content: jsonBytes({ name: this.replica.name }) });
    if (JSON.stringify(own?.about ?? {}) !== JSON.stringify(about))
      changes.push({ path: `${folderOf(sessionId)}${ABOUT}`, content: jsonBytes(about) });
    return changes;
  }

  #fetched(what: "stored" | "kept") {
    return evenIfRemade(async () => {
      await this.#repository.fetch();
      return this.#sessions[what]();
    });
  }

  #ownOf(parts: readonly Part[]): Part | undefined {
    return parts.find(({ replica }) => replica.id === this.replica.id);
  }

  #now(): Date {
    return this.#options.now?.() ?? new Date();
  }
}

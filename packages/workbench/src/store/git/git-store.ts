/**
 * A store in a git remote. Each replica has one ref for each project, never a branch; every push adds one file with its
 * lines. Pushes made at the same time share a commit and a round trip.
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
import { cursorOf, type Marks, marksIn } from "../file-cursor.js";
import { JoinedCalls } from "../joined-calls.js";
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
import { StoreError, sessionRemoved } from "../store-error.js";
import { lineHash } from "../stored-line.js";
import { gitAddress } from "./git-address.js";
import { gitBlobs } from "./git-blobs.js";
import { ABOUT, fileOf, folderOf, jsonBytes, NAME, projectKey } from "./git-files.js";
import { followList } from "./git-follow.js";
import type { Change } from "./git-import.js";
import { evenIfRemade } from "./git-mirror.js";
import { isRemoved, isSame, markAfter, marksOf, type Part, restAfter, sessionOf } from "./git-parts.js";
import { readmittalMarks, removalMark } from "./git-removal.js";
import { GitRepository, READ_AT_ONCE } from "./git-repository.js";
import { GitRunner } from "./git-run.js";
import { GitSessions } from "./git-sessions.js";

const POLL_MS = 5_000;
const SILENCE_MS = 60_000;
/** How much to push at once. Git hosts limit the size of a push. */
const PUSH_BYTES = 32 << 20;
/** Enough that a first sync of a thousand sessions takes a few pushes. */
const SESSIONS_AT_ONCE = 256;

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

interface Push {
  readonly sessionId: string;
  readonly lines: readonly Uint8Array[];
  readonly options: PushOptions;
}

/** What a push changes in a ref. */
interface Planned {
  readonly push: Push;
  /** What was stored of the session before. */
  readonly parts: readonly Part[];
  readonly own: Part | undefined;
  readonly ref: string;
  readonly changes: readonly Change[];
  readonly added: number;
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
  readonly atOnce = SESSIONS_AT_ONCE;
  readonly #options: GitStoreOptions;
  readonly #repository: GitRepository;
  readonly #sessions: GitSessions;
  readonly #runner: GitRunner;
  readonly #pushes = new JoinedCalls<Push, PushOutcome>({
    work: (pushes) => this.#pushAll(pushes),
    // A later push of a session must know the lines of the earlier one.
    keyOf: ({ sessionId }) => sessionId,
    weightOf: ({ lines }) => lines.reduce((sum, { length }) => sum + length, 0),
    heaviest: PUSH_BYTES,
  });
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
    return this.#pushes.call({ sessionId, lines, options });
  }

  /** One commit and one push for each ref. If it fails, some of it may be stored. */
  async #pushAll(pushes: readonly Push[]): Promise<readonly (PushOutcome | Error)[]> {
    const outcomes = new Map<Push, PushOutcome | Error>();
    await evenIfRemade(async () => {
      const kept = await this.#fetched("kept");
      const left = pushes.filter((push) => !outcomes.has(push));
      const planned = await Promise.all(left.map((push) => this.#planPush(push, kept.get(push.sessionId) ?? [])));
      const plans = planned.filter((plan): plan is Planned => plan !== "removed");
      for (const [index, plan] of planned.entries()) {
        const push = left[index] as Push;
        if (plan === "removed") outcomes.set(push, sessionRemoved(push.sessionId, this.address));
      }
      await this.#restoreLost(plans);
      for (const plan of plans) if (plan.changes.length === 0) outcomes.set(plan.push, { added: 0 });
      for (const [ref, of] of byRef(plans.filter(({ changes }) => changes.length > 0)))
        await this.#commitAll(ref, of, outcomes);
    });
    return pushes.map((push) => outcomes.get(push) as PushOutcome | Error);
  }

  /** Lines that no copy has pushed yet. */
  async #freshIn({ lines }: Push, parts: readonly Part[]): Promise<readonly Uint8Array[]> {
    const stored = await this.#sessions.linesIn(parts.flatMap((part) => part.lines));
    const known = new Set(stored.flat().map(lineHash));
    return lines.filter((line) => {
      const hash = lineHash(line);
      const isNew = !known.has(hash);
      known.add(hash);
      return isNew;
    });
  }

  async #planPush(push: Push, parts: readonly Part[]): Promise<Planned | "removed"> {
    const { sessionId, lines, options } = push;
    if (isRemoved(parts)) return "removed";
    const fresh = await this.#freshIn(push, parts);
    const own = this.#ownOf(parts);
    const about = { ...own?.about, ...aboutIn(options) };
    const ref = own?.ref ?? `${projectKey(about.project)}/${this.replica.id}`;
    const introduction = this.#introduction(sessionId, own, about);
    const isIntroduced = fresh.length > 0 || (lines.length === 0 && parts.length > 0);
    const changes = [...(fresh.length > 0 ? [fileOf(sessionId, fresh)] : []), ...(isIntroduced ? introduction : [])];
    return { push, parts, own, ref, changes, added: fresh.length };
  }

  /** Lines that the remote lost count as known, so they are pushed again here, even if nothing is new. */
  async #restoreLost(plans: readonly Planned[]): Promise<void> {
    for (const { parts, ref, added } of plans)
      for (const { ref: other, replica } of parts)
        if (replica.id === this.replica.id && (other !== ref || added === 0))
          if (await this.#repository.isLost(other)) await this.#sessions.commit(other, [], this.#now());
  }

  /** If the remote refuses a commit, it may be because of one session: the others are pushed without it. */
  async #commitAll(ref: string, plans: readonly Planned[], outcomes: Map<Push, PushOutcome | Error>): Promise<void> {
    // Each new session brings the name of this copy.
    const changes = new Map(plans.flatMap((plan) => plan.changes).map((change) => [change.path, change]));
    try {
      await this.#sessions.commit(ref, [...changes.values()], this.#now());
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "store-refused") throw error;
      const half = Math.ceil(plans.length / 2);
      if (plans.length === 1) for (const { push } of plans) outcomes.set(push, error);
      else for (const part of [plans.slice(0, half), plans.slice(half)]) await this.#commitAll(ref, part, outcomes);
      return;
    }
    const stored = await this.#sessions.stored();
    for (const plan of plans) outcomes.set(plan.push, outcomeOf(plan, marksOf(stored.get(plan.push.sessionId) ?? [])));
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

function outcomeOf({ push, own, ref, added }: Planned, now: Marks): PushOutcome {
  if (added === 0) return { added };
  // Whether everything except this push had been pulled before.
  const before = own?.lines ?? [];
  const isAlone = now[ref]?.at === before.length + 1;
  const follows = isAlone && isSame(marksIn(push.options.since), { ...now, [ref]: markAfter(before) });
  return { added, ...(follows ? { cursor: cursorOf(now), isAlone: true } : {}) };
}

function byRef(plans: readonly Planned[]): ReadonlyMap<string, readonly Planned[]> {
  const found = new Map<string, Planned[]>();
  for (const plan of plans) {
    const known = found.get(plan.ref);
    if (known === undefined) found.set(plan.ref, [plan]);
    else known.push(plan);
  }
  return found;
}

/**
 * A store in a git remote. Each replica has a ref of its own for each project, never a branch; every push adds one file
 * with its lines.
 *
 *     refs/bough/<project>/<replica>:
 *       replica.json                          its name
 *       sessions/<session>/<number>.jsonl     lines of one push
 *       sessions/<session>/about.json         project, title, folder
 *       sessions/<session>/removed-<number>, readmitted-<number>
 *     refs/bough-files/<replica>:
 *       <2 hex>/<rest>                        contents of files
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { cursorOf, isSameMark, type Mark, type Marks, markAt, marksIn } from "../file-cursor.js";
import { plainAddress } from "../project-of.js";
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
import { gitBlobs } from "./git-blobs.js";
import {
  ABOUT,
  type Facts,
  factsIn,
  fileOf,
  folderOf,
  groupBySession,
  hasFacts,
  jsonBytes,
  NAME,
  projectKey,
  splitLines,
  stamp,
} from "./git-files.js";
import { type Change, GitRepository, type TreeFile } from "./git-repository.js";

const POLL_MS = 5_000;
/** Each has the lines of one push, at most some megabytes. */
const READ_AT_ONCE = 16;

export interface GitStoreOptions {
  readonly remote: string;
  readonly replica: Replica;
  /** Where the repository that belongs to the store is kept. */
  readonly home: string;
  readonly search: (store: Store, query: StoreSearch) => Promise<readonly StoreHit[]>;
  readonly pollMs?: number;
  readonly now?: () => Date;
}

/** What one replica has of one session. */
interface Part {
  readonly ref: string;
  readonly replica: Replica;
  readonly lines: readonly TreeFile[];
  readonly about: SessionAbout;
  readonly removals: number;
}

export class GitStore implements Store {
  readonly kind = "git";
  readonly address: string;
  readonly replica: Replica;
  readonly blobs: StoreBlobs;
  readonly #options: GitStoreOptions;
  readonly #repository: GitRepository;
  /** Sessions of the last list that were not pulled since: for those the fetch of the list is recent enough. */
  #listed = new Set<string>();
  readonly #lines = new Map<string, readonly Buffer[]>();
  /** What is in the small files, by their blobs. */
  readonly #facts = new Map<string, Facts>();

  private constructor(options: GitStoreOptions, repository: GitRepository, contents: GitRepository) {
    this.#options = options;
    this.#repository = repository;
    this.address = plainAddress(options.remote);
    this.replica = options.replica;
    const { address, replica } = this;
    this.blobs = gitBlobs(contents, { replica, address, now: () => this.#now() });
  }

  /** Asks the remote once, so that a wrong address is noticed at once. */
  static async open(options: GitStoreOptions): Promise<GitStore> {
    const { remote, home, replica } = options;
    if (remote.startsWith("-")) throw new StoreError("store-unknown", `Not an address of a repository: ${remote}`);
    // Copies with other IDs do not share it: each has refs of its own there.
    const key = createHash("sha256").update(`${remote} ${replica.id}`).digest("hex").slice(0, 16);
    const place = { folder: join(home, "stores", key, "git"), remote, address: plainAddress(remote) };
    const repository = await GitRepository.open(place);
    await repository.fetch();
    return new GitStore(options, repository, await GitRepository.open({ ...place, refs: "-files" }));
  }

  async list({ project }: ListFilter = {}): Promise<readonly StoredSession[]> {
    await this.#repository.fetch();
    const parts = await this.#parts();
    this.#listed = new Set(parts.keys());
    const sessions = [...parts].map(([id, of]) => sessionOf(id, of));
    return sessions.filter((one) => project === undefined || one.project === project);
  }

  async head(sessionId: string): Promise<StoredSession | undefined> {
    await this.#repository.fetch();
    const parts = (await this.#parts()).get(sessionId);
    return parts === undefined ? undefined : sessionOf(sessionId, parts);
  }

  async push(sessionId: string, lines: readonly Uint8Array[], options: PushOptions = {}): Promise<PushOutcome> {
    await this.#repository.fetch();
    const parts = (await this.#parts()).get(sessionId) ?? [];
    if (isRemoved(parts)) {
      throw sessionRemoved(sessionId, this.address);
    }
    const stored = parts.flatMap((part) => part.lines);
    await this.#read(stored);
    const known = new Set(stored.flatMap((file) => this.#linesIn(file).map(lineHash)));
    const fresh = lines.filter((line) => {
      const hash = lineHash(line);
      const isNew = !known.has(hash);
      known.add(hash);
      return isNew;
    });
    const own = parts.find(({ replica }) => replica.id === this.replica.id);
    const about = aboutIn({ ...own?.about, ...options });
    const changes = [
      ...(fresh.length === 0 ? [] : [fileOf(sessionId, fresh)]),
      ...this.#introduction(sessionId, own, about),
    ];
    if (fresh.length === 0) return { added: 0 };
    const ref = own?.ref ?? `${projectKey(about.project)}/${this.replica.id}`;
    await this.#commit(ref, changes);
    const after = (await this.#parts()).get(sessionId) ?? [];
    const now = marksOf(after);
    // Whether everything but what this push added had been pulled.
    const before = own?.lines ?? [];
    const isAlone = now[ref]?.at === before.length + 1;
    const follows = isAlone && isSame(marksIn(options.since), { ...now, [ref]: markAfter(before) });
    return { added: fresh.length, ...(follows ? { cursor: cursorOf(now) } : {}) };
  }

  async *pull(sessionId: string, cursor?: string): AsyncGenerator<PulledLines> {
    if (!this.#listed.delete(sessionId)) await this.#repository.fetch();
    const parts = (await this.#parts()).get(sessionId) ?? [];
    if (isRemoved(parts)) return;
    const known = marksIn(cursor);
    const left = filesAfter(parts, known);
    // Those of refs that are gone are left out: if one comes back, it is read again.
    const marks = new Map(parts.flatMap(({ ref }) => (known[ref] === undefined ? [] : [[ref, known[ref]]])));
    for (let at = 0; at < left.length; at += READ_AT_ONCE) {
      const piece = left.slice(at, at + READ_AT_ONCE);
      await this.#read(piece.map(({ file }) => file));
      for (const [ref, end] of new Map(piece.map((one) => [one.ref, one.end]))) marks.set(ref, end());
      const lines = piece.flatMap(({ file, replica }) => this.#linesIn(file).map((bytes) => ({ bytes, replica })));
      yield { lines, cursor: cursorOf(Object.fromEntries(marks)) };
    }
  }

  async *follow(sessionId: string | undefined, signal: AbortSignal): AsyncGenerator<StoredSession> {
    const seen = new Map((await this.list()).map(({ id, cursor }) => [id, cursor]));
    while (!signal.aborted) {
      await wait(this.#options.pollMs ?? POLL_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      for (const one of await this.list().catch(whenAway)) {
        if ((sessionId !== undefined && one.id !== sessionId) || seen.get(one.id) === one.cursor) continue;
        seen.set(one.id, one.cursor);
        yield one;
      }
    }
  }

  search(query: StoreSearch): Promise<readonly StoreHit[]> {
    return this.#options.search(this, query);
  }

  remove(sessionId: string): Promise<void> {
    return this.#mark(sessionId, "removed");
  }

  readmit(sessionId: string): Promise<void> {
    return this.#mark(sessionId, "readmitted");
  }

  async close(): Promise<void> {
    this.#lines.clear();
  }

  /** Own files go with a removal. What git has stored of them goes when the remote collects its garbage. */
  async #mark(sessionId: string, mark: "removed" | "readmitted"): Promise<void> {
    await this.#repository.fetch();
    const parts = (await this.#parts()).get(sessionId) ?? [];
    if (isRemoved(parts) === (mark === "removed")) return;
    const own = parts.find(({ replica }) => replica.id === this.replica.id);
    const gone = mark === "removed" ? (own?.lines ?? []).map(({ path }) => ({ path })) : [];
    const note = { path: `${folderOf(sessionId)}/${mark}-${stamp()}`, content: Buffer.from("\n") };
    const ref = own?.ref ?? `${projectKey(undefined)}/${this.replica.id}`;
    await this.#commit(ref, [...gone, note, ...this.#introduction(sessionId, own, own?.about ?? {})]);
  }

  #introduction(sessionId: string, own: Part | undefined, about: SessionAbout): readonly Change[] {
    const changes: Change[] = [];
    if (own === undefined || own.replica.name !== this.replica.name)
      changes.push({ path: NAME, content: jsonBytes({ name: this.replica.name }) });
    if (JSON.stringify(own?.about ?? {}) !== JSON.stringify(about))
      changes.push({ path: `${folderOf(sessionId)}${ABOUT}`, content: jsonBytes(about) });
    return changes;
  }

  async #parts(): Promise<Map<string, Part[]>> {
    const refs: { readonly ref: string; readonly files: readonly TreeFile[] }[] = [];
    for (const [ref, commit] of await this.#repository.refs())
      refs.push({ ref, files: await this.#repository.filesIn(commit) });
    await this.#readFacts(refs.flatMap(({ files }) => files));
    const found = new Map<string, Part[]>();
    for (const { ref, files } of refs) {
      const [, id = ""] = ref.split("/");
      const { name = id } = this.#factsIn(files.find(({ path }) => path === NAME));
      const replica = { id, name: typeof name === "string" ? name : id };
      for (const [id, of] of groupBySession(files)) {
        const count = (mark: string) => of.filter(({ path }) => path.includes(`/${mark}-`)).length;
        const part = {
          ref,
          replica,
          lines: of.filter(({ path }) => path.endsWith(".jsonl")),
          about: aboutIn(this.#factsIn(of.find(({ path }) => path.endsWith(ABOUT)))),
          removals: count("removed") - count("readmitted"),
        };
        found.set(id, [...(found.get(id) ?? []), part]);
      }
    }
    return found;
  }

  /** All that are not known yet by one call of git. */
  async #readFacts(files: readonly TreeFile[]): Promise<void> {
    const missing = files.filter(({ path, blob }) => hasFacts(path) && !this.#facts.has(blob));
    const read = await this.#repository.read(missing.map(({ blob }) => blob));
    for (const [i, { blob }] of missing.entries()) this.#facts.set(blob, factsIn(read[i]));
  }

  #factsIn(file: TreeFile | undefined): Facts {
    return (file === undefined ? undefined : this.#facts.get(file.blob)) ?? {};
  }

  async #commit(ref: string, changes: readonly Change[]): Promise<void> {
    const blobs = await this.#repository.commit(ref, changes, this.#now());
    // What was just written need not be read.
    for (const { path, content } of changes) {
      const blob = blobs.get(path);
      if (blob === undefined || content === undefined) continue;
      if (hasFacts(path)) this.#facts.set(blob, factsIn(Buffer.from(content)));
      else if (path.endsWith(".jsonl")) this.#lines.set(blob, splitLines(Buffer.from(content)));
    }
  }

  /** By one call of git. */
  async #read(files: readonly TreeFile[]): Promise<void> {
    const missing = files.filter(({ blob }) => !this.#lines.has(blob));
    const read = await this.#repository.read(missing.map(({ blob }) => blob));
    for (const [i, { blob }] of missing.entries()) this.#lines.set(blob, splitLines(read[i] ?? Buffer.alloc(0)));
  }

  #linesIn({ blob }: TreeFile): readonly Buffer[] {
    return this.#lines.get(blob) ?? [];
  }

  #now(): Date {
    return this.#options.now?.() ?? new Date();
  }
}

function whenAway(error: unknown): readonly StoredSession[] {
  if (error instanceof StoreError && error.code === "store-unreachable") return [];
  throw error;
}

function isRemoved(parts: readonly Part[]): boolean {
  return parts.reduce((sum, { removals }) => sum + removals, 0) > 0;
}

function sessionOf(id: string, parts: readonly Part[]): StoredSession {
  return {
    id,
    cursor: cursorOf(marksOf(parts)),
    replicas: parts.filter(({ lines }) => lines.length > 0).map(({ replica }) => replica),
    ...Object.assign({}, ...parts.map(({ about }) => about)),
    ...(isRemoved(parts) ? { removed: true } : {}),
  };
}

/**
 * What comes after a cursor, in the order of the pushes, so that who pulls everything is where the last one left off.
 * If a ref has other files now before its mark, all of it is read again: lines that are known are passed over. It may
 * have been rewritten, or a program with a slower clock or an older push got there late.
 */
function filesAfter(parts: readonly Part[], marks: Marks) {
  const files = parts.flatMap(({ ref, replica, lines }) => {
    const { at = 0 } = marks[ref] ?? {};
    const from = isSameMark(marks[ref], markAfter(lines.slice(0, at))) ? at : 0;
    return lines
      .slice(from)
      .map((file, n) => ({ ref, replica, file, end: () => markAfter(lines.slice(0, from + n + 1)) }));
  });
  return files.sort((a, b) => (a.file.path < b.file.path ? -1 : 1));
}

function marksOf(parts: readonly Part[]): Marks {
  return Object.fromEntries(parts.map(({ ref, lines }) => [ref, markAfter(lines)]));
}

function markAfter(files: readonly TreeFile[]): Mark {
  return markAt(files.length, files.map(({ path, blob }) => `${path} ${blob}`).join("\n"));
}

function isSame(a: Marks, b: Marks): boolean {
  return Object.keys({ ...a, ...b }).every((name) => isSameMark(a[name], b[name]));
}

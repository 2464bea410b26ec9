/** Syncs many sessions with a store: those of a project, all of them, or some by ID. */
import { existsSync, statSync } from "node:fs";
import { FileLog } from "@bough/session/log/index.js";
import type { SessionInfo } from "@bough/session/session/index.js";
import { listAllSessions } from "@bough/session/session/index.js";
import type { BlobSource } from "../../checkpoint/index.js";
import { isTranscript } from "../agent-sdk/agent-sdk-line.js";
import { SessionContents } from "../files/session-contents.js";
import { projectOf } from "../project-of.js";
import type { Store, StoredSession } from "../store.js";
import { StoreError } from "../store-error.js";
import { aboutInfo, titleOfInfo } from "./about-file.js";
import { eachAtOnce, oneAtATime } from "./at-once.js";
import { newFileFor } from "./fetch-session.js";
import type { MayLeave } from "./push-session.js";
import { isUnchanged, type SyncedSession, syncSession } from "./sync-session.js";
import type { SyncState, SyncStates } from "./sync-state.js";

export interface SyncSessionsOptions {
  readonly store: Store;
  readonly states: SyncStates;
  /** Sync the sessions of this folder's project. New sessions are opened in this folder. */
  readonly cwd: string;
  /** The project's name in the store, if its folder has no git remote. */
  readonly project?: string;
  /** All projects on this machine and in the store. */
  readonly all?: boolean;
  /** Only these sessions, whatever their project. */
  readonly ids?: readonly string[];
  /** Also push named sessions that were removed from the store, and pull those deleted here. */
  readonly again?: boolean;
  /** Only report what would be done. */
  readonly dryRun?: boolean;
  /** As for `syncSession`: asked before each push about the new entries. */
  readonly mayLeave?: MayLeave;
  /** As for `syncSession`. */
  readonly files?: "safe" | "all" | "none";
  /** As for `syncSession`; also checks sessions that did not change. */
  readonly everyFile?: boolean;
  /** As for `syncSession`. */
  readonly contents?: BlobSource | undefined;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
  readonly now?: () => Date;
}

export type SkippedWhy = "secrets" | "removed-there" | "deleted-here" | "failed";

export interface SkippedSession {
  readonly sessionId: string;
  readonly title?: string;
  readonly why: SkippedWhy;
  readonly error?: StoreError;
}

export interface SyncReport {
  readonly project: string | undefined;
  /** Sessions with pushes or pulls. In a dry run: those that would be checked. */
  readonly synced: readonly (SyncedSession & { readonly title: string })[];
  readonly unchanged: number;
  /** Sessions that moved to this project from another one or none in the store. In a dry run: those that would move. */
  readonly moved: number;
  /** Sessions that stay in another project, because a machine that pushed them still uses that name. */
  readonly notMoved: number;
  readonly skipped: readonly SkippedSession[];
}

/** How many bytes of sessions to work on at the same time. */
const HEAVIEST = 64 << 20;

interface Pair {
  readonly id: string;
  readonly here: SessionInfo | undefined;
  readonly there: StoredSession | undefined;
}

/** Lists the store once, so that sessions that did not change need no further request. */
export async function syncSessions(options: SyncSessionsOptions): Promise<SyncReport> {
  const { store, states, cwd, all = false, ids, again = false, signal, onProgress } = options;
  const project = options.project ?? (await projectOf(cwd)) ?? undefined;
  const projects = new Map<string, string | undefined>([[cwd, project]]);
  const projectAt = async (folder: string) => {
    if (!projects.has(folder)) projects.set(folder, await projectOf(folder));
    return projects.get(folder);
  };
  const local = await listAllSessions(undefined, signal === undefined ? {} : { signal });
  const stored = await store.list();
  const pairs: Pair[] = [];
  const there = new Map(stored.map((one) => [one.id, one]));
  const known = new Set<string>();
  for (const here of local) {
    const wanted = ids?.includes(here.id) ?? (all || here.cwd === cwd || (await isOf(project, here.cwd, projectAt)));
    if (wanted) pairs.push({ id: here.id, here, there: there.get(here.id) });
    known.add(here.id);
  }
  for (const one of stored) {
    if (known.has(one.id)) continue;
    // A transcript of the Claude Agent SDK is not a session of Bough; see `AgentSdkStore`.
    if (isTranscript(one.id)) continue;
    const wanted = ids?.includes(one.id) ?? (all || (project !== undefined && one.project === project));
    if (wanted) pairs.push({ id: one.id, here: undefined, there: one });
  }
  const report = new Report(project);
  // If the project is named explicitly, its sessions move to it from other projects in the store. Otherwise only
  // sessions without a project there do. A session that came from the store moves only if the name was given and not
  // for `all`.
  const moves = ({ id, here, there: stored }: Pair) =>
    here !== undefined &&
    stored !== undefined &&
    stored.removed !== true &&
    project !== undefined &&
    stored.project !== project &&
    (options.project !== undefined || stored.project === undefined) &&
    (here.cwd === cwd || (!all && ids === undefined)) &&
    (states.get(id)?.guest !== true || (options.project !== undefined && !all));
  const movedIds = new Set<string>();
  let separates: Promise<boolean> | undefined;
  const moveContents = async (here: SessionInfo, project: string | undefined) => {
    if (project === undefined || options.files === "none") return;
    separates ??= (async () => (await store.team?.role()) !== undefined)();
    if (!(await separates)) return;
    const log = new FileLog(here.path, { access: "read" });
    try {
      const place = { home: states.home, sessionId: here.id, contents: options.contents };
      await new SessionContents({ log, store, signal, ...place }).moveTo(project);
    } finally {
      log.close();
    }
  };
  const move = async ({ id, here }: Pair) => {
    movedIds.add(id);
    if (options.dryRun === true || here === undefined) return;
    const about = await aboutInfo(here, projectAt);
    await moveContents(here, about.project);
    await store.push(id, [], about);
  };
  const { now, files, everyFile, contents } = options;
  const mayLeave = options.mayLeave === undefined ? undefined : oneAtATime(options.mayLeave);
  const syncPair = async (pair: Pair, signal: AbortSignal): Promise<(() => void) | undefined> => {
    const { id, here } = pair;
    const state = states.get(id);
    const reason = reasonToSkip(pair, { known: state !== undefined, again: again && ids !== undefined });
    if (reason === "gone") return undefined;
    if (reason !== undefined) return () => report.skip(pair, reason);
    if (everyFile !== true && isSettled(pair, state)) {
      if (!moves(pair)) return () => report.unchanged++;
      await move(pair);
      return undefined;
    }
    if (options.dryRun === true) return () => report.would(pair, fileFor(pair, cwd));
    // If the file is gone or was not accepted by the store, start over.
    if (here === undefined || again || pair.there?.removed === true) states.delete(id);
    const about = here === undefined ? {} : await aboutInfo(here, projectAt);
    const place = here === undefined ? { cwd } : {};
    const request = { store, states, sessionId: id, file: fileFor(pair, cwd), about, ...place };
    try {
      if (pair.there?.removed === true) await store.readmit(id);
      const synced = await syncSession({ ...request, signal, now, mayLeave, files, everyFile, contents });
      const { held, forbidden, ...done } = synced;
      if (held !== true && forbidden === undefined && moves(pair)) await move(pair);
      return () => {
        if (held === true) report.skip(pair, "secrets");
        else if (forbidden !== undefined) report.skip(pair, "failed", forbidden);
        if ((held !== true && forbidden === undefined) || done.pulled > 0) report.add(pair, done);
      };
    } catch (error) {
      // A session that cannot be synced does not stop the others, but an unreachable store does.
      if (!(error instanceof StoreError) || error.code === "store-unreachable" || error.code === "sync-aborted")
        throw error;
      return () => report.skip(pair, "failed", error);
    }
  };
  const weightOf = ({ here }: Pair) =>
    here === undefined ? HEAVIEST / 64 : (statSync(here.path, { throwIfNoEntry: false })?.size ?? 0);
  const atOnce = { most: store.atOnce ?? 1, heaviest: HEAVIEST, weightOf, signal, onProgress };
  const told = await eachAtOnce(pairs, syncPair, atOnce);
  // In the order of the list, whichever was done first.
  for (const tell of told) tell?.();
  onProgress?.(pairs.length, pairs.length);
  report.moved = movedIds.size;
  if (movedIds.size > 0 && options.dryRun !== true) {
    const now = await store.list();
    report.notMoved = now.filter((one) => movedIds.has(one.id) && one.project !== project).length;
    report.moved -= report.notMoved;
  }
  return report.done();
}

function isSettled({ here, there }: Pair, state: SyncState | undefined): boolean {
  return here !== undefined && isUnchanged(here.path, state) && state?.cursor === there?.cursor;
}

/** A session removed from the store, or deleted here, does not come back by itself. */
function reasonToSkip(
  { here, there }: Pair,
  { known, again }: { readonly known: boolean; readonly again: boolean },
): SkippedWhy | "gone" | undefined {
  if (there?.removed === true) return here === undefined ? "gone" : again ? undefined : "removed-there";
  return here === undefined && known && !again ? "deleted-here" : undefined;
}

async function isOf(
  project: string | undefined,
  folder: string,
  projectAt: (folder: string) => Promise<string | undefined>,
): Promise<boolean> {
  return project !== undefined && existsSync(folder) && (await projectAt(folder)) === project;
}

function fileFor({ id, here, there }: Pair, cwd: string): string {
  if (here !== undefined) return here.path;
  return newFileFor(there ?? { id }, cwd);
}

class Report {
  unchanged = 0;
  moved = 0;
  notMoved = 0;
  readonly #project: string | undefined;
  readonly #synced: (SyncedSession & { readonly title: string })[] = [];
  readonly #skipped: SkippedSession[] = [];

  constructor(project: string | undefined) {
    this.#project = project;
  }

  add(pair: Pair, synced: SyncedSession): void {
    if (synced.pushed === 0 && synced.pulled === 0 && synced.contents === undefined) this.unchanged++;
    else this.#synced.push({ ...synced, title: titleIn(pair) });
  }

  would(pair: Pair, file: string): void {
    const nothing = { pushed: 0, pulled: 0, arrivals: [], taken: [], damaged: 0 };
    this.#synced.push({ sessionId: pair.id, file, ...nothing, title: titleIn(pair) });
  }

  skip(pair: Pair, why: SkippedWhy, error?: StoreError): void {
    this.#skipped.push({ sessionId: pair.id, title: titleIn(pair), why, ...(error === undefined ? {} : { error }) });
  }

  done(): SyncReport {
    const { unchanged, moved, notMoved } = this;
    return { project: this.#project, synced: this.#synced, unchanged, moved, notMoved, skipped: this.#skipped };
  }
}

function titleIn({ here, there }: Pair): string {
  return here === undefined ? (there?.title ?? "") : titleOfInfo(here);
}

/**
 * What this session tells other sessions in its root: which of its commands are running, and which changes it is about
 * to make. Written to disk before they begin, so that it survives a kill.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync, readFileSync, statSync, utimesSync } from "node:fs";
import { basename } from "node:path";
import type { EntryId, FileState } from "@bough/session/entry/index.js";
import {
  isGroupAlive,
  makeFolder,
  type ProcessIdentity,
  processIdentity,
  writeWhole,
} from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";
import type { CallTime, OtherWork } from "./attribute-changes.js";
import type { JournalCall } from "./calls-in.js";
import { isDatedHere, isJump, type Moment, thisMoment } from "./clock.js";
import type { AnnouncedChange, CallKind, JournalLine, SeenLines } from "./journal-line.js";
import { spanOf } from "./left-calls.js";
import {
  callMark,
  journalCounts,
  journalFile,
  MOST_JOURNAL_BYTES,
  newWorkFolder,
  readWorkFolders,
  SIGN_MS,
  sweepWorkFolders,
  type WorkAbout,
  writeAbout,
} from "./work-folder.js";

export interface WorkJournalOptions {
  /** The folder of the store. */
  readonly store: string;
  readonly about: WorkAbout;
}

export interface OpenedCall {
  readonly id: string;
  readonly tool: string;
  readonly kind: CallKind;
  readonly leaf: EntryId | null;
  readonly command?: string;
  /** The person runs it, not the model. */
  readonly byPerson?: boolean;
}

interface OwnCall {
  readonly from: Moment;
  readonly to?: Moment;
  readonly kind: CallKind;
  readonly groups: readonly ProcessIdentity[];
}

function isRunning({ groups }: OwnCall): boolean {
  return groups.some(isGroupAlive);
}

type NewLine = JournalLine extends infer Line ? (Line extends Moment ? Omit<Line, keyof Moment> : never) : never;

export class WorkJournal {
  readonly folder: string;
  readonly #options: WorkJournalOptions;
  readonly #mark = randomUUID();
  #hasBegun = false;
  #isDated = false;
  /** Own calls by ID. Closed ones stay until they are recorded. */
  readonly #calls = new Map<string, OwnCall>();
  /** Calls taken over from killed processes. */
  readonly #adopted = new Set<string>();
  /** Recorded calls that still have processes in the background. */
  #background: readonly (OwnCall & { readonly id: string })[] = [];
  #signs: NodeJS.Timeout | undefined;
  /**
   * How many lines each journal had at the start of the last recorded scan (`#seen`) and of the current one
   * (`#looking`).
   */
  #seen: SeenLines | undefined;
  #looking: SeenLines = {};
  #lookingAt = 0;
  /** What this session announced since that scan, the last announcement for each path. */
  readonly #announced = new Map<string, AnnouncedChange>();

  constructor(options: WorkJournalOptions) {
    this.#options = options;
    this.folder = newWorkFolder(options.store);
  }

  /** Call it before the first scan, so that other sessions keep what happens from then on. */
  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const { store, about } = this.#options;
    makeFolder(this.folder);
    writeAbout(this.folder, { ...about, mark: this.#mark });
    const { at } = thisMoment();
    appendFileSync(journalFile(this.folder), "", { mode: 0o600 });
    this.#isDated = isDatedHere(about.root, { written: journalFile(this.folder), at });
    sweepWorkFolders(store, at);
    OPEN.add(this);
    if (OPEN.size === 1) process.on("exit", endAll);
    if (this.#seen !== undefined) return;
    this.looking();
    this.looked();
  }

  /** The mark for the environment of a call's commands. */
  markOf(id: string): string {
    return callMark(this.#mark, id);
  }

  open({ id, tool, kind, leaf, command, byPerson }: OpenedCall): void {
    this.begin();
    const seen = this.#seenOfOthers();
    const moment = this.#append({ line: "open", id, tool, kind, leaf, command, byPerson, seen });
    this.#calls.set(id, { from: moment, kind, groups: [] });
    this.#signs ??= setInterval(() => this.#giveSign(), SIGN_MS).unref();
  }

  allowed(id: string): void {
    const call = this.#calls.get(id);
    if (call === undefined || call.to !== undefined) return;
    this.#calls.set(id, { ...call, from: this.#append({ line: "allowed", id }) });
  }

  group(id: string, pid: number): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    const group = processIdentity(pid);
    this.#append({ line: "group", id, process: group });
    this.#calls.set(id, { ...call, groups: [...call.groups, group] });
  }

  /** Takes over a command of a killed process that is still running: this session now reports on it. */
  adopt({ id, tool, kind, leaf, command, byPerson, groups }: JournalCall): void {
    this.open({ id, tool, kind, leaf, byPerson, command });
    for (const process of groups) this.#append({ line: "group", id, process });
    this.#calls.set(id, { from: thisMoment(), kind, groups });
    this.#adopted.add(id);
  }

  /** Call it before changing a file to a known state. */
  announce(path: string, state: FileState): void {
    const { at } = this.#append({ line: "will", path, state });
    this.#announced.set(path, { path, state, at });
  }

  /** `ran` is false for a call that was refused. */
  close(id: string, { ran }: { readonly ran: boolean }): void {
    const call = this.#calls.get(id);
    if (call === undefined || call.to !== undefined) return;
    const moment = this.#append({ line: ran ? "close" : "void", id });
    if (ran) this.#calls.set(id, { ...call, to: moment });
    else this.#calls.delete(id);
    if ([...this.#calls.values()].every(({ to }) => to !== undefined)) this.#stopSigns();
  }

  /** The changes of closed calls are in the session. */
  recorded(): void {
    for (const id of this.#adopted) {
      const call = this.#calls.get(id);
      if (call !== undefined && isRunning(call)) continue;
      this.close(id, { ran: true });
      this.#adopted.delete(id);
    }
    const closed = [...this.#calls].filter(([, { to }]) => to !== undefined);
    if (closed.length === 0) return;
    this.#append({ line: "recorded" });
    this.#background = [...this.#background, ...closed.map(([id, call]) => ({ id, ...call }))].filter(isRunning);
    for (const [id] of closed) this.#calls.delete(id);
  }

  /**
   * When calls of this session may have changed something. Leaves out calls that only make the changes they announce.
   */
  times(ids: readonly string[]): readonly CallTime[] {
    const now = thisMoment();
    const named = [...new Set([...ids, ...this.#adopted])].flatMap((id) => {
      const call = this.#calls.get(id);
      return call === undefined || call.kind === "exact" ? [] : [{ id, ...call }];
    });
    this.#background = this.#background.filter(isRunning);
    return [...named, ...this.#background].map((call) => {
      const to = call.to === undefined || isRunning(call) ? Number.POSITIVE_INFINITY : call.to.at;
      return { id: call.id, from: call.from.at, to, isCertain: this.#isDated && !isJump(call.from, now) };
    });
  }

  /** What this session announced since its last scan, the last announcement for each path. */
  get announced(): ReadonlyMap<string, AnnouncedChange> {
    return this.#announced;
  }

  /**
   * What other sessions in this root did, or may have done, since this session's last scan; after a kill, since the
   * last scan of the earlier process, which had read their journals up to `seen`.
   */
  others(seen = this.#seen ?? {}): OtherWork {
    const { store, about } = this.#options;
    const calls: OtherWork["calls"][number][] = [];
    const announced: OtherWork["announced"][number][] = [];
    const folders = readWorkFolders(store, about.root);
    // Earlier processes of this session scanned until they ended, and their changes are in its file.
    const ended = folders.filter(({ about: { session }, isAtWork }) => session === about.session && !isAtWork);
    const lastLook = Math.max(0, ...ended.map(({ seenAt }) => seenAt));
    for (const folder of folders) {
      if (folder.path === this.folder || ended.includes(folder)) continue;
      const { session } = folder.about;
      const known = seen[basename(folder.path)] ?? 0;
      // The journal was shortened.
      const first = folder.count < known ? 0 : known;
      for (const call of folder.calls) {
        if (call.kind === "exact" || (call.closedBy !== undefined && call.closedBy < first)) continue;
        const { from, to, isCertain } = spanOf(call, folder);
        if (!this.#hasBegun && isCertain && to < lastLook) continue;
        calls.push({ session, id: call.id, from, to, isCertain: isCertain && this.#isDated });
      }
      for (const { path, state, at, number } of folder.announced)
        if (number >= first) announced.push({ session, path, state, at });
    }
    return { calls, announced: announced.sort((a, b) => a.at - b.at) };
  }

  /**
   * Call it before a scan of the files begins. What others do from then on may come too late for that scan, so the next
   * one considers it again.
   */
  looking(): void {
    this.#looking = journalCounts(this.#options.store);
    this.#lookingAt = Date.now();
  }

  /** What others had done when the scan began is recorded or irrelevant: `others` does not return it again. */
  looked(): void {
    this.#seen = this.#looking;
    // Anything announced later is newer.
    for (const [path, { at }] of this.#announced) if (at < this.#lookingAt) this.#announced.delete(path);
  }

  /** Undefined if no other session has written anything yet. */
  #seenOfOthers(): SeenLines | undefined {
    const own = basename(this.folder);
    const told = Object.entries(this.#seen ?? {}).filter(([name, count]) => name !== own && count > 0);
    return told.length === 0 ? undefined : Object.fromEntries(told);
  }

  /**
   * Closes the session. Other sessions keep what they still need. Never fails: on an error it looks as after a kill.
   */
  end(): void {
    if (!this.#hasBegun || !OPEN.has(this)) return;
    OPEN.delete(this);
    if (OPEN.size === 0) process.off("exit", endAll);
    this.#stopSigns();
    attempt(() => {
      this.#append({ line: "end" });
      sweepWorkFolders(this.#options.store, Date.now());
    });
  }

  #stopSigns(): void {
    clearInterval(this.#signs);
    this.#signs = undefined;
  }

  #giveSign(): void {
    const now = new Date();
    attempt(() => utimesSync(journalFile(this.folder), now, now));
  }

  #append(line: NewLine): Moment {
    this.begin();
    const moment = thisMoment();
    const file = journalFile(this.folder);
    appendFileSync(file, `${JSON.stringify({ ...line, ...moment })}\n`, { mode: 0o600 });
    if (statSync(file).size > MOST_JOURNAL_BYTES) this.#shorten(file);
    return moment;
  }

  /** Keeps the newer half, and the lines of open calls. */
  #shorten(file: string): void {
    const lines = readFileSync(file, "utf8").split("\n");
    const half = lines.length >> 1;
    const open = [...this.#calls.keys()].map((id) => `"id":${JSON.stringify(id)}`);
    const kept = lines.filter((line, at) => at >= half || open.some((id) => line.includes(id)));
    writeWhole(file, kept.join("\n"), { existing: "replace", durable: false });
  }
}

const OPEN = new Set<WorkJournal>();

/**
 * Runs when the process exits without closing its sessions: calls end with it, but their changes are not recorded yet.
 */
function endAll(): void {
  for (const journal of OPEN) attempt(() => journal.end());
}

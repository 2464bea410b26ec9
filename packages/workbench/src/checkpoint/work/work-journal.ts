/**
 * What this session writes down for others in its root: which of its commands run, and which changes it is about to make.
 * On disk before they begin, so that a kill leaves it there.
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
  /** The person runs it. */
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
  /** Own calls by id. Those that ended stay until they are recorded. */
  readonly #calls = new Map<string, OwnCall>();
  /** Of processes that were killed. */
  readonly #adopted = new Set<string>();
  /** What recorded calls left running in the background. */
  #background: readonly (OwnCall & { readonly id: string })[] = [];
  #signs: NodeJS.Timeout | undefined;
  /** How many lines each journal had when the last look began that is in a record, and when the present one did. */
  #seen: SeenLines | undefined;
  #looking: SeenLines = {};
  #lookingAt = 0;
  /** What this session announced since that look, the last one for each path. */
  readonly #announced = new Map<string, AnnouncedChange>();

  constructor(options: WorkJournalOptions) {
    this.#options = options;
    this.folder = newWorkFolder(options.store);
  }

  /** To be called before the first look, so that others keep what happens from then on. */
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

  /** For the environment of a call's commands. */
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

  /** A command of a process that was killed still runs: from now on it is this session's to tell of. */
  adopt({ id, tool, kind, leaf, command, byPerson, groups }: JournalCall): void {
    this.open({ id, tool, kind, leaf, byPerson, command });
    for (const process of groups) this.#append({ line: "group", id, process });
    this.#calls.set(id, { from: thisMoment(), kind, groups });
    this.#adopted.add(id);
  }

  /** To be called before a file is changed by something that knows exactly how. */
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

  /** What closed calls did is in the session. */
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

  /** When calls of this session may have changed something. Those that change only what they say are not in it. */
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

  /** What this session said since its last look that it was about to write, the last one for each path. */
  get announced(): ReadonlyMap<string, AnnouncedChange> {
    return this.#announced;
  }

  /**
   * What other sessions in this root did, or may have done, since the last look of this one. After a kill: since that of
   * the process before, which had `seen` what they had told until then.
   */
  others(seen = this.#seen ?? {}): OtherWork {
    const { store, about } = this.#options;
    const calls: OtherWork["calls"][number][] = [];
    const announced: OtherWork["announced"][number][] = [];
    const folders = readWorkFolders(store, about.root);
    // Earlier processes of this session have looked until they ended, and what they did is in its file.
    const ended = folders.filter(({ about: { session }, isAtWork }) => session === about.session && !isAtWork);
    const lastLook = Math.max(0, ...ended.map(({ seenAt }) => seenAt));
    for (const folder of folders) {
      if (folder.path === this.folder || ended.includes(folder)) continue;
      const { session } = folder.about;
      const known = seen[basename(folder.path)] ?? 0;
      // It was shortened.
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
   * To be called before a look at the files begins. What others do from then on may come too late for it, so it comes again
   * with the next one.
   */
  looking(): void {
    this.#looking = journalCounts(this.#options.store);
    this.#lookingAt = Date.now();
  }

  /** What others had done when the look began is in a record, or was no matter: `others` does not answer it again. */
  looked(): void {
    this.#seen = this.#looking;
    // Whatever others tell from here on is newer.
    for (const [path, { at }] of this.#announced) if (at < this.#lookingAt) this.#announced.delete(path);
  }

  /** Undefined if no one else has told anything yet. */
  #seenOfOthers(): SeenLines | undefined {
    const own = basename(this.folder);
    const told = Object.entries(this.#seen ?? {}).filter(([name, count]) => name !== own && count > 0);
    return told.length === 0 ? undefined : Object.fromEntries(told);
  }

  /** The session is closed. What others still need stays for them. Never fails: unsaid, it is as after a kill. */
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

  /** The newer half, and what is needed to understand it. */
  #shorten(file: string): void {
    const lines = readFileSync(file, "utf8").split("\n");
    const half = lines.length >> 1;
    const open = [...this.#calls.keys()].map((id) => `"id":${JSON.stringify(id)}`);
    const kept = lines.filter((line, at) => at >= half || open.some((id) => line.includes(id)));
    writeWhole(file, kept.join("\n"), { existing: "replace", durable: false });
  }
}

const OPEN = new Set<WorkJournal>();

/** A process that ends without closing its sessions: its calls ended with it, and what they did is not recorded yet. */
function endAll(): void {
  for (const journal of OPEN) attempt(() => journal.end());
}

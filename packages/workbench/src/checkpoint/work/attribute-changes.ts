/**
 * Decides who made a change. In this order:
 *
 * 1. A tool that reports its changes (`edit`, `write`) made exactly those.
 * 2. A change that another session announced belongs to that session.
 * 3. A change made while only commands of this session ran belongs to them; a person's edit at the same time cannot be
 *    told apart.
 * 4. A change made while only commands of other sessions ran belongs to those.
 * 5. A change made while both ran belongs to neither for certain.
 * 6. Everything else is the person's.
 *
 * Times come from the file system. For a deleted file only the latest possible time is known: that of the last change
 * in its folder.
 */
import type { FileDelta, FileState, OtherSession } from "@bough/session/entry/index.js";
import { type FilesRecord, joinedSessions, sameFile } from "@bough/session/entry/internal.js";
import { TICK_MS } from "./clock.js";
import type { AnnouncedChange } from "./journal-line.js";
import type { Span } from "./left-calls.js";

export interface CallTime extends Span {
  readonly id: string;
}

export interface OtherWork {
  readonly calls: readonly (CallTime & { readonly session: string })[];
  /** In the order of the announcements. */
  readonly announced: readonly (AnnouncedChange & { readonly session: string })[];
}

/** When a file changed: at one of these moments or, if `isLatest`, at any time up to the last of them. */
export interface ChangeTime {
  readonly moments: readonly number[];
  readonly isLatest: boolean;
}

/** A change that a call reported. */
export interface ExactChange extends FileDelta {
  /** When the file that the call found had last changed. Undefined if that is unknown, or if there was no file. */
  readonly foundAt?: number | undefined;
}

export interface AttributeOptions {
  /** Changes reported by the calls of this session. */
  readonly exact: readonly ExactChange[];
  readonly own: readonly CallTime[];
  /** What this session announced it would write, the last announcement for each path. */
  readonly announced?: ReadonlyMap<string, AnnouncedChange>;
  readonly others: OtherWork;
  /** Undefined if the time is unknown. */
  readonly timeOf: (change: FileDelta) => ChangeTime | undefined;
}

/** Changes by author. A path may occur in several lists, whose changes follow each other in this order. */
export interface AttributedChanges {
  /** Changes by other sessions or the person before the calls of this session. */
  readonly earlier: readonly SharedChanges[];
  readonly tool: readonly FileDelta[];
  readonly person: readonly FileDelta[];
  readonly shared: readonly SharedChanges[];
}

export interface SharedChanges {
  /** Empty for changes by the person. */
  readonly with: readonly OtherSession[];
  readonly changes: readonly FileDelta[];
}

export function attributeChanges(
  changes: readonly FileDelta[],
  { exact, own, announced: ownAnnounced, others, timeOf }: AttributeOptions,
): AttributedChanges {
  const tool: FileDelta[] = [];
  const person: FileDelta[] = [];
  const earlier = new SharedGroups();
  const shared = new SharedGroups();
  const told = new Map(exact.map((delta) => [delta.path, delta]));
  const announced = new Map<string, OtherWork["announced"][number][]>();
  for (const one of others.announced) {
    const its = announced.get(one.path);
    if (its === undefined) announced.set(one.path, [one]);
    else its.push(one);
  }
  const announcedBy = (path: string, state: FileState): readonly OtherSession[] => {
    const one = announced.get(path)?.findLast((its) => sameContent(its.state, state));
    return one === undefined ? [] : [{ session: one.session }];
  };
  for (const change of changes) {
    const { path } = change;
    let rest = change;
    const said = told.get(path);
    if (said !== undefined) {
      const { foundAt, ...did } = said;
      const gap = { path, before: change.before, after: said.before };
      if (!sameFile(gap.before, gap.after)) {
        const time = foundAt === undefined ? undefined : { moments: [foundAt], isLatest: false };
        const announcer = announcedBy(path, gap.after);
        const candidates = others.calls.filter((call) => isDuring(call, time));
        // It was a command of the same step that ran earlier.
        const isOwn = announcer.length === 0 && candidates.length === 0 && own.some((call) => isDuring(call, time));
        if (isOwn) tool.push(gap);
        else earlier.add(announcer.length > 0 ? announcer : sessionsOf(candidates), gap);
      }
      tool.push(did);
      rest = { path, before: said.after, after: change.after };
      if (sameFile(rest.before, rest.after)) continue;
    }
    const announcer = announcedBy(path, rest.after);
    if (announcer.length > 0) {
      shared.add(announcer, rest);
      continue;
    }
    const time = timeOf(rest);
    const calls = own.filter((call) => isDuring(call, time));
    const candidates = others.calls.filter((call) => isDuring(call, time));
    if (calls.length > 0 && candidates.length === 0) {
      const other = announced.get(path)?.findLast((its) => calls.some((call) => isBefore(its, call, time)));
      const isWrittenOver = isLater(ownAnnounced?.get(path), other, rest.before);
      if (other !== undefined && said === undefined && !isWrittenOver && !sameContent(other.state, rest.before)) {
        // A command of this session changed a file after another session had written it.
        earlier.add([{ session: other.session }], { path, before: rest.before, after: other.state });
        rest = { path, before: other.state, after: rest.after };
      }
      tool.push(rest);
    } else if (candidates.length > 0) shared.add(sessionsOf(candidates), rest);
    else person.push(rest);
  }
  // Joins the changes of a path that a tool reported and a command then changed again.
  return { earlier: earlier.all(), tool: joinedChanges(tool), person, shared: shared.all() };
}

/** The fields of a record that name the authors. */
export function byOthers(
  during: readonly string[],
  others: readonly OtherSession[] = [],
): Pick<FilesRecord, "by" | "during" | "with"> {
  return {
    by: "person",
    ...(during.length === 0 ? {} : { during }),
    ...(others.length === 0 ? {} : { with: others }),
  };
}

function isDuring({ from, to, isCertain }: CallTime, time: ChangeTime | undefined): boolean {
  if (!isCertain || time === undefined) return true;
  const { moments, isLatest } = time;
  return moments.some((at) => at >= from - TICK_MS && (isLatest || at <= to + TICK_MS));
}

/**
 * Whether a file can have become what was announced before a call changed it at that time. Announcements made while the
 * files are being scanned came after the call.
 */
function isBefore({ at }: AnnouncedChange, { to, isCertain }: CallTime, time: ChangeTime | undefined): boolean {
  if (!isCertain) return true;
  return at <= Math.min(to, time === undefined ? to : Math.max(...time.moments) + TICK_MS);
}

/** Whether this session wrote the file after the other one did, and it was then as this session had left it. */
function isLater(own: AnnouncedChange | undefined, other: AnnouncedChange | undefined, before: FileState): boolean {
  if (own === undefined || other === undefined) return false;
  return own.at >= other.at && sameContent(own.state, before);
}

/** Whether two states have the same content. Modes are ignored, because announcements have none yet. */
export function sameContent(a: FileState, b: FileState): boolean {
  if (a === null || b === null || "link" in a || "link" in b) return sameFile(a, b);
  return a.hash === b.hash;
}

function sessionsOf(calls: OtherWork["calls"]): readonly OtherSession[] {
  return joinedSessions(calls.map(({ session, id }) => ({ session, callIds: [id] })));
}

/** Several changes of a path, in order, become one; a path that ends as it began is left out. */
export function joinedChanges(changes: readonly FileDelta[]): readonly FileDelta[] {
  const byPath = new Map<string, FileDelta>();
  for (const change of changes) {
    const first = byPath.get(change.path);
    byPath.set(change.path, first === undefined ? change : { ...change, before: first.before });
  }
  return [...byPath.values()].filter(({ before, after }) => !sameFile(before, after));
}

/** Groups changes into one record for each set of sessions. */
class SharedGroups {
  readonly #groups = new Map<string, { readonly with: readonly OtherSession[]; readonly changes: FileDelta[] }>();

  add(others: readonly OtherSession[], change: FileDelta): void {
    const key = JSON.stringify(others);
    const group = this.#groups.get(key) ?? { with: others, changes: [] };
    group.changes.push(change);
    this.#groups.set(key, group);
  }

  all(): readonly SharedChanges[] {
    return [...this.#groups.values()];
  }
}

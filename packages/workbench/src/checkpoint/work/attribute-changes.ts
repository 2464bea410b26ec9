/**
 * Who changed what. In this order:
 *
 * 1. A tool that says what it did (`edit`, `write`) did exactly that.
 * 2. What another session announced is that session's.
 * 3. What changed while only commands of this session ran is theirs; a person's edit at that moment cannot be told apart.
 * 4. What changed while only commands of other sessions ran is theirs.
 * 5. What changed while both ran belongs to none for certain.
 * 6. Everything else is the person's.
 *
 * When a file changed is what its file system says. Of a file that is gone only the latest moment is known: that of the
 * last change in its folder.
 */
import type { FileDelta, FileState } from "@bough/session/entry/index.js";
import { type FilesRecord, joinedSessions, type OtherSession, sameFile } from "@bough/session/entry/internal.js";
import { TICK_MS } from "./clock.js";
import type { AnnouncedChange } from "./journal-line.js";
import type { Span } from "./left-calls.js";

export interface CallTime extends Span {
  readonly id: string;
}

export interface OtherWork {
  readonly calls: readonly (CallTime & { readonly session: string })[];
  /** In the order in which they were said. */
  readonly announced: readonly (AnnouncedChange & { readonly session: string })[];
}

/** When a file changed: one of these moments, or at some time until the last of them. */
export interface ChangeTime {
  readonly moments: readonly number[];
  readonly isLatest: boolean;
}

/** What a call said it did. */
export interface ExactChange extends FileDelta {
  /** When the file that it found had last changed. Undefined if that is not known, or none was there. */
  readonly foundAt?: number | undefined;
}

export interface AttributeOptions {
  /** What the calls of this session said they did. */
  readonly exact: readonly ExactChange[];
  readonly own: readonly CallTime[];
  /** What this session said it was about to write, the last one for each path. */
  readonly announced?: ReadonlyMap<string, AnnouncedChange>;
  readonly others: OtherWork;
  /** Undefined if it cannot be told. */
  readonly timeOf: (change: FileDelta) => ChangeTime | undefined;
}

/** Changes by whoever made them. A path may be in several, one after the other in this order. */
export interface AttributedChanges {
  /** What other sessions, or the person, did before this one's calls. */
  readonly earlier: readonly SharedChanges[];
  readonly tool: readonly FileDelta[];
  readonly person: readonly FileDelta[];
  readonly shared: readonly SharedChanges[];
}

export interface SharedChanges {
  /** None: the person. */
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
        // A command of the same step came first.
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
        // It was another session's file when a command of this one changed it.
        earlier.add([{ session: other.session }], { path, before: rest.before, after: other.state });
        rest = { path, before: other.state, after: rest.after };
      }
      tool.push(rest);
    } else if (candidates.length > 0) shared.add(sessionsOf(candidates), rest);
    else person.push(rest);
  }
  // A path that the tool changed twice: what it said, and then a command.
  return { earlier: earlier.all(), tool: joined(tool), person, shared: shared.all() };
}

/** The fields of a record that say who. */
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
 * Whether a file can have become what was announced before a call changed it at that time. What others announce while the
 * files are looked at came after the call.
 */
function isBefore({ at }: AnnouncedChange, { to, isCertain }: CallTime, time: ChangeTime | undefined): boolean {
  if (!isCertain) return true;
  return at <= Math.min(to, time === undefined ? to : Math.max(...time.moments) + TICK_MS);
}

/** Whether a file was what this session had made of it, and the other had written it before that. */
function isLater(own: AnnouncedChange | undefined, other: AnnouncedChange | undefined, before: FileState): boolean {
  if (own === undefined || other === undefined) return false;
  return own.at >= other.at && sameContent(own.state, before);
}

/** Whether two states have the same content. What is announced has no mode yet. */
export function sameContent(a: FileState, b: FileState): boolean {
  if (a === null || b === null || "link" in a || "link" in b) return sameFile(a, b);
  return a.hash === b.hash;
}

function sessionsOf(calls: OtherWork["calls"]): readonly OtherSession[] {
  return joinedSessions(calls.map(({ session, id }) => ({ session, callIds: [id] })));
}

function joined(changes: readonly FileDelta[]): readonly FileDelta[] {
  const byPath = new Map<string, FileDelta>();
  for (const change of changes) {
    const first = byPath.get(change.path);
    byPath.set(change.path, first === undefined ? change : { ...change, before: first.before });
  }
  return [...byPath.values()].filter(({ before, after }) => !sameFile(before, after));
}

/** One record for each set of sessions. */
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

/** Writes to an open session: entries under the leaf, and moves of the leaf (keeps I1, I2, I3). */
import {
  type AgentMessage,
  type BranchSummaryEntry,
  type ContextReplacement,
  type EntryId,
  Kind,
  LeafEffect,
  leafEffect,
  type MoveCause,
  POSITION_TYPE,
  Role,
  SessionError,
  type Usage,
} from "../entry/index.js";
import { kindOfType, roleOfName, roleOfRecord } from "../entry/internal.js";
import { MemoryLog } from "../log/index.js";
import { defined } from "../text/index.js";
import { linesOf } from "./open/log-lines.js";
import { readOnlySentence } from "./open/open-log.js";
import { assertOpen, type OpenSession } from "./open-session.js";
import { numberOf } from "./reading.js";
import type { SessionStore } from "./session-store.js";
import { entryLine, isoTime } from "./write/entry-line.js";

export interface UsageRecord {
  readonly kind: string;
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
}

/** An entry to save: its type and that type's fields. */
export interface NewEntryFields {
  readonly type: string;
  readonly [field: string]: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

interface NewEntryPlace {
  readonly kind: Kind;
  readonly role: Role;
  readonly parentId: EntryId | null;
}

/** Adds an entry under the leaf and makes it the leaf. */
export function append(session: OpenSession, type: string, fields: Fields, spoken?: Role): EntryId {
  const { customType } = fields;
  let kind = kindOfType(type);
  if (kind === Kind.custom && customType === POSITION_TYPE) kind = Kind.position;
  const role = spoken ?? roleOfRecord(type, customType);
  return write(session, type, fields, { kind, role, parentId: session.at.leafId });
}

export function appendMessage(session: OpenSession, message: AgentMessage): EntryId {
  return append(session, "message", { message }, messageRole(message));
}

function messageRole(message: unknown): Role {
  const role: unknown = (message as { role?: unknown } | null | undefined)?.role;
  if (typeof role !== "string") throw new SessionError("not-serializable", "A message needs a role");
  return roleOfName(role);
}

export function appendLabelChange(session: OpenSession, targetId: EntryId, label?: string): EntryId {
  numberOf(session, targetId);
  return append(session, "label", { targetId, ...(label === "" ? {} : defined({ label })) });
}

export function appendContextEdit(session: OpenSession, targetId: EntryId, replacement: ContextReplacement): EntryId {
  numberOf(session, targetId);
  return append(session, "context_edit", { targetId, replacement });
}

export function saveEntry(session: OpenSession, entry: NewEntryFields): EntryId {
  const { type, id: _id, parentId: _parentId, timestamp: _timestamp, ...fields } = entry;
  if (typeof type !== "string" || type === "" || type === "session" || type === "unreadable") {
    throw new SessionError("not-serializable", "An entry needs a type of its own", { data: { type } });
  }
  if (type === "message") return append(session, type, fields, messageRole(fields.message));
  if (type === "label" || type === "context_edit") numberOf(session, fields.targetId as EntryId);
  return append(session, type, fields);
}

export function branch(session: OpenSession, id: EntryId | null): void {
  const leafId = moveTarget(session, id);
  assertOpen(session);
  const { at } = session;
  if (leafId === at.leafId) return;
  at.leafId = leafId;
  at.holdsPosition = true;
}

export function startAt(session: OpenSession, id: EntryId): void {
  assertOpen(session);
  const { at } = session;
  at.leafId = moveTarget(session, id);
  at.beganElsewhere = true;
}

interface MoveSummary {
  readonly summary: string;
  readonly details: unknown;
  readonly fromHook: boolean | undefined;
  readonly usage: Usage | undefined;
  readonly cause: MoveCause | undefined;
}

export function branchWithSummary(session: OpenSession, id: EntryId | null, move: MoveSummary): EntryId {
  const { summary, details, fromHook, usage, cause } = move;
  const left = session.at.leafId;
  // The append is the move: if the summary cannot be serialized, the leaf stays.
  const parentId = moveTarget(session, id);
  const fields: Partial<BranchSummaryEntry> = {
    fromId: id === null || left === null ? "root" : left,
    summary,
    ...(left === null ? {} : { abandonedLeafId: left }),
    ...(cause === undefined ? {} : { cause }),
  };
  const what = { kind: Kind.branchSummary, role: Role.none, parentId };
  return write(session, "branch_summary", { ...fields, ...defined({ details, fromHook, usage }) }, what);
}

export function recordPosition(session: OpenSession, cause?: MoveCause): EntryId | undefined {
  const { store, readOnly, leafId, beganElsewhere } = session.at;
  if (session.isAside || readOnly !== undefined || store.tree.count === 0) return undefined;
  assertOpen(session);
  store.readGrowth();
  if (fileLeafId(store) === leafId && !beganElsewhere) return undefined;
  const what = { kind: Kind.position, role: Role.bough, parentId: leafId };
  const data = cause === undefined ? {} : { data: { cause } };
  return write(session, "custom", { customType: POSITION_TYPE, ...data }, what);
}

/** The leaf that the session would have if its file were loaded now. */
export function fileLeafId({ tree }: SessionStore): EntryId | null {
  return tree.loadedLeaf < 0 ? null : tree.ids.textOf(tree.loadedLeaf);
}

export function toLines(session: OpenSession): string[] {
  const { store } = session.at;
  if (!(store.log instanceof MemoryLog)) assertOpen(session);
  return linesOf(store);
}

export function sync(session: OpenSession): void {
  assertOpen(session);
  session.at.store.flush();
  session.at.store.sync();
}

export function flush(
  { at, closed, attachments }: OpenSession,
  options: { readonly store?: boolean } = {},
): Promise<void> {
  // Closing has flushed already.
  const saved = closed ? Promise.resolve() : at.store.flushInBackground();
  if (options.store === true) return saved.then(() => attachments.flush());
  attachments.turnEnded();
  return saved;
}

/** The only function that writes an entry. The leaf moves even if the disk fails, because the entry is in the tree. */
function write(session: OpenSession, type: string, fields: Fields, what: NewEntryPlace): EntryId {
  assertOpen(session);
  const { at, options } = session;
  if (at.readOnly !== undefined) {
    const { message, hint } = readOnlySentence(at.readOnly);
    throw new SessionError("read-only", message, { hint, data: { reason: at.readOnly.kind } });
  }
  const { tree } = at.store;
  const { kind, role, parentId } = what;
  const id = options.newId((candidate) => tree.ids.findText(candidate) >= 0);
  const line = entryLine(type, { id, parentId, timestamp: isoTime(options.now()) }, fields);
  if (kind !== Kind.position) at.leafId = id;
  at.beganElsewhere = false;
  if (leafEffect(kind) === LeafEffect.sets) at.holdsPosition = true;
  at.store.append({ id, parentId, kind, role, line });
  session.attachments.appended(id);
  return id;
}

/**
 * The entry that a move to `id` ends at: a position record is not a target itself but leads to the entry it points at.
 */
function moveTarget(session: OpenSession, id: EntryId | null): EntryId | null {
  if (id === null) return null;
  const { tree } = session.at.store;
  const n = numberOf(session, id);
  const target = tree.kindOf(n) === Kind.position ? tree.parentOf(n) : n;
  return target < 0 ? null : tree.ids.textOf(target);
}

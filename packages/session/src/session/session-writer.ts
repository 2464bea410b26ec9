/** What can be added to a session: entries under the leaf, and moves of the leaf (keeps I1, I2, I3). */
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
  type UserContent,
} from "../entry/index.js";
import { kindOfType, roleOfName, roleOfRecord } from "../entry/internal.js";
import { MemoryLog } from "../log/index.js";
import { linesOf } from "./open/log-lines.js";
import { readOnlySentence } from "./open/open-log.js";
import type { FilledOptions } from "./session-options.js";
import { SessionReader } from "./session-reader.js";
import { Attachments } from "./write/attachments.js";
import { entryLine, isoTime } from "./write/entry-line.js";

export interface UsageRecord {
  readonly kind: string;
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
}

/** An entry to be saved: its type and the fields of that type. */
export interface NewEntryFields {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface NewEntryPlace {
  readonly kind: Kind;
  readonly role: Role;
  readonly parentId: EntryId | null;
}

/** Each append adds a child to the leaf, makes it the leaf, and returns its id. */
export abstract class SessionWriter extends SessionReader {
  protected options: FilledOptions;
  /**
   * This session took its position: it moved, added to the conversation, or stayed where it was while others continued.
   * One that only read, or only left a label or a name, has none to record when it closes (keeps I4).
   */
  protected holdsPosition = false;
  /** It began elsewhere than its file says: who goes back there has chosen to, and that is recorded. */
  private beganElsewhere = false;
  protected closed = false;
  protected readonly attachments = new Attachments();

  protected constructor(cwd: string, dir: string | undefined, options: FilledOptions) {
    super(cwd, dir);
    this.options = options;
  }

  appendMessage(message: AgentMessage): EntryId {
    const role: unknown = (message as { role?: unknown } | null | undefined)?.role;
    if (typeof role !== "string") throw new SessionError("not-serializable", "A message needs a role");
    return this.append("message", { message }, roleOfName(role));
  }

  appendThinkingLevelChange(thinkingLevel: string): EntryId {
    return this.append("thinking_level_change", { thinkingLevel });
  }

  appendModelChange(provider: string, modelId: string): EntryId {
    return this.append("model_change", { provider, modelId });
  }

  appendModeChange(mode: string, data?: unknown): EntryId {
    return this.append("mode_change", { mode, data });
  }

  appendCompaction(
    summary: string,
    firstKeptEntryId: EntryId,
    tokensBefore: number,
    details?: unknown,
    fromHook?: boolean,
    usage?: Usage,
  ): EntryId {
    return this.append("compaction", { summary, firstKeptEntryId, tokensBefore, details, fromHook, usage });
  }

  /** State of an extension: on the branch, never shown to the model. */
  appendCustomEntry(customType: string, data?: unknown): EntryId {
    return this.append("custom", { customType, data });
  }

  appendCustomMessageEntry(customType: string, content: UserContent, display: boolean, details?: unknown): EntryId {
    return this.append("custom_message", { customType, content, display, details });
  }

  /** Names an entry; an empty or absent label clears the name. Throws `Entry <id> not found`. */
  appendLabelChange(targetId: EntryId, label?: string): EntryId {
    this.numberOf(targetId);
    return this.append("label", { targetId, label: label === "" ? undefined : label });
  }

  appendSessionInfo(name: string): EntryId {
    return this.append("session_info", { name: name.replace(/\s+/g, " ").trim() });
  }

  appendContextEdit(targetId: EntryId, replacement: ContextReplacement): EntryId {
    this.numberOf(targetId);
    return this.append("context_edit", { targetId, replacement });
  }

  appendUsage(record: UsageRecord): EntryId {
    const { kind, provider, model, usage } = record;
    return this.append("usage", { kind, provider, model, usage });
  }

  /**
   * Appends an entry of any type with the fields it has. Its place is given here: an `id`, `parentId` or `timestamp` it
   * comes with is not used. Throws `not-serializable` for a header and for something without a type.
   */
  saveEntry(entry: NewEntryFields): EntryId {
    const { type, id: _id, parentId: _parentId, timestamp: _timestamp, ...fields } = entry;
    if (typeof type !== "string" || type === "" || type === "session" || type === "unreadable") {
      throw new SessionError("not-serializable", "An entry needs a type of its own", { data: { type } });
    }
    if (type === "message") return this.appendMessage(fields.message as AgentMessage);
    if (type === "label" || type === "context_edit") this.numberOf(fields.targetId as EntryId);
    return this.append(type, fields);
  }

  /**
   * Moves the leaf. `branch(null)` is `resetLeaf()`: the place before the first entry. Writes nothing. Throws
   * `Entry <id> not found` (`entry-not-found`), for undefined too.
   */
  branch(id: EntryId | null): void {
    this.moveTo(id === null ? null : this.placeOf(id));
  }

  /**
   * Goes to an entry as if the file had been left there: unlike after `branch`, closing does not record the position
   * unless something was added. Writes nothing. Throws `Entry <id> not found`.
   */
  startAt(id: EntryId): void {
    this.assertOpen();
    this.leafId = this.placeOf(id);
    this.beganElsewhere = true;
  }

  /** Moves before the first entry: the next append makes another root. */
  resetLeaf(): void {
    this.moveTo(null);
  }

  /**
   * Moves and appends a summary of what was left there. `fromId` names the leaf that was left, or `"root"`; `cause` is
   * why the move was made.
   */
  branchWithSummary(
    id: EntryId | null,
    summary: string,
    details?: unknown,
    fromHook?: boolean,
    usage?: Usage,
    cause?: MoveCause,
  ): EntryId {
    const left = this.leafId;
    // The append is the move: where the summary cannot be written as JSON, the leaf stays.
    const parentId = id === null ? null : this.placeOf(id);
    const fields: Partial<BranchSummaryEntry> = {
      fromId: id === null || left === null ? "root" : left,
      summary,
      ...(left === null ? {} : { abandonedLeafId: left }),
      ...(cause === undefined ? {} : { cause }),
    };
    const what = { kind: Kind.branchSummary, role: Role.none, parentId };
    return this.write("branch_summary", { ...fields, details, fromHook, usage }, what);
  }

  /**
   * Writes where the leaf is, and why, if loading the file would give another one: after a move that added nothing, and
   * after others moved on. Returns the id of the record.
   */
  recordPosition({ cause }: { readonly cause?: MoveCause } = {}): EntryId | undefined {
    if (this.readOnly !== undefined || this.store.tree.count === 0) return undefined;
    this.assertOpen();
    this.store.takeInGrowth();
    if (this.getFileLeafId() === this.leafId && !this.beganElsewhere) return undefined;
    const what = { kind: Kind.position, role: Role.bough, parentId: this.leafId };
    const data = cause === undefined ? undefined : { cause };
    return this.write("custom", { customType: POSITION_TYPE, data }, what);
  }

  /**
   * Every line as it is in the file or log, without its newline: the header first, which a session without entries has
   * too. Also after `close`, which records the position, if the session is in memory. Bytes that are not UTF-8 become
   * U+FFFD, as whenever they are read as text.
   */
  toLines(): string[] {
    if (!(this.store.log instanceof MemoryLog)) this.assertOpen();
    return linesOf(this.store);
  }

  /** Everything appended so far is on the medium when this returns. Holds up the event loop; `flush` does not. */
  sync(): void {
    this.assertOpen();
    this.store.flush();
    this.store.sync();
  }

  /**
   * Answers when everything appended so far is on the medium, and lets other work continue meanwhile; with durability
   * `none` it writes what waits and does not ask the disk. Called at the end of a turn. Rejects with a SessionError.
   * Without `await` a failure is thrown by the next append, `flush`, `sync` or `close` instead.
   *
   * With `store`, also when the store that is attached (`attachStore` of `bough/store`) has everything; rejects with
   * its error, or `no-store` if none is attached.
   */
  flush(options: { readonly store?: boolean } = {}): Promise<void> {
    // Closing has seen to it.
    const saved = this.closed ? Promise.resolve() : this.store.flushInBackground();
    if (options.store === true) return saved.then(() => this.attachments.flush());
    this.attachments.turnEnded();
    return saved;
  }

  /**
   * Tells what is appended here until the returned function is called; `attachStore` of `bough/store` is the use of it.
   * The functions are called right after the fact: they return at once and do not throw. A turn ends with `flush`;
   * `onLeave` is called when the file is complete, because the session was closed or becomes another one.
   */
  attach(attachment: {
    onAppend(id: EntryId): void;
    onTurnEnd(): void;
    onLeave(why: "closed" | "elsewhere"): void;
    /** Resolves when everything appended so far has arrived there. */
    flush(): Promise<void>;
  }): () => void {
    return this.attachments.add(attachment);
  }

  private append(type: string, fields: Readonly<Record<string, unknown>>, spoken?: Role): EntryId {
    const { customType } = fields;
    let kind = kindOfType(type);
    if (kind === Kind.custom && customType === POSITION_TYPE) kind = Kind.position;
    const role = spoken ?? roleOfRecord(type, customType);
    return this.write(type, fields, { kind, role, parentId: this.leafId });
  }

  /** The one place that writes an entry. The leaf moves even if the disk fails: the entry is in the tree. */
  private write(type: string, fields: object, what: NewEntryPlace): EntryId {
    this.assertOpen();
    if (this.readOnly !== undefined) {
      const { message, hint } = readOnlySentence(this.readOnly);
      throw new SessionError("read-only", message, { hint, data: { reason: this.readOnly.kind } });
    }
    const { tree } = this.store;
    const { kind, role, parentId } = what;
    const id = this.options.newId((candidate) => tree.ids.findText(candidate) >= 0);
    const line = entryLine(type, { id, parentId, timestamp: isoTime(this.options.now()) }, fields);
    if (kind !== Kind.position) this.leafId = id;
    this.beganElsewhere = false;
    if (leafEffect(kind) === LeafEffect.sets) this.holdsPosition = true;
    this.store.append({ id, parentId, kind, role, line });
    this.attachments.appended(id);
    return id;
  }

  /** Where going to an entry leads: a record of a position is not its own place, it leads to where it points. */
  private placeOf(id: EntryId): EntryId | null {
    const { tree } = this.store;
    const n = this.numberOf(id);
    const target = tree.kindOf(n) === Kind.position ? tree.parentOf(n) : n;
    return target < 0 ? null : tree.ids.textOf(target);
  }

  private moveTo(id: EntryId | null): void {
    this.assertOpen();
    if (id === this.leafId) return;
    this.leafId = id;
    this.holdsPosition = true;
  }

  protected settleLeaf(): void {
    this.leafId = this.getFileLeafId();
    this.holdsPosition = false;
    this.beganElsewhere = false;
  }

  /** Where the session would be if its file were loaded now: who only follows others goes there. */
  getFileLeafId(): EntryId | null {
    const { tree } = this.store;
    return tree.loadedLeaf < 0 ? null : tree.ids.textOf(tree.loadedLeaf);
  }

  protected assertOpen(): void {
    if (this.closed) throw new SessionError("closed", "This session is closed");
  }
}

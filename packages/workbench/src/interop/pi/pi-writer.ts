/** Writes a path as a session of pi. The format is Bough's own, so entries that pi can use stay unchanged. */
import { join } from "node:path";
import {
  type ContextEditEntry,
  CURRENT_SESSION_VERSION,
  type EntryId,
  Kind,
  kindOf,
  type SessionEntry,
} from "@bough/session/entry/index.js";
import { isPiEdit } from "@bough/session/entry/internal.js";
import type { EntryPath } from "@bough/session/session/index.js";
import type { ForeignWriter, WriteLoss, WritePlan, WriteRequest } from "../contract.js";
import { pairedSteps } from "../conversion/paired-steps.js";
import { UNKNOWN_EDIT } from "../conversion/path-losses.js";
import type { PathSteps } from "../conversion/path-steps.js";
import { hasEntry } from "../conversion/picked-path.js";
import { plannedLines } from "../conversion/planned-lines.js";
import { checkResumeFolder } from "../conversion/resume-folder.js";
import { isConversationEntry } from "../foreign-entry.js";
import { editedEntries, isEdit } from "../import/edited-entries.js";
import { InteropError } from "../interop-error.js";
import { piEntry } from "./pi-entry.js";
import { piFolderName, piRoots } from "./pi-places.js";

export const piWriter: ForeignWriter = { agent: "pi", planWrite: planPiWrite };

function planPiWrite(request: WriteRequest): WritePlan {
  const { cwd, title, places, now, newId } = request;
  checkResumeFolder("pi", cwd, { mustExist: true });
  if (!hasEntry(request.entries, isConversationEntry)) {
    throw new InteropError("nothing-to-write", "There is no conversation on this path", {
      hint: "Choose an entry that has a conversation above it.",
    });
  }
  const sessionId = newId();
  const timestamp = now().toISOString();
  const header = { type: "session", version: CURRENT_SESSION_VERSION, id: sessionId, timestamp, cwd };
  const written = new WrittenPath(request.entries);
  const parentId = written.last;
  // pi continues at the last line, so the name is a child of the path's last entry.
  const name =
    title === undefined ? [] : [{ type: "session_info", id: newId().slice(0, 8), parentId, timestamp, name: title }];
  const records = function* (): Generator<unknown> {
    yield header;
    yield* written.entries();
    yield* name;
  };
  const path = join(piRoots(places)[0], piFolderName(cwd), `${timestamp.replace(/[:.]/g, "-")}_${sessionId}.jsonl`);
  const lines = plannedLines(1 + written.length + name.length, records);
  const { losses } = written;
  return { agent: "pi", path, sessionId, lines, losses, resume: { command: ["pi", "--session", path], cwd } };
}

class WrittenPath {
  readonly losses: WriteLoss[] = [];
  /** Number of written entries, and the last of them. */
  length = 0;
  last: EntryId | null = null;
  readonly #path: EntryPath;
  readonly #steps: PathSteps;
  readonly #isApplied: AppliedEdits["isApplied"];
  readonly #isLatestOfPi: AppliedEdits["isLatestOfPi"];
  /** Calls that have a result. */
  readonly #answered = new Set<string>();
  readonly #written = new Set<EntryId>();
  /** IDs of the path, in order. Created when the first kept entry of a compaction is not written. */
  #ids: readonly EntryId[] | undefined;

  constructor(path: EntryPath) {
    this.#path = path;
    const { entries, isApplied, isLatestOfPi } = withAppliedEdits(path);
    this.#isApplied = isApplied;
    this.#isLatestOfPi = isLatestOfPi;
    this.#steps = pairedSteps(entries).withoutMade();
    for (const { kind, callId } of this.#steps.facts) {
      if (kind === "given" && callId !== undefined) this.#answered.add(callId);
    }
    for (const { id } of this.#chained((loss) => this.losses.push(loss))) {
      this.#written.add(id);
      this.last = id;
      this.length += 1;
    }
  }

  *entries(): Generator<SessionEntry> {
    for (const entry of this.#chained(() => undefined)) yield this.#anchored(entry);
  }

  *#chained(onLoss: (loss: WriteLoss) => void): Generator<SessionEntry> {
    let parentId: EntryId | null = null;
    for (const { entry: given, kind: step } of this.#steps) {
      const lose = (effect: string): void => onLoss({ entryId: given.id, what: nameOf(given), effect });
      const kind = kindOf(given);
      if (given.type === "context_edit" && !isEdit(given)) {
        lose(UNKNOWN_EDIT.effect);
        continue;
      }
      if (this.#isApplied(given)) {
        lose("applied to its target");
        // pi's own edit is also kept. Earlier edits are not, since they may contain what the latest one removed.
        if (!this.#isLatestOfPi(given) || !this.#written.has(given.targetId)) continue;
      }
      // Bough's own records mean nothing to pi, and mark a file as Bough's.
      if (given.type === "custom" && given.customType.startsWith("bough.")) continue;
      if (kind === Kind.unreadable || step !== "given") {
        lose(REASONS[step]);
        continue;
      }
      const { entry, effects } = piEntry(given, (id) => this.#answered.has(id));
      for (const effect of [...effects, ...ignoredBy(kind, given)]) lose(effect);
      if (entry === undefined) continue;
      // A missing parent would cut the path.
      yield entry.parentId === parentId ? entry : { ...entry, parentId };
      parentId = entry.id;
    }
  }

  /** Anchors a compaction at the next written entry if its own anchor is not written, or else at itself. */
  #anchored(entry: SessionEntry): SessionEntry {
    if (entry.type !== "compaction" || this.#written.has(entry.firstKeptEntryId ?? "")) return entry;
    this.#ids ??= Array.from(this.#path, ({ id }) => id);
    const from = this.#ids.indexOf(entry.firstKeptEntryId ?? "");
    const kept = from < 0 ? [] : this.#ids.slice(from, this.#ids.indexOf(entry.id));
    return { ...entry, firstKeptEntryId: kept.find((id) => this.#written.has(id)) ?? entry.id };
  }
}

/** Why an entry is not written. */
const REASONS = {
  given: "left out; it is unreadable",
  made: "left out",
  repeated: "left out; its call already has a result",
  alone: "left out; its call is not on the path, and providers would reject it",
} as const;

function nameOf(entry: SessionEntry): string {
  return entry.type === "message" ? `a message (${entry.message.role})` : entry.type;
}

/** Effects of entries that pi keeps but ignores. */
function ignoredBy(kind: Kind, entry: SessionEntry): string[] {
  if (kind === Kind.modeChange || kind === Kind.ruleInjection) return ["pi ignores it"];
  if (kind === Kind.usage) return ["pi does not count it"];
  if (kind === Kind.other) return [`pi ignores it unless it knows the type ${entry.type}`];
  return [];
}

interface AppliedEdits {
  readonly entries: EntryPath;
  /** Whether an edit is pi's own and the latest of its target. */
  readonly isLatestOfPi: (edit: ContextEditEntry) => boolean;
  /** Whether an entry is an edit that is applied in `entries`. */
  readonly isApplied: (entry: SessionEntry) => entry is ContextEditEntry;
}

/**
 * A path with its edits applied, since older versions of pi would show the model what was removed. Newer versions write
 * an edit for each failed answer, which no version sends; those stay edits, so that the lines of the path do not
 * change.
 */
function withAppliedEdits(path: EntryPath): AppliedEdits {
  let unsent: ReadonlySet<EntryId> | undefined;
  const isKept = ({ targetId }: ContextEditEntry): boolean => {
    unsent ??= unsentIn(path);
    return unsent.has(targetId);
  };
  const isApplied = (entry: SessionEntry): entry is ContextEditEntry => isEdit(entry) && !isKept(entry);
  const latest = new Map<EntryId, EntryId>();
  for (const entry of path) if (isApplied(entry)) latest.set(entry.targetId, entry.id);
  const isLatestOfPi = (edit: ContextEditEntry): boolean => isPiEdit(edit) && latest.get(edit.targetId) === edit.id;
  return { entries: editedEntries(path, isKept), isApplied, isLatestOfPi };
}

function unsentIn(path: EntryPath): ReadonlySet<EntryId> {
  const ids = new Set<EntryId>();
  for (const entry of path) if (isUnsent(entry)) ids.add(entry.id);
  return ids;
}

function isUnsent(entry: SessionEntry): boolean {
  if (entry.type !== "message" || entry.message.role !== "assistant") return false;
  const { stopReason, content } = entry.message;
  const hasCalls = Array.isArray(content) && content.some(({ type }) => type === "toolCall");
  return (stopReason === "error" || stopReason === "aborted") && !hasCalls;
}

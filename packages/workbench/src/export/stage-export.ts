/**
 * Writes the entries of the scope to a new session in a private folder, with contents left out and secrets masked.
 * Every format is made from this copy, so none can contain more.
 */
import { homedir } from "node:os";
import { join } from "node:path";
import {
  CURRENT_SESSION_VERSION,
  type EntryId,
  ExportError,
  Kind,
  kindOf,
  POSITION_TYPE,
  type SessionEntry,
  type SessionHeader,
} from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { branchIndexOf } from "@bough/session/tree/index.js";
import {
  createRedactor,
  ownSecrets,
  type SecretFinder,
  type SecretFinding,
  scanEntries,
  secretFinder,
} from "../secrets/index.js";
import { CarriedDiffs, type FileDiffsOf } from "./carried-diffs.js";
import type { StageOptions } from "./export-options.js";
import { exportedEntries, freeId } from "./exported-entries.js";
import { LeftOut } from "./left-out.js";
import { writePieces } from "./write-pieces.js";

export interface StageRequest {
  /** Positioned at the entry where the scope begins or ends, unless `entryId` is given. */
  readonly session: SessionManager;
  /** The entry where the scope begins or ends. Default: the position of the session. */
  readonly entryId?: EntryId;
  /** The current position of the session, where the copy opens. */
  readonly leafId: EntryId | null;
  /** Title from another agent, used if the session has no name. */
  readonly title?: string | undefined;
  readonly options: StageOptions;
  /** ID of the new session. */
  readonly id: string;
  readonly now: Date;
  /** Must be private; the caller removes it. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onProgress: (entries: number) => void;
  /** Computes the diffs to embed in file records. Default: none. */
  readonly fileDiffs?: FileDiffsOf | undefined;
}

export interface StagedExport {
  readonly file: string;
  /** The session's name or title, masked. */
  readonly title: string;
  readonly entries: number;
  readonly findings: readonly (SecretFinding & { readonly kept: boolean })[];
  /** Number of values masked; `shortened` counts home folders shortened to `~`. */
  readonly masked: number;
  readonly shortened: number;
  readonly leftOut: {
    readonly images: number;
    readonly toolOutputs: number;
    readonly systemPrompts: number;
    readonly originals: number;
    readonly unreadable: number;
  };
}

/** Reads the entries twice: to find secrets, and to write. Throws `unknown-finding` if `keep` has a wrong number. */
export async function stageExport(request: StageRequest): Promise<StagedExport> {
  const { fileDiffs, folder, signal, options } = request;
  if (fileDiffs === undefined || options.leaveOut.toolOutputs) return stageWith(request, (entry) => entry);
  // Loaded lazily: there may be no diffs to scan.
  let finder: Promise<SecretFinder> | undefined;
  const secretsIn = async (text: string) => {
    finder ??= secretFinder({ environment: ownSecrets() });
    return (await finder).find(text);
  };
  const carried = await CarriedDiffs.make(scopeEntries(request), { folder, diffsOf: fileDiffs, secretsIn, signal });
  try {
    return await stageWith(request, (entry) => carried.apply(entry));
  } finally {
    carried.close();
  }
}

async function stageWith(
  request: StageRequest,
  withDiffs: (entry: SessionEntry) => SessionEntry,
): Promise<StagedExport> {
  const { session, options, signal, onProgress, folder } = request;
  const header = headerFor(request);
  const looked = new LeftOut(options.leaveOut);
  // The session name is scanned like any other text.
  const title = session.getSessionName() ?? request.title ?? "Session";
  const scan = await scanEntries(
    (function* () {
      yield { type: "session" as const, name: title };
      yield header;
      for (const entry of scopeEntries(request)) yield looked.apply(withDiffs(entry));
    })(),
    { environment: ownSecrets(), signal, onProgress },
  );
  const everything = new Set(scan.findings.map(({ number }) => number));
  const keep = options.keep === "all" ? everything : options.keep;
  for (const number of keep) {
    if (!everything.has(number)) {
      throw new ExportError("unknown-finding", `There is no finding ${number}`, {
        data: { number },
        hint: "A dry run lists the numbers; they change with the scope.",
      });
    }
  }
  const redactor = createRedactor(scan, { keep, homes: options.keepHome ? [] : [homedir()] });
  const leftOut = new LeftOut(options.leaveOut);
  const file = join(folder, "session.jsonl");
  let entries = 0;
  await writePieces(
    file,
    (function* () {
      yield `${JSON.stringify(redactor.record(header))}\n`;
      for (const entry of scopeEntries(request)) {
        entries += 1;
        yield `${JSON.stringify(inOrder(redactor.record(leftOut.apply(withDiffs(entry)))))}\n`;
      }
    })(),
    signal,
  );
  const { images, toolOutputs, systemPrompts, originals } = leftOut;
  const unreadable = options.scope === "all" ? unreadableIn(session) : 0;
  return {
    file,
    title: redactor.text(title),
    entries,
    findings: scan.findings.map((finding) => ({ ...finding, kept: keep.has(finding.number) })),
    ...redactor.counts,
    leftOut: { images, toolOutputs, systemPrompts, originals, unreadable },
  };
}

/** Omits `parentSession`, which is a path on this machine. */
function headerFor({ session, id, now }: StageRequest): SessionHeader {
  const cwd = session.getCwd();
  return { type: "session", version: CURRENT_SESSION_VERSION, id, timestamp: now.toISOString(), cwd };
}

/** The entries of the scope, parents first, and a position entry that says where the copy opens. */
function* scopeEntries(request: StageRequest): Generator<SessionEntry> {
  const { session, options, leafId, now } = request;
  const { scope } = options;
  if (scope !== "all") {
    const opensAt = scope === "subtree" ? conversationAt(session, leafId) : undefined;
    let isInside = false;
    for (const entry of exportedEntries(session, {
      entryId: request.entryId ?? (session.getLeafId() as EntryId),
      scope,
    })) {
      if (entry.id === opensAt) isInside = true;
      yield entry;
    }
    if (opensAt === undefined || !isInside) return;
    yield positionAt(opensAt, now, (id) => session.getEntry(id) !== undefined);
    return;
  }
  yield* everyEntry(request);
}

/**
 * In file order and with position entries, so that the copy opens at the same position. An entry with a duplicate ID
 * gets a new one; since such an entry is never the leaf, the position is then written once more at the end.
 */
function* everyEntry({ session, leafId, now }: StageRequest): Generator<SessionEntry> {
  const { tree, entryAt } = session.getSource();
  const made = new Set<EntryId>();
  const isTaken = (id: EntryId): boolean => made.has(id) || tree.ids.findText(id) >= 0;
  for (let n = 0; n < tree.count; n++) {
    const entry = entryAt(n);
    if (kindOf(entry) === Kind.unreadable) continue;
    if (tree.ids.findText(entry.id) === n) {
      yield entry;
      continue;
    }
    const id = freeId(`again-${entry.id}`, isTaken);
    made.add(id);
    yield { ...entry, id };
  }
  if (made.size > 0) yield positionAt(conversationAt(session, leafId) ?? null, now, isTaken);
}

function positionAt(parentId: EntryId | null, now: Date, isTaken: (id: EntryId) => boolean): SessionEntry {
  const id = freeId(`position-${parentId ?? "start"}`, isTaken);
  return { type: "custom", id, parentId, timestamp: now.toISOString(), customType: POSITION_TYPE };
}

function conversationAt(session: SessionManager, id: EntryId | null): EntryId | undefined {
  const { tree } = session.getSource();
  const n = id === null ? -1 : branchIndexOf(tree).conversationAt(tree.ids.findText(id));
  return n < 0 ? undefined : tree.ids.textOf(n);
}

function unreadableIn(session: SessionManager): number {
  const { tree } = session.getSource();
  let count = 0;
  for (let n = 0; n < tree.count; n++) if (tree.kindOf(n) === Kind.unreadable) count += 1;
  return count;
}

/** Puts the keys that every reader needs first, in their usual order. */
function inOrder({ type, id, parentId, timestamp, ...fields }: SessionEntry): object {
  return { type, id, parentId, timestamp, ...fields };
}

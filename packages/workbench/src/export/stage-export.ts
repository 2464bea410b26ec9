/**
 * The session that leaves the machine: its own file in a private folder, with the entries of the scope, without
 * what is omitted and with what was found masked. Every format is made from it, so none can hold more.
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
  /** Is at the entry the scope begins or ends with. */
  readonly session: SessionManager;
  /** The entry the scope begins or ends with, where the session is elsewhere. */
  readonly entryId?: EntryId;
  /** Where it was when it was opened. */
  readonly leafId: EntryId | null;
  /** What another agent calls it, if it has no name here. */
  readonly title?: string | undefined;
  readonly options: StageOptions;
  /** Of the new session. */
  readonly id: string;
  readonly now: Date;
  /** Private, and removed by the caller. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onProgress: (entries: number) => void;
  /** Diffs that the records of files carry in the export. Default: none. */
  readonly fileDiffs?: FileDiffsOf | undefined;
}

export interface StagedExport {
  readonly file: string;
  /** The session's name or title, masked. */
  readonly title: string;
  readonly entries: number;
  readonly findings: readonly (SecretFinding & { readonly kept: boolean })[];
  /** Values masked, and paths of the home folder written as `~`. */
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

/** Reads the entries twice: to look for secrets, and to write them. Throws `unknown-finding` if `keep` names none. */
export async function stageExport(request: StageRequest): Promise<StagedExport> {
  const { fileDiffs, folder, signal, options } = request;
  if (fileDiffs === undefined || options.leaveOut.toolOutputs) return stageWith(request, (entry) => entry);
  // Loaded when there is something to look at.
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
  // The name of a session is text like any other.
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

/** Whose file it was made from is not said: that is a path on this machine. */
function headerFor({ session, id, now }: StageRequest): SessionHeader {
  const cwd = session.getCwd();
  return { type: "session", version: CURRENT_SESSION_VERSION, id, timestamp: now.toISOString(), cwd };
}

/** The entries of the scope, parents first, and where the copy is to open. */
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
 * In the order of the file, positions included, so that the copy opens where this session is. An entry whose id another
 * one has gets a new id; since it never held the leaf, the copy says where that is once more.
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

/** The keys every reader looks for first, in the order they are looked for. */
function inOrder({ type, id, parentId, timestamp, ...fields }: SessionEntry): object {
  return { type, id, parentId, timestamp, ...fields };
}

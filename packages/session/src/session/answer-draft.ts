/**
 * The part of an answer that has arrived so far, in a file next to the session until the whole answer is appended. If
 * the process is killed mid-answer, the file stays, and the next process that opens the session adds it.
 *
 * `<session>.jsonl.<pid>-<process>-<random>.draft`, mode 0600: a head, then one line per piece as it arrives.
 * The owner is part of the name, so a rename is enough to claim the draft of a dead process, and only one can win.
 */
import { createHash, randomBytes } from "node:crypto";
import { closeSync, constants, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { AssistantBlock, AssistantMessage, EntryId } from "../entry/index.js";
import { isAlive, isCheckable, namesIn, type ProcessIdentity, processIdentity } from "../log/index.js";
import { jsonObject } from "../text/index.js";

interface DraftHead extends Pick<AssistantMessage, "api" | "provider" | "model" | "timestamp"> {
  readonly sessionId: string;
  /** The answer belongs under this entry. */
  readonly parentId: EntryId | null;
}

/** A piece of an answer: text that continues the last block of its kind, or a tool call. */
export type DraftPiece =
  | { readonly type: "text" | "thinking"; readonly delta: string }
  | { readonly type: "call"; readonly call: AssistantBlock };

export class AnswerDraft {
  readonly #path: string;
  readonly #head: DraftHead;
  #fd = -1;
  /** It could not be written, or is no longer needed: the answer continues without a draft. */
  #given = false;

  /** The file is created with the first piece. */
  constructor(sessionFile: string, head: DraftHead) {
    this.#path = draftName(sessionFile);
    this.#head = head;
  }

  add(piece: DraftPiece): void {
    if (this.#given) return;
    try {
      if (this.#fd < 0) this.#open();
      writeSync(this.#fd, `${JSON.stringify(piece)}\n`);
    } catch {
      // A disk that rejects the draft may still accept the answer, and appending that reports its own errors.
      this.discard();
    }
  }

  /** Call when the answer is in the session, or is not wanted. */
  discard(): void {
    this.#given = true;
    if (this.#fd < 0) return;
    closeSync(this.#fd);
    this.#fd = -1;
    rmSync(this.#path, { force: true });
  }

  #open(): void {
    this.#fd = openSync(this.#path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    const owner = processIdentity();
    writeSync(this.#fd, `${JSON.stringify({ ...this.#head, owner })}\n`);
  }
}

export interface LeftDraft extends DraftHead {
  readonly blocks: readonly AssistantBlock[];
  /** Removes the file. Call when its content is in the session, or was already. */
  readonly remove: () => void;
}

/**
 * Claims for this process the drafts that dead processes left next to a session. Those of live processes are not
 * touched.
 */
export function claimDrafts(sessionFile: string): LeftDraft[] {
  const folder = dirname(sessionFile);
  const drafts: LeftDraft[] = [];
  for (const name of draftsBeside(sessionFile)) {
    const draft = claim(join(folder, name), sessionFile);
    if (draft !== undefined) drafts.push(draft);
  }
  return drafts.sort((a, b) => a.timestamp - b.timestamp);
}

function draftsBeside(sessionFile: string): string[] {
  const start = `${basename(sessionFile)}.`;
  return namesIn(dirname(sessionFile)).filter((name) => name.startsWith(start) && name.endsWith(".draft"));
}

function claim(path: string, sessionFile: string): LeftDraft | undefined {
  const owner = /\.(\d+)-([0-9a-f]{8})-[0-9a-f]+\.draft$/.exec(path);
  if (owner === null || isOwnerAlive(Number(owner[1]), owner[2] as string)) return undefined;
  try {
    const head = headIn(readFileSync(path, "utf8"));
    if (head?.owner === undefined || !isCheckable(head.owner)) return undefined;
    const claimed = draftName(sessionFile);
    renameSync(path, claimed);
    const draft = readDraft(readFileSync(claimed, "utf8"));
    return draft === undefined ? undefined : { ...draft, remove: () => rmSync(claimed, { force: true }) };
  } catch {
    // Another process claimed it first, or it cannot be read: leave it.
    return undefined;
  }
}

function draftName(sessionFile: string): string {
  return `${sessionFile}.${process.pid}-${processMark(processIdentity())}-${randomBytes(6).toString("hex")}.draft`;
}

function isOwnerAlive(pid: number, mark: string): boolean {
  const now = processIdentity(pid);
  return processMark(now) === mark && isAlive(now);
}

/** Distinguishes a process from a later one with the same pid. */
function processMark({ start, space }: ProcessIdentity): string {
  return createHash("sha256")
    .update(`${start ?? ""} ${space ?? ""}`)
    .digest("hex")
    .slice(0, 8);
}

type OwnedHead = DraftHead & { readonly owner?: ProcessIdentity };

function headIn(text: string): OwnedHead | undefined {
  const head = jsonObject(text.slice(0, text.indexOf("\n"))) as Partial<OwnedHead> | undefined;
  const isHead = typeof head?.sessionId === "string" && typeof head.timestamp === "number";
  return isHead ? (head as OwnedHead) : undefined;
}

function readDraft(text: string): Omit<LeftDraft, "remove"> | undefined {
  const head = headIn(text);
  if (head === undefined) return undefined;
  const blocks: AssistantBlock[] = [];
  // The last line may be cut off; the lines before it are complete.
  for (const line of text.split("\n").slice(1)) {
    const piece = jsonObject(line) as DraftPiece | undefined;
    if (piece !== undefined) addPiece(blocks, piece);
  }
  const { sessionId, parentId, api, provider, model, timestamp } = head;
  return { sessionId, parentId, api, provider, model, timestamp, blocks };
}

/** Adds a piece to the blocks of an answer so far. */
export function addPiece(blocks: AssistantBlock[], piece: DraftPiece): void {
  const last = blocks.at(-1);
  if (piece.type === "call") blocks.push(piece.call);
  else if (piece.type === "text") {
    if (last?.type === "text") blocks[blocks.length - 1] = { ...last, text: last.text + piece.delta };
    else blocks.push({ type: "text", text: piece.delta });
  } else if (last?.type === "thinking") {
    blocks[blocks.length - 1] = { ...last, thinking: last.thinking + piece.delta };
  } else blocks.push({ type: "thinking", thinking: piece.delta });
}

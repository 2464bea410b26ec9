/**
 * The record of a turn in a file next to the session, until its entries are in the session. If the process is killed,
 * the file stays, and the next process that opens the session continues with it.
 *
 * `<session>.jsonl.<owner>.<random>.turn`, mode 0600: the head, then one line for everything that was seen. The owner
 * is part of the name, so a rename is enough to claim the journal of a dead process, and only one can win.
 */
import { closeSync, constants, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { defined } from "@bough/session/text/index.js";
import type { DriverCall } from "./driver.js";
import { journalName, leftJournals } from "./left-journals.js";
import { type TurnHead, type TurnLine, TurnRecord } from "./turn-record.js";

/** Of one turn, in the file and in memory. What comes after it is only shown. */
const MOST_BYTES = 64 << 20;
/** Of one output or input; the transcript has the rest. */
const MOST_TEXT = 256 << 10;

export class TurnJournal {
  readonly record: TurnRecord;
  readonly #path: string | undefined;
  #fd = -1;
  #size = 0;
  #isFull = false;
  #isBroken = false;

  /** Without a session file, the record is only kept in memory. Throws if the file cannot be written. */
  constructor(sessionFile: string | undefined, head: TurnHead) {
    this.record = new TurnRecord(head);
    this.#path = sessionFile === undefined ? undefined : journalName(sessionFile);
    if (this.#path === undefined) return;
    this.#fd = openSync(this.#path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    writeSync(this.#fd, `${JSON.stringify(head)}\n`);
  }

  /** Whether not everything was kept. */
  get isFull(): boolean {
    return this.#isFull || this.#isBroken;
  }

  add(line: TurnLine): void {
    const kept = line.kind === "call" ? { ...line, call: shortened(line.call) } : line;
    if (kept.kind === "call" && this.#isKnown(kept)) {
      this.record.take(kept);
      return;
    }
    const text = `${JSON.stringify(kept)}\n`;
    const isLarge = kept.kind === "text" || kept.kind === "thinking" || kept.kind === "call";
    if (isLarge && this.#size + text.length > MOST_BYTES) {
      this.#isFull = true;
      // Of a call, that it was made and how it ended; of a text, nothing: what is not written is not kept in memory.
      if (kept.kind === "call") this.record.take({ kind: "call", call: bare(kept.call) });
      return;
    }
    this.#size += text.length;
    this.#write(text);
    this.record.take(kept);
  }

  /** Agents repeat whole calls in each update. */
  #isKnown({ call }: Extract<TurnLine, { kind: "call" }>): boolean {
    const known = this.record.calls.get(call.id);
    if (known === undefined) return false;
    const { output: _older, ...before } = known;
    const { output: _newer, ...after } = call;
    // Output so far is written once it is whole.
    if (call.status !== "done" && call.status !== "failed" && known.status === (call.status ?? known.status)) {
      return Object.entries(after).every(
        ([name, value]) => JSON.stringify(before[name as keyof typeof before]) === JSON.stringify(value),
      );
    }
    return false;
  }

  #write(text: string): void {
    if (this.#fd < 0 || this.#isBroken) return;
    try {
      writeSync(this.#fd, text);
    } catch {
      // A full disk: the transcript has what the agent did, and appending to the session reports its own errors.
      this.#isBroken = true;
    }
  }

  /** Stops writing and keeps the file, for the next start. */
  leave(): void {
    if (this.#fd >= 0) closeSync(this.#fd);
    this.#fd = -1;
  }

  /** Call when everything is in the session. */
  discard(): void {
    this.leave();
    if (this.#path !== undefined) rmSync(this.#path, { force: true });
  }
}

export interface LeftTurn {
  readonly record: TurnRecord;
  /** Removes the file. Call when its content is in the session. */
  readonly remove: () => void;
}

/** Claims the journals that dead processes left next to a session. Those of other versions are kept and not touched. */
export function claimTurns(sessionFile: string): LeftTurn[] {
  const folder = dirname(sessionFile);
  const left: LeftTurn[] = [];
  for (const name of leftJournals(sessionFile)) {
    try {
      const path = join(folder, name);
      const record = TurnRecord.read(readFileSync(path, "utf8"));
      if (record === undefined) continue;
      const claimed = journalName(sessionFile);
      renameSync(path, claimed);
      left.push({ record, remove: () => rmSync(claimed, { force: true }) });
    } catch {
      // Another process claimed it first, or it cannot be read: leave it.
    }
  }
  return left.sort((a, b) => a.record.head.timestamp - b.record.head.timestamp);
}

function bare({ id, name, action, status }: DriverCall): DriverCall {
  return { id, ...defined({ name, action, status }) };
}

function shortened(call: DriverCall): DriverCall {
  const { output, input, edits } = call;
  const isLong = input !== undefined && (JSON.stringify(input)?.length ?? 0) > MOST_TEXT;
  return {
    ...call,
    ...(output === undefined || output.length <= MOST_TEXT ? {} : { output: cut(output) }),
    ...(isLong ? { input: { shortened: cut(JSON.stringify(input)) } } : {}),
    ...(edits === undefined
      ? {}
      : {
          edits: edits.map((edit) => ({
            ...edit,
            oldText: edit.oldText && cut(edit.oldText),
            newText: cut(edit.newText),
          })),
        }),
  };
}

function cut(text: string): string {
  return text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT)}\n[${text.length - MOST_TEXT} more characters]`;
}

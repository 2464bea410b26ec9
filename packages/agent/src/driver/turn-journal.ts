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

/** How often an output that is not just longer than before is written while its call runs. */
const REWRITE_MS = 1000;

/** What is to be written, and the output of the call that is in the file then. */
interface News {
  readonly lines: readonly TurnLine[];
  readonly output?: WrittenOutput;
}

interface WrittenOutput {
  readonly text: string;
  readonly at: number;
}

/** Returns the hash of the text; undefined if there is no store. */
type StoreText = (text: string) => Promise<string | undefined>;

export class TurnJournal {
  readonly record: TurnRecord;
  readonly #path: string | undefined;
  #fd = -1;
  #size = 0;
  #isFull = false;
  #isBroken = false;
  /** Of each call, as it is in the file. */
  readonly #outputs = new Map<string, WrittenOutput>();
  readonly #store: StoreText | undefined;
  #storing: Promise<void> = Promise.resolve();

  /**
   * Without a session file, the record is only kept in memory. `store` keeps long outputs; without it, they are cut.
   * Throws if the file cannot be written.
   */
  constructor(sessionFile: string | undefined, head: TurnHead, store?: StoreText) {
    this.#store = store;
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
    const { lines, output } = kept.kind === "call" ? this.#newsOf(kept.call) : { lines: [kept] };
    const texts = lines.map((one) => `${JSON.stringify(one)}\n`);
    const size = texts.reduce((sum, text) => sum + text.length, 0);
    const isLarge = kept.kind === "text" || kept.kind === "thinking" || kept.kind === "call";
    if (isLarge && size > 0 && this.#size + size > MOST_BYTES) {
      this.#isFull = true;
      // Of a call, that it was made and how it ended; of a text, nothing: what is not written is not kept in memory.
      if (kept.kind === "call") this.record.take({ kind: "call", call: bare(kept.call) });
      return;
    }
    this.#size += size;
    for (const text of texts) this.#write(text);
    if (kept.kind === "call" && output !== undefined) this.#outputs.set(kept.call.id, output);
    this.record.take(kept);
    if (line.kind === "call") this.#keepLong(line.call);
  }

  /** Resolves when long outputs are stored. */
  whole(): Promise<void> {
    return this.#storing;
  }

  /** Agents repeat whole calls in each update: only what changed is written, so that the last state can be read back. */
  #newsOf(call: DriverCall): News {
    const known = this.record.calls.get(call.id);
    const at = performance.now();
    if (known === undefined) return { lines: [{ kind: "call", call }], output: { text: call.output ?? "", at } };
    const { output: text, ...after } = call;
    const fields = Object.entries(after).filter(
      ([name, value]) => JSON.stringify(known[name as keyof typeof known]) !== JSON.stringify(value),
    );
    const changed = { ...Object.fromEntries(fields), id: call.id } as DriverCall;
    const lines = fields.length === 0 ? [] : [{ kind: "call", call: changed } as const];
    const written = this.#outputs.get(call.id) ?? { text: "", at: Number.NEGATIVE_INFINITY };
    if (text === undefined || text === written.text) return { lines };
    const output = { text, at };
    if (text.startsWith(written.text)) {
      return { lines: [...lines, { kind: "more", id: call.id, output: text.slice(written.text.length) }], output };
    }
    const isOver = call.status === "done" || call.status === "failed";
    // Another text, such as the last lines of a log, again and again.
    if (!isOver && at - written.at < REWRITE_MS) return { lines };
    return { lines: [{ kind: "call", call: { ...changed, output: text } }], output };
  }

  /** An output that is too long for the journal goes to the store of file contents. */
  #keepLong({ id, output, status }: DriverCall): void {
    const isOver = status === "done" || status === "failed";
    if (this.#store === undefined || !isOver || output === undefined || output.length <= MOST_TEXT) return;
    const store = this.#store;
    this.#storing = this.#storing.then(async () => {
      const hash = await store(output).catch(() => undefined);
      if (hash !== undefined) this.add({ kind: "content", id, hash });
    });
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

/**
 * Claims the journals that dead processes left next to a session. Those of other versions are kept and not touched;
 * `onOther` is called with their names.
 */
export function claimTurns(sessionFile: string, onOther: (name: string) => void = () => {}): LeftTurn[] {
  const folder = dirname(sessionFile);
  const left: LeftTurn[] = [];
  for (const name of leftJournals(sessionFile)) {
    try {
      const path = join(folder, name);
      const record = TurnRecord.read(readFileSync(path, "utf8"));
      if (record === undefined) {
        onOther(name);
        continue;
      }
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

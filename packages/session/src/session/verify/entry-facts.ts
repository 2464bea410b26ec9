/** References between entries, kept until all entries are known. Memory grows with the number of entries. */
import { type EntryId, Kind, kindOf, type SessionEntry } from "../../entry/index.js";

interface Reference {
  readonly n: number;
  /** `undefined` if the entry names none. */
  readonly target: EntryId | undefined;
}

export class EntryFacts {
  /** Milliseconds, by entry number; NaN if the time cannot be parsed. */
  readonly times: number[] = [];
  /** IDs of the tool calls that an entry makes. */
  readonly calls = new Map<number, readonly string[]>();
  /** The entries that make a call, by its ID. */
  readonly callers = new Map<string, number[]>();
  /** ID of the call that an entry is the result of. */
  readonly results = new Map<number, string>();
  /** Targets of labels and context edits. */
  readonly targets: Reference[] = [];
  /** First kept entries of compactions. */
  readonly anchors: Reference[] = [];
  firstTime: string | undefined;
  lastTime: string | undefined;

  note(n: number, entry: SessionEntry): void {
    const fields = entry as unknown as Fields;
    this.#noteTime(n, fields.timestamp);
    switch (kindOf(entry)) {
      case Kind.message:
        this.#noteMessage(n, fields.message as Fields | null | undefined);
        return;
      case Kind.label:
      case Kind.contextEdit:
        if (typeof fields.targetId === "string") this.targets.push({ n, target: fields.targetId });
        return;
      case Kind.compaction:
        if (entry.type === "compaction") this.#noteAnchor(n, fields);
    }
  }

  #noteTime(n: number, timestamp: unknown): void {
    const time = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
    this.times[n] = time;
    if (Number.isNaN(time)) return;
    this.firstTime ??= timestamp as string;
    this.lastTime = timestamp as string;
  }

  #noteMessage(n: number, message: Fields | null | undefined): void {
    if (message?.role === "toolResult" && typeof message.toolCallId === "string") {
      this.results.set(n, message.toolCallId);
    }
    if (message?.role !== "assistant" || !Array.isArray(message.content)) return;
    const calls: string[] = [];
    for (const block of message.content as (Fields | null)[]) {
      if (block?.type === "toolCall" && typeof block.id === "string") calls.push(block.id);
    }
    if (calls.length === 0) return;
    this.calls.set(n, calls);
    for (const call of calls) {
      const callers = this.callers.get(call);
      if (callers === undefined) this.callers.set(call, [n]);
      else callers.push(n);
    }
  }

  #noteAnchor(n: number, fields: Fields): void {
    const anchor = fields.firstKeptEntryId;
    // A compaction that contains the messages it keeps needs no anchor.
    if (anchor === undefined && Array.isArray(fields.retainedTail)) return;
    this.anchors.push({ n, target: typeof anchor === "string" ? anchor : undefined });
  }
}

type Fields = Readonly<Record<string, unknown>>;

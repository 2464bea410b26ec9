import { type AgentMessage, type ContextReplacement, isMark, Kind, Role, type SessionEntry } from "../entry/index.js";
import { freezeDeep, replacementOf } from "../entry/internal.js";
import { inOneGo, isRecord, type Steps } from "../text/index.js";
import { entryMessage } from "./entry-message.js";
import { isFilledString, type JsonRecord } from "./json-value.js";
import { type PathMarks, readPathMarks } from "./path-marks.js";
import { pathModel } from "./path-model.js";
import type { PathSource } from "./path-source.js";
import { LEFT_OUT_RESULT, PairedMessages } from "./repair-pairs.js";
import type { ModelChoice, SessionContext, SessionState } from "./session-context.js";
import { soundMessage } from "./sound-message.js";
import { visiblePath } from "./visible-path.js";

/** Entries read at a time when other work may run in between. */
const SLICE = 64;
/** Entries processed at a time by number only, which is much cheaper. */
const STEP = 4096;

/** A built context that is extended with appended entries instead of being rebuilt. */
export class GrowingContext {
  readonly #paired = new PairedMessages();
  #leaf: number;
  #marks: PathMarks;
  #model: ModelChoice | null;
  #bytes = 0;
  readonly #freeze: boolean;

  /** With `freeze`, no caller can change the messages kept here. Without it, the entries of the source are not frozen. */
  constructor(
    source: PathSource,
    options: { readonly freeze: boolean; readonly entries?: "all" | "none yet" } = { freeze: false },
  ) {
    this.#freeze = options.freeze;
    this.#leaf = source.leaf;
    this.#marks = readPathMarks(source);
    if (options.entries !== "none yet") inOneGo(this.#fill(source));
    this.#model = pathModel(source, this.#marks);
  }

  /** The same context, built a few entries at a time: `rest` is awaited in between. */
  static async inSlices(
    source: PathSource,
    { freeze, rest }: { readonly freeze: boolean; readonly rest: () => Promise<void> | undefined },
  ): Promise<GrowingContext> {
    const growing = new GrowingContext(source, { freeze, entries: "none yet" });
    await rest();
    for (const _ of growing.#fill(source, SLICE)) await rest();
    return growing;
  }

  /** Bytes of the entries that are shown, as far as the source knows them. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Adds the entries between its leaf and the leaf of `source`. Returns false, and changes nothing, if the path does
   * not simply continue: another branch, a compaction, or an edit of what was shown before.
   */
  extend(source: PathSource): boolean {
    const added = entriesBelow(source, this.#leaf);
    if (added === undefined) return false;
    const numbers = added.filter((n) => contributes(source.kindOf(n)));
    this.#take(source, { numbers, edits: [] });
    if (added.some((n) => isMark(source.kindOf(n)))) this.#marks = readPathMarks(source);
    this.#model = pathModel(source, this.#marks, { at: this.#leaf, model: this.#model });
    this.#leaf = source.leaf;
    return true;
  }

  /** The context so far. The array belongs to the caller; the messages must not be changed. */
  context(): SessionContext {
    return { messages: this.#paired.list(), ...stateOf(this.#marks, this.#model) };
  }

  /** Takes what the path shows, that many entries at a time: neighbors in a log are read together. */
  *#fill(source: PathSource, slice = Number.POSITIVE_INFINITY): Steps<void> {
    const { numbers, edits } = yield* shownEntries(source, this.#marks);
    for (let at = 0; at < numbers.length; at += slice) {
      this.#take(source, { numbers: numbers.slice(at, at + slice), edits: edits.slice(at, at + slice) });
      yield;
    }
  }

  #take(source: PathSource, { numbers, edits }: ShownEntries): void {
    const entries = source.entriesAt?.(numbers);
    for (let i = 0; i < numbers.length; i++) {
      const n = numbers[i] as number;
      const message = contribution(entries?.[i] ?? source.entryAt(n), edits[i]);
      this.#bytes += source.lengthOf?.(n) ?? 0;
      if (message !== null) this.#paired.push(this.#freeze ? freezeDeep(message) : message);
    }
  }
}

export function stateOf(marks: PathMarks, model: ModelChoice | null): SessionState {
  return {
    thinkingLevel: marks.thinkingLevel,
    model: Object.freeze(model),
    mode: marks.mode,
    injectedRules: Object.freeze(marks.injectedRules),
    ...(marks.modeData === undefined ? {} : { modeData: marks.modeData }),
  };
}

/** The numbers between an entry and the leaf, oldest first; undefined if the path does not continue from there. */
function entriesBelow(source: PathSource, above: number): number[] | undefined {
  const added: number[] = [];
  for (let n = source.leaf; n !== above; n = source.parentOf(n)) {
    // Parents have smaller numbers, so the walk ends here; if damage breaks that, building again is right too.
    if (n < above) return undefined;
    const kind = source.kindOf(n);
    if (kind === Kind.compaction || kind === Kind.contextEdit) return undefined;
    added.push(n);
  }
  return added.reverse();
}

interface Edit {
  /** The position of the edit itself on the visible path. */
  readonly position: number;
  readonly replacement: ContextReplacement;
}

/**
 * The entries that are shown, in order, and the replacements for their content; one edit slot per entry, or none at
 * all.
 */
interface ShownEntries {
  readonly numbers: number[];
  readonly edits: (Edit | undefined)[];
}

function* shownEntries(source: PathSource, marks: PathMarks): Steps<ShownEntries> {
  const path = visiblePath(source, marks);
  yield;
  const edits = readEdits(source, path);
  const shown: ShownEntries = { numbers: [], edits: [] };
  const show = (n: number, position: number): void => {
    const edit = editAfter(edits.get(n), position);
    // An omitted tool result leaves a note; any other omitted entry need not be parsed.
    if (edit?.replacement === null && source.roleOf(n) !== Role.toolResult) return;
    shown.numbers.push(n);
    shown.edits.push(edit);
  };
  const compactionPosition = marks.compactionNumber < 0 ? -1 : path.indexOf(marks.compactionNumber);
  if (compactionPosition >= 0) show(marks.compactionNumber, compactionPosition);
  for (let position = 0; position < path.length; position++) {
    if (position % STEP === 0) yield;
    const n = path[position] as number;
    if (contributes(source.kindOf(n))) show(n, position);
  }
  return shown;
}

/** The latest edit per target. Edits above the visible part are not read: what they could change is not shown. */
function readEdits(source: PathSource, path: readonly number[]): Map<number, Edit> {
  const edits = new Map<number, Edit>();
  for (let position = 0; position < path.length; position++) {
    const n = path[position] as number;
    if (source.kindOf(n) !== Kind.contextEdit) continue;
    const entry = source.entryAt(n);
    if (entry.type !== "context_edit" || typeof entry.targetId !== "string") continue;
    const replacement = replacementOf(entry);
    if (replacement !== undefined) edits.set(source.numberOf(entry.targetId), { position, replacement });
  }
  return edits;
}

/** An edit changes only what is above it. An edit of a later entry would come and go with a compaction. */
function editAfter(edit: Edit | undefined, position: number): Edit | undefined {
  return edit !== undefined && edit.position > position ? edit : undefined;
}

function contribution(entry: SessionEntry, edit: Edit | undefined): AgentMessage | null {
  const message = entryMessage(entry);
  return message === null || edit === undefined ? message : editMessage(message, edit.replacement);
}

/**
 * The kinds that contribute a message at their position. A compaction comes first, wherever it is, and only the latest
 * one.
 */
function contributes(kind: Kind): boolean {
  return kind === Kind.message || kind === Kind.branchSummary || kind === Kind.customMessage;
}

/**
 * Applies a `context_edit` to a message; `null` if the message is omitted.
 *
 * Text replaces the content, the text of a summary, or the output of a command. An omitted tool result leaves a note in
 * its place, because its call still needs a result; whether it was an error is preserved. An assistant message loses
 * its tool calls if the new content does not contain them.
 */
export function editMessage(message: AgentMessage, replacement: ContextReplacement): AgentMessage | null {
  if (replacement === null) return message.role === "toolResult" ? omittedResult(message) : null;
  const role: string = message.role;
  switch (role) {
    case "branchSummary":
    case "compactionSummary": {
      const summary = plainText(replacement);
      return isFilledString(summary) ? ({ ...message, summary } as AgentMessage) : null;
    }
    case "bashExecution":
    case "pythonExecution":
      return { ...message, output: plainText(replacement) } as AgentMessage;
    case "assistant": {
      // The provider's own copy of the answer would restore the replaced content.
      const { providerPayload: _copy, ...rest } = message as unknown as JsonRecord;
      return soundMessage({ ...rest, content: replacement });
    }
    default:
      return soundMessage({ ...message, content: replacement });
  }
}

function omittedResult(result: Extract<AgentMessage, { role: "toolResult" }>): AgentMessage {
  return {
    role: "toolResult",
    toolCallId: result.toolCallId,
    toolName: result.toolName,
    content: [{ type: "text", text: LEFT_OUT_RESULT }],
    isError: result.isError === true,
    timestamp: result.timestamp,
  };
}

function plainText(replacement: string | readonly unknown[]): string {
  if (typeof replacement === "string") return replacement;
  const texts: string[] = [];
  for (const block of replacement) {
    if (typeof block === "string") texts.push(block);
    else if (isRecord(block) && typeof block.text === "string") texts.push(block.text);
  }
  return texts.join("\n");
}

/** A path as programs without a tree store it: prompts, answers with the results of their calls, and compactions. */
import { entryMessage, INTERRUPTED_RESULT, toModelInput } from "@bough/session/context/index.js";
import type {
  AssistantBlock,
  AssistantMessage,
  CompactionEntry,
  EntryId,
  ImageBlock,
  SessionEntry,
  TextBlock,
  ToolCallBlock,
} from "@bough/session/entry/index.js";
import type { EntryPath } from "@bough/session/session/index.js";
import type { WriteLoss } from "../contract.js";
import { isConversationEntry } from "../foreign-entry.js";
import { editedEntries } from "../import/edited-entries.js";
import { InteropError } from "../interop-error.js";
import { availableBlock } from "./outside-image.js";
import { pairedSteps } from "./paired-steps.js";
import { type Program, pathLoss } from "./path-losses.js";
import type { PathStep, PathSteps } from "./path-steps.js";
import { hasEntry } from "./picked-path.js";

export type SpokenBlock = TextBlock | ImageBlock;

interface SpokenResult {
  readonly content: readonly SpokenBlock[];
  readonly isError: boolean;
  readonly timestamp: string;
}

export interface Prompt extends StepPlace {
  readonly kind: "prompt";
  readonly content: readonly SpokenBlock[];
}

export interface Answer extends StepPlace {
  readonly kind: "answer";
  readonly message: AssistantMessage;
  /** Without a second call of the same ID. */
  readonly blocks: readonly AssistantBlock[];
  /** Results by call ID. */
  readonly results: ReadonlyMap<string, SpokenResult>;
}

export interface Compaction extends StepPlace {
  readonly kind: "compaction";
  readonly summary: string;
  /** The steps it keeps verbatim, in order; read while iterating. */
  readonly kept: Iterable<Prompt | Answer>;
  /** Index of the first kept step; undefined if it keeps none. */
  readonly keptFrom: number | undefined;
}

export type SpokenStep = Prompt | Answer | Compaction;

interface StepPlace {
  readonly id: EntryId;
  readonly timestamp: string;
  /** 0-based index of the step on the path. */
  readonly order: number;
}

/** What is known about a step without reading it again. */
export interface SpokenFacts {
  readonly kind: SpokenStep["kind"];
  /** For a compaction, the index of the first step it keeps. */
  readonly keptFrom?: number;
}

interface SpokenPath {
  /** Read while iterating, and not kept in memory. */
  readonly steps: Iterable<SpokenStep>;
  readonly facts: readonly SpokenFacts[];
  readonly losses: readonly WriteLoss[];
}

interface SpokenOptions {
  readonly program: Program;
  /** Called with each step during the first pass. Answers have no results yet. */
  readonly onStep: (step: SpokenStep) => void;
}

/** Applies context edits. Throws `nothing-to-write` if the path has no conversation. */
export function spokenPath(path: EntryPath, { program, onStep }: SpokenOptions): SpokenPath {
  const entries = editedEntries(path);
  if (!hasEntry(entries, isConversationEntry)) {
    throw new InteropError("nothing-to-write", "There is no conversation on this path", {
      hint: "Choose an entry that has a conversation above it.",
    });
  }
  const reading = new Reading(pairedSteps(entries));
  const losses: WriteLoss[] = [];
  for (const { step, entry, kind } of reading.firstPass()) {
    const isOdd = kind === "alone" || kind === "repeated";
    const loss = isOdd ? RESULT_LOSS : kind === "made" ? undefined : pathLoss(entry, program);
    if (loss !== undefined) losses.push({ entryId: entry.id, ...loss });
    if (step !== undefined) onStep(step);
  }
  return { steps: { [Symbol.iterator]: () => reading.steps() }, facts: reading.facts, losses };
}

const RESULT_LOSS = { what: "a tool result without its call", effect: "left out" };

interface ReadStep extends PathStep {
  /** The step that the entry became, if any. */
  readonly step: SpokenStep | undefined;
}

interface HeldFacts extends SpokenFacts {
  /** Index of its first `PathStep`. It ends where the next step begins. */
  readonly from: number;
}

class Reading {
  readonly #path: PathSteps;
  readonly facts: HeldFacts[] = [];
  /** Index of the step that each entry became or is part of. */
  readonly #orders = new Map<EntryId, number>();

  constructor(path: PathSteps) {
    this.#path = path;
  }

  /** Yields every step of the path and collects the facts. */
  *firstPass(): Generator<ReadStep> {
    for (let from = 0; from < this.#path.length; from++) {
      const read = this.#path.at(from) as PathStep;
      const { entry, kind } = read;
      const isOdd = kind === "alone" || kind === "repeated";
      const keptFrom = entry.type === "compaction" ? this.#keptFrom(entry) : undefined;
      const step = isOdd ? undefined : this.#stepOf(entry, { order: this.facts.length, keptFrom });
      const own = { from, keptFrom };
      if (step !== undefined) this.#orders.set(entry.id, this.facts.push({ kind: step.kind, ...own }) - 1);
      else if (!isOdd) this.#placeSilent(read);
      yield { ...read, step };
    }
  }

  *steps(first = 0, end = this.facts.length): Generator<SpokenStep> {
    for (let order = first; order < end; order++) {
      const { from, keptFrom } = this.facts[order] as HeldFacts;
      const step = this.#stepOf((this.#path.at(from) as PathStep).entry, { order, keptFrom });
      if (step?.kind === "answer") yield { ...step, results: this.#resultsOf(order) };
      else if (step !== undefined) yield step;
    }
  }

  /** The results of an answer follow it directly, before any other message. */
  #resultsOf(order: number): ReadonlyMap<string, SpokenResult> {
    const results = new Map<string, SpokenResult>();
    const end = this.facts[order + 1]?.from ?? this.#path.length;
    for (let at = (this.facts[order] as HeldFacts).from + 1; at < end; at++) {
      const facts = this.#path.facts[at];
      if (facts?.type !== "message" || facts.kind === "alone" || facts.kind === "repeated") continue;
      const { entry } = this.#path.at(at) as PathStep;
      const message = entryMessage(entry);
      if (message?.role !== "toolResult") continue;
      const { isError, toolCallId } = message;
      results.set(toolCallId, { content: shown(message.content), isError, timestamp: entry.timestamp });
    }
    return results;
  }

  /** A result is part of the step before it. Any other entry without text belongs to the next step. */
  #placeSilent({ entry, kind }: PathStep): void {
    const isResult = entry.type === "message" && entryMessage(entry)?.role === "toolResult";
    if (isResult && kind === "given") this.#orders.set(entry.id, this.facts.length - 1);
    else if (!this.#orders.has(entry.id)) this.#orders.set(entry.id, this.facts.length);
  }

  #stepOf(entry: SessionEntry, place: OrderOfStep): SpokenStep | undefined {
    const { id, timestamp } = entry;
    const { order, keptFrom } = place;
    const own = { id, timestamp, order };
    if (entry.type === "compaction") {
      const kept = { [Symbol.iterator]: () => this.#keptSteps(keptFrom ?? order, order) };
      return { kind: "compaction", ...own, summary: entry.summary, kept, keptFrom };
    }
    const message = entryMessage(entry);
    if (message === null || message.role === "toolResult" || entry.type === "custom") return undefined;
    if (message.role === "assistant") {
      const blocks = distinctBlocks(message.content);
      return blocks.length === 0 ? undefined : { kind: "answer", ...own, message, blocks, results: NO_RESULTS };
    }
    const [input] = toModelInput([message], { provider: "" });
    if (input?.role !== "user" || input.content.length === 0) return undefined;
    return { kind: "prompt", ...own, content: shown(input.content) };
  }

  *#keptSteps(first: number, end: number): Generator<Prompt | Answer> {
    for (const step of this.steps(first, end)) if (step.kind !== "compaction") yield step;
  }

  #keptFrom({ firstKeptEntryId, id }: CompactionEntry): number | undefined {
    const from = firstKeptEntryId === id ? undefined : this.#orders.get(firstKeptEntryId ?? "");
    if (from === undefined) return undefined;
    const first = this.facts.findIndex(({ kind }, order) => order >= from && kind !== "compaction");
    return first < 0 ? undefined : first;
  }
}

interface OrderOfStep {
  readonly order: number;
  readonly keptFrom: number | undefined;
}

const NO_RESULTS: ReadonlyMap<string, SpokenResult> = new Map();

function shown(content: readonly SpokenBlock[]): SpokenBlock[] {
  return content.map(availableBlock).filter((block) => block.type === "text" || block.type === "image");
}

/** Two calls with one ID in one answer cannot be told apart; the first counts, as in the context. */
function distinctBlocks(content: readonly AssistantBlock[]): AssistantBlock[] {
  const seen = new Set<string>();
  return content.filter((block) => {
    if (block.type === "text") return block.text !== "";
    if (block.type === "thinking") return block.thinking !== "" || block.thinkingSignature !== undefined;
    if (block.type !== "toolCall") return false;
    const isFirst = !seen.has(block.id);
    seen.add(block.id);
    return isFirst;
  });
}

/** The result of a call, or a placeholder if the call was interrupted. */
export function resultOf({ results, timestamp }: Answer, { id }: ToolCallBlock): SpokenResult {
  const made: SpokenResult = { content: [{ type: "text", text: INTERRUPTED_RESULT }], isError: true, timestamp };
  return results.get(id) ?? made;
}

/** The text of a result, without its images. */
export function wordsOf(content: readonly SpokenBlock[]): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

/** A tool name with only the characters that providers allow. */
export function toolWord(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "tool";
}

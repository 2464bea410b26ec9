/** A path as the programs without a tree keep it: prompts, answers with the results of their calls, and compactions. */
import { entryMessage, INTERRUPTED_RESULT, toModelInput } from "../../context/index.js";
import type {
  AssistantBlock,
  AssistantMessage,
  CompactionEntry,
  EntryId,
  ImageBlock,
  SessionEntry,
  TextBlock,
  ToolCallBlock,
} from "../../entry/index.js";
import type { WriteLoss } from "../contract.js";
import { editedEntries } from "../edited-entries.js";
import { isConversationEntry } from "../foreign-entry.js";
import { InteropError } from "../interop-error.js";
import { availableBlock } from "./outside-image.js";
import { pairedSteps } from "./paired-steps.js";
import { type Program, pathLoss } from "./path-losses.js";

export type SpokenBlock = TextBlock | ImageBlock;

export interface SpokenResult {
  readonly content: readonly SpokenBlock[];
  readonly isError: boolean;
  readonly timestamp: string;
}

export interface Prompt {
  readonly kind: "prompt";
  readonly id: EntryId;
  readonly timestamp: string;
  readonly content: readonly SpokenBlock[];
}

export interface Answer {
  readonly kind: "answer";
  readonly id: EntryId;
  readonly timestamp: string;
  readonly message: AssistantMessage;
  /** Without a second call of the same id. */
  readonly blocks: readonly AssistantBlock[];
  /** One for each call, by its id. */
  readonly results: ReadonlyMap<string, SpokenResult>;
}

export interface Compaction {
  readonly kind: "compaction";
  readonly id: EntryId;
  readonly timestamp: string;
  readonly summary: string;
  /** The steps it keeps verbatim, in order. */
  readonly kept: readonly (Prompt | Answer)[];
}

export type SpokenStep = Prompt | Answer | Compaction;

export interface SpokenPath {
  readonly steps: readonly SpokenStep[];
  readonly losses: readonly WriteLoss[];
}

/** Edits of the context are carried out. Throws `nothing-to-write` where nothing was said. */
export function spokenPath(path: readonly SessionEntry[], program: Program): SpokenPath {
  const entries = editedEntries(path);
  if (!entries.some(isConversationEntry)) {
    throw new InteropError("nothing-to-write", "There is no conversation on this path", {
      hint: "Choose an entry with something said above it.",
    });
  }
  const reading = new Reading(program);
  for (const { entry, kind } of pairedSteps(entries)) {
    if (kind === "alone" || kind === "repeated") reading.lose(entry, "a result without its call", "left out");
    else reading.take(entry, kind);
  }
  return reading.path();
}

/** An answer while its results are added. */
type OpenAnswer = Answer & { readonly results: Map<string, SpokenResult> };

class Reading {
  readonly #program: Program;
  readonly #steps: SpokenStep[] = [];
  readonly #losses: WriteLoss[] = [];
  #answer: OpenAnswer | undefined;
  /** Which step an entry became, or is part of. */
  readonly #places = new Map<EntryId, number>();

  constructor(program: Program) {
    this.#program = program;
  }

  lose({ id }: SessionEntry, what: string, effect: string): void {
    this.#losses.push({ entryId: id, what, effect });
  }

  path(): SpokenPath {
    return { steps: this.#steps, losses: this.#losses };
  }

  take(entry: SessionEntry, kind: "given" | "made"): void {
    const loss = kind === "made" ? undefined : pathLoss(entry, this.#program);
    if (loss !== undefined) this.lose(entry, loss.what, loss.effect);
    if (entry.type === "compaction") {
      this.#add({ kind: "compaction", ...placeOf(entry), summary: entry.summary, kept: this.#keptBy(entry) });
      return;
    }
    const message = entryMessage(entry);
    if (message?.role === "assistant") this.#takeAnswer(entry, message);
    else if (message?.role === "toolResult") {
      const content = shown(message.content);
      const { isError } = message;
      this.#answer?.results.set(message.toolCallId, { content, isError, timestamp: entry.timestamp });
      if (kind === "given") this.#places.set(entry.id, this.#steps.length - 1);
    } else if (message !== null && entry.type !== "custom") this.#takePrompt(entry);
    // A step starts at the next thing said where the entry itself says nothing.
    if (!this.#places.has(entry.id)) this.#places.set(entry.id, this.#steps.length);
  }

  #takeAnswer(entry: SessionEntry, message: AssistantMessage): void {
    const blocks = distinctBlocks(message.content);
    if (blocks.length === 0) return;
    this.#answer = { kind: "answer", ...placeOf(entry), message, blocks, results: new Map() };
    this.#add(this.#answer);
  }

  #takePrompt(entry: SessionEntry): void {
    const message = entryMessage(entry);
    const [input] = message === null ? [] : toModelInput([message], { provider: "" });
    if (input?.role !== "user" || input.content.length === 0) return;
    this.#add({ kind: "prompt", ...placeOf(entry), content: shown(input.content) });
  }

  #add(step: SpokenStep): void {
    this.#places.set(step.id, this.#steps.length);
    this.#steps.push(step);
  }

  #keptBy({ firstKeptEntryId, id }: CompactionEntry): (Prompt | Answer)[] {
    const from = firstKeptEntryId === id ? undefined : this.#places.get(firstKeptEntryId ?? "");
    if (from === undefined) return [];
    return this.#steps.slice(from).filter((step) => step.kind !== "compaction");
  }
}

function placeOf({ id, timestamp }: SessionEntry): { readonly id: EntryId; readonly timestamp: string } {
  return { id, timestamp };
}

function shown(content: readonly SpokenBlock[]): SpokenBlock[] {
  return content.map(availableBlock).filter((block) => block.type === "text" || block.type === "image");
}

/** Two calls of one id in one answer cannot be told apart; the first counts, as in the context. */
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

/** The result of a call. Every call of a spoken path has one. */
export function resultOf({ results, timestamp }: Answer, { id }: ToolCallBlock): SpokenResult {
  const made: SpokenResult = { content: [{ type: "text", text: INTERRUPTED_RESULT }], isError: true, timestamp };
  return results.get(id) ?? made;
}

/** The words of a result, without its images. */
export function wordsOf(content: readonly SpokenBlock[]): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

/** A name of a tool in the letters that providers allow. */
export function toolWord(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "tool";
}

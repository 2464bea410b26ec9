/** Converts a compaction to entries: the summary, followed by the items that Codex keeps sending with it. */
import type { SessionEntry, TextBlock } from "@bough/session/entry/index.js";
import { foreignId } from "../../foreign-entry.js";
import { stringIn } from "../../foreign-lines.js";
import type { AnswerRecords } from "../answer-records.js";
import { originFor, originItem } from "../codex-origin.js";
import type { RolloutConversionOptions } from "../conversion-options.js";
import { isInjected, isShell } from "../injected-context.js";
import { isCall, isOutput } from "../item-call.js";
import { readContent, textOfBlocks } from "../item-content.js";
import { resultEntry } from "../result-entry.js";
import { type JsonObject, type RolloutRecord, rolloutRecord } from "../rollout-record.js";
import { PromptTrail, type TrailPrompt } from "./prompt-trail.js";
import { replacedHistory } from "./replaced-history.js";

/** The `customType` of instructions from Codex itself. */
export const CONTEXT_TYPE = "codex.context";
/** The `customType` of a prompt that a compaction keeps in the context. It is displayed at its original place only. */
const KEPT_TYPE = "codex.kept";

export class CompactedEntries {
  readonly #options: RolloutConversionOptions;
  readonly #answers: AnswerRecords;
  readonly #prompts = new PromptTrail();

  constructor(options: RolloutConversionOptions, answers: AnswerRecords) {
    this.#options = options;
    this.#answers = answers;
  }

  /** The prompts so far, for a later `goBack`. */
  get prompts(): TrailPrompt | undefined {
    return this.#prompts.last;
  }

  goBack(prompts: TrailPrompt | undefined): void {
    this.#prompts.last = prompts;
  }

  addPrompt(content: readonly { readonly type: string; readonly text?: string }[]): void {
    this.#prompts.add(content);
  }

  /** From here on the model sees only the replacement, so the compaction is anchored at itself. */
  add(record: RolloutRecord, model: string): void {
    const { chain, thread } = this.#options;
    const { payload } = record;
    const { summary, items } = replacedHistory(payload);
    this.#answers.close();
    const place = chain.take(foreignId(thread, record.line, ""));
    const tokensBefore = this.#answers.lastTotal;
    const details = { codex: payload };
    chain.push({ type: "compaction", ...place, summary, firstKeptEntryId: place.id, tokensBefore, details });
    const kept = items ?? this.#prompts.kept().map(promptItem);
    this.#prompts.last = undefined;
    for (const [at, item] of kept.entries()) this.#keep(keptRecord(record, item, at), model);
    this.#answers.close();
    if (items === undefined) this.addPrompt([{ type: "text", text: summary }]);
  }

  #keep(record: RolloutRecord, model: string): void {
    const { kind, payload } = record;
    if (kind === "reasoning") this.#answers.reasoning(record, model);
    else if (isCall(kind)) this.#answers.call(record, model);
    else if (isOutput(kind)) this.#output(record);
    else if (kind === "message" && payload.role === "assistant") {
      const { blocks, whole } = readContent(payload.content);
      this.#answers.text(record, blocks, { model, whole });
    } else if (kind === "message" || kind === "agent_message") this.#message(record);
  }

  #message(record: RolloutRecord): void {
    const { chain } = this.#options;
    const { role } = record.payload;
    const { blocks, whole } = readContent(record.payload.content);
    const text = textOfBlocks(blocks);
    const isPrompt = role === "user" && !isInjected(text);
    if (isPrompt && !isShell(text)) this.addPrompt(blocks);
    this.#answers.close();
    const origin = originFor(record, [originItem(record, { whole, blocks: blocks.length })]);
    const place = chain.take(foreignId(this.#options.thread, record.line, record.within ?? ""));
    const customType = isPrompt ? KEPT_TYPE : CONTEXT_TYPE;
    const custom = { customType, content: blocks, display: false, details: { role }, origin };
    chain.push({ type: "custom_message", ...place, ...custom } as SessionEntry);
  }

  /** Skips an output whose call is not part of the new history. */
  #output(record: RolloutRecord): void {
    const { calls, chain, thread } = this.#options;
    const callId = stringIn(record.payload.call_id) ?? "";
    const call = calls.answer(callId);
    if (call === undefined) return;
    this.#answers.stop();
    const place = chain.take(foreignId(thread, record.line, record.within ?? ""));
    const facts = { callId, name: call.name, event: undefined, thread: undefined };
    chain.push(resultEntry(place, record, facts));
  }
}

function promptItem(parts: readonly TextBlock[]): JsonObject {
  return { type: "message", role: "user", content: parts.map(({ text }) => ({ type: "input_text", text })) };
}

function keptRecord({ line }: RolloutRecord, item: JsonObject, at: number): RolloutRecord {
  const record = rolloutRecord({ type: "response_item", payload: item }, line) as RolloutRecord;
  return { ...record, within: `kept ${at}` };
}

const KEPT_KINDS: ReadonlySet<unknown> = new Set(["message", "agent_message", "reasoning"]);

/** Whether an item of a new history becomes an entry or part of one. */
export function isKeptItem({ type, role }: JsonObject): boolean {
  if (type === undefined) return typeof role === "string";
  return KEPT_KINDS.has(type) || isCall(String(type)) || isOutput(String(type));
}

/** Assembles the records of an answer: reasoning, text and calls, followed by token usage. */
import type { AssistantBlock, ImageBlock, SessionEntry, TextBlock, Usage } from "@bough/session/entry/index.js";
import { defined, isRecord } from "@bough/session/text/index.js";
import { millisecondsOf } from "../conversion/entry-chain.js";
import { OpenAnswer } from "../conversion/open-answer.js";
import { foreignId } from "../foreign-entry.js";
import { type CodexOrigin, type OriginItem, originFor, originItem } from "./codex-origin.js";
import type { RolloutConversionOptions } from "./conversion-options.js";
import type { Speaker } from "./doubled-texts.js";
import { readCall } from "./item-call.js";
import { reasoningText } from "./item-content.js";
import type { JsonObject, RolloutRecord } from "./rollout-record.js";

type Answer = OpenAnswer<CodexOrigin> & { origin: CodexOrigin & { readonly items: OriginItem[] } };

export class AnswerRecords {
  readonly #options: RolloutConversionOptions;
  /** The answer that accepts more blocks. */
  #open: Answer | undefined;
  /** An answer without further blocks whose usage may still come. */
  #unpaid: Answer | undefined;
  /** Usage that was recorded before its answer, as in some versions. */
  #early: Usage | undefined;
  #totals = "";
  #recorded = false;
  #model = "";
  lastTotal = 0;

  constructor(options: RolloutConversionOptions) {
    this.#options = options;
  }

  reasoning(record: RolloutRecord, model: string): void {
    const { payload } = record;
    const signed = typeof payload.encrypted_content === "string";
    // The signature is the whole item, as for answers directly from the provider.
    const thinkingSignature = signed ? { thinkingSignature: JSON.stringify({ type: "reasoning", ...payload }) } : {};
    this.#add(record, model, {
      blocks: [{ type: "thinking", thinking: reasoningText(payload), ...thinkingSignature }],
      item: signed
        ? { item: { type: "reasoning" }, blocks: 1, ...metadataOf(record) }
        : originItem(record, { blocks: 1 }),
    });
  }

  text(
    record: RolloutRecord,
    content: readonly (TextBlock | ImageBlock)[],
    { model, whole }: { readonly model: string; readonly whole: boolean },
  ): void {
    const blocks = content.filter((block) => block.type === "text");
    const all = whole && blocks.length === content.length;
    this.#add(record, model, { blocks, item: originItem(record, { whole: all, blocks: blocks.length }) });
  }

  call(record: RolloutRecord, model: string): void {
    const { block, said, providerSide } = readCall(
      record.kind,
      record.payload,
      `line-${record.line}${record.within ?? ""}`,
    );
    const answer = this.#add(record, model, { blocks: [block], item: originItem(record, { said, blocks: 1 }) });
    this.#options.calls.made(block.id, block.name, answer.place.id);
    if (providerSide) this.#providerResult(record, block.id, block.name);
  }

  /** Adds a text that occurs only in an event. */
  spoken(
    record: RolloutRecord,
    { speaker, text, model }: { readonly speaker: Speaker; readonly text: string; readonly model: string },
  ): void {
    const block: AssistantBlock =
      speaker === "reasoning" ? { type: "thinking", thinking: text } : { type: "text", text };
    const item =
      speaker === "reasoning" ? { type: "reasoning", summary: [{ type: "summary_text", text }] } : assistantItem();
    this.#add(record, model, { blocks: [block], item: { item, blocks: 1 } });
  }

  /** Returns true if the usage was added to an answer, or became an entry of its own. */
  usage(record: RolloutRecord, tokens: unknown, responseId: string | undefined): boolean {
    const usage = usageOf(tokens);
    if (usage === undefined) return false;
    this.#recorded = true;
    this.lastTotal = usage.totalTokens ?? 0;
    const answer = this.#open ?? this.#unpaid;
    if (answer === undefined) {
      this.#usageEntry(record, usage);
      return true;
    }
    answer.responseId = responseId;
    this.#pay(answer, usage);
    return true;
  }

  /** Uses the token count after each answer, in files without other usage records. Ignores repeated counts. */
  tokenCount(record: RolloutRecord): boolean {
    const { info } = record.payload;
    if (!isRecord(info) || this.#recorded) return false;
    const totals = JSON.stringify(info.total_token_usage);
    const usage = usageOf(info.last_token_usage);
    if (usage === undefined || totals === this.#totals) return false;
    this.#totals = totals;
    this.lastTotal = usage.totalTokens ?? 0;
    const answer = this.#open ?? this.#unpaid;
    if (answer === undefined || answer.usage !== undefined) {
      if (this.#early !== undefined) this.#usageEntry(record, this.#early);
      this.#early = usage;
    } else this.#pay(answer, usage);
    return true;
  }

  /** Marks the answer as failed or aborted. If none was started, adds an empty one. */
  end(
    record: RolloutRecord,
    { ending, message, model }: { ending: "error" | "aborted"; message: string | undefined; model: string },
  ): void {
    const answer = this.#open ?? this.#begin(record, model);
    answer.ending = ending;
    answer.errorMessage = message;
  }

  /** No more blocks will follow. */
  stop(): void {
    if (this.#open === undefined) return;
    if (this.#open.usage === undefined) this.#unpaid = this.#open;
    else this.#open.settled = true;
    this.#open = undefined;
  }

  /** No more blocks and no usage will follow. */
  close(): void {
    this.stop();
    if (this.#unpaid !== undefined) this.#unpaid.settled = true;
    this.#unpaid = undefined;
  }

  #pay(answer: Answer, usage: Usage): void {
    answer.usage = usage;
    answer.settled = true;
    this.#open = undefined;
    this.#unpaid = undefined;
  }

  #add(
    record: RolloutRecord,
    model: string,
    { blocks, item }: { readonly blocks: readonly AssistantBlock[]; readonly item: OriginItem },
  ): Answer {
    const answer = this.#open ?? this.#begin(record, model);
    for (const block of blocks) answer.blocks.push(block);
    answer.origin.items.push(item);
    return answer;
  }

  #begin(record: RolloutRecord, model: string): Answer {
    this.close();
    const { thread, provider, chain } = this.#options;
    this.#model = model;
    const place = chain.take(foreignId(thread, record.line, record.within ?? ""));
    const answer = new OpenAnswer<CodexOrigin>(place, { api: "openai-responses", provider, model }) as Answer;
    answer.origin = originFor(record, []);
    answer.usage = this.#early;
    this.#early = undefined;
    chain.push(answer);
    this.#open = answer;
    return answer;
  }

  #usageEntry(record: RolloutRecord, usage: Usage): void {
    const { thread, provider, chain } = this.#options;
    const place = chain.take(foreignId(thread, record.line, "usage"));
    chain.push({ type: "usage", ...place, kind: "codex", provider, model: this.#model, usage });
  }

  /** Creates a result for a call that ran on the provider's side, which has none, so that every call has one. */
  #providerResult(record: RolloutRecord, callId: string, name: string): void {
    const { thread, chain, calls } = this.#options;
    calls.answer(callId);
    this.stop();
    const { result } = record.payload;
    const image =
      typeof result === "string" && result !== "" ? [{ type: "image", data: result, mimeType: "image/png" }] : [];
    const text = "Ran on the provider's side. The transcript does not hold its result.";
    const place = chain.take(foreignId(thread, record.line, `${record.within ?? ""}result`));
    chain.push({
      type: "message",
      ...place,
      message: {
        role: "toolResult",
        toolCallId: callId,
        toolName: name,
        content: image.length > 0 ? image : [{ type: "text", text }],
        isError: false,
        timestamp: millisecondsOf(place.timestamp),
      },
      origin: originFor(record, []),
    } as SessionEntry);
  }
}

function assistantItem(): JsonObject {
  return { type: "message", role: "assistant" };
}

function metadataOf(record: RolloutRecord): Partial<OriginItem> {
  const { time, metadata } = originItem(record, { blocks: 1 });
  return { ...defined({ time, metadata }) };
}

function usageOf(tokens: unknown): Usage | undefined {
  if (!isRecord(tokens)) return undefined;
  const input = numberIn(tokens.input_tokens);
  const output = numberIn(tokens.output_tokens);
  if (input === undefined && output === undefined) return undefined;
  const cached = numberIn(tokens.cached_input_tokens) ?? 0;
  const written = numberIn(tokens.cache_write_input_tokens) ?? 0;
  const reasoning = numberIn(tokens.reasoning_output_tokens);
  return {
    input: Math.max(0, (input ?? 0) - cached - written),
    output: output ?? 0,
    cacheRead: cached,
    cacheWrite: written,
    totalTokens: numberIn(tokens.total_tokens) ?? (input ?? 0) + (output ?? 0),
    ...defined({ reasoning }),
  };
}

function numberIn(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

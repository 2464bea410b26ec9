/** The records of one rollout become entries, one record at a time. */
import { kindOf, LeafEffect, leafEffect, type SessionEntry, type UserContent } from "../../entry/index.js";
import { type EntryChain, millisecondsOf } from "../conversion/entry-chain.js";
import { foreignId, noteEntry, positionEntry } from "../foreign-entry.js";
import { isObject, stringIn } from "../foreign-lines.js";
import type { RecordFate } from "../loss-report.js";
import { AnswerRecords } from "./answer-records.js";
import { type CallLedger, failedCall } from "./call-ledger.js";
import { originItem } from "./codex-origin.js";
import type { RolloutConversionOptions } from "./conversion-options.js";
import { DoubledTexts, type Speaker } from "./doubled-texts.js";
import { isInjected, shellCommandIn } from "./injected-context.js";
import { isCall, isOutput } from "./item-call.js";
import { readContent, readOutput, reasoningText, textOfBlocks } from "./item-content.js";
import { isKnownRecord } from "./known-kinds.js";
import { type JsonObject, nameOfRecord, type RolloutRecord } from "./rollout-record.js";
import { startedThread } from "./spawned-thread.js";

/** The `customType` of what Codex itself tells the model. */
export const CONTEXT_TYPE = "codex.context";

export class RolloutConversion {
  readonly #options: RolloutConversionOptions;
  readonly #chain: EntryChain;
  readonly #calls: CallLedger;
  readonly #answers: AnswerRecords;
  readonly #doubles = new DoubledTexts();
  /** Where each user turn that still counts hangs. */
  readonly #turns: (string | null)[] = [];
  #model = "";
  #effort: string | null | undefined;
  #settings = "";
  #named = false;
  #movedBack = false;
  #failed = false;

  constructor(options: RolloutConversionOptions) {
    this.#options = options;
    this.#chain = options.chain;
    this.#calls = options.calls;
    this.#answers = new AnswerRecords(options);
  }

  feed(record: RolloutRecord): void {
    this.#chain.hearTime(record.time);
    switch (record.type) {
      case "session_meta":
        if (!this.#named) this.#chain.hearTime(record.payload.timestamp);
        this.#note(record, this.#named ? "copied from another thread" : undefined);
        this.#named = true;
        return;
      case "response_item":
        return this.#item(record);
      case "event_msg":
        return this.#event(record);
      case "turn_context":
        return this.#turnContext(record);
      case "compacted":
        return this.#compacted(record);
      case "token_usage_record":
        if (this.#answers.usage(record, record.payload.usage, stringIn(record.payload.response_id))) {
          return this.#count("converted", record);
        }
        return this.#note(record);
      case "inter_agent_communication":
        return this.#agentMessage(record);
      default:
        return this.#note(record);
    }
  }

  /** An object that is no record of any era. */
  keep(value: JsonObject, line: number): void {
    this.feed({ line, type: "(no type)", kind: "", payload: value, time: undefined, ordinal: undefined, whole: value });
  }

  /** The reading ends here, for now: everything open is said as it is. */
  settle(records: number): void {
    this.#endTurn();
    if (!this.#movedBack) return;
    const { thread } = this.#options;
    this.#chain.push(positionEntry(this.#chain.leaf, this.#chain.time, `${thread}:${records}`));
  }

  #item(record: RolloutRecord): void {
    const { kind, payload } = record;
    if (kind === "message") return this.#message(record);
    if (kind === "agent_message") return this.#agentMessage(record);
    if (kind === "reasoning") {
      if (this.#isDouble(record, "reasoning", reasoningText(payload))) return;
      this.#answers.reasoning(record, this.#model);
      return this.#converted(record);
    }
    if (isCall(kind)) {
      this.#answers.call(record, this.#model);
      return this.#converted(record);
    }
    if (isOutput(kind)) return this.#output(record);
    this.#note(record);
  }

  #message(record: RolloutRecord): void {
    const { role } = record.payload;
    const { blocks, whole } = readContent(record.payload.content);
    const text = textOfBlocks(blocks);
    if (role === "assistant") {
      if (this.#isDouble(record, "assistant", text)) return;
      this.#answers.text(record, blocks, { model: this.#model, whole });
      return this.#converted(record);
    }
    const speaks = role === "user" && !isInjected(text);
    if (speaks && this.#isDouble(record, "user", text)) return;
    this.#answers.close();
    const time = millisecondsOf(this.#chain.time);
    const origin = { agent: "codex" as const, items: [originItem(record, { whole, blocks: blocks.length })] };
    const shell = speaks ? shellCommandIn(text, time) : undefined;
    if (speaks && shell === undefined) this.#turns.push(this.#chain.leaf);
    const place = this.#chain.take(this.#id(record));
    if (!speaks) {
      const details = { role, origin };
      const content = blocks as UserContent;
      this.#push({ type: "custom_message", ...place, customType: CONTEXT_TYPE, content, display: false, details });
    } else {
      const message = shell ?? { role: "user" as const, content: blocks, timestamp: time };
      this.#push({ type: "message", ...place, message, origin } as SessionEntry);
    }
    this.#count(speaks && shell === undefined ? "kept" : "converted", record);
  }

  #agentMessage(record: RolloutRecord): void {
    this.#answers.close();
    const { author, recipient, content } = record.payload;
    const { blocks, whole } = readContent(content);
    this.#turns.push(this.#chain.leaf);
    const origin = { agent: "codex" as const, items: [originItem(record, { whole, blocks: blocks.length })] };
    const place = this.#chain.take(this.#id(record));
    this.#push({
      type: "custom_message",
      ...place,
      customType: "codex.agent_message",
      content: blocks as UserContent,
      display: true,
      details: { author, recipient, origin },
    });
    this.#converted(record);
  }

  #output(record: RolloutRecord): void {
    const { payload } = record;
    const callId = stringIn(payload.call_id) ?? "";
    const call = this.#calls.answer(callId);
    if (call === undefined) return this.#note(record, "no call waits for this output");
    this.#answers.stop();
    const event = this.#calls.takeEvent(callId);
    const read = readOutput(payload.output ?? (payload.tools === undefined ? "" : JSON.stringify(payload.tools)));
    const failed = event === undefined ? undefined : failedCall(event.details);
    const thread = startedThread(call.name, payload.output);
    if (thread !== undefined) this.#calls.started(thread, callId);
    const details = {
      ...(event === undefined ? {} : { event: event.details }),
      ...(thread === undefined ? {} : { subagent: foreignId(thread, "subagent") }),
    };
    const whole = read.whole && payload.tools === undefined;
    const item = originItem(record, { whole, said: ["call_id"], blocks: read.blocks.length });
    const place = this.#chain.take(this.#id(record));
    this.#push({
      type: "message",
      ...place,
      message: {
        role: "toolResult",
        toolCallId: callId,
        toolName: call.name,
        content: read.blocks,
        ...(Object.keys(details).length === 0 ? {} : { details }),
        isError: failed ?? (read.exitCode !== undefined && read.exitCode !== 0),
        timestamp: millisecondsOf(this.#chain.time),
      },
      origin: { agent: "codex", items: [item] },
    } as SessionEntry);
    if (event !== undefined) this.#count("converted", event.record);
    this.#count("kept", record);
  }

  #event(record: RolloutRecord): void {
    const { payload } = record;
    const spoken = spokenIn(record);
    if (spoken !== undefined) {
      if (this.#doubles.event({ ...spoken, record })) this.#count("reported", record, SAME_TEXT);
      return;
    }
    switch (record.kind) {
      case "task_started":
      case "turn_started":
        this.#endTurn("turn-begins");
        this.#failed = false;
        return this.#note(record);
      case "task_complete":
      case "turn_complete":
        this.#endTurn();
        if (!isObject(payload.error) || this.#failed) return this.#note(record);
        return this.#fail(record, "error", stringIn(payload.error.message));
      case "error": {
        const error = isObject(payload.error) ? payload.error : payload;
        return this.#fail(record, "error", stringIn(error.message));
      }
      case "turn_aborted":
        return this.#fail(record, "aborted", undefined);
      case "thread_rolled_back":
        return this.#rollBack(record);
      case "token_count":
        if (this.#answers.tokenCount(record)) return this.#count("converted", record);
        return this.#note(record);
      case "thread_name_updated": {
        const name = stringIn(payload.thread_name) ?? stringIn(payload.name);
        if (name === undefined) return this.#note(record);
        this.#push({ type: "session_info", ...this.#chain.take(this.#id(record)), name });
        return this.#count("kept", record);
      }
      default:
        if (!this.#calls.expect(record)) this.#note(record);
    }
  }

  #turnContext(record: RolloutRecord): void {
    const { model, effort, turn_id: _turn, root_turn_id: _root, ...rest } = record.payload;
    const settings = JSON.stringify([model, effort, rest]);
    if (settings === this.#settings) return this.#count("reported", record, "repeats the settings before it");
    this.#settings = settings;
    this.#answers.close();
    if (typeof model === "string" && model !== this.#model) {
      this.#model = model;
      const place = this.#chain.take(this.#id(record, "model"));
      this.#push({ type: "model_change", ...place, provider: this.#options.provider, modelId: model });
    }
    if (typeof effort === "string" && effort !== this.#effort) {
      this.#effort = effort;
      const place = this.#chain.take(this.#id(record, "effort"));
      this.#push({ type: "thinking_level_change", ...place, thinkingLevel: effort });
    }
    this.#note(record);
  }

  /** From here on the model sees the replacement and nothing of what came before, so the anchor is the entry itself. */
  #compacted(record: RolloutRecord): void {
    const { payload } = record;
    const summary = summaryIn(payload);
    this.#answers.close();
    const place = this.#chain.take(this.#id(record));
    this.#push({
      type: "compaction",
      ...place,
      summary,
      firstKeptEntryId: place.id,
      tokensBefore: this.#answers.lastTotal,
      details: { codex: payload },
    });
    this.#converted(record);
  }

  #rollBack(record: RolloutRecord): void {
    this.#endTurn();
    const { num_turns: wanted } = record.payload;
    const dropped = typeof wanted === "number" && wanted > 0 ? Math.min(wanted, this.#turns.length) : 0;
    if (dropped === 0) return this.#note(record);
    this.#chain.leaf = this.#turns[this.#turns.length - dropped] ?? null;
    this.#turns.length -= dropped;
    this.#converted(record);
    this.#movedBack = true;
  }

  #fail(record: RolloutRecord, ending: "error" | "aborted", message: string | undefined): void {
    this.#flushTexts("ends");
    this.#failed = true;
    this.#answers.end(record, { ending, message, model: this.#model });
    this.#answers.close();
    this.#converted(record);
  }

  #endTurn(why: "turn-begins" | "ends" = "ends"): void {
    this.#flushTexts(why);
    this.#answers.close();
    for (const { record } of this.#calls.flush()) this.#note(record);
  }

  #flushTexts(why: "turn-begins" | "ends"): void {
    for (const { speaker, text, record } of this.#doubles.flush(why)) {
      if (speaker === "user") {
        this.#answers.close();
        this.#turns.push(this.#chain.leaf);
        const place = this.#chain.take(this.#id(record));
        const message = { role: "user" as const, content: text, timestamp: millisecondsOf(place.timestamp) };
        this.#push({ type: "message", ...place, message });
      } else this.#answers.spoken(record, { speaker, text, model: this.#model });
      this.#converted(record);
    }
  }

  #isDouble(record: RolloutRecord, speaker: Speaker, text: string): boolean {
    const { events, told } = this.#doubles.item(speaker, text);
    for (const event of events) this.#count("reported", event.record, SAME_TEXT);
    if (told) this.#count("reported", record, SAME_TEXT);
    return told;
  }

  #push(entry: SessionEntry): void {
    if (leafEffect(kindOf(entry)) === LeafEffect.sets) this.#movedBack = false;
    this.#chain.push(entry);
  }

  #note(record: RolloutRecord, reason?: string): void {
    const { line, type, kind, payload, whole } = record;
    const name = nameOfRecord(record);
    const completed = kind === "item_completed" && isObject(payload.item) ? stringIn(payload.item.type) : undefined;
    if (!isKnownRecord(type, kind, completed)) this.#options.report.nameUnknown(name);
    this.#chain.push(
      noteEntry(this.#chain.take(this.#id(record)), { agent: "codex", type: name, line, record: whole }),
    );
    this.#count("note", record, reason);
  }

  #converted(record: RolloutRecord): void {
    // What is converted is conversation, and sets the leaf.
    this.#movedBack = false;
    this.#count("converted", record);
  }

  #count(fate: RecordFate, record: RolloutRecord, reason?: string): void {
    const { file, report } = this.#options;
    report.count(fate, { file, line: record.line, type: nameOfRecord(record), ...(reason === undefined ? {} : { reason }) });
  }

  #id(record: RolloutRecord, part = ""): string {
    return foreignId(this.#options.thread, record.line, part);
  }
}

const SAME_TEXT = "the same text is there as another record";

/** What an event repeats of the conversation. */
function spokenIn({ kind, payload }: RolloutRecord): { speaker: Speaker; text: string } | undefined {
  if (kind === "user_message") return spoken("user", payload.message);
  if (kind === "agent_message") return spoken("assistant", payload.message);
  if (kind === "agent_reasoning" || kind === "agent_reasoning_raw_content") return spoken("reasoning", payload.text);
  if (kind !== "item_completed" || !isObject(payload.item)) return undefined;
  const { item } = payload;
  const texts = Array.isArray(item.content) ? item.content.flatMap((part) => (isObject(part) ? [part.text] : [])) : [];
  const content = texts.filter((text) => typeof text === "string").join("\n");
  if (item.type === "UserMessage") return spoken("user", content);
  if (item.type === "AgentMessage") return spoken("assistant", content);
  if (item.type !== "Reasoning") return undefined;
  const summary = Array.isArray(item.summary_text) ? item.summary_text.filter((text) => typeof text === "string") : [];
  return spoken("reasoning", summary.join("\n\n"));
}

function spoken(speaker: Speaker, text: unknown): { speaker: Speaker; text: string } | undefined {
  return typeof text === "string" && text !== "" ? { speaker, text } : undefined;
}

const UNREADABLE_SUMMARY = "(The summary is encrypted. Only the provider that wrote it can read it.)";

/** The summary's own field, or the last thing said in the history that takes the place of the old one. */
function summaryIn(payload: JsonObject): string {
  const own = stringIn(payload.message);
  if (own !== undefined && own !== "") return own;
  const history = Array.isArray(payload.replacement_history) ? payload.replacement_history.filter(isObject) : [];
  for (const item of [...history].reverse()) {
    const text = textOfBlocks(readContent(item.content).blocks);
    if (text !== "" && item.role !== "developer" && !isInjected(text)) return text;
  }
  return UNREADABLE_SUMMARY;
}

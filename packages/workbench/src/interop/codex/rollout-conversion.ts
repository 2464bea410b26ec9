/** Converts the records of one rollout to entries, one record at a time. */
import { kindOf, LeafEffect, leafEffect, type SessionEntry } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import { type EntryChain, millisecondsOf } from "../conversion/entry-chain.js";
import { foreignId, noteEntry, positionEntry } from "../foreign-entry.js";
import { stringIn } from "../foreign-lines.js";
import type { RecordFate } from "../loss-report.js";
import { AnswerRecords } from "./answer-records.js";
import type { CallLedger } from "./call-ledger.js";
import { originItem } from "./codex-origin.js";
import { CONTEXT_TYPE, CompactedEntries } from "./compaction/compacted-entries.js";
import type { TrailPrompt } from "./compaction/prompt-trail.js";
import type { RolloutConversionOptions } from "./conversion-options.js";
import { DoubledTexts, type Speaker } from "./doubled-texts.js";
import { isInjected, shellCommandIn } from "./injected-context.js";
import { isCall, isOutput } from "./item-call.js";
import { readContent, reasoningText, textOfBlocks } from "./item-content.js";
import { isKnownRecord } from "./known-kinds.js";
import { resultEntry } from "./result-entry.js";
import { type JsonObject, nameOfRecord, type RolloutRecord } from "./rollout-record.js";

export class RolloutConversion {
  readonly #options: RolloutConversionOptions;
  readonly #chain: EntryChain;
  readonly #calls: CallLedger;
  readonly #answers: AnswerRecords;
  readonly #doubles = new DoubledTexts();
  readonly #compactions: CompactedEntries;
  /** For each user turn that was not rolled back, its parent and the prompts before it. */
  readonly #turns: { readonly leaf: string | null; readonly prompts: TrailPrompt | undefined }[] = [];
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
    this.#compactions = new CompactedEntries(options, this.#answers);
  }

  feed(record: RolloutRecord): void {
    this.#chain.noteTime(record.time);
    // The type comes from the source, so `constructor` must not be taken for a handler.
    const handle = Object.hasOwn(this.#handlers, record.type) ? this.#handlers[record.type] : undefined;
    if (handle === undefined) this.#note(record);
    else handle(record);
  }

  readonly #handlers: Readonly<Record<string, (record: RolloutRecord) => void>> = {
    session_meta: (record) => this.#meta(record),
    response_item: (record) => this.#item(record),
    event_msg: (record) => this.#event(record),
    turn_context: (record) => this.#turnContext(record),
    compacted: (record) => this.#compacted(record),
    inter_agent_communication: (record) => this.#agentMessage(record),
    token_usage_record: (record) => {
      const { usage, response_id } = record.payload;
      if (this.#answers.usage(record, usage, stringIn(response_id))) this.#count("converted", record);
      else this.#note(record);
    },
  };

  /** Keeps an object that is not a record of any known format. */
  keep(value: JsonObject, line: number): void {
    this.feed({ line, type: "(no type)", kind: "", payload: value, time: undefined, ordinal: undefined, whole: value });
  }

  /** Ends the read at this point: everything that is still open becomes entries. */
  settle(records: number): void {
    this.#endTurn();
    if (!this.#movedBack) return;
    const { thread } = this.#options;
    this.#chain.push(positionEntry(this.#chain.leaf, this.#chain.time, `${thread}:${records}`));
  }

  /** The first one identifies the thread; later ones were copied with the history of another thread. */
  #meta(record: RolloutRecord): void {
    if (this.#named) {
      this.#note(record, "copied from another thread");
      return;
    }
    this.#named = true;
    const { missing } = this.#options;
    this.#chain.noteTime(record.payload.timestamp);
    this.#note(record, missing === undefined ? undefined : `it continues thread ${missing}, which was not found`);
  }

  #item(record: RolloutRecord): void {
    const { kind, payload } = record;
    if (kind === "message" && payload.role === "assistant") this.#answerText(record);
    else if (kind === "message") this.#message(record);
    else if (kind === "agent_message") this.#agentMessage(record);
    else if (isOutput(kind)) this.#output(record);
    else if (isCall(kind)) {
      this.#answers.call(record, this.#model);
      this.#converted(record);
    } else if (kind !== "reasoning") this.#note(record);
    else if (!this.#isDouble(record, "reasoning", reasoningText(payload))) {
      this.#answers.reasoning(record, this.#model);
      this.#converted(record);
    }
  }

  #answerText(record: RolloutRecord): void {
    const { blocks, whole } = readContent(record.payload.content);
    if (this.#isDouble(record, "assistant", textOfBlocks(blocks))) return;
    this.#answers.text(record, blocks, { model: this.#model, whole });
    this.#converted(record);
  }

  #message(record: RolloutRecord): void {
    const { role } = record.payload;
    const { blocks, whole } = readContent(record.payload.content);
    const text = textOfBlocks(blocks);
    const speaks = role === "user" && !isInjected(text);
    // Old files do not mark turns, so each prompt ends the previous turn.
    if (speaks) this.#flushTexts("turn-begins");
    if (speaks && this.#isDouble(record, "user", text)) return;
    this.#answers.close();
    const time = millisecondsOf(this.#chain.time);
    const origin = { agent: "codex" as const, items: [originItem(record, { whole, blocks: blocks.length })] };
    const shell = speaks ? shellCommandIn(text, time) : undefined;
    if (speaks && shell === undefined) {
      this.#beginTurn();
      this.#compactions.addPrompt(blocks);
    }
    const place = this.#chain.take(this.#id(record));
    if (!speaks) {
      const custom = { customType: CONTEXT_TYPE, content: blocks, display: false, details: { role }, origin };
      this.#push({ type: "custom_message", ...place, ...custom } as SessionEntry);
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
    this.#beginTurn();
    const origin = { agent: "codex" as const, items: [originItem(record, { whole, blocks: blocks.length })] };
    const place = this.#chain.take(this.#id(record));
    this.#push({
      type: "custom_message",
      ...place,
      customType: "codex.agent_message",
      content: blocks,
      display: true,
      details: { author, recipient },
      origin,
    } as SessionEntry);
    this.#converted(record);
  }

  #output(record: RolloutRecord): void {
    const callId = stringIn(record.payload.call_id) ?? "";
    const call = this.#calls.answer(callId);
    if (call === undefined) {
      this.#note(record, "its call was not found, or has its output");
      return;
    }
    this.#answers.stop();
    const event = this.#calls.takeEvent(callId);
    const thread = startedThread(call.name, record.payload.output);
    if (thread !== undefined) this.#calls.started(thread, callId);
    this.#push(resultEntry(this.#chain.take(this.#id(record)), record, { callId, name: call.name, event, thread }));
    if (event !== undefined) this.#count("converted", event.record);
    this.#count("kept", record);
  }

  #event(record: RolloutRecord): void {
    const spoken = spokenIn(record);
    if (spoken === undefined) this.#otherEvent(record);
    else if (this.#doubles.event({ ...spoken, record })) this.#count("reported", record, SAME_TEXT);
  }

  #otherEvent(record: RolloutRecord): void {
    const { payload } = record;
    switch (record.kind) {
      case "task_started":
      case "turn_started":
        this.#endTurn("turn-begins");
        this.#failed = false;
        this.#note(record);
        break;
      case "task_complete":
      case "turn_complete":
        this.#endTurn();
        if (!isRecord(payload.error) || this.#failed) this.#note(record);
        else this.#fail(record, "error", stringIn(payload.error.message));
        break;
      case "error":
        this.#fail(record, "error", stringIn((isRecord(payload.error) ? payload.error : payload).message));
        break;
      case "turn_aborted":
        this.#fail(record, "aborted", undefined);
        break;
      case "thread_rolled_back":
        this.#rollBack(record);
        break;
      case "token_count":
        if (this.#answers.tokenCount(record)) this.#count("converted", record);
        else this.#note(record);
        break;
      case "thread_name_updated":
        this.#name(record, stringIn(payload.thread_name) ?? stringIn(payload.name));
        break;
      default:
        if (!this.#calls.expect(record)) this.#note(record);
    }
  }

  #name(record: RolloutRecord, name: string | undefined): void {
    if (name === undefined || this.#options.role === "sub-agent") {
      this.#note(record);
      return;
    }
    this.#push({ type: "session_info", ...this.#chain.take(this.#id(record)), name });
    this.#count("kept", record);
  }

  #turnContext(record: RolloutRecord): void {
    const { model, effort, turn_id: _turn, root_turn_id: _root, ...rest } = record.payload;
    const settings = JSON.stringify([model, effort, rest]);
    if (settings === this.#settings) {
      this.#count("reported", record, "same settings as before");
      return;
    }
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

  #compacted(record: RolloutRecord): void {
    this.#compactions.add(record, this.#model);
    this.#converted(record);
  }

  #beginTurn(): void {
    this.#turns.push({ leaf: this.#chain.leaf, prompts: this.#compactions.prompts });
  }

  #rollBack(record: RolloutRecord): void {
    this.#endTurn();
    const { num_turns: wanted } = record.payload;
    const dropped = typeof wanted === "number" && wanted > 0 ? Math.min(wanted, this.#turns.length) : 0;
    if (dropped === 0) {
      this.#note(record);
      return;
    }
    const before = this.#turns[this.#turns.length - dropped];
    this.#chain.leaf = before?.leaf ?? null;
    this.#compactions.goBack(before?.prompts);
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
        this.#beginTurn();
        const place = this.#chain.take(this.#id(record));
        const message = { role: "user" as const, content: text, timestamp: millisecondsOf(place.timestamp) };
        this.#push({ type: "message", ...place, message });
      } else this.#answers.spoken(record, { speaker, text, model: this.#model });
      this.#converted(record);
    }
  }

  #isDouble(record: RolloutRecord, speaker: Speaker, text: string): boolean {
    const { events, isMessage } = this.#doubles.item(speaker, text);
    for (const event of events) this.#count("reported", event.record, SAME_TEXT);
    if (isMessage) this.#count("reported", record, SAME_TEXT);
    return isMessage;
  }

  #push(entry: SessionEntry): void {
    if (leafEffect(kindOf(entry)) === LeafEffect.sets) this.#movedBack = false;
    this.#chain.push(entry);
  }

  #note(record: RolloutRecord, reason?: string): void {
    const { line, type, kind, payload, whole } = record;
    const name = nameOfRecord(record);
    const completed = kind === "item_completed" && isRecord(payload.item) ? stringIn(payload.item.type) : undefined;
    if (!isKnownRecord(type, kind, completed)) this.#options.report.nameUnknown(name);
    this.#chain.push(
      noteEntry(this.#chain.take(this.#id(record)), { agent: "codex", type: name, line, record: whole }),
    );
    this.#count("note", record, reason);
  }

  #converted(record: RolloutRecord): void {
    // Converted records are conversation, so they set the leaf.
    this.#movedBack = false;
    this.#count("converted", record);
  }

  #count(fate: RecordFate, record: RolloutRecord, reason?: string): void {
    const { file, report } = this.#options;
    report.count(fate, {
      file,
      line: record.line,
      type: nameOfRecord(record),
      reason,
    });
  }

  #id(record: RolloutRecord, part = ""): string {
    return foreignId(this.#options.thread, record.line, part);
  }
}

const SAME_TEXT = "another record has the same text";

/** The thread that a call started. Codex returns the ID of the new agent as the call's output. */
function startedThread(tool: string, output: unknown): string | undefined {
  if (!tool.endsWith("spawn_agent")) return undefined;
  const text = textOfBlocks(readContent(output).blocks);
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (stringIn(value.agent_id) ?? stringIn(value.thread_id)) : undefined;
  } catch {
    // Newer versions return prose, in which the ID is the only UUID.
    return /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text)?.[0];
  }
}

/** The message text that an event repeats; undefined if the event is not about a message. */
function spokenIn({ kind, payload }: RolloutRecord): { speaker: Speaker; text: string } | undefined {
  if (kind === "user_message") return spoken("user", payload.message);
  if (kind === "agent_message") return spoken("assistant", payload.message);
  if (kind === "agent_reasoning" || kind === "agent_reasoning_raw_content") return spoken("reasoning", payload.text);
  if (kind !== "item_completed" || !isRecord(payload.item)) return undefined;
  const { item } = payload;
  const texts = Array.isArray(item.content) ? item.content.flatMap((part) => (isRecord(part) ? [part.text] : [])) : [];
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

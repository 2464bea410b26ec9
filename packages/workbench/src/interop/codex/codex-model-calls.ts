/** The model calls of a Codex thread and its sub-agents. Only short records are parsed, never what was said. */
import { FileLog } from "@bough/session/log/index.js";
import { isRecord, jsonObject } from "@bough/session/text/index.js";
import type { ForeignSession } from "../contract.js";
import { stringIn } from "../foreign-lines.js";
import { CountCheck, type ModelCall, shortName, timeIn, usedSomething } from "../model-call.js";
import { rolloutLines } from "./rollout-lines.js";
import {
  identityOf,
  type JsonObject,
  type RolloutIdentity,
  type RolloutRecord,
  rolloutRecord,
} from "./rollout-record.js";

/** The names are near the start of a line, or the line is short. */
const HEAD = 512;
const SHORT = 1 << 14;
const TELLING = /"(?:session_meta|turn_context|token_count|token_usage_record|compacted)"/;
/** The oldest format: its first line has no type. */
const BARE = /^\s*\{"id":"/;
/** A fork writes its parent's records at once, so later ones are its own, whatever time the copies have. */
const COPYING_MS = 1_000;

export async function* codexModelCalls(source: ForeignSession): AsyncGenerator<ModelCall> {
  const rollouts: RolloutCalls[] = [];
  for (const [at, file] of source.files.entries()) {
    const rollout = new RolloutCalls(at > 0);
    await rollout.read(file);
    rollouts.push(rollout);
  }
  // Files that the thread continues belong to other sessions.
  const inherited = new Set<RolloutCalls>();
  for (let base = rollouts[0]?.identity?.base; base !== undefined; ) {
    const { thread } = base;
    const found = rollouts.find(({ identity }) => identity?.id === thread);
    if (found === undefined || found === rollouts[0] || inherited.has(found)) break;
    inherited.add(found);
    base = found.identity?.base;
  }
  for (const rollout of rollouts) if (!inherited.has(rollout)) yield* rollout.calls.filter(usedSomething);
}

class RolloutCalls {
  readonly calls: ModelCall[] = [];
  identity: RolloutIdentity | undefined;
  readonly #isSubagent: boolean;
  #model = "unknown";
  #totals = "";
  /** Whether the file has records of usage, which make its token counts redundant. */
  #isRecorded = false;
  #replayUntil = Number.NEGATIVE_INFINITY;
  #lastPrompt = 0;
  #before = 0;
  #spared = 0;

  constructor(isSubagent: boolean) {
    this.#isSubagent = isSubagent;
  }

  async read(path: string): Promise<void> {
    if (path.endsWith(".jsonl")) {
      this.#readLines(path);
      return;
    }
    for await (const { line, value } of rolloutLines(path)) if (value !== undefined) this.#take(value, line);
  }

  #readLines(path: string): void {
    const log = new FileLog(path, { access: "read" });
    try {
      let number = 0;
      log.scan(0, ({ bytes, start, end, offset, length }) => {
        number += 1;
        const isShort = length <= SHORT;
        const head = bytes.toString("latin1", start, Math.min(end, start + (isShort ? SHORT : HEAD)));
        if (!TELLING.test(head) && !(number === 1 && BARE.test(head))) return;
        const whole = length === end - start ? bytes.subarray(start, end) : log.readAt(offset, length);
        const value = jsonObject(whole.toString("utf8"));
        if (value !== undefined) this.#take(value, number);
      });
    } finally {
      log.close();
    }
  }

  #take(value: JsonObject, line: number): void {
    const record = rolloutRecord(value, line);
    if (record === undefined) return;
    const { type, kind, payload } = record;
    if (type === "session_meta") this.#meta(record);
    else if (type === "turn_context") this.#model = shortName(payload.model, this.#model);
    else if (type === "compacted") this.#before = this.#lastPrompt;
    else if (type === "token_usage_record") {
      if (!isRecord(payload.usage)) return;
      this.#isRecorded = true;
      this.#add(record, payload.usage, { responseId: stringIn(payload.response_id) });
    } else if (type === "event_msg" && kind === "token_count") this.#count(record);
  }

  /** The first one is the thread's own. */
  #meta({ payload, time }: RolloutRecord): void {
    if (this.identity !== undefined) return;
    this.identity = identityOf(payload);
    if (this.identity?.forkedFrom === undefined && this.identity?.parentThread === undefined) return;
    const created = timeIn(time) || timeIn(this.identity.created);
    this.#replayUntil = created === 0 ? Number.NEGATIVE_INFINITY : created + COPYING_MS;
  }

  /** The event is repeated with the same totals. */
  #count(record: RolloutRecord): void {
    const { info } = record.payload;
    if (!isRecord(info) || this.#isRecorded || !isRecord(info.last_token_usage)) return;
    const totals = JSON.stringify(info.total_token_usage) ?? "";
    if (totals === this.#totals) return;
    this.#totals = totals;
    this.#add(record, info.last_token_usage, { totals: `${totals} ${JSON.stringify(info.last_token_usage)}` });
  }

  #add(record: RolloutRecord, usage: JsonObject, names: Pick<ModelCall, "responseId" | "totals">): void {
    const check = new CountCheck();
    const prompt = check.tokens(usage.input_tokens);
    const cacheRead = check.tokens(usage.cached_input_tokens);
    const cacheWrite = check.tokens(usage.cache_write_input_tokens);
    if (this.#before > 0 && prompt > 0) {
      this.#spared = Math.max(0, this.#before - prompt);
      this.#before = 0;
    }
    this.#lastPrompt = prompt;
    const time = timeIn(record.time);
    this.calls.push({
      time,
      provider: this.identity?.provider ?? "openai",
      model: this.#model,
      input: Math.max(0, prompt - cacheRead - cacheWrite),
      output: check.tokens(usage.output_tokens),
      cacheRead,
      cacheWrite,
      longWrite: 0,
      dollars: undefined,
      ...names,
      isReplay: time <= this.#replayUntil,
      branch: 0,
      place: this.#isSubagent ? "subagent" : "path",
      spared: this.#isSubagent ? 0 : this.#spared,
      isOdd: check.isOdd,
    });
  }
}

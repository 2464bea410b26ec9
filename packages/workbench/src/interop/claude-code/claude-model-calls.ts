/** The model calls of a Claude Code session, from the bytes of its files: only lines with usage are parsed. */
import { FileLog } from "@bough/session/log/index.js";
import { isRecord, jsonObject } from "@bough/session/text/index.js";
import type { ForeignSession } from "../contract.js";
import { stringIn } from "../foreign-lines.js";
import { CountCheck, type ModelCall, shortName, timeIn, usedSomething } from "../model-call.js";
import { type JsonObject, preservedIn } from "./claude-record.js";

const USAGE = Buffer.from('"usage"');
const UUID = Buffer.from('"uuid":"');
const PARENT = Buffer.from('"parentUuid":');
const PARENT_IN_HEAD = /"parentUuid":(?:"([^"\\]*)"|null)/;
const TALK_IN_HEAD = /"type":"(?:user|assistant)"/;
const PARSED_IN_HEAD = /"(?:last-prompt|compact_boundary)"/;
/** The fields before the message of a record. */
const HEAD = 1024;
const LONGEST_UUID = 64;
const NOTHING_KEPT: ReturnType<typeof preservedIn> = { head: undefined, tail: undefined, listed: [], all: [] };

type Draft = { -readonly [Field in keyof ModelCall]: ModelCall[Field] };

export function* claudeModelCalls(source: ForeignSession): Generator<ModelCall> {
  for (const [at, path] of source.files.entries()) yield* new TranscriptCalls(at === 0).read(path);
}

class TranscriptCalls {
  readonly #isMain: boolean;
  readonly #calls: Draft[] = [];
  readonly #callOf = new Map<string, Draft>();
  /** The records of the main conversation and of inline side chains, by uuid. */
  readonly #numbers = new Map<string, number>();
  readonly #parents: (string | undefined)[] = [];
  readonly #callAt: (Draft | undefined)[] = [];
  /** For a compaction, the records it keeps, wherever they are. */
  readonly #kept = new Map<number, readonly string[]>();
  readonly #last = { main: undefined as string | undefined, side: undefined as string | undefined };
  #leaf: string | undefined;
  /** Size of the context before the last compaction. */
  #before = 0;
  #spared = 0;

  constructor(isMain: boolean) {
    this.#isMain = isMain;
  }

  read(path: string): readonly ModelCall[] {
    const log = new FileLog(path, { access: "read" });
    try {
      log.scan(0, ({ bytes, start, end, offset, length }) => {
        if (length === end - start) this.#line(bytes.subarray(start, end));
        else this.#line(log.readAt(offset, length));
      });
    } finally {
      log.close();
    }
    this.#markPath();
    return this.#calls.filter(usedSomething);
  }

  #line(line: Buffer): void {
    const head = line.toString("latin1", 0, HEAD);
    if (line.includes(USAGE) || PARSED_IN_HEAD.test(head)) {
      this.#record(jsonObject(line.toString("utf8")));
      return;
    }
    const parent = PARENT_IN_HEAD.exec(head);
    const at = line.indexOf(UUID);
    if (at < 0) return;
    const isUsual = parent !== null && line.indexOf(UUID, at + UUID.length) < 0;
    // Another order of fields, or a second `uuid` somewhere inside: only parsing tells which is the record's own.
    if (!isUsual) {
      if (parent !== null || line.includes(PARENT)) this.#record(jsonObject(line.toString("utf8")));
      return;
    }
    const text = line.toString("latin1", at + UUID.length, at + UUID.length + LONGEST_UUID);
    const uuid = text.slice(0, text.indexOf('"'));
    this.#place({
      uuid,
      parent: parent[1],
      isSide: head.includes('"isSidechain":true'),
      isTalk: TALK_IN_HEAD.test(head),
    });
  }

  #record(record: JsonObject | undefined): void {
    if (record === undefined) return;
    const { uuid, parentUuid, isSidechain, type, subtype, logicalParentUuid, leafUuid, compactMetadata } = record;
    if (type === "last-prompt") {
      if (typeof leafUuid === "string") this.#leaf = leafUuid;
      return;
    }
    const isSide = isSidechain === true || !this.#isMain;
    const isBoundary = subtype === "compact_boundary";
    if (isBoundary && !isSide) {
      this.#before = new CountCheck().tokens(isRecord(compactMetadata) ? compactMetadata.preTokens : undefined);
      this.#spared = 0;
    }
    const call = type === "assistant" ? this.#call(record, isSide) : undefined;
    if (typeof uuid !== "string") return;
    this.#place({
      uuid,
      parent: stringIn(parentUuid) ?? (isBoundary ? this.#beforeBoundary(logicalParentUuid) : undefined),
      isFollowing: parentUuid === undefined,
      isSide: isSidechain === true,
      isTalk: type === "user" || type === "assistant" || isBoundary,
      call,
    });
    const { head, tail, listed } = isBoundary ? preservedIn(record) : NOTHING_KEPT;
    const kept = [head, tail, ...listed].filter((one) => one !== undefined);
    if (kept.length > 0) this.#kept.set(this.#numbers.get(uuid) ?? -1, kept);
  }

  #call(record: JsonObject, isSide: boolean): Draft | undefined {
    const message = isRecord(record.message) ? record.message : {};
    if (!isRecord(message.usage)) return undefined;
    const { usage } = message;
    const check = new CountCheck();
    const creation = isRecord(usage.cache_creation) ? usage.cache_creation : {};
    const cacheWrite = check.tokens(usage.cache_creation_input_tokens);
    const counts = {
      input: check.tokens(usage.input_tokens),
      output: check.tokens(usage.output_tokens),
      cacheRead: check.tokens(usage.cache_read_input_tokens),
      cacheWrite,
      longWrite: Math.min(cacheWrite, check.tokens(creation.ephemeral_1h_input_tokens)),
    };
    const responseId = stringIn(message.id);
    const key = responseId === undefined ? undefined : `${responseId} ${stringIn(record.requestId) ?? ""}`;
    const known = key === undefined ? undefined : this.#callOf.get(key);
    if (known !== undefined) {
      // One answer in several records. The last one states the whole usage.
      Object.assign(known, counts, { output: Math.max(known.output, counts.output) });
      known.time = timeIn(record.timestamp) || known.time;
      known.isOdd ||= check.isOdd;
      return known;
    }
    const prompt = counts.input + counts.cacheRead + counts.cacheWrite;
    if (!isSide && this.#before > 0 && prompt > 0) {
      this.#spared = Math.max(0, this.#before - prompt);
      this.#before = 0;
    }
    const call: Draft = {
      ...counts,
      time: timeIn(record.timestamp),
      provider: "anthropic",
      model: shortName(message.model, "unknown"),
      dollars: check.dollars(record.costUSD),
      responseId,
      recordId: stringIn(record.uuid),
      branch: 0,
      place: isSide ? "subagent" : "left",
      spared: isSide ? 0 : this.#spared,
      isOdd: check.isOdd,
    };
    this.#calls.push(call);
    if (key !== undefined) this.#callOf.set(key, call);
    return call;
  }

  /** The parent that a boundary names may be a kept record below it. */
  #beforeBoundary(logicalParent: unknown): string | undefined {
    return typeof logicalParent === "string" && this.#numbers.has(logicalParent) ? logicalParent : this.#last.main;
  }

  #place(record: {
    readonly uuid: string;
    readonly parent: string | undefined;
    /** Whether it has no `parentUuid` field, and so follows the record before it. */
    readonly isFollowing?: boolean;
    readonly isSide: boolean;
    readonly isTalk: boolean;
    readonly call?: Draft | undefined;
  }): void {
    if (!this.#isMain) return;
    const { uuid, isSide, isTalk, call } = record;
    const lane = isSide ? "side" : "main";
    const parent = record.isFollowing === true ? (record.parent ?? this.#last[lane]) : record.parent;
    this.#last[lane] = uuid;
    if (!this.#numbers.has(uuid)) {
      this.#numbers.set(uuid, this.#parents.length);
      this.#parents.push(parent);
      this.#callAt.push(call);
    }
    if (isTalk && !isSide) this.#leaf = uuid;
  }

  /** Everything above the leaf is on the path. */
  #markPath(): void {
    const seen = new Set<number>();
    for (let uuid = this.#leaf; uuid !== undefined; ) {
      const n = this.#numbers.get(uuid);
      if (n === undefined || seen.has(n)) return;
      seen.add(n);
      this.#markCall(n);
      for (const kept of this.#kept.get(n) ?? []) this.#markCall(this.#numbers.get(kept) ?? -1);
      uuid = this.#parents[n];
    }
  }

  #markCall(n: number): void {
    const call = this.#callAt[n];
    if (call?.place === "left") call.place = "path";
  }
}

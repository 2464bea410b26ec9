/** Classifies lines of rollouts in all formats: bare items, items in envelopes, and those with ordinals. */
import { isRecord } from "@bough/session/text/index.js";
import { stringIn } from "../foreign-lines.js";

export type JsonObject = Readonly<Record<string, unknown>>;

export interface RolloutRecord {
  readonly line: number;
  /** Identifies an item that is inside another record. */
  readonly within?: string;
  /** `session_meta`, `response_item`, `event_msg`, ...; `state` for bookkeeping lines of the oldest format. */
  readonly type: string;
  /** The payload's own type, or "". */
  readonly kind: string;
  readonly payload: JsonObject;
  readonly time: string | undefined;
  readonly ordinal: number | undefined;
  /** The whole line. */
  readonly whole: JsonObject;
}

/** Undefined if the object is not a record of a rollout. */
export function rolloutRecord(whole: JsonObject, line: number): RolloutRecord | undefined {
  const time = stringIn(whole.timestamp);
  const ordinal = typeof whole.ordinal === "number" ? whole.ordinal : undefined;
  const made = (type: string, payload: JsonObject) => ({
    line,
    type,
    kind: kindOf(type, payload),
    payload,
    time,
    ordinal,
    whole,
  });
  if (typeof whole.type === "string" && isRecord(whole.payload)) return made(whole.type, whole.payload);
  if (typeof whole.record_type === "string") return made("state", whole);
  if (typeof whole.type === "string") return made("response_item", whole);
  if (typeof whole.role === "string" && Array.isArray(whole.content)) return made("response_item", whole);
  if (typeof whole.id === "string" && time !== undefined) return made("session_meta", whole);
  return undefined;
}

function kindOf(type: string, payload: JsonObject): string {
  if (type === "session_meta" || type === "state") return "";
  const kind = stringIn(payload.type);
  if (kind !== undefined) return kind;
  // Some third-party tools omit the type of messages.
  return type === "response_item" && typeof payload.role === "string" ? "message" : "";
}

/** The type as shown in reports: `event_msg/token_count`, `event_msg/item_completed/Plan`. */
export function nameOfRecord({ type, kind, payload }: RolloutRecord): string {
  if (kind === "" || type === "world_state") return type;
  const role = kind === "message" ? stringIn(payload.role) : undefined;
  const item = kind === "item_completed" && isRecord(payload.item) ? stringIn(payload.item.type) : undefined;
  const detail = role ?? item;
  return detail === undefined ? `${type}/${kind}` : `${type}/${kind}/${detail}`;
}

export interface RolloutIdentity {
  readonly id: string;
  readonly cwd: string;
  readonly created: string | undefined;
  readonly provider: string;
  /** Version of the program that wrote it. */
  readonly version: string | undefined;
  /** `forkedFrom`: the thread it was forked from. `parentThread`: the thread that started it as a sub-agent. */
  readonly forkedFrom: string | undefined;
  readonly parentThread: string | undefined;
  readonly isSubagent: boolean;
  readonly nickname: string | undefined;
  /** For paginated threads, where the history before this file's first record is. */
  readonly base: { readonly thread: string; readonly endOrdinal: number } | undefined;
}

/** The identity in a file's first `session_meta`; later ones are copies from a fork's parent. */
export function identityOf(meta: JsonObject): RolloutIdentity | undefined {
  const id = stringIn(meta.id);
  if (id === undefined || id === "") return undefined;
  const source = isRecord(meta.source) ? meta.source : undefined;
  const subagent = source?.subagent;
  const spawn = isRecord(subagent) && isRecord(subagent.thread_spawn) ? subagent.thread_spawn : undefined;
  const base = isRecord(meta.history_base) ? meta.history_base : undefined;
  const thread = stringIn(base?.thread_id);
  const endOrdinal = base?.end_ordinal_exclusive;
  return {
    id,
    cwd: stringIn(meta.cwd) ?? "",
    created: stringIn(meta.timestamp),
    provider: stringIn(meta.model_provider) ?? "openai",
    version: stringIn(meta.cli_version),
    forkedFrom: stringIn(meta.forked_from_id),
    parentThread: stringIn(spawn?.parent_thread_id) ?? stringIn(meta.parent_thread_id),
    isSubagent: subagent !== undefined && subagent !== null,
    nickname: stringIn(spawn?.agent_nickname) ?? stringIn(meta.agent_nickname),
    base: thread === undefined || typeof endOrdinal !== "number" ? undefined : { thread, endOrdinal },
  };
}

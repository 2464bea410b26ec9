/** Reads the first records of a rollout: its identity, working directory and first prompt. */
import { basename } from "node:path";
import { stringIn } from "../foreign-lines.js";
import { cwdInContext, isInjected, isShell } from "./injected-context.js";
import { readContent, textOfBlocks } from "./item-content.js";
import { isDatedName, isRolloutName } from "./rollout-files.js";
import { rolloutLines } from "./rollout-lines.js";
import { identityOf, type RolloutIdentity, type RolloutRecord, rolloutRecord } from "./rollout-record.js";

/** Records that a list reads to find a first prompt as the title. */
const FIRST_RECORDS = 40;
/** Bytes to read. The first record may contain long instructions, but a prompt is never this long. */
const FIRST_BYTES = 1 << 21;

export interface RolloutHead {
  readonly identity: RolloutIdentity | undefined;
  readonly cwd: string;
  readonly prompt: string | undefined;
  /** The first timestamp in any record. */
  readonly time: string | undefined;
}

/** Undefined if the file is not a rollout. */
export async function headOf(path: string): Promise<RolloutHead | undefined> {
  if (!isRolloutName(basename(path))) return undefined;
  let identity: RolloutIdentity | undefined;
  let cwd = "";
  let prompt: string | undefined;
  let time: string | undefined;
  let seen = 0;
  let rollout = false;
  try {
    for await (const { line, value } of rolloutLines(path, { within: FIRST_BYTES })) {
      seen += 1;
      if (seen > FIRST_RECORDS || (identity !== undefined && cwd !== "" && prompt !== undefined)) break;
      const record = value === undefined ? undefined : rolloutRecord(value, line);
      if (record === undefined) continue;
      rollout ||= isRollout(record) || (seen === 1 && isBareHead(path, record));
      // Give up early on files of other programs.
      if (!rollout && seen > 5) break;
      if (!Number.isNaN(Date.parse(record.time ?? ""))) time ??= record.time;
      if (record.type === "session_meta") identity ??= identityOf(record.payload);
      cwd ||= identity?.cwd ?? "";
      const text = textOf(record);
      if (cwd === "" && text !== undefined) cwd = cwdInContext(text) ?? "";
      if (text !== undefined && text.trim() !== "" && !isInjected(text) && !isShell(text)) prompt ??= text;
    }
  } catch {
    // Missing, a folder, or not readable.
    return undefined;
  }
  return rollout ? { identity, cwd, prompt, time } : undefined;
}

const ENVELOPES: ReadonlySet<string> = new Set(["response_item", "event_msg", "turn_context", "compacted"]);

function isRollout({ type, whole, payload }: RolloutRecord): boolean {
  if (type === "session_meta") return whole.type === "session_meta" || "instructions" in payload || "git" in payload;
  if (type === "state") return whole.record_type === "state";
  return typeof whole.type === "string" && ENVELOPES.has(whole.type);
}

/** The oldest versions may write only these two fields, so the file name must match as well. */
function isBareHead(path: string, { type, whole }: RolloutRecord): boolean {
  const { id: _id, timestamp: _time, ...more } = whole;
  return type === "session_meta" && Object.keys(more).length === 0 && isDatedName(basename(path));
}

function textOf({ type, kind, payload }: RolloutRecord): string | undefined {
  if (type === "event_msg" && kind === "user_message") return stringIn(payload.message);
  if (type !== "response_item" || kind !== "message" || payload.role !== "user") return undefined;
  return textOfBlocks(readContent(payload.content).blocks);
}

/** What the first records of a rollout tell: whose it is, where it worked, and what was asked first. */
import { basename } from "node:path";
import { stringIn } from "../foreign-lines.js";
import { cwdInContext, isInjected, isShell } from "./injected-context.js";
import { readContent, textOfBlocks } from "./item-content.js";
import { isDatedName, isRolloutName } from "./rollout-files.js";
import { rolloutLines } from "./rollout-lines.js";
import { identityOf, type RolloutIdentity, type RolloutRecord, rolloutRecord } from "./rollout-record.js";

/** The prompt of a user is near the start; after that a list looks no further for a title. */
const FIRST_RECORDS = 40;
/** The first record may hold all instructions; whatever else is this long is not a prompt. */
const FIRST_BYTES = 1 << 21;

export interface RolloutHead {
  readonly identity: RolloutIdentity | undefined;
  readonly cwd: string;
  readonly prompt: string | undefined;
  /** The first time any record names. */
  readonly time: string | undefined;
}

/** What the first records say; undefined if the file is not a rollout. */
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
      // A file of another program is not read to its fortieth line.
      if (!rollout && seen > 5) break;
      if (!Number.isNaN(Date.parse(record.time ?? ""))) time ??= record.time;
      if (record.type === "session_meta") identity ??= identityOf(record.payload);
      cwd ||= identity?.cwd ?? "";
      const text = textOf(record);
      if (cwd === "" && text !== undefined) cwd = cwdInContext(text) ?? "";
      if (text !== undefined && text.trim() !== "" && !isInjected(text) && !isShell(text)) prompt ??= text;
    }
  } catch {
    // Gone, a folder, or not ours to read: no one's.
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

/** The oldest programs may write no more than these two. A file of another program has another name. */
function isBareHead(path: string, { type, whole }: RolloutRecord): boolean {
  const { id: _id, timestamp: _time, ...more } = whole;
  return type === "session_meta" && Object.keys(more).length === 0 && isDatedName(basename(path));
}

function textOf({ type, kind, payload }: RolloutRecord): string | undefined {
  if (type === "event_msg" && kind === "user_message") return stringIn(payload.message);
  if (type !== "response_item" || kind !== "message" || payload.role !== "user") return undefined;
  return textOfBlocks(readContent(payload.content).blocks);
}

/** Stores one entry of a Claude Agent SDK transcript as a line, and names the transcripts. */
import { createHash, randomBytes } from "node:crypto";
import { attempt, isRecord } from "@bough/session/text/index.js";
import { lineFacts } from "../stored-line.js";

/** Names the transcript of a session or, with `subpath`, of one of its sub-agents. The SDK's `SessionKey`. */
export interface AgentSdkKey {
  readonly projectKey: string;
  readonly sessionId: string;
  readonly subpath?: string;
}

/** One line of a transcript, with any content. The SDK's `SessionStoreEntry`. */
export interface AgentSdkEntry {
  type: string;
  uuid?: string;
  timestamp?: string;
  [field: string]: unknown;
}

/** An entry and when it was appended. */
export interface AppendedEntry {
  readonly at: number;
  readonly entry: AgentSdkEntry;
}

const ENTRY_TYPE = "claude-agent-sdk";
const NAME = /^claude-agent-sdk_([0-9a-f]{16})_([^/]+)(?:\/(.+))?$/;

/** Wraps the SDK's entry in a Bough entry, so that every driver keeps its position in the tree. */
export function lineOf({ at, entry }: AppendedEntry): Uint8Array {
  const { uuid, parentUuid, timestamp } = entry;
  const line = {
    type: "custom",
    // Entries without an ID never count as equal: two identical ones are both kept.
    id: uuidOf(entry) ?? randomBytes(6).toString("hex"),
    parentId: typeof parentUuid === "string" && parentUuid !== uuid ? parentUuid : null,
    timestamp: typeof timestamp === "string" ? timestamp : new Date(at).toISOString(),
    customType: ENTRY_TYPE,
    data: { at, entry },
  };
  return Buffer.from(JSON.stringify(line));
}

/** Undefined for a line without an SDK entry. */
export function entryIn(line: Uint8Array): AppendedEntry | undefined {
  const record = lineFacts(line)?.record;
  if (record?.customType !== ENTRY_TYPE || !isRecord(record.data)) return undefined;
  const { at, entry } = record.data;
  if (typeof at !== "number" || !isRecord(entry) || typeof entry.type !== "string") return undefined;
  return { at, entry: entry as AgentSdkEntry };
}

export function uuidOf({ uuid }: AgentSdkEntry): string | undefined {
  return typeof uuid === "string" && uuid !== "" ? uuid : undefined;
}

/** The name of a transcript in a store. The project is hashed, because its key may exceed the limit on file names. */
export function storedId({ projectKey, sessionId, subpath }: AgentSdkKey): string {
  const project = createHash("sha256").update(projectKey).digest("hex").slice(0, 16);
  const name = `${ENTRY_TYPE}_${project}_${encoded(sessionId)}`;
  return subpath === undefined ? name : `${name}/${encoded(subpath)}`;
}

/** Undefined for a session that is not a transcript of the SDK. */
export function keyIn(id: string): Pick<AgentSdkKey, "sessionId" | "subpath"> | undefined {
  const [, , sessionId, subpath] = NAME.exec(id) ?? [];
  if (sessionId === undefined) return undefined;
  return { sessionId: decoded(sessionId), ...(subpath === undefined ? {} : { subpath: decoded(subpath) }) };
}

/** Whether a session in a store is a transcript of the SDK rather than one of Bough's sessions. */
export function isTranscript(id: string): boolean {
  return NAME.test(id);
}

export function storedProject(projectKey: string): string {
  return `${ENTRY_TYPE}/${encoded(projectKey)}`;
}

/** Goes through bytes first, because `encodeURIComponent` throws on half a surrogate pair. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString("utf8"));
}

function decoded(text: string): string {
  return attempt(() => decodeURIComponent(text)) ?? text;
}

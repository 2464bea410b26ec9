/** Writes a Claude Agent SDK transcript in the file layout of Claude Code. */
import { join } from "node:path";
import { writeWhole } from "@bough/session/log/index.js";
import { StoreError } from "../store-error.js";
import type { AgentSdkEntry } from "./agent-sdk-line.js";

export interface AgentSdkTranscript {
  readonly sessionId: string;
  readonly main: readonly AgentSdkEntry[];
  /** Transcripts of sub-agents by `subpath`. */
  readonly parts: ReadonlyMap<string, readonly AgentSdkEntry[]>;
}

/** Returns the path of the main file. Replaces existing files. */
export function writeAgentSdkTranscript(folder: string, { sessionId, main, parts }: AgentSdkTranscript): string {
  const name = checkedName(sessionId);
  for (const [subpath, entries] of parts) {
    write(join(folder, name, ...subpath.split("/").map(checkedName)), entries);
  }
  return write(join(folder, name), main);
}

function write(path: string, entries: readonly AgentSdkEntry[]): string {
  const file = `${path}.jsonl`;
  writeWhole(
    file,
    entries.map((entry) => `${JSON.stringify(entry)}\n`),
    { existing: "replace", durable: false },
  );
  return file;
}

/** Names come from a store that others can write to: reject path traversal. */
function checkedName(name: string): string {
  if (/^(?!\.)[\w.@ -]{1,200}$/.test(name)) return name;
  throw new StoreError("store-damaged", `Invalid transcript name in the store: ${JSON.stringify(name)}`);
}

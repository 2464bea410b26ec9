import type { AgentSdkEntry, AgentSdkKey } from "@bough/workbench/store/index.js";

interface SessionStore {
  append(key: AgentSdkKey, entries: AgentSdkEntry[]): Promise<void>;
  load(key: AgentSdkKey): Promise<AgentSdkEntry[] | null>;
  listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]>;
  listSubkeys(key: AgentSdkKey): Promise<string[]>;
  delete(key: AgentSdkKey): Promise<void>;
}

/** What the SDK's documentation asks of a store: by name, checks that throw. */
export const CONTRACT: Readonly<Record<string, (store: SessionStore) => Promise<void>>>;
/** What it asks beyond what its own store in memory does. */
export const STRICTER: Readonly<Record<string, (store: SessionStore) => Promise<void>>>;

import type { AgentSdkEntry, AgentSdkKey } from "@bough/workbench/store/index.js";

interface SessionStore {
  append(key: AgentSdkKey, entries: AgentSdkEntry[]): Promise<void>;
  load(key: AgentSdkKey): Promise<AgentSdkEntry[] | null>;
  listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]>;
  listSubkeys(key: AgentSdkKey): Promise<string[]>;
  delete(key: AgentSdkKey): Promise<void>;
}

/** What the SDK's documentation requires of a store: checks that throw, by name. */
export const CONTRACT: Readonly<Record<string, (store: SessionStore) => Promise<void>>>;
/** Requirements that the SDK's own in-memory store does not meet. */
export const STRICTER: Readonly<Record<string, (store: SessionStore) => Promise<void>>>;

/** A machine with a home and one session file, and a folder store shared with other machines. */
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { FolderStore } from "../folder/folder-store.js";
import { replicaNamed } from "../store-contract.test-support.js";
import { type SyncSessionOptions, syncSession } from "./sync-session.js";
import { SyncStates } from "./sync-state.js";

export type SyncMachine = ReturnType<typeof syncMachine>;

export function syncMachine(name: string, folder: string) {
  const home = tempFolder();
  FolderStore.init(folder);
  const store = FolderStore.open({ folder, replica: replicaNamed(name), search: async () => [] });
  const states = new SyncStates(home, "store");
  const file = join(home, "session.jsonl");
  return {
    home,
    file,
    store,
    states,
    sync: (sessionId: string, more: Partial<SyncSessionOptions> = {}) =>
      syncSession({ store, states, sessionId, file, ...more }),
    /** Creates a session with these prompts and returns its ID. */
    begin(...texts: readonly string[]): string {
      const session = SessionManager.create("/project", tempFolder());
      for (const text of texts) session.appendMessage({ role: "user", content: text, timestamp: 1 });
      session.close();
      copyFileSync(session.getSessionFile() as string, file);
      return session.getSessionId();
    },
    say(text: string): string {
      const session = SessionManager.open(file);
      const id = session.appendMessage({ role: "user", content: text, timestamp: 1 });
      session.close();
      return id;
    },
    texts: (): string[] =>
      readFileSync(file, "utf8")
        .trimEnd()
        .split("\n")
        .flatMap((line) => JSON.parse(line).message?.content ?? []),
    position(): string | null {
      const session = SessionManager.open(file, undefined, { readOnly: true });
      const leaf = session.getLeafId();
      session.close();
      return leaf;
    },
    /** This machine's file of a session in the store. */
    stored: (sessionId: string) => join(folder, "sessions", sessionId, `${store.replica.id}.jsonl`),
  };
}

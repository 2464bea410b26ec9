/** A real folder with a session whose steps change files and record it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EntryId } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { FolderScanner } from "./scan/folder-scanner.js";
import { SessionFiles } from "./session-files.js";
import { BlobStore } from "./store/blob-store.js";

/** A file's text or bytes; null deletes it. */
export type Files = Readonly<Record<string, string | Buffer | null>>;

interface PlaceOptions {
  readonly root?: string;
  readonly store?: string;
  /** The folder of the session file. */
  readonly sessions?: string;
}

export async function filesPlace({ root = tempFolder(), store: folder, sessions }: PlaceOptions = {}) {
  const store = new BlobStore(folder ?? join(tempFolder(), "files"));
  const session = SessionManager.create(root, sessions ?? tempFolder());
  const scanner = new FolderScanner({ root, store, largest: 1 << 20 });
  const files = new SessionFiles({ session, root, store, scanner });
  const at = (path: string) => join(root, path);
  const write = (changed: Files) => {
    for (const [path, content] of Object.entries(changed)) {
      if (content === null) rmSync(at(path), { force: true, recursive: true });
      else {
        mkdirSync(dirname(at(path)), { recursive: true });
        writeFileSync(at(path), content);
      }
    }
  };
  const say = (text: string): EntryId => session.appendMessage({ role: "user", content: text, timestamp: Date.now() });
  /** A prompt, and a tool that changes files. Returns the entry of the checkpoint. */
  const step = async (text: string, change: Files | (() => void)): Promise<EntryId> => {
    await files.begin();
    say(text);
    if (typeof change === "function") change();
    else write(change);
    await files.record({ by: "tool", tool: "bash", callIds: ["1"] });
    return session.getLeafId() as EntryId;
  };
  const numberOf = (id: EntryId | null) => (id === null ? -1 : session.getSource().tree.ids.findText(id));
  return { root, store, session, files, at, write, say, step, numberOf };
}

/** Runs git in a folder without the user's settings. */
export function gitIn(folder: string, ...args: readonly string[]): string {
  const settings = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "core.autocrlf=false"];
  return execFileSync("git", [...settings, ...args], { cwd: folder, encoding: "utf8" });
}

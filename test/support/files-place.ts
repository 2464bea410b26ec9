/** A folder whose files are recorded by a real session: steps that change files, and moves that restore them. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EntryId } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import {
  BlobStore,
  FolderScanner,
  GitScanner,
  type RestoreChoices,
  type Scanner,
  SessionFiles,
} from "@bough/workbench/checkpoint/index.js";
import { tempFolder } from "./temp-folder.js";

export function git(cwd: string, ...args: readonly string[]): string {
  const person = ["user.name=Test", "user.email=test@example.com", "core.editor=true"];
  // A commit looks for garbage otherwise, with a process of its own, and a new repository has a dozen samples of hooks.
  const own = [...person, "protocol.file.allow=always", "maintenance.auto=false", "init.templateDir="];
  return execFileSync("git", [...own.flatMap((one) => ["-c", one]), ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

export interface FilesPlaceOptions {
  readonly root?: string;
  readonly isGit?: boolean;
  readonly largest?: number;
  /** Default: of its own. */
  readonly store?: BlobStore;
}

export class FilesPlace {
  readonly root: string;
  readonly store: BlobStore;
  readonly session: SessionManager;
  readonly files: SessionFiles;
  readonly scanner: Scanner;

  constructor({ root = tempFolder(), isGit = false, largest = 1 << 20, store }: FilesPlaceOptions = {}) {
    this.root = root;
    this.store = store ?? new BlobStore(join(tempFolder(), "files"));
    this.session = SessionManager.create(root, tempFolder());
    const look = { root, store: this.store, largest };
    const index = join(tempFolder(), "index");
    this.scanner = isGit ? new GitScanner({ ...look, index }) : new FolderScanner(look);
    this.files = new SessionFiles({ session: this.session, root, store: this.store, scanner: this.scanner });
  }

  at(path: string): string {
    return join(this.root, path);
  }

  write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), content);
  }

  say(text: string): EntryId {
    return this.session.appendMessage({ role: "user", content: text, timestamp: 0 });
  }

  /** A step of a tool. Answers the entry that has its files. */
  async step(text: string, change: () => void): Promise<EntryId> {
    await this.files.begin();
    this.say(text);
    change();
    await this.files.record({ by: "tool", tool: "bash", callIds: ["1"] });
    return this.session.getLeafId() as EntryId;
  }

  async go(to: EntryId | null, choices: RestoreChoices = {}) {
    const plan = await this.files.plan(to);
    return this.files.follow(to, {
      plan,
      choices,
      move: () => {
        if (to === null) this.session.resetLeaf();
        else this.session.branch(to);
      },
    });
  }
}

import { basename } from "node:path";
import { sessionVersion } from "../../entry/index.js";
import type { Log } from "../../log/index.js";
import { openLog, peekHeader } from "../open-log.js";
import { SessionStore } from "../session-store.js";
import { BranchStates } from "./branch-states.js";
import { WindowLog } from "./window-log.js";

/** The session in a file, opened when the first hit asks for it: most files have none. */
export class LazySession {
  readonly path: string;
  #bytes: Buffer | undefined;
  #store: SessionStore | undefined;
  #states: BranchStates | undefined;
  #isOld: boolean | undefined;
  #name: { readonly text: string | undefined } | undefined;

  constructor(path: string) {
    this.path = path;
  }

  get isOld(): boolean {
    if (this.#isOld === undefined) {
      const header = peekHeader(this.path);
      this.#isOld = header !== undefined && sessionVersion(header).kind === "old";
    }
    return this.#isOld;
  }

  /** Says that the whole file is in memory, so that it need not be read again. Not for old files. */
  isIn(bytes: Buffer): void {
    this.#bytes = bytes;
  }

  get log(): Log {
    return this.#opened().log;
  }

  get states(): BranchStates {
    this.#states ??= new BranchStates(this.#opened());
    return this.#states;
  }

  get sessionId(): string {
    return this.#opened().header.id;
  }

  get sessionName(): string | undefined {
    this.#name ??= { text: this.#opened().name() };
    return this.#name.text;
  }

  close(): void {
    this.#store?.close();
  }

  #opened(): SessionStore {
    if (this.#store !== undefined) return this.#store;
    const log = this.#bytes === undefined ? openLog(this.path, { access: "read" }).log : new WindowLog(this.#bytes);
    const id = basename(this.path, ".jsonl");
    const header = { type: "session", id, timestamp: "", cwd: "" } as const;
    try {
      this.#store = new SessionStore(log, { header, now: () => new Date(0) });
      return this.#store;
    } catch (cause) {
      log.close();
      throw cause;
    }
  }
}

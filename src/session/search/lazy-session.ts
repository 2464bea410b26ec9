import { basename } from "node:path";
import { type SessionHeader, sessionVersion } from "../../entry/index.js";
import type { Log } from "../../log/index.js";
import { recordIn } from "../line-text.js";
import { openLog, peekHeader } from "../open-log.js";
import { SessionStore } from "../session-store.js";
import { BranchStates } from "./branch-states.js";
import { WindowLog } from "./window-log.js";

const HEADER_LINES = 8;

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
      const header = this.#bytes === undefined ? peekHeader(this.path) : headerIn(this.#bytes);
      this.#isOld = header !== undefined && sessionVersion(header).kind === "old";
    }
    return this.#isOld;
  }

  /** Says that the whole file is in memory, so that it need not be read again. */
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
    const inMemory = this.#bytes !== undefined && !this.isOld;
    const log = inMemory ? new WindowLog(this.#bytes as Buffer) : openLog(this.path, { access: "read" }).log;
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

/** The header, looked for in the first lines only, as in `peekHeader`. */
function headerIn(bytes: Buffer): SessionHeader | undefined {
  let start = 0;
  for (let lines = 0; lines < HEADER_LINES && start < bytes.length; lines++) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline;
    const record = recordIn(bytes.subarray(start, end));
    if (record.kind === "header") return record.header;
    start = end + 1;
  }
  return undefined;
}

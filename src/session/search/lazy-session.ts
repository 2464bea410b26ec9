/** Opens the session of a file when a hit is found in it. */
import { type SessionHeader, sessionVersion } from "../../entry/index.js";
import type { Log } from "../../log/index.js";
import { recordIn } from "../line-text.js";
import { openLog, peekHeader } from "../open-log.js";
import { plainFacts, type SessionFacts, storeFacts } from "./session-facts.js";
import { WindowLog } from "./window-log.js";

const HEADER_LINES = 8;

/** The session in a file, opened when the first hit asks for it: most files have none. */
export class LazySession {
  readonly path: string;
  readonly #among: "few" | "many";
  #bytes: Buffer | undefined;
  #log: Log | undefined;
  #facts: SessionFacts | undefined;
  #isOld: boolean | undefined;

  /** `among`: whether most files have hits, so that it pays to use what is slow at first and quick later. */
  constructor(path: string, among: "few" | "many") {
    this.path = path;
    this.#among = among;
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

  /** Whether anybody asked for the facts. */
  get isIndexed(): boolean {
    return this.#facts !== undefined;
  }

  get log(): Log {
    this.#log ??= this.#open();
    return this.#log;
  }

  get facts(): SessionFacts {
    const isPlain = this.#among === "few" && !this.isOld;
    this.#facts ??= (isPlain ? plainFacts(this.log) : undefined) ?? storeFacts(this.log, this.path);
    return this.#facts;
  }

  close(): void {
    this.#log?.close();
  }

  #open(): Log {
    const inMemory = this.#bytes !== undefined && !this.isOld;
    return inMemory ? new WindowLog(this.#bytes as Buffer) : openLog(this.path, { access: "read" }).log;
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

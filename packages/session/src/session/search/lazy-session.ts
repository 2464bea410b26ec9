import type { SessionHeader } from "../../entry/index.js";
import { sessionVersion } from "../../entry/internal.js";
import { inOneGo, type Log } from "../../log/index.js";
import type { Steps } from "../../text/index.js";
import { headerAtStart, openLog, peekHeader } from "../open/open-log.js";
import type { PlainIndex } from "./plain-index.js";
import { plainFacts, type SessionFacts, storeFacts } from "./session-facts.js";
import { WindowLog } from "./window-log.js";

/** The session in a file, opened only when a hit is found: most files have none. */
export class LazySession {
  readonly path: string;
  readonly #load: () => Steps<PlainIndex | undefined> | undefined;
  #bytes: Buffer | undefined;
  #header: SessionHeader | undefined;
  #log: Log | undefined;
  #facts: SessionFacts | undefined;
  #isOld: boolean | undefined;

  /** `load` gives the index of the file if it is a log in order. */
  constructor(path: string, load: () => Steps<PlainIndex | undefined> | undefined) {
    this.path = path;
    this.#load = load;
  }

  get isOld(): boolean {
    if (this.#isOld === undefined) {
      const header = this.#header ?? (this.#bytes === undefined ? peekHeader(this.path) : headerAtStart(this.#bytes));
      this.#isOld = header !== undefined && sessionVersion(header).kind === "old";
    }
    return this.#isOld;
  }

  /** Supplies the start of the file, of which only the header is kept, so that it need not be read again. */
  useStart(bytes: Buffer): void {
    this.#header ??= headerAtStart(bytes);
  }

  /** Supplies the whole file if it is in memory, so that it need not be read again. */
  useBytes(bytes: Buffer): void {
    this.#bytes = bytes;
  }

  /** Whether the facts have been read. */
  get isIndexed(): boolean {
    return this.#facts !== undefined;
  }

  get log(): Log {
    this.#log ??= this.#open();
    return this.#log;
  }

  get facts(): SessionFacts {
    this.#facts ??= inOneGo(this.#read());
    return this.#facts;
  }

  /** Reads the facts in steps, so that accessing them afterwards costs nothing. */
  *index(): Steps<void> {
    this.#facts ??= yield* this.#read();
  }

  close(): void {
    this.#log?.close();
  }

  *#read(): Steps<SessionFacts> {
    const load = this.isOld ? undefined : this.#load();
    const plain = load === undefined ? undefined : yield* plainFacts(load);
    return plain ?? (yield* storeFacts(this.log, this.path));
  }

  #open(): Log {
    if (this.#bytes !== undefined && !this.isOld) return new WindowLog(this.#bytes);
    return openLog(this.path, { access: "read" }).log;
  }
}

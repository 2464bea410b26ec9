/** The lines of a session file in version 3 form, whatever the file's version, each with its content. */
import { statSync } from "node:fs";
import { SessionError, type SessionHeader } from "../../entry/index.js";
import { createUpgrade, type LineUpgrade, sessionVersion } from "../../entry/internal.js";
import { FileLog } from "../../log/index.js";
import { attempt } from "../../text/index.js";
import { headerIn } from "../open/open-log.js";
import { type LineContent, readLine } from "./read-line.js";
import { type FileLine, type WalkOptions, walkLines } from "./walk-lines.js";

export interface SessionLine extends FileLine {
  /** The bytes as they are in the file; `bytes` is their version 3 form. */
  readonly raw: Buffer;
}

type SessionLineVisitor = (line: SessionLine, content: LineContent) => void;

/** A file open for reading. Every reading gives the same lines, up to the file's size when it was opened. */
export class SessionLines {
  readonly #log: FileLog;
  /** Set if the file must be upgraded to be read. */
  readonly #oldHeader: SessionHeader | undefined;
  readonly size: number;

  /** Throws a SessionError if there is no file to read. */
  constructor(path: string) {
    // A pipe might never open, and a device never end; a folder has its own error.
    const stats = attempt(() => statSync(path));
    if (stats !== undefined && !stats.isFile() && !stats.isDirectory()) {
      throw new SessionError("not-a-session", `${path} is not a regular file`, { data: { path } });
    }
    this.#log = new FileLog(path, { access: "read" });
    this.size = this.#log.size();
    const header = headerIn(this.#log);
    if (header !== undefined && sessionVersion(header).kind === "old") this.#oldHeader = header;
  }

  /** Visits every line; returns the number of lines. */
  read(options: WalkOptions, visit: SessionLineVisitor): Promise<number> {
    const upgrade = this.#oldHeader === undefined ? undefined : createUpgrade(JSON.stringify(this.#oldHeader));
    return walkLines(this.#log, { ...options, to: this.size }, (line) => {
      const { number, offset, length, tooLong, terminated, last, bytes: raw } = line;
      const bytes = upgradedBytes(line, upgrade);
      const upgraded: SessionLine = { number, offset, length, tooLong, terminated, last, bytes, raw };
      visit(upgraded, readLine(upgraded));
    });
  }

  /** The bytes as they are in the file. Valid until the next read. */
  rawAt(offset: number, length: number): Buffer {
    return this.#log.readAt(offset, length);
  }

  close(): void {
    this.#log.close();
  }
}

function upgradedBytes(line: FileLine, upgrade: LineUpgrade | undefined): Buffer {
  if (upgrade === undefined || line.tooLong) return line.bytes;
  // One character per byte: the edits are ASCII, and bytes that are not UTF-8 are preserved.
  const text = line.bytes.toString("latin1");
  const upgraded = upgrade.upgradeLine(text);
  return upgraded === text ? line.bytes : Buffer.from(upgraded, "latin1");
}

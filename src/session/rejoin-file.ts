/**
 * Another file is at a running session's path, or its own was cut short (keeps I7).
 *
 * If it is the same session, the entries it lacks are added to it, so that two programs that restore one session agree.
 * Otherwise it is put aside and everything we know is written anew. Nothing is overwritten.
 */
import { existsSync, renameSync } from "node:fs";
import type { EntryId, SessionHeader } from "../entry/index.js";
import { FileLog } from "../log/index.js";
import { headerLine } from "./entry-line.js";
import { SessionIndex } from "./session-index.js";

export interface KnownLine {
  readonly id: EntryId;
  /** The line with its newline; undefined where its bytes are gone. */
  readonly line: () => Buffer | undefined;
}

export interface RejoinOptions {
  readonly path: string;
  readonly header: SessionHeader;
  /** What the session knows, in the order of the old file. */
  readonly known: Iterable<KnownLine>;
  readonly asideName: () => string;
  readonly durability?: "turn" | "fsync";
}

export interface Rejoined {
  readonly log: FileLog;
  /** Entries whose bytes are gone. */
  readonly lost: readonly EntryId[];
}

export function rejoinFile(options: RejoinOptions): Rejoined {
  const { path, header, durability } = options;
  const access = { access: "write" as const, ...(durability === undefined ? {} : { durability }) };
  let log = new FileLog(path, access);
  let index = new SessionIndex(log);
  index.load();
  if (index.header?.id !== header.id) {
    log.close();
    if (existsSync(path)) renameSync(path, options.asideName());
    log = new FileLog(path, access);
    index = new SessionIndex(log);
    log.write(Buffer.from(`${headerLine(header)}\n`));
  }
  const lost: EntryId[] = [];
  for (const { id, line } of options.known) {
    const n = index.tree.ids.findText(id);
    if (n >= 0 && index.isReadable(n)) continue;
    const bytes = line();
    if (bytes === undefined) lost.push(id);
    else log.write(bytes);
  }
  return { log, lost };
}

/**
 * Which of an agent's own sessions ends at which entry of a Bough session, and to whom the user agreed to send it. State of this machine, in
 * `$BOUGH_HOME/drivers`, not of the session: a synced entry must not send another machine to a session that only exists
 * here.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EntryId } from "@bough/session/entry/index.js";
import { makeFolder, withFileLock, writeWhole } from "@bough/session/log/index.js";
import { attempt, isRecord, jsonObject } from "@bough/session/text/index.js";
import type { ReadMark } from "@bough/workbench/interop/internal.js";

export interface NativeSession {
  readonly driver: string;
  readonly id: string;
  readonly cwd: string;
  /** The last entry that it has. */
  readonly endsAt: EntryId;
  /** What its transcript had then; absent if it has none. */
  readonly mark?: ReadMark;
  /** Bough wrote it, to continue from an entry in the middle. */
  readonly written?: true;
}

interface Table {
  readonly sessions: readonly NativeSession[];
  /** Drivers to whose provider the session may be sent. */
  readonly agreed: readonly string[];
  /** Drivers that did turns of the session here. */
  readonly driven: readonly string[];
  /** Journals of other versions that the user was told about. */
  readonly told: readonly string[];
}

const VERSION = 1;
/** Per session; older ones are forgotten, and written again if needed. */
const MOST = 200;

export class NativeSessions {
  readonly #folder: string;
  #file: string | undefined;
  #memory: Table = { sessions: [], agreed: [], driven: [], told: [] };

  /** Without a session file, the table is only kept in memory. */
  constructor(home: string, session: { readonly id: string; readonly isPersisted: boolean }) {
    this.#folder = join(home, "drivers");
    this.#file = session.isPersisted ? join(this.#folder, `${fileName(session.id)}.json`) : undefined;
  }

  /** The table in this file, whosever session it is. */
  static at(folder: string, name: string): NativeSessions {
    const made = new NativeSessions(dirname(folder), { id: "", isPersisted: false });
    made.#file = join(folder, name);
    return made;
  }

  /** Newest first. */
  list(): readonly NativeSession[] {
    return this.#read().sessions;
  }

  /** Whether the agent did turns of this session on this machine. */
  hasDriven(driver: string): boolean {
    return this.#read().driven.includes(driver);
  }

  /** Whether the user knows that this session is sent to the provider of this driver. */
  isAgreed(driver: string): boolean {
    return this.#read().agreed.includes(driver);
  }

  /** Never throws: without the table, the user is asked again. */
  agree(driver: string): void {
    const { agreed, ...rest } = this.#read();
    this.#save({ ...rest, agreed: [...new Set([...agreed, driver])] });
  }

  /** Replaces what is known of this session. Never throws: without the table, paths are written again. */
  keep(native: NativeSession): void {
    const { sessions, driven, ...rest } = this.#read();
    const others = sessions.filter(({ driver, id }) => driver !== native.driver || id !== native.id);
    const all = [native, ...others].slice(0, MOST);
    this.#save({ ...rest, sessions: all, driven: [...new Set([...driven, native.driver])] });
  }

  /** It is gone, or cannot be used any more. */
  forget({ driver, id }: Pick<NativeSession, "driver" | "id">): void {
    const { sessions, ...rest } = this.#read();
    this.#save({ ...rest, sessions: sessions.filter((one) => one.driver !== driver || one.id !== id) });
  }

  /** True once for each journal that another version of Bough left. Never throws. */
  isNewJournal(name: string): boolean {
    const { told, ...rest } = this.#read();
    if (told.includes(name)) return false;
    this.#save({ ...rest, told: [...told, name] });
    return true;
  }

  /** Locks a session of the agent; undefined if another process drives it. Call the result to release it. */
  hold({ driver, id }: Pick<NativeSession, "driver" | "id">): Promise<(() => void) | undefined> {
    const lock = { folder: join(this.#folder, "held"), name: fileName(`${driver} ${id}`), patience: 0 };
    return new Promise((resolve) => {
      const work = () => new Promise<void>((release) => resolve(release));
      // Without a folder for locks, it counts as held: it is written again instead of shared.
      withFileLock({ ...lock, busy: () => new Error("held") }, work).catch(() => resolve(undefined));
    });
  }

  #read(): Table {
    if (this.#file === undefined) return this.#memory;
    const text = attempt(() => readFileSync(this.#file as string, "utf8"));
    const { version, sessions, agreed, driven, told } = jsonObject(text ?? "") ?? {};
    if (version !== VERSION) return { sessions: [], agreed: [], driven: [], told: [] };
    const natives = Array.isArray(sessions) ? sessions.filter(isNative) : [];
    // Earlier versions did not say who drove.
    const before = natives.map(({ driver }) => driver);
    const drivers = [...new Set([...textsIn(driven), ...before])];
    return { sessions: natives, agreed: textsIn(agreed), driven: drivers, told: textsIn(told) };
  }

  #save(table: Table): void {
    this.#memory = table;
    if (this.#file === undefined) return;
    const file = this.#file;
    attempt(() => {
      makeFolder(this.#folder);
      writeWhole(file, [JSON.stringify({ version: VERSION, ...table })], { existing: "replace", durable: false });
    });
  }
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function isNative(value: unknown): value is NativeSession {
  if (!isRecord(value)) return false;
  const { driver, id, cwd, endsAt } = value;
  return [driver, id, cwd, endsAt].every((one) => typeof one === "string");
}

function fileName(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 24);
}

/**
 * Who has a session open: one small file per opener in `.presence` next to the session (keeps I5).
 *
 * Presence is information, never a lock: nothing here throws, waits or prevents anyone from opening a session.
 */
import { randomBytes } from "node:crypto";
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { errorText } from "../text/index.js";
import { makeFolder } from "./make-folder.js";
import { isAlive, isCheckable, type ProcessIdentity, processIdentity } from "./process-identity.js";

export type PresenceMode = "write" | "read";

/** One opener, as recorded in its file. `pid`, `start` and `space` identify its process. */
export interface PresenceRecord extends ProcessIdentity {
  /** Path of the presence file. */
  readonly file: string;
  readonly host: string;
  readonly program: string;
  readonly mode: PresenceMode;
  /** ISO time. */
  readonly startedAt: string;
  /** Base name of the session file. */
  readonly sessionFile: string;
  readonly note?: string;
}

export interface PresentRecord extends PresenceRecord {
  /** Created by this process. */
  readonly self: boolean;
  /** Set if the process cannot be checked from here; the age is the time since its last sign of life. */
  readonly unverifiable?: { readonly ageMs: number };
}

export interface StaleRecord extends PresenceRecord {
  /** `dead`: its process ended. `silent`: it cannot be checked from here and gave no sign of life for too long. */
  readonly reason: "dead" | "silent";
  /** What happened to its file. A silent one is kept for a week, because its process may only be suspended. */
  readonly cleanup: { readonly kind: "removed" | "kept" } | { readonly kind: "failed"; readonly cause: string };
}

export interface PresenceList {
  readonly present: readonly PresentRecord[];
  readonly stale: readonly StaleRecord[];
  /** Paths in the folder that are not presence files. They are not touched. */
  readonly unreadable: readonly string[];
}

export interface AnnounceOptions {
  readonly program: string;
  readonly mode: PresenceMode;
  readonly note?: string;
  readonly now: () => Date;
}

export interface ReadPresenceOptions {
  readonly now: () => Date;
  /** How long an opener that cannot be checked counts as present after its last sign of life. */
  readonly silenceMs?: number;
}

/** This opener's own announcement. After `leave`, all other calls do nothing. */
export interface Presence {
  /** Undefined while the announcement could not be written, and after `leave`. */
  readonly file: string | undefined;
  /** Why the last attempt to write, touch or remove the file failed, as a sentence. */
  readonly problem: string | undefined;
  /** Everyone else who has the session open now, including other openers in this process. */
  others(): readonly PresentRecord[];
  /** Changes what others see. An empty note removes it. */
  update(change: { readonly mode?: PresenceMode; readonly note?: string }): void;
  /** Gives a sign of life to those who cannot check this process; rewrites the file if it is missing. */
  touch(): void;
  /** Touches regularly until the returned function or `leave` is called. Does not keep the process alive. */
  keepAlive(intervalMs: number): () => void;
  /** Removes the file. Happens automatically when the process exits normally. */
  leave(): void;
}

const MAX_BYTES = 64 * 1024;
const SILENCE_MS = 10 * 60_000;
const FORGET_MS = 7 * 24 * 60 * 60_000;
/** `<session>.<pid>.<random>.json`, with `.tmp` appended while it is being written. */
const FILE_NAME = /^(?<session>.+)\.\d+\.[0-9a-f]{12}\.json(?<unfinished>\.tmp)?$/s;

/** The files of this process. A single exit hook serves them all, so that many sessions do not accumulate listeners. */
const ownFiles = new Set<string>();
let hasExitHook = false;

/** Announces to others that this process has the session open. The session file need not exist yet; its folder must. */
export function announcePresence(sessionFile: string, options: AnnounceOptions): Presence {
  const { now } = options;
  const { path, folder, session } = presenceOf(sessionFile);
  const target = join(folder, `${session}.${process.pid}.${randomBytes(6).toString("hex")}.json`);
  const timers = new Set<NodeJS.Timeout>();
  let state: "unwritten" | "written" | "left" = "unwritten";
  let problem: string | undefined;
  let content = {
    ...processIdentity(),
    host: hostname(),
    program: options.program,
    mode: options.mode,
    startedAt: now().toISOString(),
    sessionFile: session,
    note: options.note || undefined,
  };

  function write(): void {
    problem = errorFrom(() => replaceFile(target, { text: `${JSON.stringify(content)}\n`, time: now() }));
    if (problem !== undefined) return;
    state = "written";
    removeAtExit(target);
  }

  function touch(): void {
    if (state === "left") return;
    const time = now();
    if (state === "unwritten" || errorFrom(() => utimesSync(target, time, time)) !== undefined) write();
    else problem = undefined;
  }

  write();
  return {
    get file() {
      return state === "written" ? target : undefined;
    },
    get problem() {
      return problem;
    },
    others: () => readPresence(path, { now }).present.filter((record) => record.file !== target),
    update({ mode = content.mode, note = content.note }) {
      if (state === "left") return;
      content = { ...content, mode, note: note || undefined };
      write();
    },
    touch,
    keepAlive(intervalMs) {
      if (state === "left") return () => {};
      const timer = setInterval(touch, intervalMs).unref();
      timers.add(timer);
      return () => {
        timers.delete(timer);
        clearInterval(timer);
      };
    },
    leave() {
      for (const timer of timers) clearInterval(timer);
      timers.clear();
      if (state === "written") problem = errorFrom(() => rmSync(target, { force: true }));
      // If removing failed, it is retried at exit.
      if (problem === undefined) ownFiles.delete(target);
      state = "left";
    },
  };
}

/**
 * Lists who has the session open, longest first. An opener whose process died is never listed as present, and its file
 * is removed; one that cannot be checked from here counts as long as it gives signs of life.
 */
export function readPresence(sessionFile: string, options: ReadPresenceOptions): PresenceList {
  const { folder, session } = presenceOf(sessionFile);
  const now = options.now().getTime();
  const present: PresentRecord[] = [];
  const stale: StaleRecord[] = [];
  const names = namesOrUndefined(folder);
  const unreadable: string[] = names === undefined ? [folder] : [];
  for (const name of names ?? []) {
    const file = join(folder, name);
    const parts = FILE_NAME.exec(name)?.groups;
    if (parts === undefined) unreadable.push(file);
    if (parts?.session !== session) continue;
    const found = readRecord(file);
    if (found === "gone") continue;
    const { record } = found;
    const ageMs = Math.max(0, now - found.modified);
    if (parts.unfinished !== undefined) {
      // Its writer is still writing it, or was killed while doing so.
      if (ageMs > FORGET_MS && cleanUp(file).kind === "failed") unreadable.push(file);
    } else if (record?.sessionFile !== session) {
      unreadable.push(file);
    } else if (ownFiles.has(file)) {
      present.push({ ...record, self: true });
    } else if (record.host === hostname() && isCheckable(record)) {
      if (isAlive(record)) present.push({ ...record, self: record.pid === process.pid });
      else stale.push({ ...record, reason: "dead", cleanup: cleanUp(file) });
    } else if (ageMs <= (options.silenceMs ?? SILENCE_MS)) {
      present.push({ ...record, self: false, unverifiable: { ageMs } });
    } else {
      stale.push({ ...record, reason: "silent", cleanup: ageMs > FORGET_MS ? cleanUp(file) : { kind: "kept" } });
    }
  }
  return { present: present.sort(byStart), stale: stale.sort(byStart), unreadable: unreadable.sort() };
}

/** The same for every path that leads to the session, so that openers through a symbolic link see the others. */
function presenceOf(sessionFile: string): { readonly path: string; readonly folder: string; readonly session: string } {
  let path = resolve(sessionFile);
  const problem = errorFrom(() => {
    path = realpathSync(path);
  });
  // The session is not written yet, but its folder may be behind a link.
  if (problem !== undefined) {
    errorFrom(() => {
      path = join(realpathSync(dirname(path)), basename(path));
    });
  }
  return { path, folder: join(dirname(path), ".presence"), session: basename(path) };
}

/** Readers see the old file or the new one, never a part. */
function replaceFile(file: string, { text, time }: { readonly text: string; readonly time: Date }): void {
  const folder = dirname(file);
  const unfinished = `${file}.tmp`;
  // Several openers may create the folder at once. The session's own folder is not ours to create.
  if (existsSync(dirname(folder))) makeFolder(folder);
  try {
    writeFileSync(unfinished, text, { mode: 0o600 });
    utimesSync(unfinished, time, time);
    renameSync(unfinished, file);
  } catch (error) {
    errorFrom(() => unlinkSync(unfinished));
    throw error;
  }
}

function removeAtExit(file: string): void {
  ownFiles.add(file);
  if (hasExitHook) return;
  hasExitHook = true;
  process.once("exit", () => {
    for (const own of ownFiles) cleanUp(own);
  });
}

/** Undefined if the folder cannot be read; empty if there is none. */
function namesOrUndefined(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? [] : undefined;
  }
}

/** `gone` if the opener left in the meantime; no record if the file does not hold one. */
function readRecord(file: string): "gone" | { readonly modified: number; readonly record: PresenceRecord | undefined } {
  let modified = 0;
  try {
    const stat = lstatSync(file);
    modified = stat.mtimeMs;
    // Anything but a small regular file is not ours, and reading a named pipe would block forever.
    if (!stat.isFile() || stat.size > MAX_BYTES) return { modified, record: undefined };
    return { modified, record: decodeRecord(JSON.parse(readFileSync(file, "utf8")), file) };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "gone" : { modified, record: undefined };
  }
}

function decodeRecord(value: unknown, file: string): PresenceRecord | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { pid, host, program, mode, startedAt, sessionFile, start, space, note } = value as Record<string, unknown>;
  // The system takes 0 and negative numbers as process groups.
  if (typeof pid !== "number" || !Number.isInteger(pid) || pid < 1 || pid > 0x7fffffff) return undefined;
  if (typeof host !== "string" || typeof program !== "string" || typeof sessionFile !== "string") return undefined;
  if (mode !== "write" && mode !== "read") return undefined;
  if (typeof startedAt !== "string" || Number.isNaN(Date.parse(startedAt))) return undefined;
  const optional = { start, space, note };
  for (const text of Object.values(optional)) if (text !== undefined && typeof text !== "string") return undefined;
  return {
    ...{ file, pid, host, program, mode, startedAt, sessionFile },
    ...(typeof start === "string" ? { start } : {}),
    ...(typeof space === "string" ? { space } : {}),
    ...(typeof note === "string" ? { note } : {}),
  };
}

function cleanUp(file: string): StaleRecord["cleanup"] {
  const cause = errorFrom(() => rmSync(file, { force: true }));
  return cause === undefined ? { kind: "removed" } : { kind: "failed", cause };
}

function byStart(a: PresenceRecord, b: PresenceRecord): number {
  return Date.parse(a.startedAt) - Date.parse(b.startedAt) || (a.file < b.file ? -1 : 1);
}

/** Runs an action and returns its error as text, if any. */
function errorFrom(action: () => void): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}

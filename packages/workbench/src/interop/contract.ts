/**
 * The contract of readers and writers of other agents' transcripts. Each agent's folder implements it, and the suite in
 * `test/contract/` checks it.
 */
import type { AgentName, SessionEntry } from "@bough/session/entry/index.js";
import type { EntryPath } from "@bough/session/session/index.js";
import type { LossCollector } from "./loss-report.js";

export { AGENT_NAMES, type AgentName } from "@bough/session/entry/index.js";

/** Another agent's session, as found on disk. Only the start and end of its file have been read. */
export interface ForeignSession {
  readonly agent: AgentName;
  /** The file that was found: a transcript, or a database. */
  readonly path: string;
  /** All files of the session: `path` first, then others such as transcripts of sub-agents. */
  readonly files: readonly string[];
  /** The ID in its own program. */
  readonly id: string;
  /** The working directory; "" if unknown. */
  readonly cwd: string;
  /** Its name or, if it has none, its first prompt. */
  readonly title: string | undefined;
  /** The start of the first prompt in one line, if it is near the start of the file. */
  readonly firstPrompt?: string;
  readonly created: Date;
  readonly modified: Date;
  /** Total bytes of all files, or of the database that contains the session. */
  readonly size: number;
  /** Why it cannot be read. It is still listed; opening it throws `damaged-source` or `too-large`. */
  readonly problem?: SourceProblem;
}

export interface SourceProblem {
  readonly kind: "damaged" | "too-large";
  /** A full sentence. */
  readonly reason: string;
}

/** Where agents keep their sessions. For tests and unusual setups. */
export interface AgentPlaces {
  /** Default: the user's home folder. */
  readonly home?: string;
  /**
   * Variables that agents use to locate their folders. Default: the process environment, or none if `home` is given.
   */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export interface ReadOptions {
  /** Counts every record of the source exactly once. */
  readonly report: LossCollector;
  /**
   * The number of records that each file had at earlier imports, oldest import first. An entry made from several
   * records never spans such a cut, so that already imported entries always come out the same.
   */
  readonly cuts?: ReadonlyMap<string, readonly number[]>;
  readonly signal?: AbortSignal;
}

/** What was learned about files from their bytes at an earlier time, and is still true. */
export interface FileFacts {
  /**
   * The facts that `read` finds in a file, or the same from an earlier time if it has not changed. They depend on
   * nothing but the path and the bytes of the file (and of those `beside` it), and stay the same through JSON.
   */
  of<Facts>(agent: AgentName, path: string, read: () => Facts, beside?: readonly string[]): Facts;
  /** Like `of`, for a file that is read asynchronously. */
  later<Facts>(agent: AgentName, path: string, read: () => Promise<Facts>, beside?: readonly string[]): Promise<Facts>;
}

export interface ForeignReader {
  readonly agent: AgentName;
  /**
   * Whether the file belongs to this agent. Checks the first bytes or, if these are damaged, the name. False for a file
   * that cannot be opened.
   */
  detect(path: string): Promise<boolean>;
  /** The sessions in a file that `detect` accepts: one, or all sessions of a database. */
  describe(path: string): Promise<readonly ForeignSession[]>;
  /**
   * The sessions in the default folders; damaged ones have a `problem`. Files without read permission are omitted.
   * Files about which `facts` knows enough are not read; without it, all are.
   */
  find(places: AgentPlaces, facts?: FileFacts): AsyncIterable<ForeignSession>;
  /**
   * Reads the entries of a session, parents first.
   *
   * IDs are the same on every read (`foreignId`). Parents follow the source: if it went back, that becomes a branch. A
   * source that has grown yields the same entries up to the `cuts`, and then new ones. Damage is counted in the report
   * and does not stop the read. If the leaf is not the last conversation entry, the last entry says where it is
   * (`positionEntry`). Memory use depends on the number of records, never on their size.
   */
  read(source: ForeignSession, options: ReadOptions): AsyncIterable<SessionEntry>;
}

/** A path to write as another agent's transcript. */
export interface WriteRequest {
  /** From root to leaf. Read once for the plan and again for its lines, and never held in memory as a whole. */
  readonly entries: EntryPath;
  /** The directory in which the other program will be resumed. */
  readonly cwd: string;
  readonly title?: string;
  /**
   * What to do with notes that hold records of the target program itself. By default they are written, so that the
   * program sends the same messages as before and its provider's cache still matches; on a path with context edits they
   * are left out, because they may contain what was edited. `leave-out`: records that the program creates itself, such
   * as its system prompt, are not written, and it creates new ones. `keep`: every record of the path is written
   * unchanged, and no result is added to calls without one.
   */
  readonly notes?: "leave-out" | "keep";
  readonly places: AgentPlaces;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Something that the target cannot store, and what happens to it. */
export interface WriteLoss {
  readonly entryId: string;
  readonly what: string;
  readonly effect: string;
}

/** Lines that are generated while iterating. Every iteration yields the same lines. */
export interface PlannedLines extends Iterable<string> {
  readonly length: number;
}

/** What a write would do. Nothing has been written yet. */
export interface WritePlan {
  readonly agent: AgentName;
  readonly path: string;
  readonly sessionId: string;
  /** Without newlines. Generated from the path of the request, which must stay readable until they are written. */
  readonly lines: PlannedLines;
  readonly losses: readonly WriteLoss[];
  /**
   * Instructions that another agent gave its own model, such as permissions. They are not written, and are not part of
   * the conversation. Absent if there are none.
   */
  readonly leftOut?: readonly WriteLoss[];
  /** The command that resumes the session, and its directory. */
  readonly resume: ResumeCommand;
  /** Small files that the program needs to find the session. Written first; existing ones are not changed. */
  readonly beside?: readonly { readonly path: string; readonly text: string }[];
}

export interface ResumeCommand {
  readonly command: readonly string[];
  readonly cwd: string;
  /** A command that must run once before it, in the same directory. */
  readonly before?: readonly string[];
}

export interface ForeignWriter {
  readonly agent: AgentName;
  /** Only reads. `writeTranscript` then writes the plan, without overwriting anything. */
  planWrite(request: WriteRequest): WritePlan;
}

/**
 * What every reader and writer of another agent's transcripts promises. One folder for each agent keeps it; the suite in
 * `test/contract/` checks it.
 */
import type { AgentName, SessionEntry } from "@bough/session/entry/index.js";
import type { EntryPath } from "@bough/session/session/index.js";
import type { LossCollector } from "./loss-report.js";

export { AGENT_NAMES, type AgentName } from "@bough/session/entry/index.js";

/** Another agent's session, as it was found on the disk. Nothing of it has been read but its ends. */
export interface ForeignSession {
  readonly agent: AgentName;
  /** The file that was found: a transcript, or a database. */
  readonly path: string;
  /** Every file the session is made of, `path` first; transcripts of sub-agents and the like after it. */
  readonly files: readonly string[];
  /** The id its own program gave it. */
  readonly id: string;
  /** The working directory; "" if no record says it. */
  readonly cwd: string;
  /** The name it has; if it has none, its first prompt. */
  readonly title: string | undefined;
  /** The first words of the user, in one line, where the head of the file holds them. */
  readonly firstPrompt?: string;
  readonly created: Date;
  readonly modified: Date;
  /** Bytes of all files; of the database for a session in one. */
  readonly size: number;
  /** Why it cannot be read. It is listed all the same, and opening it throws `damaged-source` or `too-large`. */
  readonly problem?: SourceProblem;
}

export interface SourceProblem {
  readonly kind: "damaged" | "too-large";
  /** A sentence. */
  readonly reason: string;
}

/** Where an agent keeps its sessions, in the order they are looked at. For tests and for people with unusual homes. */
export interface AgentPlaces {
  /** Default: the user's home. */
  readonly home?: string;
  /** Agents have variables that name other places. Default: the environment of the process, or none for another home. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export interface ReadOptions {
  /** Every record of the source is counted here, once. */
  readonly report: LossCollector;
  /**
   * How many records of each file were there at earlier imports, oldest import first. An entry made of several records
   * never reaches over such a cut, so that what was imported once comes out the same for ever.
   */
  readonly cuts?: ReadonlyMap<string, readonly number[]>;
  readonly signal?: AbortSignal;
}

export interface ForeignReader {
  readonly agent: AgentName;
  /**
   * Whether the file is one of this agent's. Looks at its first bytes; of a file that is damaged there, at its name. One
   * that cannot be opened is none.
   */
  detect(path: string): Promise<boolean>;
  /** The sessions in a file that `detect` knows: one, or as many as a database holds. */
  describe(path: string): Promise<readonly ForeignSession[]>;
  /** The sessions in the usual places, damaged ones with their `problem`. What may not be opened is omitted. */
  find(places: AgentPlaces): AsyncIterable<ForeignSession>;
  /**
   * The entries of a session, each after its parent.
   *
   * Ids are the same every time (`foreignId`). Parents are as the source says: whatever it went back to becomes a
   * branch. A source that grew gives the same entries first, as far as `cuts` tells, and new ones. Damage is counted in
   * the report and stops nothing. The last entry says where the leaf is (`positionEntry`) if it is not the last
   * conversation entry. Memory follows the number of records, never their bytes.
   */
  read(source: ForeignSession, options: ReadOptions): AsyncIterable<SessionEntry>;
}

/** A path to be written as another agent's transcript. */
export interface WriteRequest {
  /** From the root to the leaf. Read when the plan is made and again when its lines are, and never held as a whole. */
  readonly entries: EntryPath;
  /** The directory the other program will be resumed in. */
  readonly cwd: string;
  readonly title?: string;
  /**
   * What becomes of records of the target's own program that are notes here. By default they are kept, so that the
   * program sends what it sent before and its provider's cache holds; on a path with context edits they are left out,
   * because they may repeat what was edited. `leave-out`: those the program would send to the model of its own accord,
   * such as its system prompt, are not written, and it makes fresh ones. `keep`: every record of the path goes back as it
   * was, and nothing is added where a call has no result.
   */
  readonly notes?: "leave-out" | "keep";
  readonly places: AgentPlaces;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Something of the path that the target cannot hold, and what becomes of it. */
export interface WriteLoss {
  readonly entryId: string;
  readonly what: string;
  readonly effect: string;
}

/** Lines that are made while they are gone through. They can be gone through again, and are the same every time. */
export interface PlannedLines extends Iterable<string> {
  readonly length: number;
}

/** What would be written. Nothing has been. */
export interface WritePlan {
  readonly agent: AgentName;
  readonly path: string;
  readonly sessionId: string;
  /** Without newlines. Made from the path of the request, which has to be readable until they are written. */
  readonly lines: PlannedLines;
  readonly losses: readonly WriteLoss[];
  /**
   * What another agent told its own model, such as its permissions and its working directory. It is not written, and
   * nothing of the conversation is missing without it. Absent if there is none.
   */
  readonly leftOut?: readonly WriteLoss[];
  /** The command that resumes it, and the directory to run it in. */
  readonly resume: ResumeCommand;
  /** Small files the program needs to find it. Written first; one that is there stays as it is. */
  readonly beside?: readonly { readonly path: string; readonly text: string }[];
}

export interface ResumeCommand {
  readonly command: readonly string[];
  readonly cwd: string;
  /** A command that has to run once before it, in the same directory. */
  readonly before?: readonly string[];
}

export interface ForeignWriter {
  readonly agent: AgentName;
  /** Reads only. `writeTranscript` writes the plan and never overwrites. */
  planWrite(request: WriteRequest): WritePlan;
}

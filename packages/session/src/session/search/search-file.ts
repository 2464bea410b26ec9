/** Searches one session file. Everything here is synchronous; the caller decides when to yield to other work. */
import { closeSync, openSync, statSync } from "node:fs";
import { parseRecord, roleIn, type SessionEntry, SessionError } from "../../entry/index.js";
import { defined, errorText } from "../../text/index.js";
import { lineText, wholeLine } from "../scan/line-text.js";
import { recordsWithin } from "../scan/recover-line.js";
import { entryText } from "./entry-text.js";
import { makeExcerpt } from "./excerpt.js";
import { LazySession } from "./lazy-session.js";
import { type CandidateLine, candidateLines, type OpenedFile, type TakeLines } from "./match/candidate-lines.js";
import { type ByteFinder, createByteFinder } from "./match/find-bytes.js";
import { LineFilter } from "./match/line-filter.js";
import type { Matcher } from "./match/matcher.js";
import { SlowPattern, timedMatcher } from "./match/timed-matcher.js";
import { loadPlain, PlainLoading } from "./plain-index.js";
import { plainFile, plainMemory, plainReader } from "./plain-source.js";
import type { FileStep, SearchHit, SearchProblem } from "./search-hit.js";
import type { SearchPlan } from "./search-plan.js";
import { WINDOW } from "./windows.js";

const HITS_PER_STEP = 256;
/** Lines processed before other work may run. */
const LINES_PER_STEP = 32;
/** After this many consecutive files with hits, the next is indexed while it is read. */
const STREAK = 2;
/** Bytes of lines that may wait for an index, so that memory does not grow with the file. */
const MOST_HELD = 1 << 22;

/** Searches files one after another with one plan. */
export class FileSearcher {
  readonly #plan: SearchPlan;
  readonly #matcher: Matcher;
  readonly #window: number;
  readonly #filter: LineFilter;
  #indexer: ByteFinder | undefined;
  /** Consecutive files with hits. */
  #streak = 0;

  constructor(plan: SearchPlan, window = WINDOW) {
    this.#plan = plan;
    this.#matcher = timedMatcher(plan.query);
    this.#window = window;
    this.#filter = new LineFilter(plan.runs, createByteFinder(window));
  }

  /**
   * Hits in file order, as they are found, from the line that starts at `from` on. Never throws because of the file's
   * content or because the file is gone.
   */
  *search(path: string, from = 0): Generator<FileStep, void, undefined> {
    let fd: number;
    try {
      fd = openSessionFile(path);
    } catch (cause) {
      yield { hits: [], done: from, problem: readProblem(path, cause) };
      return;
    }
    let done = from;
    try {
      for (const step of this.#steps(path, { fd, from })) {
        done = step.done;
        yield step;
      }
    } catch (cause) {
      yield { hits: [], done, problem: readProblem(path, cause) };
    } finally {
      closeSync(fd);
    }
  }

  *#steps(path: string, file: OpenedFile): Generator<FileStep, void, undefined> {
    // The rest of a file says nothing about other files: it was handed over because it may hold a match.
    const isRest = file.from > 0;
    const { finder } = this.#filter;
    // After files with hits, another hit is likely, and the index will be needed: then it is made of the same read.
    const reader = !isRest && this.#streak >= STREAK ? plainReader(file.fd, finder) : undefined;
    let early = reader === undefined ? undefined : new PlainLoading(reader);
    let inMemory: Buffer | undefined;
    const session = new LazySession(path, () => {
      if (early !== undefined) return early.finish();
      const source = inMemory === undefined ? plainFile(file.fd, this.#index()) : plainMemory(inMemory, finder.runs);
      return source === undefined ? undefined : loadPlain(source);
    });
    const take: TakeLines = (bytes, place) => {
      if (early === undefined) return;
      if (place.offset === 0 && place.from === 0) session.useStart(bytes);
      if (!early.take(bytes, place)) early = undefined;
    };
    /** Copies of lines that wait until the index is complete. */
    let held: CandidateLine[] = [];
    let heldBytes = 0;
    let end = file.from;
    try {
      for (const { lines, done, whole, tooLong } of candidateLines(file, this.#filter, take)) {
        inMemory = whole;
        end = done;
        if (whole !== undefined) session.useBytes(whole);
        if (lines.length > 0 && session.isOld) {
          // Entries of old files get their IDs and parents from the upgrade, so its result is searched instead.
          yield* batches(this.#hitsInLog(session), done);
          return;
        }
        heldBytes += lines.reduce((sum, { bytes }) => sum + bytes.length, 0);
        if (heldBytes > MOST_HELD) early = undefined;
        if (early !== undefined) {
          for (const { offset, bytes } of lines) held.push({ offset, bytes: Buffer.from(bytes) });
          yield { hits: [], done: held[0]?.offset ?? done };
        } else {
          yield* this.#hitSteps(session, held.length === 0 ? lines : [...held, ...lines], done);
          held = [];
        }
        if (tooLong !== undefined) yield { hits: [], done, problem: tooLongProblem(path, tooLong) };
      }
      // The end of a line that may still be being written, or the file has grown.
      if (early?.end !== end) early = undefined;
      if (held.length > 0) yield* this.#hitSteps(session, held, end);
    } finally {
      if (!isRest) this.#streak = session.isIndexed ? this.#streak + 1 : 0;
      session.close();
    }
  }

  *#hitSteps(
    session: LazySession,
    lines: readonly CandidateLine[],
    done: number,
  ): Generator<FileStep, void, undefined> {
    let before = lines[0]?.offset ?? done;
    for (let at = 0; at < lines.length; at += LINES_PER_STEP) {
      const some = lines.slice(at, at + LINES_PER_STEP);
      if (!session.isIndexed && some.some((line) => this.#isHit(line))) {
        for (const _ of session.index()) yield { hits: [], done: before };
      }
      before = lines[at + LINES_PER_STEP]?.offset ?? done;
      yield* batches(session.isIndexed ? some.flatMap((line) => this.#hitsInLine(session, line)) : [], before);
    }
    if (lines.length === 0) yield { hits: [], done };
  }

  /** A separate window, because the other one holds the lines being searched. */
  #index(): ByteFinder {
    this.#indexer ??= createByteFinder(this.#window);
    return this.#indexer;
  }

  #hitsInLog(session: LazySession): SearchHit[] {
    const hits: SearchHit[] = [];
    const { log } = session;
    log.scan(0, (line) => {
      const bytes = wholeLine(log, line);
      for (const hit of this.#hitsInLine(session, { offset: line.offset, bytes })) hits.push(hit);
    });
    return hits;
  }

  #hitsInLine(session: LazySession, { offset, bytes }: CandidateLine): SearchHit[] {
    const line = lineText(bytes);
    if (line === undefined) return [];
    const record = parseRecord(line);
    if (record.kind === "entry") return this.#hitsInEntry(session, record.entry, { offset, line });
    if (record.kind !== "bad") return [];
    // Two records can share a damaged line, and the tree has both.
    return recordsWithin(bytes).flatMap(({ entry, start }) =>
      this.#hitsInEntry(session, entry, { offset: offset + start, line }),
    );
  }

  /** Whether a line holds a match, regardless of its entry's position in the tree. */
  #isHit({ bytes }: CandidateLine): boolean {
    const line = lineText(bytes);
    if (line === undefined) return false;
    const record = parseRecord(line);
    if (record.kind === "entry") return this.#found(record.entry, line) !== undefined;
    return record.kind === "bad" && recordsWithin(bytes).some(({ entry }) => this.#found(entry, line) !== undefined);
  }

  #found(entry: SessionEntry, line: string) {
    const { roles, maxExcerpt } = this.#plan;
    if (roles !== undefined && !roles.includes(roleIn(entry) ?? entry.type)) return undefined;
    const text = entryText(entry, line);
    const found = text === "" ? undefined : this.#matcher(text, maxExcerpt);
    return found === undefined ? undefined : { text, found };
  }

  #hitsInEntry(session: LazySession, entry: SessionEntry, at: { offset: number; line: string }): SearchHit[] {
    const { maxExcerpt } = this.#plan;
    const role = roleIn(entry);
    const match = this.#found(entry, at.line);
    const state = match === undefined ? undefined : session.facts.states.stateOf(entry, at.offset);
    if (match === undefined || state === undefined) return [];
    const { text, found } = match;
    const { id: sessionId, name: sessionName } = session.facts;
    return [
      {
        path: session.path,
        sessionId,
        ...defined({ sessionName }),
        entryId: entry.id,
        entryType: entry.type,
        ...defined({ role }),
        timestamp: typeof entry.timestamp === "string" ? entry.timestamp : "",
        ...makeExcerpt(text, found, maxExcerpt),
        state,
        address: `${sessionId}#${entry.id}`,
      },
    ];
  }
}

/** Opens a file for reading. Refuses pipes, which would block. */
export function openSessionFile(path: string): number {
  if (!statSync(path).isFile()) throw new SessionError("is-directory", `${path} is not a file`, { data: { path } });
  return openSync(path, "r");
}

function readProblem(path: string, cause: unknown): SearchProblem {
  const code = cause instanceof SlowPattern ? "slow-pattern" : "read-failed";
  return { path, code, message: errorText(cause) };
}

function* batches(hits: readonly SearchHit[], done: number): Generator<FileStep, void, undefined> {
  let at = 0;
  do {
    yield { hits: hits.slice(at, at + HITS_PER_STEP), done };
    at += HITS_PER_STEP;
  } while (at < hits.length);
}

function tooLongProblem(path: string, line: { readonly offset: number; readonly length: number }): SearchProblem {
  const message = `The line at byte ${line.offset} has ${line.length} bytes, more than can be searched as text`;
  return { path, code: "line-too-long", message };
}

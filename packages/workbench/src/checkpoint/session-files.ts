/**
 * The files of one session in one folder. After every step the log records what changed, so the state of the files at
 * an entry is the sum of the records on its path, and the files on disk are those of the leaf.
 *
 * How a step is recorded. The scanner reports what changed since its last look. A record must start from what its
 * parent has: the nearest record above, or the state before any record (`recorded-states.ts`). Any difference in
 * between was made by someone else and is recorded first, as the person's change. If no one else can have made it, that
 * is a bug in Bough; `BOUGH_RECORD_GAPS=throw` makes it an error, and all tests run with it. Contents are in the store
 * before the record is appended below the leaf.
 *
 * A scan can also be kept and recorded later, below entries that do not exist yet: see `scan` and `recordScans`.
 *
 * If the conversation moves and the files stay, disk and leaf differ. The difference is kept as if it were a record
 * below the leaf, and written there when the conversation continues.
 */
import { randomUUID } from "node:crypto";
import type { BroughtFiles, EntryId, FileDelta, FileState, SkippedFile } from "@bough/session/entry/index.js";
import { FILES_TYPE } from "@bough/session/entry/index.js";
import type { FilesRecord } from "@bough/session/entry/internal.js";
import { entryNotFound, sameFile } from "@bough/session/entry/internal.js";
import { isGroupAlive } from "@bough/session/log/index.js";
import { boughHome, type SessionManager } from "@bough/session/session/index.js";
import { arrivedEntries } from "@bough/session/session/internal.js";
import { attempt, defined } from "@bough/session/text/index.js";
import { type FileTarget, type FileWay, fileTargets } from "@bough/session/tree/index.js";
import { skippedOn, statesAt } from "./diff-files.js";
import { diskDifferences, inTheWay, stayedFiles } from "./disk-differences.js";
import { diskFile } from "./disk-file.js";
import { foreignPaths } from "./foreign-paths.js";
import { ownFolders } from "./own-folders.js";
import { pathFilter } from "./path-filter.js";
import { chosenTargets, planTargets, type RestorePlan, type RestoreRequest } from "./plan-restore.js";
import { RecordedStates } from "./recorded-states.js";
import { applyFiles, type BeforeRestore } from "./restore/apply-files.js";
import type { FilePlan } from "./restore/plan-files.js";
import { chosenFiles, type RestoreChoices, type RestoreOutcome } from "./restore/restore-choices.js";
import { type SettledRestore, settleRestores } from "./restore/settle-restores.js";
import type { Scanner } from "./scan/scanner.js";
import { stateNumber } from "./state-entry.js";
import { mayHaveStayed, type NotePlace, notedStay, type StayNote, writeStayNotes } from "./stay-notes.js";
import { stepsBetween, storedRecord } from "./steps-between.js";
import type { BlobStore } from "./store/blob-store.js";
import { registerSession } from "./store/store-sessions.js";
import { branchChanges, type ElsewhereChanges, pickedChanges } from "./three-way/branch-changes.js";
import { type MergedFilesPlan, planMergedFiles } from "./three-way/plan-merged-files.js";
import {
  attributeChanges,
  byOthers,
  type CallTime,
  type ExactChange,
  joinedChanges,
  sameContent,
} from "./work/attribute-changes.js";
import { ChangeTimes } from "./work/change-time.js";
import {
  interruptedWork,
  isStillAt,
  type RunningProcess,
  runningCommands,
  unrecordedCalls,
} from "./work/interrupted-work.js";
import type { AnnouncedChange, SeenLines } from "./work/journal-line.js";
import { removeLeftTemporaries } from "./work/left-temporaries.js";
import { SavedScanner, savedLook } from "./work/saved-scanner.js";
import { claimWorkFolder, readWorkFolders, removeWorkFolder, type WorkFolder } from "./work/work-folder.js";
import type { WorkJournal } from "./work/work-journal.js";

/** Larger files are not stored. */
export const MOST_FILE_BYTES = 10 * 1024 * 1024;

export interface SessionFilesOptions {
  readonly session: SessionManager;
  /** Paths are relative to it. */
  readonly root: string;
  readonly store: BlobStore;
  readonly scanner: Scanner;
  /** `$BOUGH_HOME`, which knows what came from other machines. Default: the one of this process. */
  readonly home?: string;
  /** Larger files are not stored. */
  readonly largest?: number;
  /**
   * What to do if a record would not start from the states of its parent: `mend` records the difference first, as the
   * person's; `throw` is for tests, because it is a bug in Bough. Default: `BOUGH_RECORD_GAPS` from the environment,
   * otherwise `mend`.
   */
  readonly gaps?: "mend" | "throw";
  /** The folder of an attempt that these files are in, if they are. */
  readonly attemptFolder?: string | undefined;
  /** Exchanges notes with other sessions in the root. Default: none. */
  readonly journal?: WorkJournal;
  /** A scanner that continues from what a killed process left in its folder. Default: nothing is continued. */
  readonly scannerIn?: (folder: string) => Scanner;
}

export interface RecordedFiles {
  readonly entryId: EntryId;
  readonly by: FilesRecord["by"];
  readonly changes: readonly FileDelta[];
  readonly skipped: readonly SkippedFile[];
  /** Other records written with it: what a person or other sessions did meanwhile. */
  readonly also?: readonly RecordedFiles[];
}

/** What a dead process left, and what was done with it. */
export interface TakenUp {
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly command?: string }[];
  /** Commands that still run. */
  readonly running: readonly RunningProcess[];
  /** What they had changed. */
  readonly recorded: RecordedFiles | undefined;
}

/**
 * What a scan found, not in the session yet. Plain data that can be kept as JSON; the contents are in the store already.
 */
export interface FilesScan {
  readonly id: string;
  /** In the order in which they have to be recorded. Usually one; more if others changed files at the same time. */
  readonly records: readonly ScannedFiles[];
}

/** What is about to become true: `changes` until a restore has started, those of the restore afterwards. */
interface ComingStay extends Omit<StayNote, "restore"> {
  readonly restore?: { readonly id: string | undefined; readonly changes: readonly FileDelta[] };
}

/** The content of a record. */
export interface ScannedFiles
  extends Pick<FilesRecord, "by" | "tool" | "callIds" | "during" | "with" | "changes" | "folders" | "brought"> {
  readonly skipped: readonly SkippedFile[];
}

interface ReadingSteps {
  /** Skip lists that are not on this machine instead of throwing. */
  readonly lenient?: boolean;
  /** Entries that came from other machines. */
  readonly arrived?: ReadonlyMap<string, string>;
}

interface ScanOptions {
  readonly exact?: readonly ExactChange[];
  readonly signal?: AbortSignal;
  /** More calls of the same author: what changed while they ran is its own, too. */
  readonly within?: readonly string[];
}

type Author = Pick<FilesRecord, "by" | "tool" | "callIds">;
type PlanOptions = Pick<RestoreRequest, "paths" | "signal">;
type Source = ReturnType<SessionManager["getSource"]>;

/** A plan that brings changes of another branch here. */
export interface BringPlan extends MergedFilesPlan {
  readonly brought: BroughtFiles;
}

/** The outcome of a restore together with a move of the conversation. */
export interface FollowOutcome extends RestoreOutcome {
  /** What was recorded below the new leaf: files that differ from what its branch left. */
  readonly recorded: RecordedFiles | undefined;
}

export class SessionFiles {
  readonly #options: SessionFilesOptions;
  readonly #recorded: RecordedStates;
  #settled: Promise<readonly SettledRestore[]> | undefined;
  #begun: Promise<void> | undefined;
  #hasLooked = false;
  #recalled: Promise<void> | undefined;
  #takenUp: Promise<readonly TakenUp[]> | undefined;
  #noted: Promise<boolean> | undefined;
  /** How the files on disk differ from those of the leaf, because the conversation moved without them. */
  #unwritten: readonly FileDelta[] = [];
  /** Scans that are not recorded yet, oldest first. */
  #scans: readonly FilesScan[] = [];
  /** The IDs of scans that are recorded. */
  readonly #done = new Set<string>();

  constructor(options: SessionFilesOptions) {
    this.#options = options;
    this.#recorded = new RecordedStates(options.store);
  }

  get root(): string {
    return this.#options.root;
  }

  get store(): BlobStore {
    return this.#options.store;
  }

  /** Whether the first look at everything has started. */
  get hasBegun(): boolean {
    return this.#begun !== undefined;
  }

  /** Whether it has finished. */
  get hasLooked(): boolean {
    return this.#hasLooked;
  }

  /** See `Scanner.warm`. */
  warm(signal: AbortSignal): Promise<void> {
    return this.#options.scanner.warm(signal);
  }

  /** How the files on disk differ from what the path of the leaf records; a record of it is written when the conversation continues. */
  get unwritten(): readonly FileDelta[] {
    return this.#unwritten;
  }

  /** The files on disk that differ from those of the leaf and its own step, as far as the session knows. */
  async differing(): Promise<readonly FileDelta[]> {
    const unwritten = this.#unwritten;
    const beyond = unwritten.length === 0 ? [] : await this.#beyond(this.#options.session.getLeafId());
    const wanted = new Map(beyond.map(({ path, after }) => [path, after]));
    return unwritten.filter(({ path, after }) => !wanted.has(path) || !sameFile(wanted.get(path) ?? null, after));
  }

  /** What the step of an entry changed: its record is below the entry, so another branch from there has no record of it. */
  async #beyond(to: EntryId | null): Promise<readonly FileDelta[]> {
    const steps = await this.#steps(this.#number(to), this.#state(to));
    return fileTargets(steps).map(({ path, expected, wanted }) => ({ path, before: expected, after: wanted }));
  }

  /** Finishes or undoes restores of dead processes. Runs once, before everything else. */
  settle(): Promise<readonly SettledRestore[]> {
    const { root, store } = this.#options;
    this.#settled ??= settleRestores({ store: store.folder, root, contents: store.contents });
    return this.#settled;
  }

  /** The notes exchanged with other sessions in the root. */
  get journal(): WorkJournal | undefined {
    return this.#options.journal;
  }

  /** Commands of this session that outlived a process that was killed, and still run. */
  running(): readonly RunningProcess[] {
    return this.#interrupted().flatMap(runningCommands);
  }

  /**
   * Records what commands changed whose process was killed or ended before recording it: below the leaf, as theirs.
   * Changes after their end are the person's. Runs once, before everything else. `here`: calls whose entries were added
   * to the path meanwhile.
   */
  takeUp(here: readonly string[] = []): Promise<readonly TakenUp[]> {
    this.#takenUp ??= this.#takeUpAll(new Set(here));
    return this.#takenUp;
  }

  async #takeUpAll(here: ReadonlySet<string>): Promise<readonly TakenUp[]> {
    const { root, journal, store, scannerIn, session } = this.#options;
    if (journal === undefined || scannerIn === undefined || session.getReadOnlyReason() !== undefined) return [];
    await this.#readNotes();
    for (const folder of readWorkFolders(store.folder, root)) {
      if (!folder.isAtWork) removeLeftTemporaries(root, folder);
    }
    const taken: TakenUp[] = [];
    for (const folder of this.#interrupted()) {
      const running = runningCommands(folder);
      const path = claimWorkFolder(folder);
      if (path === undefined) continue;
      const recorded = await this.#takeUpFolder({ ...folder, path }, { journal, scanner: scannerIn(path), here });
      for (const call of folder.calls) if (call.groups.some(isGroupAlive)) journal.adopt(call);
      removeWorkFolder(path);
      taken.push({ calls: folder.calls.filter(({ isRecorded }) => !isRecorded), running, recorded });
    }
    return taken;
  }

  #interrupted(): readonly WorkFolder[] {
    const { root, session, store } = this.#options;
    return interruptedWork(store.folder, { root, session: session.getSessionId(), file: session.getSessionFile() });
  }

  async #takeUpFolder(
    folder: WorkFolder,
    {
      journal,
      scanner,
      here,
    }: { readonly journal: WorkJournal; readonly scanner: Scanner; readonly here: ReadonlySet<string> },
  ): Promise<RecordedFiles | undefined> {
    const { session } = this.#options;
    const look = savedLook(folder.path);
    if (look === undefined) return undefined;
    scanner.resume(look);
    const since = scanner.began;
    journal.looking();
    const scanned = await scanner.scan();
    const { calls, times, announced } = unrecordedCalls(folder);
    const { seen } = folder;
    // Before a command ran, the files were where a move had left them.
    if (scanned.changes.length > 0) await this.recordStay();
    const source = session.getSource();
    const recorded = await this.#recorded.at(source, source.leaf);
    const changes = scanned.changes.flatMap(({ path, before, after }) => {
      // Some of it may be recorded already: the process was killed between the record and the note about it.
      const known = recorded(path);
      const from = known === undefined ? before : known.state;
      return sameFile(from, after) ? [] : [{ path, before: from, after }];
    });
    const exact = changes.filter(({ path, after }) =>
      announced.some((one) => one.path === path && sameContent(one.state, after)),
    );
    const callIds = calls.map(({ id }) => id);
    const tool = [...new Set(calls.map((call) => call.tool))].join(", ");
    const isShell = calls.every(({ byPerson }) => byPerson);
    const author = isShell ? ({ by: "person", tool } as const) : ({ by: "tool", tool, callIds } as const);
    // If the conversation continued elsewhere, the changes of the calls do not belong here.
    const isThere = calls.every(({ id, leaf }) => here.has(id) || isStillAt(source, leaf));
    const found = this.#byAuthor(
      { ...(isThere ? author : byOthers(callIds)), changes, skipped: scanned.skipped },
      { exact, journal, since, own: times, calls: callIds, announced: lastOf(folder.announced), seen },
    );
    return this.#writeAll(found, journal);
  }

  /** Looks at everything once. Await it before the first change. */
  begin(): Promise<void> {
    this.#begun ??= this.#begin();
    return this.#begun;
  }

  async #begin(): Promise<void> {
    // From then on the scanner knows what is on disk, and any difference is a later change.
    await this.#recall();
    this.#options.journal?.begin();
    await this.#options.scanner.scan();
    this.#hasLooked = true;
  }

  /**
   * Saves the state of the files, so that a process after a kill can continue. Await it before anything may change
   * files.
   */
  async beforeChanges(): Promise<void> {
    await this.begin();
    const { scanner } = this.#options;
    if (scanner instanceof SavedScanner) await scanner.save();
  }

  /** Finds what changed since the last look and records it below the leaf. Undefined if nothing did. */
  async record(by: Author, options: ScanOptions = {}): Promise<RecordedFiles | undefined> {
    const { hasBegun } = this;
    await this.begin();
    await this.#recordAllScans();
    await this.recordStay();
    return this.#writeAll(await this.#scan(by, { ...options, hasBegun }), this.#options.journal);
  }

  /**
   * Finds what changed since the last look, to be recorded later: the entries that it belongs below may not exist yet.
   * Writes nothing to the session. Keep the result, also across a kill, and pass it to `recordScans`. Whatever else is
   * recorded, and every move, records it first. Undefined if nothing changed.
   */
  async scan(by: Author, options: ScanOptions = {}): Promise<FilesScan | undefined> {
    const { hasBegun } = this;
    await this.begin();
    const records = await this.#scan(by, { ...options, hasBegun });
    const { journal } = this.#options;
    journal?.recorded();
    journal?.looked();
    if (records.length === 0) return undefined;
    const scan: FilesScan = { id: randomUUID(), records };
    this.#scans = [...this.#scans, scan];
    return scan;
  }

  /**
   * Records scans, and before them any older one that is not recorded yet. Several at once are of calls that ran at the
   * same time: they become one record that names all of the calls, unless someone else changed files meanwhile. Below
   * the leaf, or below another entry: then the leaf stays where it is. What is recorded already is not recorded again.
   */
  async recordScans(
    all: readonly FilesScan[],
    { below }: { readonly below?: EntryId } = {},
  ): Promise<RecordedFiles | undefined> {
    const scans = all.filter(({ id }) => !this.#done.has(id));
    if (scans.length === 0) return undefined;
    await this.#readNotes();
    const ids = new Set(scans.map(({ id }) => id));
    const at = this.#scans.findIndex(({ id }) => ids.has(id));
    await this.#recordAllScans(this.#scans.slice(0, Math.max(at, 0)));
    await this.recordStay();
    const records = joinedScans(scans);
    const isOwn = scans.every((scan) => this.#scans.some(({ id }) => id === scan.id));
    const there = below === this.#options.session.getLeafId() ? undefined : below;
    const written = await this.#writeAll(isOwn ? records : await this.#notRecorded(records, there), undefined, there);
    this.#nowRecorded(scans);
    return written;
  }

  #nowRecorded(scans: readonly FilesScan[]): void {
    for (const { id } of scans) this.#done.add(id);
    this.#scans = this.#scans.filter(({ id }) => !this.#done.has(id));
  }

  /** Before anything else is recorded, so that every record starts from what its parent has. */
  async #recordAllScans(scans = this.#scans): Promise<void> {
    for (const scan of scans) {
      await this.recordStay();
      await this.#writeAll(scan.records);
      this.#nowRecorded([scan]);
    }
  }

  /** Without changes that the session has already: another process may have been killed after recording them. */
  async #notRecorded(records: readonly ScannedFiles[], below: EntryId | undefined): Promise<readonly ScannedFiles[]> {
    const source = this.#options.session.getSource();
    const recorded = await this.#recorded.at(source, this.#numberBelow(below));
    return records.map((record) => ({
      ...record,
      changes: record.changes.filter(({ path, after }) => {
        const known = recorded(path);
        return known === undefined || !known.isCertain || !sameFile(known.state, after);
      }),
    }));
  }

  /** What `record` writes: the records in order. */
  async #scan(
    by: Author,
    { exact = [], signal, within = [], hasBegun }: ScanOptions & { readonly hasBegun: boolean },
  ): Promise<readonly ScannedFiles[]> {
    const { journal, scanner } = this.#options;
    const since = hasBegun ? scanner.began : 0;
    const seen = await this.#lastSeen(hasBegun ? exact : []);
    journal?.looking();
    const { changes, skipped } = await scanner.scan(signal);
    const found = new Set(changes.map(({ path }) => path));
    // The scan does not report ignored files; a tool that reports its changes does. Later calls of the same batch may
    // have changed the file again, so its state is read again.
    const wantedStates = exact
      .filter(({ path }) => !found.has(path))
      .map(({ path, before }) => ({ path, wanted: before }));
    const told = await diskDifferences(wantedStates, this.#look);
    for (const { path, after } of told.changes) this.#options.scanner.note(path, after);
    const gaps = await this.#gaps(told.changes, { seen });
    const all = { ...by, changes: [...changes, ...told.changes], skipped: [...skipped, ...told.skipped] };
    const own =
      journal === undefined
        ? [{ ...all, folders: ownFolders(this.root, { changes: all.changes, since }) }]
        : this.#byAuthor(all, { exact, journal, since, own: journal.times([...(by.callIds ?? []), ...within]) });
    return [...gaps, ...own].filter((one) => !isEmptyRecord(one));
  }

  /** One record of what calls did, and others of what a person or other sessions did at the same time. */
  #byAuthor(
    { changes, skipped, ...by }: ScannedFiles,
    {
      exact,
      journal,
      since = 0,
      calls = by.callIds ?? [],
      own: times = journal.times(calls),
      announced = journal.announced,
      seen,
    }: {
      readonly exact: readonly ExactChange[];
      readonly journal: WorkJournal;
      /** When the previous look started. */
      readonly since?: number;
      readonly calls?: readonly string[];
      readonly own?: readonly CallTime[];
      readonly announced?: ReadonlyMap<string, AnnouncedChange>;
      /** What others had noted by the previous look, if another process made it. */
      readonly seen?: SeenLines;
    },
  ): readonly ScannedFiles[] {
    const dated = new ChangeTimes(this.root, { changes, since });
    const timeOf = (change: FileDelta) => dated.of(change);
    const found = attributeChanges(changes, { exact, own: times, announced, others: journal.others(seen), timeOf });
    const isTool = by.by === "tool";
    const folders = ownFolders(this.root, { changes, since });
    const records = [
      ...found.earlier.map((one) => ({ ...byOthers(calls, one.with), changes: one.changes, skipped: [] })),
      { ...by, changes: isTool ? found.tool : [...found.tool, ...found.person], skipped },
      ...(isTool ? [{ ...byOthers(calls), changes: found.person, skipped: [] }] : []),
      ...found.shared.map((one) => ({ ...byOthers(calls, one.with), changes: one.changes, skipped: [] })),
    ];
    return records.map((one) => {
      const its = folders.filter((folder) => one.changes.some(({ path }) => path.startsWith(`${folder}/`)));
      return { ...one, folders: its };
    });
  }

  /** Records what a tool reported, without looking at anything else. */
  async recordExact(by: Author, changes: readonly FileDelta[]): Promise<RecordedFiles | undefined> {
    const { hasBegun } = this;
    await this.begin();
    await this.#recordAllScans();
    await this.recordStay();
    const seen = await this.#lastSeen(hasBegun ? changes : []);
    for (const { path, after } of changes) this.#options.scanner.note(path, after);
    // Changes made by someone else since the last look are not the tool's.
    await this.#mend(changes, { seen });
    const real = changes.filter(({ before, after }) => !sameFile(before, after));
    const since = hasBegun ? this.#options.scanner.began : 0;
    const folders = ownFolders(this.root, { changes: real, since });
    const written = await this.#write({ ...by, changes: real, skipped: [], folders });
    this.#options.journal?.recorded();
    return written;
  }

  /**
   * Compares the files that the session knows with those on disk, and records differences as the person's: they changed
   * while no session was watching. Call it when a session is resumed.
   */
  async recordOutside(): Promise<RecordedFiles | undefined> {
    const { session, store, scanner } = this.#options;
    await this.#recall();
    await this.#recordAllScans();
    this.#options.journal?.looking();
    const { states: said } = await statesAt(session.getSource(), this.#number(session.getLeafId()), { store });
    const foreign = await this.#foreignPaths();
    const unseen = foreign.size === 0 ? foreign : await scanner.leftOut([...foreign]);
    const states = new Map([...said].filter(([path]) => !unseen.has(path)));
    const stayed = this.#unwritten.filter(({ path }) => !unseen.has(path));
    const now = new Map([...states, ...stayed.map(({ path, after }) => [path, after] as const)]);
    const wantedStates = [...now].map(([path, wanted]) => ({ path, wanted }));
    const differing = await diskDifferences(wantedStates, this.#look);
    // Whatever blocks a file was not there when the file was, anywhere in the session.
    const inWay = inTheWay(this.root, states.keys()).filter((path) => !now.has(path));
    const above = foreign.size === 0 ? inWay : await this.#mayBeRead(inWay, states, foreign);
    const blocking = await diskDifferences(
      above.map((path) => ({ path, wanted: null })),
      this.#look,
    );
    const changes = [...differing.changes, ...blocking.changes].sort((a, b) => (a.path < b.path ? -1 : 1));
    for (const { path, after } of changes) now.set(path, after);
    const named = await this.#recorded.named(session.getSource());
    const changed = new Set(changes.map(({ path }) => path));
    const unread = new Set(differing.skipped.map(({ path }) => path));
    for (const [path, state] of now) {
      if (unread.has(path)) continue;
      // A later scan does not report it again; and what a tool named is still recorded.
      if (changed.has(path) || named.has(path)) scanner.note(path, state);
      else scanner.recall(path, state);
    }
    await this.recordStay();
    const recorded = await this.#recorded.at(session.getSource(), this.#number(session.getLeafId()));
    const skipped = differing.skipped.filter(({ path }) => recorded(path)?.isCertain !== false);
    const { journal } = this.#options;
    const found = { by: "person", changes, skipped } as const;
    if (journal === undefined) return this.#write(found);
    return this.#writeAll(this.#byAuthor(found, { exact: [], journal }), journal);
  }

  /** Paths that only other machines say were changed. */
  #foreignPaths(): Promise<ReadonlySet<string>> {
    const { session, store, home = boughHome() } = this.#options;
    return foreignPaths(session.getSource(), { arrived: arrivedEntries(home, session.getSessionId()), store });
  }

  /** Without ignored files that only block other machines' files. */
  async #mayBeRead(
    paths: readonly string[],
    states: ReadonlyMap<string, FileState>,
    foreign: ReadonlySet<string>,
  ): Promise<readonly string[]> {
    const leftOut = await this.#options.scanner.leftOut(paths);
    const own = [...states.keys()].filter((path) => !foreign.has(path));
    return paths.filter((path) => !leftOut.has(path) || own.some((one) => one.startsWith(`${path}/`)));
  }

  /**
   * Files may have been left elsewhere before this process started. Looked up once, before differences are attributed.
   */
  #recall(): Promise<void> {
    this.#recalled ??= this.#stayedBefore();
    return this.#recalled;
  }

  async #stayedBefore(): Promise<void> {
    const { session } = this.#options;
    const isNoted = await this.#readNotes();
    const isGuessed = !isNoted && mayHaveStayed(session.getSource(), this.#number(session.getLeafId()));
    await this.takeUp();
    if (!isGuessed) return;
    this.#unwritten = await stayedFiles(session.getSource(), this.#number(session.getLeafId()), this.#look);
  }

  /** Whether notes say which state the files are in. */
  #readNotes(): Promise<boolean> {
    this.#noted ??= (async () => {
      await this.settle();
      const place = this.#notePlace;
      const { session } = this.#options;
      const source = session.getSource();
      const noted = place && (await notedStay(place, source, this.#number(session.getLeafId())));
      if (noted !== undefined) this.#unwritten = noted;
      return noted !== undefined;
    })();
    return this.#noted;
  }

  get #look() {
    const { root, store, largest = MOST_FILE_BYTES } = this.#options;
    return { root, store, largest };
  }

  /**
   * The difference that a move without the files creates. Call it before the move, and the returned function after it.
   * The entries may belong to another session by then, as after a fork.
   */
  async staying(to: EntryId | null): Promise<() => void> {
    await this.#recordAllScans();
    const changes = await this.#differencesAt(to);
    this.#note({ leaf: to, changes });
    return () => {
      this.#unwritten = changes;
      this.#noteHere();
    };
  }

  /** How the files on disk differ from those of an entry, as far as the session knows. */
  async #differencesAt(to: EntryId | null): Promise<readonly FileDelta[]> {
    await this.#recall();
    // A list that is not on this machine must not prevent a move.
    const targets = await this.#targets(this.#number(to), { lenient: true });
    return targets.map(({ path, expected, wanted }) => ({ path, before: wanted, after: expected }));
  }

  /** What becomes true if the next step is completed, in addition to what is true now; read after a kill. */
  #note({ restore, ...next }: ComingStay): void {
    const here = { leaf: this.#options.session.getLeafId(), changes: this.#unwritten };
    if (restore?.id !== undefined) this.#writeNotes([here, { ...next, restore: { ...restore, id: restore.id } }]);
    else this.#writeNotes([here, { ...next, changes: restore?.changes ?? next.changes }]);
  }

  #noteHere(): void {
    this.#writeNotes([{ leaf: this.#options.session.getLeafId(), changes: this.#unwritten }]);
  }

  #writeNotes(notes: readonly StayNote[]): void {
    const place = this.#notePlace;
    // A full disk must not prevent a move.
    if (place !== undefined) attempt(() => writeStayNotes(place, notes, this.#options.session.getSource()));
  }

  /** Undefined for a session that is never reopened. */
  get #notePlace(): NotePlace | undefined {
    const { session, store, attemptFolder } = this.#options;
    const file = session.getSessionFile();
    if (file === undefined || session.getReadOnlyReason() !== undefined) return undefined;
    return { store, session: session.getSessionId(), file, folder: attemptFolder };
  }

  /**
   * Records below the leaf how the files differ from what this branch left. Call it before the conversation continues.
   */
  async recordStay(): Promise<RecordedFiles | undefined> {
    if (this.#unwritten.length === 0) return undefined;
    const changes = this.#unwritten;
    const written = await this.#write({ by: "restore", changes, skipped: [] });
    this.#unwritten = [];
    return written;
  }

  /** What moving the files to an entry would do. Null is before the first entry. */
  async plan(to: EntryId | null, options: PlanOptions = {}): Promise<RestorePlan> {
    const { root, store, session } = this.#options;
    await this.#recall();
    const at = this.#state(to);
    const { home = boughHome() } = this.#options;
    const arrived = arrivedEntries(home, session.getSessionId());
    const way = await this.#way(at, { arrived });
    const targets = await chosenTargets(fileTargets(way), session.getSource(), { to: at, store, arrived, ...options });
    const { paths, signal } = options;
    return planTargets(targets, session.getSource(), { root, store, uncovered: skippedOn(way, paths), signal });
  }

  /**
   * What changed below an entry on the way to the leaf, except by that entry itself: changes unknown to anyone who last
   * saw that entry. A number of the tree; -1 is before the first entry.
   */
  async changedSince(n: number): Promise<readonly FileTarget[]> {
    const { session } = this.#options;
    if (n < 0) return [];
    const own = stateNumber(session.getSource(), n);
    return fileTargets(await this.#steps(own, this.#number(session.getLeafId())));
  }

  /**
   * Brings the files to an entry and the conversation with them: `move` makes it the leaf. Conflicts that are taken are
   * recorded below the old leaf, those that are kept below the new one. Everything that can fail is tried before the
   * move: an error until then, also from `move`, leaves both as they were. Only a restore that the system stops
   * half-way throws after the move, as `restore-stopped`; the next start finishes it.
   */
  async follow(
    to: EntryId | null,
    {
      plan,
      choices = {},
      move,
    }: { readonly plan: FilePlan; readonly choices?: RestoreChoices; readonly move: () => void | Promise<void> },
  ): Promise<FollowOutcome> {
    await this.#recordAllScans();
    await this.#secure(plan, choices);
    const stay = await this.#differencesAt(to);
    const named = await this.#targets(this.#state(to));
    const beyond = await this.#beyond(to);
    const outcome = await this.restore(plan, choices, async (id) => {
      this.#note({ leaf: to, changes: stay, restore: { id, changes: beyond } });
      await move();
      // Until the restore is done, the files are in their old state.
      this.#unwritten = stay;
    });
    this.#unwritten = beyond;
    this.#noteHere();
    // Whether or not it had to be written: from now on a file is compared with what this branch recorded.
    for (const { path, wanted } of named) this.#options.scanner.note(path, wanted);
    return { ...outcome, recorded: await this.#recordKept(plan, outcome) };
  }

  /** Brings files to a plan without a move; the change is recorded on the branch. */
  async restoreHere(plan: FilePlan, choices: RestoreChoices = {}): Promise<FollowOutcome> {
    await this.#recordAllScans();
    await this.recordStay();
    await this.#secure(plan, choices);
    const outcome = await this.restore(plan, choices, (id) => {
      const changes = chosenFiles(plan, choices).files.map(({ path, present, wanted }) => ({
        path,
        before: present,
        after: wanted,
      }));
      this.#note({ leaf: this.#options.session.getLeafId(), changes: [], restore: { id, changes } });
    });
    const done = new Set([...outcome.written, ...outcome.deleted]);
    const changes = [...plan.files, ...plan.conflicts, ...(plan.protected ?? [])]
      .filter(({ path }) => done.has(path))
      .map(({ path, present = null, wanted }) => ({ path, before: present, after: wanted }));
    return { ...outcome, recorded: await this.#write({ by: "restore", changes, skipped: [] }) };
  }

  /** What bringing the changes of another branch would do; `tip` is its end. See `branchChanges`. */
  async planMerge(tip: EntryId, { signal }: Pick<PlanOptions, "signal"> = {}): Promise<BringPlan> {
    return this.#planBring("merge", (source, options) => branchChanges(source, this.#number(tip), options), signal);
  }

  /** What bringing the changes that these entries made would do. See `pickedChanges`. */
  async planPick(entries: readonly EntryId[], { signal }: Pick<PlanOptions, "signal"> = {}): Promise<BringPlan> {
    const numbers = entries.map((id) => this.#number(id));
    return this.#planBring("cherry-pick", (source, options) => pickedChanges(source, numbers, options), signal);
  }

  async #planBring(
    via: BroughtFiles["via"],
    changesOf: (source: Source, options: Parameters<typeof branchChanges>[2]) => Promise<ElsewhereChanges>,
    signal: AbortSignal | undefined,
  ): Promise<BringPlan> {
    const { root, store, session, home = boughHome() } = this.#options;
    await this.#recall();
    const source = session.getSource();
    const arrived = arrivedEntries(home, session.getSessionId());
    const leaf = this.#number(session.getLeafId());
    const { changes, uncovered, from } = await changesOf(source, { leaf, store, arrived });
    const plan = await planMergedFiles(changes, source, { root, store, uncovered, signal });
    return { ...plan, brought: { via, from } };
  }

  /**
   * Brings changes of another branch to the files, and the conversation with them: `words` adds to it, if anything, and
   * is called when all is prepared and nothing has changed. An error until then, also from `words`, leaves both as they
   * were; what fails later is `restore-stopped`, and the next start finishes it. What was on disk is recorded first, so
   * that `words` begins where undoing has to end.
   */
  async bring(
    plan: BringPlan,
    { choices = {}, words }: { readonly choices?: RestoreChoices; readonly words: () => void | Promise<void> },
  ): Promise<FollowOutcome> {
    await this.#recordAllScans();
    await this.recordStay();
    const changes = chosenFiles(plan, choices).files.map(({ path, present, wanted }) => ({
      path,
      before: present,
      after: wanted,
    }));
    await plan.storeContents(changes.map(({ path, after: wanted }) => ({ path, wanted })));
    // What someone else did here comes first, so that undoing the merge does not undo it.
    await this.#mend(changes, {});
    const outcome = await this.restore(plan, choices, async (id) => {
      await words();
      this.#note({ leaf: this.#options.session.getLeafId(), changes: [], restore: { id, changes } });
    });
    const done = new Set([...outcome.written, ...outcome.deleted]);
    const real = changes.filter(({ path }) => done.has(path));
    const brought = broughtBy(plan, [...outcome.missing, ...(outcome.protected ?? [])]);
    return { ...outcome, recorded: await this.#write({ by: "restore", changes: real, skipped: [], brought }) };
  }

  /**
   * Brings what another branch changed to the files, and the conversation to the end of that branch: `move` makes it the
   * leaf. What the files then have that the branch does not, such as what the person changed meanwhile, is recorded
   * there. Like `follow` otherwise.
   */
  async keep(
    to: EntryId,
    {
      plan,
      choices = {},
      move,
    }: { readonly plan: BringPlan; readonly choices?: RestoreChoices; readonly move: () => void | Promise<void> },
  ): Promise<FollowOutcome> {
    await this.#recordAllScans();
    await this.recordStay();
    const changes = chosenFiles(plan, choices).files.map(({ path, present, wanted }) => ({
      path,
      before: present,
      after: wanted,
    }));
    await plan.storeContents(changes.map(({ path, after: wanted }) => ({ path, wanted })));
    // What someone else did here belongs to the branch it was done on, so that going back restores it.
    await this.#mend(changes, {});
    const stay = await this.#differencesAt(to);
    const outcome = await this.restore(plan, choices, async (id) => {
      this.#note({ leaf: to, changes: stay, restore: { id, changes: joinedChanges([...stay, ...changes]) } });
      await move();
      // Until the restore is done, the files are in their old state.
      this.#unwritten = stay;
    });
    const done = new Set([...outcome.written, ...outcome.deleted]);
    const own = joinedChanges([...stay, ...changes.filter(({ path }) => done.has(path))]);
    this.#unwritten = own;
    this.#noteHere();
    this.#unwritten = [];
    const recorded = await this.#write({ by: "person", changes: own, skipped: [] });
    this.#noteHere();
    return { ...outcome, recorded };
  }

  /**
   * Brings the files to a plan, and nothing else. Stores the current contents first. `before` is called when all is
   * prepared and nothing has changed; if it throws, nothing changes.
   */
  async restore(
    plan: FilePlan,
    choices: RestoreChoices = {},
    before: BeforeRestore = () => {},
  ): Promise<RestoreOutcome> {
    const { store } = this.#options;
    // A first look in the middle of a restore would attribute it to someone else.
    await this.#begun?.catch(() => undefined);
    const isChosen = pathFilter(choices.paths);
    const { files, kept, protected: guarded } = chosenFiles(plan, choices);
    const stop = choices.signal === undefined ? {} : { signal: choices.signal };
    for (const { path, wanted } of files) this.#options.journal?.announce(path, wanted);
    const left = new Set(await applyFiles({ ...plan, files }, { store, before, ...stop }));
    const done = files.filter(({ path }) => !left.has(path));
    // These changes are ours.
    for (const { path, wanted } of done) this.#options.scanner.note(path, wanted);
    return {
      kind: done.length === 0 ? "unchanged" : "done",
      written: done.filter(({ wanted }) => wanted !== null).map(({ path }) => path),
      deleted: done.filter(({ wanted }) => wanted === null).map(({ path }) => path),
      kept: [...kept, ...left],
      missing: plan.missing.filter(({ path }) => isChosen(path)).map(({ path }) => path),
      ...(guarded.length === 0 ? {} : { protected: guarded }),
    };
  }

  /**
   * Records the files that a conflict would overwrite on the branch where they were made, so that going back restores
   * them.
   */
  async #secure(plan: FilePlan, choices: RestoreChoices): Promise<void> {
    const { root, store } = this.#options;
    const changes: FileDelta[] = [];
    for (const { path, present = null, expected } of chosenFiles(plan, choices).taken) {
      const disk = diskFile(root, path);
      if (disk.kind === "file" && disk.content !== undefined) await store.put(disk.content);
      if (!sameFile(expected, present)) changes.push({ path, before: expected, after: present });
    }
    if (changes.length === 0) return;
    await this.recordStay();
    await this.#write({ by: "person", changes, skipped: [] });
  }

  /** Paths that the plan left alone differ from what the branch left: records that below the leaf. */
  async #recordKept(plan: FilePlan, { written, deleted }: RestoreOutcome): Promise<RecordedFiles | undefined> {
    const done = new Set([...written, ...deleted]);
    const all = [...plan.files, ...plan.conflicts, ...plan.missing, ...(plan.protected ?? [])];
    const kept = all.filter(({ path }) => !done.has(path));
    const { changes, skipped } = await diskDifferences(kept, this.#look);
    if (changes.length === 0) return undefined;
    await this.recordStay();
    // A later scan does not report it again.
    for (const { path, after } of changes) this.#options.scanner.note(path, after);
    // Possible work of another session keeps that attribution wherever it is recorded.
    const others = new Map(plan.conflicts.map((conflict) => [conflict.path, conflict.with]));
    const shared = changes.filter(({ path }) => others.get(path) !== undefined);
    const own = changes.filter(({ path }) => others.get(path) === undefined);
    const records = [await this.#write({ by: "person", changes: own, skipped })];
    for (const change of shared) {
      records.push(await this.#write({ ...byOthers([], others.get(change.path)), changes: [change], skipped: [] }));
    }
    return joinedRecords(records);
  }

  /** In order; `journal` is told that it is done. */
  async #writeAll(
    records: readonly ScannedFiles[],
    journal?: WorkJournal,
    below?: EntryId,
  ): Promise<RecordedFiles | undefined> {
    const written: RecordedFiles[] = [];
    for (const record of records) {
      const one = await this.#write(record, below === undefined ? undefined : (written.at(-1)?.entryId ?? below));
      if (one !== undefined) written.push(one);
    }
    journal?.recorded();
    journal?.looked();
    if (below !== undefined && written.length > 0) {
      // Otherwise the new record would be the position after reopening.
      this.#options.session.recordPosition();
      // The files are no longer those of the leaf.
      this.#unwritten = joinedChanges([...this.#unwritten, ...written.flatMap(({ changes }) => changes)]);
      this.#noteHere();
    }
    return joinedRecords(written);
  }

  async #write(found: ScannedFiles, below?: EntryId): Promise<RecordedFiles | undefined> {
    if (isEmptyRecord(found)) return undefined;
    const onGap = (gap: FileDelta) => {
      // On another branch the files may be in another state.
      if (below !== undefined || (this.#options.gaps ?? process.env.BOUGH_RECORD_GAPS) !== "throw") return;
      throw new Error(`bug: a record of ${gap.path} does not start from what its branch says`);
    };
    return this.#append(found, await this.#mend(found.changes, { onGap, below }));
  }

  /**
   * For files that no record on the way to the leaf names, their state at the last full look. Not for changes that the
   * first look may have come after.
   */
  async #lastSeen(changes: readonly FileDelta[]): Promise<ReadonlyMap<string, FileState>> {
    const { scanner } = this.#options;
    if (changes.length === 0) return new Map();
    const known = await this.#knownStates();
    return scanner.lastSeen(changes.flatMap(({ path }) => (known(path) === undefined ? [path] : [])));
  }

  /**
   * A record starts from what its parent has; if no record names a file, from its state when it was last `seen`. If the
   * states differ, someone else made the change in between: it is recorded first, as the person's or as that of the
   * sessions that may have made it, so that every path through the log leads from one state to the next.
   */
  async #mend(
    changes: readonly FileDelta[],
    { below, ...options }: GapOptions & { readonly below?: EntryId | undefined },
  ): Promise<EntryId | undefined> {
    let last = below;
    for (const gap of await this.#gaps(changes, { ...options, known: await this.#recordedStates(below) })) {
      const { entryId } = await this.#append(gap, last);
      if (below !== undefined) last = entryId;
    }
    return last;
  }

  /** The records that `#mend` writes. */
  async #gaps(
    changes: readonly FileDelta[],
    { seen = new Map(), onGap, known }: GapOptions & { readonly known?: KnownStates },
  ): Promise<readonly ScannedFiles[]> {
    if (changes.length === 0) return [];
    const stateOf = known ?? (await this.#knownStates());
    const gaps: FileDelta[] = [];
    for (const { path, before } of changes) {
      const said = stateOf(path);
      const state = said === undefined ? seen.get(path) : said.state;
      if (state === undefined || sameFile(state, before)) continue;
      const gap = { path, before: state, after: before };
      if (said?.isCertain === true) onGap?.(gap);
      gaps.push(gap);
    }
    if (gaps.length === 0) return [];
    const others = this.#options.journal?.others() ?? { calls: [], announced: [] };
    // Nothing is left that would tell when it happened.
    const found = attributeChanges(gaps, { exact: [], own: [], others, timeOf: () => undefined });
    return [
      ...(found.person.length === 0 ? [] : [{ by: "person" as const, changes: found.person, skipped: [] }]),
      ...found.shared.map((one) => ({ ...byOthers([], one.with), changes: one.changes, skipped: [] })),
    ];
  }

  /** The states that records say, at the leaf or at another entry. */
  #recordedStates(at?: EntryId): Promise<KnownStates> {
    return this.#recorded.at(this.#options.session.getSource(), this.#numberBelow(at));
  }

  /** The states at the leaf, together with what is known and not recorded yet. */
  async #knownStates(): Promise<KnownStates> {
    const recorded = await this.#recordedStates();
    const scanned = this.#scans.flatMap(({ records }) => records.flatMap(({ changes }) => changes));
    const later = new Map(joinedChanges([...this.#unwritten, ...scanned]).map(({ path, after }) => [path, after]));
    return (path) => {
      const state = later.get(path);
      return state === undefined ? recorded(path) : { state, isCertain: true };
    };
  }

  /** Below the leaf, which moves to it; or below another entry, and the leaf stays. */
  async #append(found: ScannedFiles, below?: EntryId): Promise<RecordedFiles> {
    const { session, store } = this.#options;
    const { by, tool, callIds, during, with: others, changes, skipped, folders = [], brought } = found;
    const record: FilesRecord = {
      v: 1,
      by,
      ...defined({ tool, callIds, during, with: others }),
      changes,
      ...(skipped.length === 0 ? {} : { skipped }),
      ...(folders.length === 0 ? {} : { folders }),
      ...defined({ brought }),
    };
    const stored = await storedRecord(record, store);
    const file = session.getSessionFile();
    if (file !== undefined) registerSession(store.folder, file);
    if (below === undefined) return { entryId: session.appendCustomEntry(FILES_TYPE, stored), by, changes, skipped };
    const leaf = session.getLeafId();
    session.branch(below);
    try {
      return { entryId: session.appendCustomEntry(FILES_TYPE, stored), by, changes, skipped };
    } finally {
      session.branch(leaf);
    }
  }

  /** From the files on disk to those of an entry. */
  async #targets(to: number, reading: ReadingSteps = {}): Promise<readonly FileTarget[]> {
    return fileTargets(await this.#way(to, reading));
  }

  /** From the leaf, and from what is on disk but not recorded there yet. */
  async #way(to: number, reading: ReadingSteps = {}): Promise<FileWay> {
    const { up, down } = await this.#steps(this.#number(this.#options.session.getLeafId()), to, reading);
    const scanned = this.#scans.flatMap(({ records }) => records).map(ownStep);
    return { up: [...scanned.reverse(), ownStep({ by: "restore", changes: this.#unwritten }), ...up], down };
  }

  #steps(from: number, to: number, { lenient = false, arrived }: ReadingSteps = {}): Promise<FileWay> {
    const { session, store } = this.#options;
    const unread = lenient ? { onUnread: () => undefined } : {};
    return stepsBetween(session.getSource(), { from, to, arrived, ...unread }, store);
  }

  #number(id: EntryId | null): number {
    if (id === null) return -1;
    const number = this.#options.session.getSource().tree.ids.findText(id);
    if (number < 0) throw entryNotFound(id);
    return number;
  }

  #numberBelow(id: EntryId | undefined): number {
    return this.#number(id ?? this.#options.session.getLeafId());
  }

  /** The entry whose path includes all changes of a step. */
  #state(to: EntryId | null): number {
    return stateNumber(this.#options.session.getSource(), this.#number(to));
  }
}

interface GapOptions {
  /** States of files that no record names. */
  readonly seen?: ReadonlyMap<string, FileState>;
  readonly onGap?: (gap: FileDelta) => void;
}

type KnownStates = Awaited<ReturnType<RecordedStates["at"]>>;

/** A step that is not in the session yet. */
function ownStep({ by, changes }: Pick<ScannedFiles, "by" | "changes">) {
  return { entryId: "" as EntryId, by, changes };
}

function isEmptyRecord({ changes, skipped }: ScannedFiles): boolean {
  return changes.length === 0 && skipped.length === 0;
}

/** One scan as it is; several name the calls of all, and are one record if there are only changes of tools. */
function joinedScans(scans: readonly FilesScan[]): readonly ScannedFiles[] {
  const records = scans.flatMap((scan) => scan.records);
  if (scans.length < 2) return records;
  const own = records.filter(({ by }) => by === "tool");
  const [first] = own;
  if (first === undefined) return records;
  const callIds = [...new Set(own.flatMap((one) => one.callIds ?? []))];
  const tool = [...new Set(own.flatMap((one) => one.tool?.split(", ") ?? []))].join(", ");
  const named = { ...defined({ tool: tool === "" ? undefined : tool }), callIds };
  if (own.length < records.length) return records.map((one) => (one.by === "tool" ? { ...one, ...named } : one));
  const skipped = [...new Map(own.flatMap((one) => one.skipped).map((one) => [one.path, one])).values()];
  const folders = [...new Set(own.flatMap((one) => one.folders ?? []))];
  return [{ ...first, ...named, changes: joinedChanges(own.flatMap(({ changes }) => changes)), skipped, folders }];
}

/** More would make the line of the record too long; a later merge then starts from where the branches split. */
const MOST_LEFT = 1000;

function broughtBy({ brought }: BringPlan, left: readonly string[]): BroughtFiles {
  if (left.length === 0) return brought;
  // Without its sources, picked steps are not taken for brought: what is here already needs nothing.
  return left.length > MOST_LEFT || brought.via === "cherry-pick" ? { ...brought, from: [] } : { ...brought, left };
}

function lastOf(announced: readonly AnnouncedChange[]): ReadonlyMap<string, AnnouncedChange> {
  return new Map(announced.map((one) => [one.path, one]));
}

function joinedRecords(written: readonly (RecordedFiles | undefined)[]): RecordedFiles | undefined {
  const [first, ...also] = written.filter((one) => one !== undefined);
  return first === undefined || also.length === 0 ? first : { ...first, also };
}

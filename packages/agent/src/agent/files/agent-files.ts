/**
 * Records the files of an agent's session: changes by tools and by the user are written below the step that made them.
 * Nothing here fails a run. An error is reported once, and files are no longer recorded.
 */
import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { EntryId, FileState, SkippedFile, ToolCallBlock } from "@bough/session/entry/index.js";
import { isFilePath } from "@bough/session/entry/internal.js";
import { boughHome, type SessionManager } from "@bough/session/session/index.js";
import { counted, defined, errorText, grouped, isRecord, namedPaths, visibleText } from "@bough/session/text/index.js";
import {
  CheckpointError,
  closeSessionFiles,
  collectGarbageRarely,
  diskFile,
  type ExactChange,
  type FilesScan,
  hasFileRecords,
  hashOf,
  hasInterruptedWork,
  hasOpenRestores,
  MOST_FILE_BYTES,
  openSessionFiles,
  type RecordedFiles,
  type RunningCommand,
  registerSession,
  rootSessions,
  type SessionFiles,
} from "@bough/workbench/checkpoint/index.js";
import type { ExtensionHooks } from "../../extension/run.js";
import { SPAWN_TOOL, type Tool } from "../../tool/index.js";
import { stopGroup } from "../../tool/internal.js";
import type { AgentEvent } from "../agent-events.js";
import type { AgentSessionOptions } from "../agent-options.js";
import { tellFiles } from "./tell-files.js";

export type FilesOptions = NonNullable<AgentSessionOptions["files"]>;

/** Of the parts of an agent. */
interface Parts {
  readonly session: SessionManager;
  readonly hooks: ExtensionHooks;
  readonly cwd: string;
  readonly contents?: AgentSessionOptions["contents"] | undefined;
  readonly jobs?: AgentSessionOptions["jobs"] | undefined;
  emit(event: AgentEvent): void;
}

/** When to report a wait for the first scan, and how often after that. */
const PROGRESS_MS = { first: 1000, later: 10_000 };
/** A model over a network takes longer than this to say anything. */
const FIRST_LOOK_MS = 50;

export class AgentFiles {
  readonly #parts: Parts;
  readonly options: FilesOptions;
  #opened: Promise<SessionFiles | undefined> | undefined;
  /** Why files are not recorded. */
  #off: string | undefined;
  /** This session was not scanned yet. */
  #isNew = true;
  /** Waits until the model has started to work. */
  #firstLook: NodeJS.Timeout | undefined;
  /** The record of the last tools, still being written. */
  #pending: Promise<void> = Promise.resolve();
  /** For each path that tools announced to write, its state before the first write since the last record. */
  readonly #foundFirst = new Map<string, Found>();
  /** What tools reported since the last record. */
  readonly #exact = new Map<string, Omit<ExactChange, "path">>();
  /** Calls since the last record that may have changed files. */
  readonly #ran = new Map<string, CalledTool>();
  #skippedTold = false;
  /** Whether the first scan started before the first prompt was sent. */
  #isEarly = false;
  /** Stops prefetching before a prompt. */
  #ahead: AbortController | undefined;
  #isAhead = false;
  /** A scan in progress, and commands that wait for it. */
  #looking: Promise<void> | undefined;
  #waited: Promise<void> | undefined;
  /** Progress of the first scan. */
  #progress = { done: 0, total: 0 };
  #settledTold = false;
  #here: readonly string[] = [];
  /** Whether a process was killed in the middle of this session. */
  #wasInterrupted: boolean | undefined;

  constructor(parts: Parts, options: FilesOptions) {
    this.#parts = parts;
    this.options = options;
  }

  /** Undefined if files are not recorded. */
  async opened(): Promise<SessionFiles | undefined> {
    await this.settled();
    await this.#guarded((files) => this.#tellSettled(files));
    // Not opened again if the session was left in the meantime.
    return this.#opened;
  }

  /** The same, but also undefined if the session has no file records: then no scan is needed. */
  async inUse(): Promise<SessionFiles | undefined> {
    return this.#isUnused ? undefined : this.opened();
  }

  /** The files were not scanned yet, and the session has no file records. */
  get #isUnused(): boolean {
    if (this.#opened !== undefined) return false;
    const { session } = this.#parts;
    this.#wasInterrupted ??= hasInterruptedWork(this.options.home ?? boughHome(), session.getSessionId());
    return !this.#wasInterrupted && !hasFileRecords(session.getSource());
  }

  /** Throws `files-off` with the reason if files are not recorded. */
  async require(): Promise<SessionFiles> {
    const files = await this.opened();
    if (files !== undefined) return files;
    throw new CheckpointError("files-off", this.#off ?? "Files are not recorded here", {
      hint: "Start Bough in a project folder, and see docs/files.md.",
    });
  }

  /**
   * First finish or undo a restore that was killed, and record what commands left. `here`: calls of a killed process
   * whose entries were added to the path just now.
   */
  async start(here: readonly string[] = []): Promise<void> {
    this.#here = here;
    const home = this.options.home ?? boughHome();
    const isLeft = hasOpenRestores(home) || hasInterruptedWork(home, this.#parts.session.getSessionId());
    if (isLeft) await this.#guarded((files) => this.#tellSettled(files));
  }

  /**
   * Records what changed since the last run, above the prompt: it belongs to the branch it was made on. Returns the
   * files if the session has file records by now.
   */
  async beforePrompt(): Promise<SessionFiles | undefined> {
    this.#ahead?.abort();
    if (this.#isUnused || this.#isEarly) {
      // Nothing was recorded, so there is nothing to compare. The first scan runs while the model answers; a model that
      // answers at once and calls no tools needs none.
      this.#isNew = false;
      if (this.#isEarly) this.#lookAgain();
      else this.#firstLook ??= setTimeout(() => void this.#look(), FIRST_LOOK_MS).unref();
      this.#isEarly = false;
      return undefined;
    }
    await this.#guarded(async (files) => {
      await this.settled();
      await this.#tellSettled(files);
      const isNew = this.#isNew;
      this.#isNew = false;
      if (isNew) this.#tell(await files.recordOutside());
      // While the first scan runs there is nothing to compare with; changes found later are dated.
      if (files.hasLooked) this.#tell(await files.record({ by: "person" }));
      else this.#tell(await files.recordStay());
      // Runs while the model answers. The caller that waits for it reports a failure.
      files.begin().catch(() => undefined);
    });
    return this.#open();
  }

  /** Runs while the model answers: a change since an early scan, before any tool could make one, is the user's. */
  #lookAgain(): void {
    this.#pending = this.#pending.then(() =>
      this.#guarded(async (files) => {
        if (files.hasLooked) this.#tell(await files.record({ by: "person" }));
      }),
    );
  }

  /**
   * The user started typing: starts the first scan, or prefetches what the scan before the prompt will read. That scan
   * still runs and finds later changes. Writes nothing to the session.
   */
  lookAhead(): void {
    if (this.#isUnused) {
      this.#isEarly = true;
      void this.#look();
      return;
    }
    if (this.#opened === undefined || this.#isAhead) return;
    const ahead = new AbortController();
    this.#ahead = ahead;
    this.#isAhead = true;
    void this.#guarded((files) => (files.hasLooked ? files.warm(ahead.signal) : undefined)).then(() => {
      this.#isAhead = false;
    });
  }

  /** Await this before a tool that may change files: afterwards the previous state is known. */
  async beforeTools(signal?: AbortSignal): Promise<void> {
    clearTimeout(this.#firstLook);
    this.#firstLook = undefined;
    // Parallel commands wait for the same scan, which is reported once.
    this.#waited ??= this.#told(this.#look());
    const looked = this.#waited;
    void looked.then(() => {
      if (this.#waited === looked) this.#waited = undefined;
    });
    if (signal === undefined) return looked;
    if (signal.aborted) return;
    // The scan continues even if the caller stopped waiting.
    await new Promise<void>((resolve) => {
      const done = () => {
        signal.removeEventListener("abort", done);
        resolve();
      };
      signal.addEventListener("abort", done);
      void looked.then(done);
    });
  }

  /** A long first scan reports its progress, because a command waits for it. */
  async #told(looked: Promise<void>): Promise<void> {
    const say = () => {
      // The session was left: the scan continues, but no command waits for it.
      if (this.#opened === undefined) return;
      const { done, total } = this.#progress;
      const how = total === 0 ? "" : `: ${grouped(done)} of ${grouped(total)}`;
      const message = `Storing this folder's files before the first command that may change them${how}`;
      const hint = 'They can be restored afterwards. Esc stops waiting; `"files": "off"` in the settings turns it off.';
      this.#parts.emit({ type: "notice", level: "info", message, hint });
    };
    let timer = setTimeout(function again() {
      say();
      timer = setTimeout(again, PROGRESS_MS.later);
    }, PROGRESS_MS.first);
    try {
      await looked;
    } finally {
      clearTimeout(timer);
    }
  }

  #look(): Promise<void> {
    this.#looking ??= this.#looked();
    const looking = this.#looking;
    void looking.then(() => {
      if (this.#looking === looking) this.#looking = undefined;
    });
    return looking;
  }

  async #looked(): Promise<void> {
    await this.settled();
    await this.#guarded(async (files) => {
      await this.#tellSettled(files);
      await files.beforeChanges();
    });
  }

  /**
   * A call is about to run: its changes are its own from now on, or from when it is allowed. Written to disk first, so
   * that a kill does not lose it. Waits until the previous state is known, or the signal aborts; a tool that changes
   * nothing does not wait, and returns undefined. Never rejects.
   */
  async openCall({ id, tool, input, signal, byPerson = false }: FollowedCall): Promise<CallFollower | undefined> {
    if (tool.readOnly === true || changesNothing(tool, input, this.#parts.cwd)) return undefined;
    this.#isEarly = false;
    await this.beforeTools(signal);
    if (signal.aborted) return undefined;
    const kind = tool.reportsFiles === true ? "exact" : "free";
    const tell = (work: (journal: NonNullable<SessionFiles["journal"]>) => void) =>
      this.#guarded(({ journal }) => (journal === undefined ? undefined : work(journal)));
    const leaf = this.#parts.session.getLeafId();
    await tell((journal) => journal.open({ id, tool: tool.name, kind, leaf, byPerson, ...commandIn(input) }));
    this.#ran.set(id, tool);
    return {
      mark: (await this.#open())?.journal?.markOf(id),
      allowed: () => void tell((journal) => journal.allowed(id)),
      group: (group) => void tell((journal) => journal.group(id, group)),
      close: ({ ran }) => {
        if (!ran) this.#ran.delete(id);
        void tell((journal) => journal.close(id, { ran }));
      },
    };
  }

  async #tellSettled(files: SessionFiles): Promise<void> {
    const settled = await files.settle();
    if (this.#settledTold) return;
    this.#settledTold = true;
    await this.#takeUp(files);
    for (const { now, left } of settled) {
      const message =
        now === "after"
          ? "Files were being restored when Bough was stopped: the restore has been completed"
          : "Files were about to be restored when Bough was stopped: nothing was changed";
      const hint = left.length === 0 ? undefined : `Changed since then and left alone: ${namedPaths(left)}`;
      this.#parts.emit({ type: "notice", level: "warning", message, ...defined({ hint }) });
    }
  }

  /** Records what commands of a killed process did; the user decides about those still running. */
  async #takeUp(files: SessionFiles): Promise<void> {
    const running = files.running();
    const answer = running.length === 0 ? undefined : await this.options.onRunning?.(running);
    if (answer === "stop") for (const { group } of running) await stopGroup(group);
    for (const { calls, running: still, recorded } of await files.takeUp(this.#here)) {
      this.#tell(recorded);
      const count = [recorded, ...(recorded?.also ?? [])].reduce((sum, one) => sum + (one?.changes.length ?? 0), 0);
      const what = calls.length === 1 ? `\`${calls[0]?.tool}\` was running` : `${calls.length} tools were running`;
      const message = `${what} when Bough was stopped: ${count === 0 ? "no files had changed" : `${counted(count, "changed file")} recorded`}`;
      this.#parts.emit({ type: "notice", level: "warning", message });
      for (const one of still) this.#leaveRunning(one, answer);
    }
  }

  #leaveRunning({ group, tool, command = tool }: RunningCommand, answer: "leave" | "stop" | undefined): void {
    const job = answer === "leave" ? this.#parts.jobs?.adopt(command, group) : undefined;
    const { text } = visibleText(command, { newlines: "escape" });
    this.#parts.emit({
      type: "notice",
      level: "warning",
      message: `A command that was started before is still running: ${text}`,
      hint: job === undefined ? `Stop it with: kill -- -${group}` : `Stop it with: /jobs stop ${job.id}`,
    });
  }

  /** See `beforeWrite` of a tool's context. */
  readonly beforeWrite = async (path: string, content?: Uint8Array): Promise<(() => Promise<void>) | undefined> => {
    const files = await this.#open();
    const at = files === undefined ? undefined : pathBelow(files.root, path);
    if (files === undefined || at === undefined) return undefined;
    const before = await this.#storedState(files, at);
    if (before === undefined) return undefined;
    // Of parallel calls that write the same file, the first one saw the state before the step.
    const first = this.#foundFirst.get(at) ?? before;
    this.#foundFirst.set(at, first);
    if (content !== undefined)
      await this.#guarded(({ journal }) => journal?.announce(at, stateToBe(before.state, content)));
    return async () => {
      const after = await this.#storedState(files, at);
      if (after === undefined) return;
      this.#exact.set(at, { before: first.state, after: after.state, foundAt: first.changedAt });
    };
  };

  /**
   * Starts scanning for what the calls of a step changed, while the model already runs. The next write to the session
   * awaits `settled`.
   */
  afterTools(calls: readonly ToolCallBlock[]): void {
    const changing = calls.filter(({ id }) => this.#ran.has(id));
    if (changing.length === 0) return;
    const isExact = changing.every(({ id }) => this.#ran.get(id)?.reportsFiles === true);
    this.#ran.clear();
    const tool = [...new Set(changing.map(({ name }) => name))].join(", ");
    const by = { by: "tool", tool, callIds: changing.map(({ id }) => id) } as const;
    const exact = this.#takeExact();
    this.#pending = this.#pending.then(() =>
      this.#guarded(async (files) => {
        this.#tell(isExact ? await files.recordExact(by, exact) : await files.record(by, { exact }));
      }),
    );
  }

  /**
   * Finds what these calls changed, to be recorded when their results are in the session: for calls of another agent,
   * whose entries come later. Keep the result, also across a kill. Undefined if nothing changed, or if files are not
   * recorded. Never rejects.
   */
  async scanNow({ tool, callIds, within }: ScannedCalls, signal?: AbortSignal): Promise<FilesScan | undefined> {
    for (const id of callIds) this.#ran.delete(id);
    const exact = this.#takeExact();
    let scan: FilesScan | undefined;
    const scanned = this.#pending.then(() =>
      this.#guarded(async (files) => {
        const options = { exact, ...defined({ signal, within }) };
        scan = await files.scan({ by: "tool", ...defined({ tool }), callIds }, options);
      }),
    );
    this.#pending = scanned;
    await scanned;
    return scan;
  }

  /**
   * Records scans below the leaf, or below another entry; see `SessionFiles.recordScans`. After a kill, call it before
   * `start`, which records what commands of the killed process did. Never rejects.
   */
  async recordScans(scans: readonly FilesScan[], options: { readonly below?: EntryId } = {}): Promise<void> {
    const recorded = this.#pending.then(() =>
      this.#guarded(async (files) => {
        await files.settle();
        this.#tell(await files.recordScans(scans, options));
      }),
    );
    this.#pending = recorded;
    await recorded;
  }

  /**
   * Records what other agents of this session changed in the folder, as changes by `spawn`, so that what changes from
   * now on is this agent's. Nothing if this agent has not looked at the files yet, and they are not in the session.
   * Never rejects.
   */
  async recordOthers(callIds: readonly string[] = []): Promise<void> {
    if (this.#isUnused) return;
    const recorded = this.#pending.then(() =>
      this.#guarded(async (files) => {
        await this.#tellSettled(files);
        const isNew = this.#isNew;
        this.#isNew = false;
        if (isNew) this.#tell(await files.recordOutside());
        if (files.hasLooked) this.#tell(await files.record({ by: "tool", tool: SPAWN_TOOL, callIds }));
      }),
    );
    this.#pending = recorded;
    await recorded;
  }

  /** Keeps a text in the store of file contents. Returns its hash; undefined if files are not recorded. */
  async storeText(text: string): Promise<string | undefined> {
    return (await this.#open())?.store.put(Buffer.from(text));
  }

  /** Undefined if it is not there any more. */
  async storedText(hash: string): Promise<string | undefined> {
    const store = (await this.#open())?.store;
    return (await store?.get(hash).catch(() => undefined))?.toString("utf8");
  }

  /** After a command run by the user. */
  async afterShell(): Promise<void> {
    this.#ran.clear();
    await this.#guarded(async (files) => this.#tell(await files.record({ by: "person", tool: "bash" })));
  }

  /** Resolves when everything that tools changed is in the session. Never rejects. */
  settled(): Promise<void> {
    return this.#pending;
  }

  /** Occasionally removes contents that no session references any more, in the background. Never rejects. */
  async tidy(now: Date): Promise<void> {
    clearTimeout(this.#firstLook);
    this.#firstLook = undefined;
    const home = this.options.home ?? boughHome();
    try {
      const files = await this.inUse();
      if (files === undefined) return;
      const { folder: store, contents } = files.store;
      // Over all sessions: considering one too many costs a moment, one too few loses contents.
      const sessions = () => rootSessions({ root: undefined, store, home }).files;
      await collectGarbageRarely({ store, sessions, now, contents });
    } catch {
      // It runs again in a week, and the user did not ask for it.
    }
  }

  /** The session was copied from another one: what it refers to is kept as long as it exists, wherever it is. */
  async keepForCopy(): Promise<void> {
    const { session } = this.#parts;
    const file = session.getSessionFile();
    if (file === undefined || !hasFileRecords(session.getSource())) return;
    await this.#guarded(async ({ store }) => {
      if (existsSync(store.folder)) registerSession(store.folder, file);
    });
  }

  /** The agent is in another session, whose files were not scanned yet. */
  async sessionChanged(): Promise<void> {
    await this.close();
    this.#isNew = true;
    this.#settledTold = false;
    this.#wasInterrupted = undefined;
    // It may belong to another folder.
    this.#off = undefined;
  }

  async close(): Promise<void> {
    clearTimeout(this.#firstLook);
    this.#ahead?.abort();
    this.#isEarly = false;
    this.#looking = undefined;
    this.#waited = undefined;
    await this.settled();
    const opened = await this.#opened;
    this.#opened = undefined;
    if (opened !== undefined) closeSessionFiles(opened);
  }

  /** Notifies front ends and extensions of a record. */
  #tell(recorded: RecordedFiles | undefined): void {
    if (recorded === undefined) return;
    tellFiles(this.#parts, recorded);
    for (const one of recorded.also ?? []) this.#tell(one);
    const [skipped] = recorded.skipped;
    if (skipped === undefined || this.#skippedTold) return;
    this.#skippedTold = true;
    const message = `${skipped.path} is not recorded: ${WHY_SKIPPED[skipped.why]}`;
    const hint = "Going back leaves it as it is. `/diff` lists all such files.";
    this.#parts.emit({ type: "notice", level: "info", message, hint });
  }

  async #storedState(files: SessionFiles, at: string): Promise<Found | undefined> {
    const disk = await diskFile(files.root, at);
    if (disk.kind !== "file") return undefined;
    const { content } = disk;
    if (content !== undefined && content.length > (this.options.maxBytes ?? MOST_FILE_BYTES)) return undefined;
    if (content !== undefined) await files.store.put(content);
    return { state: disk.state, changedAt: disk.stats?.ctimeMs };
  }

  #takeExact(): readonly ExactChange[] {
    const exact = [...this.#exact].map(([path, states]) => ({ path, ...states }));
    this.#exact.clear();
    this.#foundFirst.clear();
    return exact;
  }

  #open(): Promise<SessionFiles | undefined> {
    this.#opened ??= this.#tryToOpen();
    return this.#opened;
  }

  async #tryToOpen(): Promise<SessionFiles | undefined> {
    const { session, cwd, contents } = this.#parts;
    const { home = boughHome(), maxBytes, include, notes } = this.options;
    try {
      const onProgress = (done: number, total: number) => {
        this.#progress = { done, total };
      };
      const found = await openSessionFiles({
        session,
        cwd,
        home,
        contents,
        onProgress,
        largest: maxBytes,
        include,
        notes,
      });
      if (!("off" in found)) return found;
      this.#off = found.message;
      this.#parts.emit({ type: "notice", level: "info", message: found.message });
    } catch (error) {
      this.#turnOff(error);
    }
    return undefined;
  }

  async #guarded(work: (files: SessionFiles) => Promise<void> | void): Promise<void> {
    const opened = this.#open();
    const files = await opened;
    if (files === undefined) return;
    try {
      await work(files);
    } catch (error) {
      // A failure in a session that was left says nothing about the current one.
      if (this.#opened === opened) this.#turnOff(error);
    }
  }

  #turnOff(error: unknown): void {
    this.#opened = Promise.resolve(undefined);
    if (this.#off !== undefined) return;
    this.#off = `Files are no longer recorded: ${errorText(error)}`;
    const hint = "Going back in the conversation leaves files as they are until Bough is started again.";
    this.#parts.emit({ type: "notice", level: "warning", message: this.#off, hint });
  }
}

/** What is at a path, and when it last changed. */
interface Found {
  readonly state: FileState;
  readonly changedAt?: number;
}

/** A tool, or what another agent says about its own. */
export type CalledTool = Pick<Tool, "name" | "readOnly" | "changesNothing" | "reportsFiles">;

/** Calls that ended since the last scan. */
export interface ScannedCalls {
  /** The names of their tools. */
  readonly tool?: string;
  readonly callIds: readonly string[];
  /** Calls around them, not named in the record: what changed while these ran is the tools', too. */
  readonly within?: readonly string[];
}

/** A call that is about to run, with its checked input. */
interface FollowedCall {
  readonly id: string;
  readonly tool: CalledTool;
  readonly input: unknown;
  readonly signal: AbortSignal;
  /** Run by the user. */
  readonly byPerson?: boolean;
}

/** Is notified about the outcome of a call. */
export interface CallFollower {
  /** See the context of a tool. */
  readonly mark?: string;
  readonly allowed: () => void;
  readonly group: (group: number) => void;
  readonly close: (how: { readonly ran: boolean }) => void;
}

/** A custom tool may throw here; then assume it may change something. */
function changesNothing(tool: CalledTool, input: unknown, cwd: string): boolean {
  try {
    return tool.changesNothing?.(input, { cwd }) === true;
  } catch {
    return false;
  }
}

/** Shown to the user when asked about it later. */
const MOST_COMMAND = 500;

function commandIn(input: unknown): { readonly command?: string } {
  const command = isRecord(input) ? input.command : undefined;
  return typeof command === "string" ? { command: command.slice(0, MOST_COMMAND) } : {};
}

function stateToBe(before: FileState, content: Uint8Array): FileState {
  const mode = before !== null && "mode" in before ? before.mode : "644";
  return { hash: hashOf(content), mode, size: content.length };
}

const WHY_SKIPPED: Readonly<Record<SkippedFile["why"], string>> = {
  "too-large": "it is too large",
  "not-stored": "what it was before is not stored",
  unreadable: "it cannot be read",
  special: "it is not a regular file",
  repository: "it belongs to another repository",
  name: "its name cannot be stored",
};

/** Relative to the root, with `/`; undefined for paths outside it, in a nested repository, or in `.git`. */
function pathBelow(root: string, path: string): string | undefined {
  const below = relative(root, path).split(sep).join("/");
  if (below === "" || below.startsWith("../") || !isFilePath(below)) return undefined;
  for (let folder = dirname(path); folder.length > root.length; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return undefined;
  }
  return below;
}

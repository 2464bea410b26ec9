/**
 * How an agent follows the files of its session: what tools and people change is written below the step that did it.
 * Nothing here fails a run. What goes wrong is said once, and files are not followed from then on.
 */
import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import {
  CheckpointError,
  closeSessionFiles,
  collectGarbageRarely,
  diskFile,
  hasFileRecords,
  hasOpenRestores,
  MOST_FILE_BYTES,
  openSessionFiles,
  type RecordedFiles,
  registerSession,
  rootSessions,
  type SessionFiles,
} from "../../checkpoint/index.js";
import type { FileDelta, FileState, ToolCallBlock } from "../../entry/index.js";
import { isFilePath, type SkippedFile } from "../../entry/internal.js";
import type { ExtensionHooks } from "../../extension/run.js";
import { boughHome, type SessionManager } from "../../session/index.js";
import { defined, errorText, namedPaths } from "../../text/index.js";
import type { Tool } from "../../tool/index.js";
import type { AgentEvent } from "../agent-events.js";
import type { AgentSessionOptions } from "../agent-options.js";
import { tellFiles } from "./tell-files.js";

export type FilesOptions = NonNullable<AgentSessionOptions["files"]>;

/** Of the parts of an agent. */
interface Parts {
  readonly session: SessionManager;
  readonly hooks: ExtensionHooks;
  readonly cwd: string;
  emit(event: AgentEvent): void;
}

/** A model over a network takes longer than this to say anything. */
const FIRST_LOOK_MS = 50;

export class AgentFiles {
  readonly #parts: Parts;
  readonly options: FilesOptions;
  #opened: Promise<SessionFiles | undefined> | undefined;
  /** Why files are not followed. */
  #off: string | undefined;
  /** The session is one that was not looked at yet. */
  #isNew = true;
  /** Waits for the model to take its time. */
  #firstLook: NodeJS.Timeout | undefined;
  /** The record of the last tools, still being made. */
  #pending: Promise<void> = Promise.resolve();
  /** What tools said of themselves since the last record. */
  readonly #exact = new Map<string, { readonly before: FileState; after: FileState }>();
  #skippedTold = false;
  #settledTold = false;

  constructor(parts: Parts, options: FilesOptions) {
    this.#parts = parts;
    this.options = options;
  }

  /** Undefined where files are not followed. */
  async opened(): Promise<SessionFiles | undefined> {
    await this.settled();
    return this.#open();
  }

  /** The same, but undefined as well where the session says nothing of files: then nothing has to be looked at. */
  async inUse(): Promise<SessionFiles | undefined> {
    return this.#isUnused ? undefined : this.opened();
  }

  /** Nobody has looked at the files yet, and the session says nothing of any. */
  get #isUnused(): boolean {
    return this.#opened === undefined && !hasFileRecords(this.#parts.session.getSource());
  }

  /** Throws `files-off` with the reason where files are not followed. */
  async require(): Promise<SessionFiles> {
    const files = await this.opened();
    if (files !== undefined) return files;
    throw new CheckpointError("files-off", this.#off ?? "Files are not followed here", {
      hint: "Start Bough in a project folder, and see docs/files.md.",
    });
  }

  /** Before anything else: a restore that was killed is finished or taken back. */
  async start(): Promise<void> {
    if (hasOpenRestores(this.options.home ?? boughHome())) await this.#guarded((files) => this.#tellSettled(files));
  }

  /**
   * Writes what changed since the last run, above the prompt: it belongs to the branch it was made on. Answers with the
   * files if the session says something of them by now.
   */
  async beforePrompt(): Promise<SessionFiles | undefined> {
    if (this.#isUnused) {
      // Nothing was recorded, so there is nothing to compare. The first look is hidden behind the model; a model that
      // answers at once, and calls no tools, needs none.
      this.#isNew = false;
      this.#firstLook ??= setTimeout(() => void this.beforeTools(), FIRST_LOOK_MS).unref();
      return undefined;
    }
    await this.#guarded(async (files) => {
      await this.settled();
      await this.#tellSettled(files);
      const isNew = this.#isNew;
      this.#isNew = false;
      if (isNew) this.#tell(await files.recordOutside());
      if (files.hasBegun) this.#tell(await files.record({ by: "person" }));
      else this.#tell(await files.recordStay());
      // Hidden behind the model, which is asked now. A failure is said by whoever waits for it.
      files.begin().catch(() => undefined);
    });
    return this.#open();
  }

  /** To be awaited before a tool that may change something: what was there before is known from then on. */
  async beforeTools(signal?: AbortSignal): Promise<void> {
    clearTimeout(this.#firstLook);
    this.#firstLook = undefined;
    const looked = this.#looked();
    if (signal === undefined) return looked;
    if (signal.aborted) return;
    // The look goes on without whoever stopped waiting for it.
    await new Promise<void>((resolve) => {
      const done = () => {
        signal.removeEventListener("abort", done);
        resolve();
      };
      signal.addEventListener("abort", done);
      void looked.then(done);
    });
  }

  async #looked(): Promise<void> {
    await this.settled();
    await this.#guarded(async (files) => {
      await this.#tellSettled(files);
      await files.begin();
    });
  }

  async #tellSettled(files: SessionFiles): Promise<void> {
    const settled = await files.settle();
    if (this.#settledTold) return;
    this.#settledTold = true;
    for (const { now, left } of settled) {
      const message =
        now === "after"
          ? "Files were being restored when Bough was stopped: the restore has been completed"
          : "Files were about to be restored when Bough was stopped: nothing was changed";
      const hint = left.length === 0 ? {} : { hint: `Changed since then and left alone: ${namedPaths(left)}` };
      this.#parts.emit({ type: "notice", level: "warning", message, ...hint });
    }
  }

  /** See `beforeWrite` of a tool's context. */
  readonly beforeWrite = async (path: string): Promise<(() => Promise<void>) | undefined> => {
    const files = await this.#open();
    const at = files === undefined ? undefined : pathBelow(files.root, path);
    if (files === undefined || at === undefined) return undefined;
    const before = await this.#storedState(files, at);
    if (before === undefined) return undefined;
    return async () => {
      const after = await this.#storedState(files, at);
      if (after === undefined) return;
      this.#exact.set(at, { before: this.#exact.get(at)?.before ?? before.state, after: after.state });
    };
  };

  /**
   * Starts to look for what the calls of a step changed, while the model already thinks. Whoever writes to the session next
   * awaits `settled`.
   */
  afterTools(calls: readonly ToolCallBlock[], tools: readonly Tool[]): void {
    const toolOf = ({ name }: ToolCallBlock) => tools.find((tool) => tool.name === name);
    const changing = calls.filter((call) => {
      const tool = toolOf(call);
      return tool !== undefined && tool.readOnly !== true;
    });
    if (changing.length === 0) return;
    const isExact = changing.every((call) => toolOf(call)?.reportsFiles === true);
    const tool = [...new Set(changing.map(({ name }) => name))].join(", ");
    const by = { by: "tool", tool, callIds: changing.map(({ id }) => id) } as const;
    const exact = this.#takeExact();
    this.#pending = this.#pending.then(() =>
      this.#guarded(async (files) => {
        this.#tell(isExact ? await files.recordExact(by, exact) : await files.record(by, { exact }));
      }),
    );
  }

  /** After a command that the person ran. */
  async afterShell(): Promise<void> {
    await this.#guarded(async (files) => this.#tell(await files.record({ by: "person", tool: "bash" })));
  }

  /** Resolves when everything that tools changed is in the session. Never rejects. */
  settled(): Promise<void> {
    return this.#pending;
  }

  /** Removes, rarely and behind everything else, contents that no session names any more. Never rejects. */
  async tidy(now: Date): Promise<void> {
    clearTimeout(this.#firstLook);
    this.#firstLook = undefined;
    const home = this.options.home ?? boughHome();
    try {
      const files = await this.inUse();
      if (files === undefined) return;
      const store = files.store.folder;
      // Every session there is: one too many costs a moment, one too few costs contents.
      const sessions = () => rootSessions({ root: undefined, store, home }).files;
      await collectGarbageRarely({ store, sessions, now });
    } catch {
      // It comes back in a week, and nobody asked for it.
    }
  }

  /** The session was copied from another one: what it names is kept as long as it is there, wherever it is. */
  async keepForCopy(): Promise<void> {
    const { session } = this.#parts;
    const file = session.getSessionFile();
    if (file === undefined || !hasFileRecords(session.getSource())) return;
    await this.#guarded(async ({ store }) => {
      if (existsSync(store.folder)) registerSession(store.folder, file);
    });
  }

  /** The agent is in another session, whose files were not looked at yet. */
  async sessionChanged(): Promise<void> {
    await this.close();
    this.#isNew = true;
    // It may belong to another folder.
    this.#off = undefined;
  }

  async close(): Promise<void> {
    clearTimeout(this.#firstLook);
    await this.settled();
    const opened = await this.#opened;
    this.#opened = undefined;
    if (opened !== undefined) closeSessionFiles(opened);
  }

  /** Tells front ends and extensions of a record. */
  #tell(recorded: RecordedFiles | undefined): void {
    if (recorded === undefined) return;
    tellFiles(this.#parts, recorded);
    const [skipped] = recorded.skipped;
    if (skipped === undefined || this.#skippedTold) return;
    this.#skippedTold = true;
    const message = `${skipped.path} is not followed: ${WHY_SKIPPED[skipped.why]}`;
    const hint = "Going back leaves it as it is. `/diff` lists all such files.";
    this.#parts.emit({ type: "notice", level: "info", message, hint });
  }

  async #storedState(files: SessionFiles, at: string): Promise<{ readonly state: FileState } | undefined> {
    const disk = await diskFile(files.root, at);
    if (disk.kind !== "file") return undefined;
    const { content } = disk;
    if (content !== undefined && content.length > (this.options.maxBytes ?? MOST_FILE_BYTES)) return undefined;
    if (content !== undefined) await files.store.put(content);
    return { state: disk.state };
  }

  #takeExact(): readonly FileDelta[] {
    const exact = [...this.#exact].map(([path, states]) => ({ path, ...states }));
    this.#exact.clear();
    return exact;
  }

  #open(): Promise<SessionFiles | undefined> {
    this.#opened ??= this.#tryToOpen();
    return this.#opened;
  }

  async #tryToOpen(): Promise<SessionFiles | undefined> {
    const { session, cwd } = this.#parts;
    const { home = boughHome(), maxBytes, include } = this.options;
    try {
      const found = await openSessionFiles({ session, cwd, home, ...defined({ largest: maxBytes, include }) });
      if (!("off" in found)) return found;
      this.#off = found.message;
      this.#parts.emit({ type: "notice", level: "info", message: found.message });
    } catch (error) {
      this.#turnOff(error);
    }
    return undefined;
  }

  async #guarded(work: (files: SessionFiles) => Promise<void> | void): Promise<void> {
    const files = await this.#open();
    if (files === undefined) return;
    try {
      await work(files);
    } catch (error) {
      this.#turnOff(error);
    }
  }

  #turnOff(error: unknown): void {
    this.#opened = Promise.resolve(undefined);
    if (this.#off !== undefined) return;
    this.#off = `Files are no longer followed: ${errorText(error)}`;
    const hint = "Going back in the conversation leaves files as they are until Bough is started again.";
    this.#parts.emit({ type: "notice", level: "warning", message: this.#off, hint });
  }
}

const WHY_SKIPPED: Readonly<Record<SkippedFile["why"], string>> = {
  "too-large": "it is too large",
  "not-stored": "what it was before is not stored",
  unreadable: "it cannot be read",
  special: "it is not a regular file",
  repository: "it belongs to another repository",
  name: "its name cannot be stored",
};

/** Relative to the root, with `/`; undefined for what is outside, in a repository below it, or in `.git`. */
function pathBelow(root: string, path: string): string | undefined {
  const below = relative(root, path).split(sep).join("/");
  if (below === "" || below.startsWith("../") || !isFilePath(below)) return undefined;
  for (let folder = dirname(path); folder.length > root.length; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return undefined;
  }
  return below;
}

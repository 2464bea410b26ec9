/**
 * Random steps, edits, moves, restarts and git commands in many kinds of folders, compared with an independent look at
 * the folder: every record has exactly what changed, with the bytes that were on disk, and starts from the state of the
 * entry above it.
 */
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type EntryId, FILES_TYPE, type FileDelta, type FileState } from "@bough/session/entry/index.js";
import { filesRecord } from "@bough/session/entry/internal.js";
import { SessionManager } from "@bough/session/session/index.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { git } from "../../../../test/support/files-place.js";
import { sampledRuns } from "../../../../test/support/sampled.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { FolderScanner } from "./scan/folder-scanner.js";
import { GitScanner } from "./scan/git-scanner.js";
import { SessionFiles } from "./session-files.js";
import { BlobStore } from "./store/blob-store.js";

/** What is special about a folder: attributes, settings, and commands after the first commit. */
interface Kind {
  readonly attributes?: string;
  readonly config?: readonly (readonly [string, string])[];
  readonly commands?: readonly (readonly string[])[];
}

const PATHS = ["a.txt", "b.txt", "d/x.txt", "d/y.txt", "d/deep/z.txt", "e/w.txt", "run.sh", "link", "out/o.txt"];

const KINDS: Readonly<Record<string, Kind | undefined>> = {
  "no git": undefined,
  git: {},
  "text=auto": { attributes: "* text=auto" },
  "eol=crlf": { attributes: "*.txt text eol=crlf" },
  "autocrlf=true": { config: [["core.autocrlf", "true"]] },
  "autocrlf=input": { config: [["core.autocrlf", "input"]] },
  ident: { attributes: "*.txt ident" },
  filter: {
    attributes: "*.txt filter=turn",
    config: [
      ["filter.turn.clean", "tr a-z n-za-m"],
      ["filter.turn.smudge", "tr a-z n-za-m"],
    ],
  },
  "symlinks=false": { config: [["core.symlinks", "false"]] },
  "fileMode=false": { config: [["core.fileMode", "false"]] },
  sparse: { commands: [["sparse-checkout", "set", "--cone", "d", "e"]] },
  "assume-unchanged": { commands: [["update-index", "--assume-unchanged", "a.txt", "d/x.txt"]] },
  "skip-worktree": { commands: [["update-index", "--skip-worktree", "a.txt", "d/x.txt"]] },
};

type World = Map<string, string>;

/** Hash and executable bit of a file, or target of a link, by path. Without ignored files that no tool named. */
function look(root: string): World {
  const world = new Map<string, string>();
  for (const item of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(item.parentPath, item.name).slice(root.length + 1);
    if (item.isDirectory() || /^\.git(\/|$)|seen\.log$/.test(path)) continue;
    const stats = lstatSync(join(root, path));
    if (stats.isSymbolicLink()) world.set(path, `-> ${readlinkSync(join(root, path))}`);
    else {
      const hash = createHash("sha256")
        .update(readFileSync(join(root, path)))
        .digest("hex");
      world.set(path, `${hash} ${(stats.mode & 0o100) === 0 ? "644" : "755"}`);
    }
  }
  return world;
}

const NOTHING = "nothing";
const shown = (state: FileState) =>
  state === null ? NOTHING : "link" in state ? `-> ${state.link}` : `${state.hash} ${state.mode}`;

function differences(before: World, after: World): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => `${path}: ${before.get(path) ?? NOTHING} | ${after.get(path) ?? NOTHING}`)
    .sort();
}

const changesIn = (changes: readonly FileDelta[]) =>
  changes.map(({ path, before, after }) => `${path}: ${shown(before)} | ${shown(after)}`).sort();

class Walk {
  readonly root = tempFolder();
  readonly store = new BlobStore(join(tempFolder(), "files"));
  readonly #outside = tempFolder();
  readonly #isGit: boolean;
  /** False if git is told to ignore modes: a change of only the mode is then not a change. */
  readonly #hasModes: boolean;
  #state: number;
  session: SessionManager;
  files: SessionFiles;
  #made = 0;
  /** The folder at the last scan of the session. */
  #looked: World;
  readonly trail: string[] = [];
  readonly entries: { readonly id: EntryId; readonly world: World }[] = [];

  constructor(kind: Kind | undefined, seed: number) {
    this.#state = seed;
    this.#isGit = kind !== undefined;
    this.#hasModes = kind?.config?.some(([name]) => name === "core.fileMode") !== true;
    for (const path of PATHS) this.#write(path, this.#text());
    this.#write(".gitignore", "*.log\n");
    rmSync(this.#at("link"));
    symlinkSync("a.txt", this.#at("link"));
    if (kind !== undefined) this.#initialize(kind);
    this.session = SessionManager.create(this.root, tempFolder());
    this.files = this.#opened();
    this.#looked = look(this.root);
  }

  #initialize({ attributes, config = [], commands = [] }: Kind): void {
    git(this.root, "init", "--quiet");
    for (const [key, value] of config) git(this.root, "config", key, value);
    if (attributes !== undefined) this.#write(".gitattributes", `${attributes}\n`);
    git(this.root, "add", "-A");
    git(this.root, "commit", "--quiet", "-m", "first");
    for (const command of commands) git(this.root, ...command);
  }

  #opened(): SessionFiles {
    const { root, store, session } = this;
    const options = { root, store, largest: 1 << 20 };
    const index = join(tempFolder(), "index");
    const scanner = this.#isGit ? new GitScanner({ ...options, index }) : new FolderScanner(options);
    return new SessionFiles({ session, root, store, scanner, gaps: "throw" });
  }

  #at(path: string): string {
    return join(this.root, path);
  }

  #random(below: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * below);
  }

  #one<T>(items: readonly T[]): T {
    return items[this.#random(items.length)] as T;
  }

  #text(): string {
    const end = this.#one(["\n", "\r\n"]);
    const lines = ["one", "two", "$Id$", "$Id: mine $", "x"].filter(() => this.#random(2) === 0);
    return [...lines, String(this.#made++ % 7)].join(end) + this.#one([end, ""]);
  }

  #write(path: string, text: string): void {
    for (let above = dirname(path); above !== "."; above = dirname(above)) {
      if (existsSync(this.#at(above)) && !lstatSync(this.#at(above)).isDirectory()) rmSync(this.#at(above));
    }
    mkdirSync(dirname(this.#at(path)), { recursive: true });
    if (statsAt(this.#at(path))?.isFile() !== true) {
      rmSync(this.#at(path), { recursive: true, force: true });
    }
    writeFileSync(this.#at(path), text);
  }

  /** Makes a random change to a file or a folder. */
  #change(): void {
    const path = this.#one([...PATHS, "new.txt", "d", "seen.log"]);
    const isThere = statsAt(this.#at(path));
    const other = `m${this.#random(4)}`;
    const ways: Readonly<Record<string, () => void>> = {
      write: () => this.#write(path, this.#text()),
      append: () => (isThere?.isFile() === true ? appendFileSync(this.#at(path), this.#text()) : undefined),
      endings: () => {
        if (isThere?.isFile() !== true) return;
        const text = readFileSync(this.#at(path), "latin1");
        const turned = text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text.replaceAll("\n", "\r\n");
        writeFileSync(this.#at(path), turned, "latin1");
      },
      remove: () => rmSync(this.#at(path), { recursive: true, force: true }),
      link: () => {
        if (isThere?.isDirectory() === true || !existsSync(dirname(this.#at(path)))) return;
        rmSync(this.#at(path), { force: true });
        symlinkSync(this.#one(["a.txt", "d", "none"]), this.#at(path));
      },
      mode: () =>
        isThere?.isFile() === true && this.#hasModes ? chmodSync(this.#at(path), this.#one([0o644, 0o755])) : undefined,
      touch: () => (isThere?.isFile() === true ? utimesSync(this.#at(path), 1e9, 1e9) : undefined),
      move: () => {
        if (isThere?.isDirectory() === true && !existsSync(this.#at(other)))
          renameSync(this.#at(path), this.#at(other));
      },
      "move in": () => {
        const folder = readdirSync(this.#outside).sort()[0];
        if (folder !== undefined && !existsSync(this.#at(other))) {
          renameSync(join(this.#outside, folder), this.#at(other));
        }
      },
      "move out": () => {
        if (isThere?.isDirectory() === true) renameSync(this.#at(path), join(this.#outside, `f${this.#made++}`));
      },
      room: () => {
        if (isThere?.isDirectory() !== true || existsSync(this.#at(other))) return;
        renameSync(this.#at(path), this.#at(other));
        mkdirSync(this.#at(path));
      },
    };
    const way = this.#one(Object.keys(ways));
    this.trail.push(`${way} ${path}`);
    try {
      ways[way]?.();
    } catch (error) {
      // A folder on the path may be a file by now, which a person would find as well.
      if ((error as NodeJS.ErrnoException).code !== "ENOTDIR") throw error;
    }
  }

  #changes(): void {
    for (let count = this.#random(4); count >= 0; count--) this.#change();
  }

  #git(): void {
    if (!this.#isGit) return;
    const command = this.#one([
      ["add", "-A"],
      ["commit", "--quiet", "-am", "more"],
      ["checkout", "--", "."],
      ["stash"],
    ]);
    this.trail.push(`git ${command.join(" ")}`);
    try {
      git(this.root, ...command);
    } catch {
      // There may be nothing to commit, or no such file.
    }
  }

  #records() {
    return this.session.getEntries().flatMap((entry) => {
      if (entry.type !== "custom" || entry.customType !== FILES_TYPE) return [];
      const record = filesRecord(entry.data);
      return record === undefined ? [] : [{ id: entry.id, parentId: entry.parentId, record }];
    });
  }

  /** Every record starts from its parent's state, and everything it names is stored. */
  async check(): Promise<void> {
    const parents = new Map(this.session.getEntries().map(({ id, parentId }) => [id, parentId]));
    const records = new Map(this.#records().map((one) => [one.id as string, one]));
    const first = new Map<string, string>();
    const stateAt = (path: string, from: string | null) => {
      for (let at = from; at !== null; at = parents.get(at as EntryId) ?? null) {
        const change = records.get(at)?.record.changes.find((one) => one.path === path);
        if (change !== undefined) return shown(change.after);
      }
      return first.get(path);
    };
    for (const { parentId, record } of records.values()) {
      expect(record.skipped ?? []).toEqual([]);
      for (const { path, before, after } of record.changes) {
        const start = stateAt(path, parentId);
        if (start === undefined) first.set(path, shown(before));
        else expect(`${path}: ${shown(before)}`).toBe(`${path}: ${start}`);
        for (const state of [before, after]) {
          if (state === null || "link" in state) continue;
          const content = await this.store.get(state.hash);
          expect(createHash("sha256").update(content).digest("hex")).toBe(state.hash);
        }
      }
    }
    // The sum of all records equals what is on disk, except for files that moves left behind.
    const now = look(this.root);
    const stayed = new Map(this.files.unwritten.map(({ path, after }) => [path, shown(after)]));
    for (const path of first.keys()) {
      const said = stayed.get(path) ?? stateAt(path, this.session.getLeafId());
      if (this.#looked.get(path) === now.get(path))
        expect(`${path}: ${said}`).toBe(`${path}: ${now.get(path) ?? NOTHING}`);
    }
  }

  #say(text: string): void {
    this.session.appendMessage({ role: "user", content: text, timestamp: 0 });
  }

  async step(): Promise<void> {
    await this.files.begin();
    const what = this.#one(["tool", "tool", "tool", "person", "edit", "follow", "follow", "stay", "restart", "git"]);
    this.trail.push(`${what}:`);
    if (what === "follow" || what === "stay") return this.#move(what);
    if (what === "restart") return this.#restart();
    if (what === "edit") return this.#edit();
    if (what === "git") this.#git();
    else this.#changes();
    this.#say(what);
    const by = what === "tool" ? ({ by: "tool", tool: "bash", callIds: ["1"] } as const) : ({ by: "person" } as const);
    const recorded = await this.files.record(by);
    const now = look(this.root);
    expect(changesIn(recorded?.changes ?? [])).toEqual(differences(this.#looked, now));
    this.#looked = now;
    this.entries.push({ id: this.session.getLeafId() as EntryId, world: now });
  }

  /** A tool that reports its changes, after someone else may have changed the same file. */
  async #edit(): Promise<void> {
    if (this.#random(2) === 0) this.#changes();
    const path = this.#one(["a.txt", "d/x.txt", "tool.log"]);
    const disk = statsAt(this.#at(path));
    if ((disk !== undefined && !disk.isFile()) || (path.startsWith("d/") && !isFolder(this.#at("d")))) return;
    const before = await this.#stored(path);
    this.#write(path, this.#text());
    const after = await this.#stored(path);
    this.trail.push(`edit ${path}`);
    this.#say("edit");
    const change = { path, before, after };
    await this.files.recordExact({ by: "tool", tool: "edit", callIds: ["1"] }, [change]);
    await this.files.record({ by: "person" });
    this.#looked = look(this.root);
    this.entries.push({ id: this.session.getLeafId() as EntryId, world: this.#looked });
  }

  async #stored(path: string): Promise<FileState> {
    const stats = statsAt(this.#at(path));
    if (stats === undefined) return null;
    const content = readFileSync(this.#at(path));
    const mode = (stats.mode & 0o100) === 0 ? "644" : "755";
    return { hash: await this.store.put(content), mode, size: content.length };
  }

  async #move(what: "follow" | "stay"): Promise<void> {
    if (this.entries.length === 0) return;
    if (this.#random(3) === 0) this.#changes();
    const { id, world } = this.#one(this.entries);
    const move = () => this.session.branch(id);
    if (what === "stay") {
      const stayed = await this.files.staying(id);
      move();
      stayed();
    } else {
      const plan = await this.files.plan(id);
      const conflicts = this.#one(["keep", "take"] as const);
      const outcome = await this.files.follow(id, { plan, choices: { conflicts }, move });
      const now = look(this.root);
      const kept = new Set(outcome.kept);
      const named = new Set(this.#records().flatMap(({ record }) => record.changes.map(({ path }) => path)));
      for (const path of [...outcome.written, ...outcome.deleted]) {
        if (!kept.has(path)) expect([path, now.get(path)]).toEqual([path, world.get(path)]);
      }
      expect([...named].filter((path) => outcome.missing.includes(path))).toEqual([]);
    }
    // Other differences from the branch are the person's, and are in the next record.
    this.#say("moved");
    await this.files.record({ by: "person" });
    this.#looked = look(this.root);
    this.entries.push({ id: this.session.getLeafId() as EntryId, world: this.#looked });
  }

  async #restart(): Promise<void> {
    const file = this.session.getSessionFile();
    if (file === undefined || this.entries.length === 0) return;
    if (this.#random(2) === 0) this.#changes();
    // Files that no record names are seen for the first time by the next process.
    const named = new Set(this.#records().flatMap(({ record }) => record.changes.map(({ path }) => path)));
    const now = look(this.root);
    for (const path of new Set([...now.keys(), ...this.#looked.keys()])) {
      const state = now.get(path);
      if (named.has(path)) continue;
      for (const { world } of this.entries) {
        // A path inside a folder cannot have been a file before; its appearance follows from the files in the folder.
        const isIn = [...world.keys()].some((other) => other.startsWith(`${path}/`) && named.has(other));
        if (state === undefined) world.delete(path);
        else if (!isIn) world.set(path, state);
      }
    }
    this.session = SessionManager.open(file);
    this.files = this.#opened();
    await this.files.recordOutside();
    await this.files.begin();
    this.#looked = look(this.root);
  }
}

function statsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function isFolder(path: string): boolean {
  return statsAt(path)?.isDirectory() === true;
}

/** A single run is always the same; more runs are random. */
const RUNS = sampledRuns({ all: 60, some: 1 });

test.each(Object.entries(KINDS))(
  "in a folder of the kind %s every record is what changed on the disk",
  async (_, kind) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2 ** 31 }), async (seed) => {
        const walk = new Walk(kind, seed);
        try {
          for (let step = 0; step < 12; step++) {
            await walk.step();
            await walk.check();
          }
        } catch (error) {
          throw new Error(`${walk.root}\n${walk.trail.join("\n")}`, { cause: error });
        }
      }),
      { numRuns: RUNS, endOnFailure: true, ...(RUNS === 1 ? { seed: 4 } : {}) },
    );
  },
);

/**
 * The bare repository through which a git store is read and written. It is ours alone: the person's work tree, index and
 * branches are never touched.
 *
 *     refs/bough/<project>/<replica>    what this copy has pushed, or is about to push
 *     refs/store/<project>/<replica>    what the remote has
 *
 * Contents of files are in `refs/bough-files` and `refs/store-files` in the same way.
 */
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { makeFolder } from "../../log/index.js";
import { type GitOutput, gitError, runGit } from "./git-run.js";

export interface TreeFile {
  readonly path: string;
  readonly blob: string;
}

export interface Change {
  readonly path: string;
  /** Neither this nor `blob` removes the file. */
  readonly content?: Uint8Array;
  /** A content that the repository has. */
  readonly blob?: string;
}

export interface GitRepositoryOptions {
  readonly folder: string;
  readonly remote: string;
  /** Safe to show. */
  readonly address: string;
  /** Which refs: those of sessions, or with `-files` those of contents. */
  readonly refs?: "" | "-files";
}

const TRIES = 8;
/** Programs of one home that push at the same moment try again at different ones. */
const BACK_OFF_MS = 50;

/** What the remote is called for one push: git then notes in the refs of the store what it has pushed. */
const REMOTE = "bough-store";

/** Names of refs with their commits: what this copy pushed, and what the remote has. */
type Refs = Readonly<Record<"own" | "there", ReadonlyMap<string, string>>>;

export class GitRepository {
  readonly #folder: string;
  readonly #remote: string;
  readonly #address: string;
  readonly #own: string;
  readonly #there: string;
  #current: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** Known until the next fetch. */
  #refs: Promise<Refs> | undefined;
  readonly #trees = new Map<string, readonly TreeFile[]>();

  private constructor({ folder, remote, address, refs = "" }: GitRepositoryOptions) {
    this.#folder = folder;
    this.#remote = remote;
    this.#address = address;
    this.#own = `refs/bough${refs}`;
    this.#there = `refs/store${refs}`;
  }

  static async open(options: GitRepositoryOptions): Promise<GitRepository> {
    const { folder } = options;
    if (!existsSync(join(folder, "HEAD"))) await makeRepository(folder);
    return new GitRepository(options);
  }

  /**
   * One round trip: all refs of the store, with what is new in them. Several callers share one that has not started yet:
   * one that is on its way may have missed what they ask for.
   */
  fetch(): Promise<void> {
    if (this.#next === undefined) {
      const next = (this.#current ?? Promise.resolve()).then(() => {
        this.#next = undefined;
        return this.#fetch();
      });
      this.#next = next;
      this.#current = next.catch(() => {});
    }
    return this.#next;
  }

  async #fetch(): Promise<void> {
    try {
      await this.#fetchAll();
    } finally {
      this.#refs = undefined;
    }
  }

  async #fetchAll(): Promise<void> {
    const flags = ["-q", "--prune", "--no-tags", "--no-write-fetch-head"];
    for (let attempt = 1; ; attempt++) {
      const output = await runGit(this.#folder, ["fetch", ...flags, this.#remote, `+${this.#own}/*:${this.#there}/*`]);
      if (output.code === 0) return;
      // Another program of this home fetches too.
      const raced = /cannot lock ref/.test(output.stderr);
      if (!raced || attempt === TRIES) throw gitError(output, { remote: this.#remote, address: this.#address });
    }
  }

  /** Names without what all of them begin with, with their commits; what the remote has wins over what was pushed. */
  async refs(): Promise<ReadonlyMap<string, string>> {
    const { own, there } = await this.#allRefs();
    return new Map([...own, ...there]);
  }

  #allRefs(): Promise<Refs> {
    this.#refs ??= this.#readRefs();
    return this.#refs;
  }

  async #readRefs(): Promise<Refs> {
    const { stdout } = await runGit(this.#folder, [
      "for-each-ref",
      "--format=%(objectname) %(refname)",
      this.#own,
      this.#there,
    ]);
    const own = new Map<string, string>();
    const there = new Map<string, string>();
    for (const line of stdout.toString("utf8").split("\n").filter(Boolean)) {
      const [commit = "", ref = ""] = line.split(" ");
      const isThere = ref.startsWith(`${this.#there}/`);
      const name = ref.slice((isThere ? this.#there : this.#own).length + 1);
      (isThere ? there : own).set(name, commit);
    }
    return { own, there };
  }

  async filesIn(commit: string): Promise<readonly TreeFile[]> {
    const known = this.#trees.get(commit);
    if (known !== undefined) return known;
    const { stdout } = await runGit(this.#folder, ["ls-tree", "-r", "-z", commit]);
    const files = stdout
      .toString("utf8")
      .split("\0")
      .filter(Boolean)
      .map((row) => ({ blob: row.slice(12, row.indexOf("\t")), path: row.slice(row.indexOf("\t") + 1) }));
    this.#trees.set(commit, files);
    return files;
  }

  /** The contents of blobs, in their order; undefined for one that is not there. */
  async read(blobs: readonly string[]): Promise<(Buffer | undefined)[]> {
    if (blobs.length === 0) return [];
    const { stdout } = await runGit(this.#folder, ["cat-file", "--batch"], Buffer.from(`${blobs.join("\n")}\n`));
    let at = 0;
    return blobs.map(() => {
      const end = stdout.indexOf(0x0a, at);
      const [, kind, size] = stdout.toString("latin1", at, end).split(" ");
      at = end + 1;
      if (kind !== "blob") return undefined;
      const content = stdout.subarray(at, at + Number(size));
      at += Number(size) + 1;
      return content;
    });
  }

  /**
   * Commits changes to a ref and pushes it. A ref that the remote lost is pushed whole; one that another copy with the
   * same ID wrote to is built upon. Gives the blobs of the contents that were written, by their paths.
   */
  async commit(name: string, changes: readonly Change[], time: Date): Promise<ReadonlyMap<string, string>> {
    const own = `${this.#own}/${name}`;
    const settings = [`url=${this.#remote}`, `fetch=+${this.#own}/*:${this.#there}/*`];
    const named = settings.flatMap((one) => ["-c", `remote.${REMOTE}.${one}`]);
    for (let attempt = 1; ; attempt++) {
      const { base, lost } = await this.#baseOf(name);
      const made = await this.#import(name, { base, changes: [...lost, ...changes], time });
      // Not the ref: another program of this home may have written to it since.
      const pushed =
        made.output.code === 0
          ? await runGit(this.#folder, [...named, "push", "-q", REMOTE, `${made.commit}:${own}`])
          : made.output;
      if (pushed.code === 0) {
        await this.#noteCommit(name, made.commit);
        return made.blobs;
      }
      const raced = /non-fast-forward|fetch first|stale info|cannot lock ref/.test(pushed.stderr);
      if (!raced || attempt === TRIES) throw gitError(pushed, { remote: this.#remote, address: this.#address });
      await wait(Math.random() * attempt * BACK_OFF_MS);
      await this.fetch();
    }
  }

  async #noteCommit(name: string, commit: string): Promise<void> {
    const { own, there } = await this.#allRefs();
    const note = new Map([[name, commit]]);
    this.#refs = Promise.resolve({ own: new Map([...own, ...note]), there: new Map([...there, ...note]) });
  }

  /**
   * What to build on. A remote that went back to an older state gets the newer one again; one that was rewritten gets the
   * files that it lost.
   */
  async #baseOf(name: string): Promise<{ readonly base: string | undefined; readonly lost: readonly Change[] }> {
    const refs = await this.#allRefs();
    const [own, there] = [refs.own.get(name), refs.there.get(name)];
    if (own === undefined || there === undefined || own === there) return { base: there ?? own, lost: [] };
    if (await this.#isAbove(there, own)) return { base: own, lost: [] };
    if (await this.#isAbove(own, there)) return { base: there, lost: [] };
    const kept = new Set((await this.filesIn(there)).map(({ path }) => path));
    const lost = (await this.filesIn(own)).filter(({ path }) => !kept.has(path));
    return { base: there, lost: lost.map(({ path, blob }) => ({ path, blob })) };
  }

  async #isAbove(ancestor: string, commit: string): Promise<boolean> {
    return (await runGit(this.#folder, ["merge-base", "--is-ancestor", ancestor, commit])).code === 0;
  }

  async #import(
    name: string,
    {
      base,
      changes,
      time,
    }: { readonly base: string | undefined; readonly changes: readonly Change[]; readonly time: Date },
  ): Promise<{ readonly output: GitOutput; readonly commit: string; readonly blobs: ReadonlyMap<string, string> }> {
    const seconds = Math.max(0, Math.floor(time.getTime() / 1000));
    const pieces: Uint8Array[] = [];
    const say = (text: string) => pieces.push(Buffer.from(text));
    const written = changes.flatMap(({ path, content }) => (content === undefined ? [] : [{ path, content }]));
    for (const [index, { content }] of written.entries()) {
      say(`blob\nmark :${index + 1}\ndata ${content.length}\n`);
      pieces.push(content);
      say("\n");
    }
    const last = written.length + 1;
    say(`commit ${this.#own}/${name}\nmark :${last}\ncommitter Bough <bough@localhost> ${seconds} +0000\n`);
    say("data 4\nsync\n");
    if (base !== undefined) say(`from ${base}\n`);
    for (const { path, content, blob } of changes) {
      if (content === undefined) say(blob === undefined ? `D ${path}\n` : `M 100644 ${blob} ${path}\n`);
    }
    for (const [index, { path }] of written.entries()) say(`M 100644 :${index + 1} ${path}\n`);
    for (let mark = 1; mark <= last; mark++) say(`get-mark :${mark}\n`);
    say("done\n");
    const output = await runGit(this.#folder, ["fast-import", "--quiet", "--force", "--done"], Buffer.concat(pieces));
    const ids = output.stdout.toString("latin1").trim().split("\n");
    const blobs = new Map(written.map(({ path }, index) => [path, ids[index] as string]));
    const commit = ids[written.length] as string;
    if (output.code !== 0) return { output, commit, blobs };
    const before = base === undefined ? [] : await this.filesIn(base);
    const files = new Map(before.map(({ path, blob }) => [path, blob]));
    for (const { path, blob = blobs.get(path) } of changes) {
      if (blob === undefined) files.delete(path);
      else files.set(path, blob);
    }
    const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#trees.set(
      commit,
      sorted.map(([path, blob]) => ({ path, blob })),
    );
    return { output, commit, blobs };
  }
}

/** It appears whole, because another program of this home may make it at the same moment. */
async function makeRepository(folder: string): Promise<void> {
  const parent = dirname(folder);
  makeFolder(parent);
  const made = mkdtempSync(join(parent, "new-"));
  try {
    await initialize(made);
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    // Another program was first, or what is there was damaged.
    if (!existsSync(join(folder, "HEAD"))) await initialize(folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

async function initialize(folder: string): Promise<void> {
  await runGit(folder, ["init", "-q", "--bare", "--template=", folder]);
}

/**
 * The files of a git store by ref: read from what was fetched, written by a commit that is pushed right away. The
 * user's work tree, index and branches are never touched.
 */
import { JoinedCalls } from "../joined-calls.js";
import { type Change, filesAfter, IMPORT, importStream, madeCommit, type TreeFile } from "./git-import.js";
import { GitMirror, type GitMirrorOptions } from "./git-mirror.js";

/** How many files to read at once. Each has the lines of one push, a few megabytes at most. */
export const READ_AT_ONCE = 16;

/** The commit to build on, and the files to add because the remote lost them. */
interface Base {
  readonly base: string | undefined;
  readonly lost: readonly TreeFile[];
}

type FilesByRef = ReadonlyMap<string, readonly TreeFile[]>;

export class GitRepository {
  readonly #mirror: GitMirror;
  readonly #trees = new Map<string, readonly TreeFile[]>();
  readonly #bases = new Map<string, Promise<Base>>();
  readonly #reads = new JoinedCalls<readonly string[], (Buffer | undefined)[]>({
    work: (groups) => this.#readAll(groups),
    weightOf: ({ length }) => length,
    heaviest: READ_AT_ONCE,
  });

  private constructor(mirror: GitMirror) {
    this.#mirror = mirror;
  }

  static async open(options: GitMirrorOptions): Promise<GitRepository> {
    return new GitRepository(await GitMirror.open(options));
  }

  /** Takes one round trip. */
  fetch(): Promise<void> {
    return this.#mirror.fetch();
  }

  /** The files that the remote has. */
  async stored(): Promise<FilesByRef> {
    const { there } = await this.#mirror.refs();
    const found = new Map<string, readonly TreeFile[]>();
    for (const [name, commit] of there) found.set(name, await this.#filesIn(commit));
    return found;
  }

  /** Like `stored`, plus what this copy pushed but the remote has since lost: the next commit to a ref restores it. */
  async kept(): Promise<FilesByRef> {
    const found = new Map(await this.stored());
    for (const name of (await this.#mirror.refs()).own.keys()) {
      const { base, lost } = await this.#baseOf(name);
      const files = base === undefined ? [] : await this.#filesIn(base);
      found.set(name, lost.length === 0 ? files : filesAfter(files, lost));
    }
    return found;
  }

  /** Whether the remote has lost something that this copy pushed to a ref. */
  async isLost(name: string): Promise<boolean> {
    const { base, lost } = await this.#baseOf(name);
    return base !== (await this.#mirror.refs()).there.get(name) || lost.length > 0;
  }

  async #filesIn(commit: string): Promise<readonly TreeFile[]> {
    const known = this.#trees.get(commit);
    if (known !== undefined) return known;
    const stdout = await this.#mirror.ask(["ls-tree", "-r", "-z", commit]);
    const files = stdout
      .toString("utf8")
      .split("\0")
      .filter(Boolean)
      .map((row) => ({ blob: row.slice(12, row.indexOf("\t")), path: row.slice(row.indexOf("\t") + 1) }));
    this.#trees.set(commit, files);
    return files;
  }

  /** The contents of blobs, in the given order. Rejects if any is missing, so that it does not count as read. */
  async read(blobs: readonly string[]): Promise<Buffer[]> {
    const contents = await this.readSome(blobs);
    const found = contents.filter((content) => content !== undefined);
    return found.length === blobs.length ? found : this.#mirror.afterDamage({ stderr: "a file is missing" });
  }

  /** Like `read`, but undefined for missing blobs. */
  async readSome(blobs: readonly string[]): Promise<(Buffer | undefined)[]> {
    return blobs.length === 0 ? [] : this.#reads.call(blobs);
  }

  async #readAll(groups: readonly (readonly string[])[]): Promise<(Buffer | undefined)[][]> {
    const contents = await this.#readBlobs(groups.flat());
    let at = 0;
    return groups.map(({ length }) => {
      at += length;
      return contents.slice(at - length, at);
    });
  }

  async #readBlobs(blobs: readonly string[]): Promise<(Buffer | undefined)[]> {
    const stdout = await this.#mirror.ask(["cat-file", "--batch"], Buffer.from(`${blobs.join("\n")}\n`));
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
   * Commits changes to a ref and pushes it. If the remote lost the ref, all of it is pushed; if another copy with the
   * same ID wrote to it, the commit builds on that. Returns the blobs of the written contents by path.
   */
  async commit(name: string, changes: readonly Change[], time: Date): Promise<ReadonlyMap<string, string>> {
    let blobs: ReadonlyMap<string, string> = new Map();
    await this.#mirror.push(name, async () => {
      const { base, lost } = await this.#baseOf(name);
      const before = base === undefined ? [] : await this.#filesIn(base);
      const all = [...lost, ...changes];
      const output = await this.#mirror.run(IMPORT, importStream({ base, changes: all, time }));
      const made = madeCommit(output, all);
      blobs = made.blobs;
      if (output.code === 0) this.#trees.set(made.commit, filesAfter(before, all, blobs));
      return { ...output, commit: made.commit };
    });
    return blobs;
  }

  /**
   * The commit to build on. A remote that was reset to an older state gets the newer one again; a rewritten one gets
   * the files that it lost.
   */
  async #baseOf(name: string): Promise<Base> {
    const refs = await this.#mirror.refs();
    const [own, there] = [refs.own.get(name), refs.there.get(name)];
    if (own === undefined || there === undefined || own === there) return { base: there ?? own, lost: [] };
    const pair = `${own} ${there}`;
    const found = this.#bases.get(pair) ?? this.#compare(own, there);
    this.#bases.set(pair, found);
    found.catch(() => this.#bases.delete(pair));
    return found;
  }

  async #compare(own: string, there: string): Promise<Base> {
    if (await this.#isAbove(own, there)) return { base: there, lost: [] };
    if (await this.#isAbove(there, own)) return { base: own, lost: [] };
    const kept = new Set((await this.#filesIn(there)).map(({ path }) => path));
    return { base: there, lost: (await this.#filesIn(own)).filter(({ path }) => !kept.has(path)) };
  }

  async #isAbove(ancestor: string, commit: string): Promise<boolean> {
    const output = await this.#mirror.run(["merge-base", "--is-ancestor", ancestor, commit]);
    return output.code <= 1 ? output.code === 0 : this.#mirror.afterDamage(output);
  }
}

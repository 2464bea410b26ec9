/**
 * A mirror of the remote in a bare repository of our own. All of it can be fetched again, so a damaged one is rebuilt.
 *
 *     refs/bough/<project>/<replica>    what this copy has pushed
 *     refs/store/<project>/<replica>    what the remote has
 *
 * Contents of files are in `refs/bough-files` and `refs/store-files` in the same way. Unpushed commits have no ref.
 */
import { setTimeout as wait } from "node:timers/promises";
import { StoreError } from "../store-error.js";
import type { GitAddress } from "./git-address.js";
import { damagedCopy, gitError, reasonOf } from "./git-failure.js";
import { CannotCreate, fullnessOf, makeGitFolder, removeStaleLocks, replaceGitFolder, stateOf } from "./git-folder.js";
import type { GitOutput, GitRunner } from "./git-run.js";
import { GitTransport } from "./git-transport.js";

export interface GitMirrorOptions {
  readonly folder: string;
  readonly address: GitAddress;
  readonly runner: GitRunner;
  /** After this many milliseconds without output, a remote counts as unreachable. */
  readonly silence: number;
  /** Which refs: those of sessions, or with `-files` those of file contents. */
  readonly refs?: "" | "-files";
}

const TRIES = 8;
/** Multiplied by a random factor, so that programs that collided retry at different moments. */
const BACK_OFF_MS = 50;

/** Commits by ref name without the common prefix: what this copy pushed, and what the remote has. */
export type Refs = Readonly<Record<"own" | "there", ReadonlyMap<string, string>>>;

/** The repository was damaged and has been rebuilt: anything derived from it is out of date. */
class Remade extends StoreError {}

/**
 * Repeats the work once if the repository had to be rebuilt meanwhile. Rejects with `store-damaged` if that fails too.
 */
export async function evenIfRemade<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Remade)) throw error;
    return work();
  }
}

export class GitMirror {
  readonly #options: GitMirrorOptions;
  readonly #folder: string;
  readonly #transport: GitTransport;
  readonly #own: string;
  readonly #there: string;
  #current: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** Valid until the next fetch. */
  #refs: Promise<Refs> | undefined;
  /** `stateOf` the folder that the refs were read from. */
  #seen = "";
  /** How full the folder may become before it is packed. */
  #limit = 1;

  private constructor(options: GitMirrorOptions) {
    this.#options = options;
    this.#folder = options.folder;
    this.#transport = new GitTransport(options);
    this.#own = `refs/bough${options.refs ?? ""}`;
    this.#there = `refs/store${options.refs ?? ""}`;
  }

  static async open(options: GitMirrorOptions): Promise<GitMirror> {
    const mirror = new GitMirror(options);
    await makeGitFolder(options.folder, options.runner).catch((error: unknown) => mirror.#cannotCreate(error));
    return mirror;
  }

  /**
   * Fetches all refs of the store and what is new in them, in one round trip. Callers share a fetch that has not
   * started yet, but never a running one, which may have missed what they ask for.
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
      this.#seen = stateOf(this.#folder);
      await this.#fetchInto(this.#folder, () => this.#remake());
    } finally {
      this.#refs = undefined;
    }
    await this.#pack();
  }

  async #fetchInto(folder: string, onDamage?: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const output = await this.#transport.fetch(folder, { from: this.#own, to: this.#there });
      if (output.code === 0) return;
      if (onDamage !== undefined && reasonOf(output) === "damaged") return onDamage();
      await this.#waitAfter(output, attempt);
    }
  }

  /** Rejects if trying again cannot help. */
  async #waitAfter(output: GitOutput, attempt: number): Promise<void> {
    if (reasonOf(output) !== "busy" || attempt === TRIES) throw gitError(output, this.#options.address);
    removeStaleLocks(this.#folder);
    await wait(Math.random() * attempt * BACK_OFF_MS);
  }

  /** The refs as of the last fetch. */
  refs(): Promise<Refs> {
    this.#refs ??= this.#readRefs();
    return this.#refs;
  }

  async #readRefs(): Promise<Refs> {
    this.#seen = stateOf(this.#folder);
    const stdout = await this.ask(["for-each-ref", "--format=%(objectname) %(refname)", this.#own, this.#there]);
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

  /**
   * Pushes the commit that `make` creates to one of our refs. If another program pushes at the same moment, fetches and
   * calls `make` again. When this resolves the remote has the commit; only then does our own ref name it.
   */
  async push(name: string, make: () => Promise<GitOutput & { readonly commit: string }>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const made = await make();
      const { commit } = made;
      const pushed = { commit, ref: `${this.#own}/${name}` };
      const output = made.code === 0 ? await this.#transport.push(this.#folder, pushed) : made;
      if (output.code === 0) {
        const { own, there } = await this.refs();
        const note = [[name, commit]] as const;
        this.#refs = Promise.resolve({ own: new Map([...own, ...note]), there: new Map([...there, ...note]) });
        return;
      }
      if (reasonOf(output) === "damaged") await this.afterDamage(output);
      await this.#waitAfter(output, attempt);
      await this.fetch();
    }
  }

  /** Output of git on the repository; a damaged repository is rebuilt. */
  async ask(args: readonly string[], input?: Uint8Array): Promise<Buffer> {
    const output = await this.run(args, input);
    // git only warns about a ref that it cannot read.
    if (output.code === 0 && !/broken ref/.test(output.stderr)) return output.stdout;
    return this.afterDamage(output);
  }

  run(args: readonly string[], input?: Uint8Array): Promise<GitOutput> {
    return this.#options.runner.run({ repository: this.#folder, args, input });
  }

  /** Rebuilds the repository and rejects; see `evenIfRemade`. */
  async afterDamage({ stderr }: Pick<GitOutput, "stderr">): Promise<never> {
    await this.#remake();
    const { code, message, hint = "" } = damagedCopy(this.#options.address.shown, stderr.trim().split("\n")[0] ?? "");
    throw new Remade(code, message, { hint });
  }

  /** Replaces the damaged repository with a new one fetched from the remote. Nothing was stored only in the old one. */
  async #remake(): Promise<void> {
    const { runner } = this.#options;
    const seen = this.#seen;
    try {
      if (stateOf(this.#folder) !== seen) await this.#fetchInto(this.#folder);
      else await replaceGitFolder(this.#folder, { runner, seen, fill: (made) => this.#fetchInto(made) });
    } catch (error) {
      this.#cannotCreate(error);
    } finally {
      this.#refs = undefined;
    }
  }

  #cannotCreate(error: unknown): never {
    throw error instanceof CannotCreate ? gitError(error.output, this.#options.address) : error;
  }

  /** Packs loose objects, which would pile up without limit. Calls git only when there are many. */
  async #pack(): Promise<void> {
    if (fullnessOf(this.#folder) < this.#limit) return;
    // git allows only one at a time. If it fails, nothing is lost.
    await this.run(["gc", "--quiet"]);
    // Do not retry after every fetch if objects cannot be packed.
    this.#limit = Math.max(1, 2 * fullnessOf(this.#folder));
  }
}

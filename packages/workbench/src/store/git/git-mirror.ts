/**
 * What a remote has, in a bare repository of our own. All of it can be fetched again, so a damaged one is made again.
 *
 *     refs/bough/<project>/<replica>    what this copy has pushed
 *     refs/store/<project>/<replica>    what the remote has
 *
 * Contents of files are in `refs/bough-files` and `refs/store-files` in the same way. What is not pushed yet has no ref.
 */
import { setTimeout as wait } from "node:timers/promises";
import { StoreError } from "../store-error.js";
import type { GitAddress } from "./git-address.js";
import { damagedCopy, gitError, reasonOf } from "./git-failure.js";
import { CannotMake, fullnessOf, makeGitFolder, removeStaleLocks, replaceGitFolder, stateOf } from "./git-folder.js";
import type { GitOutput, GitRunner } from "./git-run.js";
import { GitTransport } from "./git-transport.js";

export interface GitMirrorOptions {
  readonly folder: string;
  readonly address: GitAddress;
  readonly runner: GitRunner;
  /** Milliseconds after which a remote that says nothing is given up. */
  readonly silence: number;
  /** Which refs: those of sessions, or with `-files` those of contents. */
  readonly refs?: "" | "-files";
}

const TRIES = 8;
/** Programs of one home that work at the same moment try again at different ones. */
const BACK_OFF_MS = 50;

/** Names of refs, without what all of them begin with, and their commits: what this copy pushed, what the remote has. */
export type Refs = Readonly<Record<"own" | "there", ReadonlyMap<string, string>>>;

/** The repository was damaged and has been made again: what was derived from it is out of date. */
class Remade extends StoreError {}

/** Repeats work once if the repository had to be made again meanwhile. Rejects with `store-damaged` if that did not help. */
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
  /** Known until the next fetch. */
  #refs: Promise<Refs> | undefined;
  /** The folder that the refs are from. */
  #seen = "";
  /** How full the folder may get. */
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
    await makeGitFolder(options.folder, options.runner).catch((error: unknown) => mirror.#cannotMake(error));
    return mirror;
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

  /** Gives the refs as the last fetch left them. */
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
   * Pushes what `make` makes to a ref of ours, again if others push at the same moment: on what they pushed. The remote
   * has it when this resolves, and only then the own ref says so.
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

  /** What git answers about the repository. */
  async ask(args: readonly string[], input?: Uint8Array): Promise<Buffer> {
    const output = await this.run(args, input);
    // A ref that cannot be read is only warned of.
    if (output.code === 0 && !/broken ref/.test(output.stderr)) return output.stdout;
    return this.afterDamage(output);
  }

  run(args: readonly string[], input?: Uint8Array): Promise<GitOutput> {
    return this.#options.runner.run({ repository: this.#folder, args, input });
  }

  /** Makes the repository again and rejects, see `evenIfRemade`. */
  async afterDamage({ stderr }: Pick<GitOutput, "stderr">): Promise<never> {
    await this.#remake();
    const { code, message, hint = "" } = damagedCopy(this.#options.address.shown, stderr.trim().split("\n")[0] ?? "");
    throw new Remade(code, message, { hint });
  }

  /** A new repository with what the remote has takes the place of the damaged one. Nothing was only there. */
  async #remake(): Promise<void> {
    const { runner } = this.#options;
    const seen = this.#seen;
    try {
      if (stateOf(this.#folder) !== seen) await this.#fetchInto(this.#folder);
      else await replaceGitFolder(this.#folder, { runner, seen, fill: (made) => this.#fetchInto(made) });
    } catch (error) {
      this.#cannotMake(error);
    } finally {
      this.#refs = undefined;
    }
  }

  #cannotMake(error: unknown): never {
    throw error instanceof CannotMake ? gitError(error.output, this.#options.address) : error;
  }

  /** Loose objects would grow without end. It costs a call of git only when there are many. */
  async #pack(): Promise<void> {
    if (fullnessOf(this.#folder) < this.#limit) return;
    // git itself lets only one do this at a time. If it fails, everything is still there.
    await this.run(["gc", "--quiet"]);
    // What cannot be packed is not tried again after every fetch.
    this.#limit = Math.max(1, 2 * fullnessOf(this.#folder));
  }
}

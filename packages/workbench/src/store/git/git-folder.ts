/**
 * The folder of a store's bare repository. Everything in it is also in the remote, so a damaged one is replaced. All
 * programs of one home share it.
 */
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";
import type { GitOutput, GitRunner } from "./git-run.js";

const MINUTE = 60_000;
/** No git call on such a repository holds a lock this long. */
const LOCK_IS_STALE = 10 * MINUTE;
const LEFTOVER_IS_STALE = 24 * 60 * MINUTE;
/** Limit for one of the 256 folders of loose objects: about 2,000 objects in total. */
const LOOSE_AT_MOST = 8;
const PACKS_AT_MOST = 50;

/** A repository could not be created. Callers turn it into an error of the store. */
export class CannotCreate extends Error {
  readonly output: GitOutput;

  constructor(output: GitOutput) {
    super(output.stderr);
    this.output = output;
  }
}

/** Puts the complete folder in place at once, because another program of this home may create it at the same moment. */
export async function makeGitFolder(folder: string, runner: GitRunner): Promise<void> {
  if (existsSync(join(folder, "HEAD"))) return;
  const seen = stateOf(folder);
  await replaceGitFolder(folder, { runner, seen, fill: async () => {} });
}

export interface Replacing {
  readonly runner: GitRunner;
  /** The folder's `stateOf` when it was found damaged: if it has changed, another program has replaced it already. */
  readonly seen: string;
  /** Fills the new repository before it replaces the old one. */
  readonly fill: (folder: string) => Promise<void>;
}

export async function replaceGitFolder(folder: string, { runner, seen, fill }: Replacing): Promise<void> {
  const parent = dirname(folder);
  makeFolder(parent);
  const made = mkdtempSync(join(parent, "new-"));
  const old = `${made}-old`;
  try {
    const args = ["init", "-q", "--bare", "--template=", "--object-format=sha1", made];
    const output = await runner.run({ repository: made, args });
    if (output.code !== 0) throw new CannotCreate(output);
    await fill(made);
    if (stateOf(folder) !== seen) return;
    attempt(() => renameSync(folder, old));
    try {
      renameSync(made, folder);
    } catch (error) {
      // Another program may have replaced it in the meantime.
      if (!existsSync(join(folder, "HEAD"))) throw error;
    }
  } finally {
    for (const one of [made, old]) rmSync(one, { recursive: true, force: true });
    removeLeftovers(parent);
  }
}

/** Changes when the folder is replaced. */
export function stateOf(folder: string): string {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found === undefined ? "none" : String(found.ino);
}

/** Removes locks of killed programs, which git would respect forever. */
export function removeStaleLocks(folder: string): void {
  const inRefs = attempt(() => readdirSync(join(folder, "refs"), { recursive: true, encoding: "utf8" })) ?? [];
  const names = [...(attempt(() => readdirSync(folder)) ?? []), ...inRefs.map((name) => join("refs", name))];
  for (const name of names) if (name.endsWith(".lock")) removeIfOlder(join(folder, name), LOCK_IS_STALE);
}

/** Removes folders of programs that were killed while replacing a repository. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent))
    if (name.startsWith("new-")) removeIfOlder(join(parent, name), LEFTOVER_IS_STALE);
}

function removeIfOlder(path: string, age: number): void {
  const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (mtimeMs !== undefined && Date.now() - mtimeMs > age) rmSync(path, { recursive: true, force: true });
}

/** How full the repository is by git's own estimate; from 1 on it is worth packing. */
export function fullnessOf(folder: string): number {
  const count = (...names: readonly string[]) =>
    (attempt(() => readdirSync(join(folder, "objects", ...names))) ?? []).filter((name) => !name.endsWith(".idx"))
      .length;
  return Math.max(count("17") / LOOSE_AT_MOST, count("pack") / PACKS_AT_MOST);
}

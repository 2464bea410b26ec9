/** Creates a commit for a ref of a store with one git call, without a work tree and an index. */
import { randomUUID } from "node:crypto";
import type { GitOutput } from "./git-run.js";

export interface TreeFile {
  readonly path: string;
  readonly blob: string;
}

export interface Change {
  readonly path: string;
  /** The file is removed if neither this nor `blob` is set. */
  readonly content?: Uint8Array;
  /** A content that is already in the repository. */
  readonly blob?: string;
}

export interface NewCommit {
  readonly base: string | undefined;
  readonly changes: readonly Change[];
  readonly time: Date;
}

export interface MadeCommit {
  readonly commit: string;
  /** Blobs of the written contents, by path. */
  readonly blobs: ReadonlyMap<string, string>;
}

export const IMPORT = ["fast-import", "--quiet", "--force", "--done"];
const NONE = "0".repeat(40);

/**
 * The input of `git fast-import`. No ref names the commit afterwards: until it is pushed it must not count as stored,
 * and if it never is, it is only garbage.
 */
export function importStream({ base, changes, time }: NewCommit): Buffer {
  const seconds = Math.max(0, Math.floor(time.getTime() / 1000));
  const pieces: Uint8Array[] = [];
  const say = (text: string) => pieces.push(Buffer.from(text));
  const written = contentsIn(changes);
  for (const [index, { content }] of written.entries()) {
    say(`blob\nmark :${index + 1}\ndata ${content.length}\n`);
    pieces.push(content);
    say("\n");
  }
  const last = written.length + 1;
  const ref = `refs/import/${randomUUID()}`;
  say(`commit ${ref}\nmark :${last}\ncommitter Bough <bough@localhost> ${seconds} +0000\n`);
  say("data 4\nsync\n");
  if (base !== undefined) say(`from ${base}\n`);
  for (const { path, content, blob } of changes)
    if (content === undefined) say(blob === undefined ? `D ${path}\n` : `M 100644 ${blob} ${path}\n`);
  for (const [index, { path }] of written.entries()) say(`M 100644 :${index + 1} ${path}\n`);
  for (let mark = 1; mark <= last; mark++) say(`get-mark :${mark}\n`);
  say(`reset ${ref}\nfrom ${NONE}\n\ndone\n`);
  return Buffer.concat(pieces);
}

export function madeCommit({ stdout }: GitOutput, changes: readonly Change[]): MadeCommit {
  const ids = stdout.toString("latin1").trim().split("\n");
  const written = contentsIn(changes);
  const blobs = new Map(written.map(({ path }, index) => [path, ids[index] as string]));
  return { commit: ids[written.length] as string, blobs };
}

/** The files in the commit, in git's order. */
export function filesAfter(
  before: readonly TreeFile[],
  changes: readonly Change[],
  blobs: ReadonlyMap<string, string> = new Map(),
): readonly TreeFile[] {
  const files = new Map(before.map(({ path, blob }) => [path, blob]));
  for (const { path, blob = blobs.get(path) } of changes) {
    if (blob === undefined) files.delete(path);
    else files.set(path, blob);
  }
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([path, blob]) => ({ path, blob }));
}

function contentsIn(changes: readonly Change[]) {
  return changes.flatMap(({ path, content }) => (content === undefined ? [] : [{ path, content }]));
}

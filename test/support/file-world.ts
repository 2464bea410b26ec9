/** What is on disk, looked at without any help of the code under test: every file by the hash of its bytes. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, resolve } from "node:path";

/** Path to what is there. Empty folders are not files. */
export type World = Readonly<Record<string, string>>;

export function worldAt(root: string, isLeftOut: (path: string) => boolean = () => false): World {
  const world: Record<string, string> = {};
  const look = (folder: string) => {
    for (const name of readdirSync(join(root, folder)).sort()) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (isLeftOut(path)) continue;
      const stats = lstatSync(join(root, path));
      if (stats.isDirectory()) look(path);
      else if (stats.isSymbolicLink()) world[path] = `-> ${readlinkSync(join(root, path))}`;
      else world[path] = `${(stats.mode & 0o111) === 0 ? "-" : "x"} ${hash(readFileSync(join(root, path)))}`;
    }
  };
  look("");
  return world;
}

/** The folders in which git keeps a working folder's repository: its own and the one it shares. */
export function gitFolders(root: string): readonly string[] {
  const ask = (what: string) => execFileSync("git", ["rev-parse", what], { cwd: root, encoding: "utf8" }).trim();
  return [...new Set(["--git-dir", "--git-common-dir"].map((what) => resolve(root, ask(what))))];
}

function hash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

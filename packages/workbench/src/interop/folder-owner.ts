/** Whose folder a file is in. What is in another program's folder is that program's, and only read. */
import { readdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve, sep } from "node:path";
import { isOwnSessionFile } from "@bough/session/session/internal.js";
import { attempt } from "@bough/session/text/index.js";
import { claudeProjects } from "./claude-code/claude-places.js";
import { codexHome } from "./codex/codex-places.js";
import type { AgentName, AgentPlaces } from "./contract.js";
import { geminiHome } from "./gemini/gemini-places.js";
import { opencodeData } from "./opencode/opencode-places.js";
import { piRoots } from "./pi/pi-places.js";

interface OwnedFolder {
  readonly agent: AgentName;
  readonly path: string;
}

/**
 * The agent whose folder a file or folder is in, under any of its names: links on the way are followed, and a second
 * name of the same file (a hard link) counts too. Undefined in Bough's own folders, even if those are shared with
 * another program by a link, and everywhere else.
 */
export function folderOwner(path: string, places: AgentPlaces = {}): AgentName | undefined {
  if (isOwnSessionFile(path)) return undefined;
  const folders = ownedFolders(places).flatMap(({ agent, path: folder }) => {
    return [...new Set([folder, realPath(folder)])].map((name) => ({ agent, path: name }));
  });
  const names = [resolve(path), realPath(path)];
  const owner = folders.find((folder) => names.some((name) => isIn(name, folder.path)));
  return owner?.agent ?? ownerOfSecondName(path, ownedFolders(places));
}

/** Whole folders of the programs, and not only if their sessions are today: backups and archives are next to them. */
function ownedFolders(places: AgentPlaces): readonly OwnedFolder[] {
  const home = places.home ?? homedir();
  const pi = [...piRoots(places), ...[".pi", ".omp", ".openclaw"].map((name) => join(home, name))];
  return [
    { agent: "claude-code", path: dirname(claudeProjects(places)) },
    { agent: "codex", path: codexHome(places) },
    { agent: "gemini", path: geminiHome(places) },
    { agent: "opencode", path: opencodeData(places) },
    ...pi.map((path): OwnedFolder => ({ agent: "pi", path })),
  ];
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** As the system calls it; of what does not exist yet, its folder. */
function realPath(path: string): string {
  const whole = resolve(path);
  const missing: string[] = [];
  for (let at = whole; ; at = dirname(at)) {
    try {
      return join(realpathSync(at), ...missing);
    } catch {
      // Not there, or not ours to look at: the folder above may be.
      if (dirname(at) === at) return whole;
      missing.unshift(basename(at));
    }
  }
}

/** A file with several names has one of them in another program's folder, if any there is the same file. */
function ownerOfSecondName(path: string, folders: readonly OwnedFolder[]): AgentName | undefined {
  // What cannot be looked at cannot be written either; who opens it says why.
  const file = attempt(() => statSync(path));
  if (file === undefined || !file.isFile() || file.nlink < 2) return undefined;
  return folders.find((folder) => namesBelow(folder.path).some((name) => isSameFile(name, file)))?.agent;
}

function isSameFile(path: string, { dev, ino }: { readonly dev: number; readonly ino: number }): boolean {
  const other = attempt(() => statSync(path));
  return other?.ino === ino && other.dev === dev;
}

function namesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl"))
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    // Not there, or not ours to read: no name of ours is in it.
    return [];
  }
}

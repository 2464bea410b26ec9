/** Which program owns the folder of a file. Bough never writes to another program's folder. */
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
 * The agent whose folder contains a file or folder. Follows symbolic links, and also finds hard links to the same file.
 * Undefined in Bough's own folders, even if a link shares them with another program, and everywhere else.
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

/** The programs' whole folders, not only those of current sessions: backups and archives are next to them. */
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

/** The real path; for a path that does not exist yet, resolves its nearest existing folder. */
function realPath(path: string): string {
  const whole = resolve(path);
  const missing: string[] = [];
  for (let at = whole; ; at = dirname(at)) {
    try {
      return join(realpathSync(at), ...missing);
    } catch {
      // Missing or not accessible: try its parent.
      if (dirname(at) === at) return whole;
      missing.unshift(basename(at));
    }
  }
}

/** The agent whose folder contains another hard link to the file. */
function ownerOfSecondName(path: string, folders: readonly OwnedFolder[]): AgentName | undefined {
  // A file that cannot be inspected cannot be written either; opening it reports why.
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
    // A missing or unreadable folder has no hard link of ours.
    return [];
  }
}

/** Default folders and transcripts of agents that exist but are not readable: sessions may be missing from lists. */
import { accessSync, constants, type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { claudeProjects } from "./claude-code/claude-places.js";
import { codexHome } from "./codex/codex-places.js";
import type { AgentName } from "./contract.js";
import type { FindOptions } from "./find-sessions.js";
import { geminiHome } from "./gemini/gemini-places.js";
import { opencodeData } from "./opencode/opencode-places.js";
import { piRoots } from "./pi/pi-places.js";

export interface ClosedPlace {
  readonly agent: AgentName;
  /** A folder, or a transcript. */
  readonly path: string;
}

interface Root {
  readonly agent: AgentName;
  readonly path: string;
  /** How many levels of folders below it to check. */
  readonly depth: number;
}

const TRANSCRIPT = /\.(?:jsonl|json|jsonl\.zst|db)$/;

/** Checks only names and permissions, and follows no links. Missing places are not reported. */
export function closedPlaces(options: FindOptions = {}): readonly ClosedPlace[] {
  const wanted = rootsOf(options).filter(({ agent }) => options.agents?.includes(agent) ?? true);
  const closed: ClosedPlace[] = [];
  const left: Root[] = [...wanted];
  for (let root = left.pop(); root !== undefined; root = left.pop()) {
    const { agent, path, depth } = root;
    const inside = entriesOf(path);
    if (inside === "closed") closed.push({ agent, path });
    if (typeof inside === "string") continue;
    for (const entry of inside) {
      const place = join(path, entry.name);
      if (entry.isDirectory() && depth > 0) left.push({ agent, path: place, depth: depth - 1 });
      else if (entry.isFile() && TRANSCRIPT.test(entry.name) && !isReadable(place)) closed.push({ agent, path: place });
    }
  }
  return closed.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function rootsOf(options: FindOptions): readonly Root[] {
  const codex = codexHome(options);
  return [
    { agent: "claude-code", path: claudeProjects(options), depth: 1 },
    { agent: "codex", path: join(codex, "sessions"), depth: 3 },
    { agent: "codex", path: join(codex, "archived_sessions"), depth: 3 },
    { agent: "opencode", path: opencodeData(options), depth: 0 },
    { agent: "opencode", path: join(opencodeData(options), "storage", "session"), depth: 1 },
    { agent: "gemini", path: join(geminiHome(options), "tmp"), depth: 2 },
    ...piRoots(options).map((path): Root => ({ agent: "pi", path, depth: 1 })),
  ];
}

function entriesOf(folder: string): readonly Dirent[] | "closed" | "absent" {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "absent" : "closed";
  }
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch (error) {
    // A file that was deleted in the meantime is not closed.
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

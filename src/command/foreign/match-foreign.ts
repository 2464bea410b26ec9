/** From what a person typed to a session of another agent. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import type { AgentName, ForeignSession } from "../../interop/index.js";
import type { CommandWorld } from "../command.js";
import { CommandError } from "../command-error.js";
import { foreignTitle } from "./foreign-words.js";
import { loadInterop } from "./load-interop.js";
import { listForeign } from "./stream-foreign.js";

export type ForeignMatch =
  | { readonly kind: "one"; readonly session: ForeignSession }
  | { readonly kind: "several"; readonly sessions: readonly ForeignSession[] }
  | { readonly kind: "none" };

/**
 * A file, `file#id` for one session of a database, what `matchSessions` knows, or words of a title. Throws `own-session` for a session of Bough's own, and what the readers throw about a file.
 */
export async function matchForeign(world: CommandWorld, wanted: string): Promise<ForeignMatch> {
  const file = await foreignFile(world, wanted);
  if (file !== undefined) return { kind: "one", session: file };
  const { matchSessions } = await loadInterop();
  const all = await listForeign({ places: world.agentPlaces });
  const named = matchSessions(all, wanted);
  const sessions = named.length > 0 ? named : withWords(all, wanted);
  const [only] = sessions;
  if (only === undefined) return { kind: "none" };
  return sessions.length === 1 ? { kind: "one", session: only } : { kind: "several", sessions };
}

async function foreignFile(world: CommandWorld, wanted: string): Promise<ForeignSession | undefined> {
  const { foreignSessionAt } = await loadInterop();
  const whole = pathOf(world, wanted);
  if (isFile(whole)) return foreignSessionAt(notOwn(world, whole));
  // A folder may have a `#` in its name, so the whole was tried first.
  const hash = wanted.lastIndexOf("#");
  if (hash <= 0) return undefined;
  const path = pathOf(world, wanted.slice(0, hash));
  return isFile(path) ? foreignSessionAt(notOwn(world, path), wanted.slice(hash + 1)) : undefined;
}

/** Whose transcript a file is, where it cannot be opened as it is. Bough's own and pi's, which are alike, can. */
export async function foreignAgentOf(path: string): Promise<AgentName | undefined> {
  const { detectAgent } = await loadInterop();
  const agent = (await detectAgent(path))?.agent;
  return agent === "pi" ? undefined : agent;
}

function pathOf({ cwd, agentPlaces }: CommandWorld, wanted: string): string {
  const home = agentPlaces?.home ?? homedir();
  return wanted.startsWith("~/") ? join(home, wanted.slice(2)) : resolve(cwd, wanted);
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** Bough's own files look like pi's. One that is in Bough's own folders needs no import. */
function notOwn({ home, sessionDir }: CommandWorld, path: string): string {
  if (!path.endsWith(".jsonl")) return path;
  const real = realpathSync(path);
  const isOwn =
    isBelow(real, join(home, "sessions")) || (existsSync(sessionDir) && dirname(real) === realpathSync(sessionDir));
  if (!isOwn) return path;
  throw new CommandError("own-session", "This is a session of Bough's own", {
    data: { path },
    hint: "/resume opens it.",
  });
}

function isBelow(path: string, folder: string): boolean {
  return existsSync(folder) && path.startsWith(`${realpathSync(folder)}${sep}`);
}

/** Where nothing else fits, words of the title. */
function withWords(sessions: readonly ForeignSession[], wanted: string): readonly ForeignSession[] {
  const words = wanted.toLowerCase().split(/\s+/);
  return sessions.filter((session) => {
    const known = `${session.agent} ${foreignTitle(session, 200)}`.toLowerCase();
    return words.every((word) => known.includes(word));
  });
}

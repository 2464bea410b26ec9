/** From what a user typed to a session of another agent. */

import { existsSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { AgentPlaces, ForeignSession } from "../interop/index.js";
import { foreignTitle, listForeign } from "../interop/internal.js";
import { isOwnSessionFile } from "../session/internal.js";
import { wordMatcher } from "../text/index.js";
import type { CommandContext } from "../command/command.js";
import { CommandError } from "../command/command-error.js";

type ForeignMatch =
  | { readonly kind: "one"; readonly session: ForeignSession }
  | { readonly kind: "several"; readonly sessions: readonly ForeignSession[] }
  | { readonly kind: "none" };

/**
 * A file, `file#id` for one session of a database, what `matchSessions` knows, or words of a title. Throws `own-session` for a session of Bough's own, and what the readers throw about a file.
 */
export async function matchForeign(context: CommandContext, wanted: string): Promise<ForeignMatch> {
  const file = await foreignFile(context, wanted);
  if (file !== undefined) return { kind: "one", session: file };
  const { matchSessions } = await import("../interop/index.js");
  const all = await listForeign({ places: context.agentPlaces });
  const named = matchSessions(all, wanted);
  const sessions = named.length > 0 ? named : withWords(all, wanted);
  const [only] = sessions;
  if (only === undefined) return { kind: "none" };
  return sessions.length === 1 ? { kind: "one", session: only } : { kind: "several", sessions };
}

async function foreignFile(context: CommandContext, wanted: string): Promise<ForeignSession | undefined> {
  const { foreignSessionAt } = await import("../interop/index.js");
  const whole = pathOf(context, wanted);
  if (isFile(whole)) return foreignSessionAt(notOwn(context, whole));
  // A folder may have a `#` in its name, so the whole was tried first.
  const hash = wanted.lastIndexOf("#");
  if (hash <= 0) return undefined;
  const path = pathOf(context, wanted.slice(0, hash));
  return isFile(path) ? foreignSessionAt(notOwn(context, path), wanted.slice(hash + 1)) : undefined;
}

/**
 * The session of another program in a file: a transcript that does not open as it is, or any file in that program's
 * folder. Undefined for Bough's own files and pi's elsewhere, which are alike. A database has to be named with an id.
 */
export async function foreignFileAt(path: string, places: AgentPlaces = {}): Promise<ForeignSession | undefined> {
  const { detectAgent, folderOwner, foreignSessionAt, readerFor } = await import("../interop/index.js");
  const owner = folderOwner(path, places);
  const agent = (await detectAgent(path))?.agent;
  if (owner === undefined && (agent === undefined || agent === "pi")) return undefined;
  if (agent !== undefined) return foreignSessionAt(path);
  return path.endsWith(".jsonl") ? (await readerFor("pi").describe(path))[0] : undefined;
}

function pathOf({ cwd, agentPlaces }: CommandContext, wanted: string): string {
  const home = agentPlaces?.home ?? homedir();
  return wanted.startsWith("~/") ? join(home, wanted.slice(2)) : resolve(cwd, wanted);
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** Bough's own files look like pi's. One that is in Bough's own folders needs no import. */
function notOwn({ home, sessionDir }: CommandContext, path: string): string {
  if (!path.endsWith(".jsonl")) return path;
  const isInDir = existsSync(sessionDir) && dirname(realpathSync(path)) === realpathSync(sessionDir);
  if (!isInDir && !isOwnSessionFile(path, home)) return path;
  throw new CommandError("own-session", "This is already a Bough session", {
    data: { path },
    hint: "/resume opens it.",
  });
}

/** If nothing else fits, words of the title. */
function withWords(sessions: readonly ForeignSession[], wanted: string): readonly ForeignSession[] {
  const fits = wordMatcher(wanted);
  return sessions.filter((session) => fits(`${session.agent} ${foreignTitle(session, 200)}`));
}

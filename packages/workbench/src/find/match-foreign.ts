/** Resolves what a user typed to another agent's session to import. */
import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { SessionError } from "@bough/session/entry/index.js";
import { isFolder } from "@bough/session/log/index.js";
import { isOwnSessionFile } from "@bough/session/session/internal.js";
import { wordMatcher } from "@bough/session/text/index.js";
import type { AgentPlaces, ForeignSession } from "../interop/index.js";
import { foreignTitle, listForeign } from "../interop/internal.js";
import { findForeign, isFile } from "./foreign-session.js";

export interface MatchForeignOptions {
  /** Base of relative paths. */
  readonly cwd: string;
  /** `$BOUGH_HOME`. */
  readonly home: string;
  /** A session folder whose files also count as Bough's own. */
  readonly sessionDir: string;
  /** Where agents keep their sessions. Default: this user's folders. */
  readonly agentPlaces?: AgentPlaces | undefined;
}

export type ForeignMatch =
  | { readonly kind: "one"; readonly session: ForeignSession }
  | { readonly kind: "several"; readonly sessions: readonly ForeignSession[] }
  /** Bough's files look like pi's; one in Bough's own folders needs no import. */
  | { readonly kind: "own"; readonly path: string }
  | { readonly kind: "none" };

/**
 * Accepts a file, `file#id` for one session of a database, anything `matchSessions` accepts, or words of a title.
 * Errors from reading a file are passed on.
 */
export async function matchForeign(wanted: string, options: MatchForeignOptions): Promise<ForeignMatch> {
  const file = await inFile(wanted, options);
  if (file !== undefined) return file;
  const { matchSessions } = await import("../interop/index.js");
  const all = await listForeign({ places: options.agentPlaces });
  const named = matchSessions(all, wanted);
  const sessions = named.length > 0 ? named : withWords(all, wanted);
  const [only] = sessions;
  if (only === undefined) return { kind: "none" };
  return sessions.length === 1 ? { kind: "one", session: only } : { kind: "several", sessions };
}

async function inFile(wanted: string, options: MatchForeignOptions): Promise<ForeignMatch | undefined> {
  const whole = pathOf(wanted, options);
  if (isFile(whole)) return sessionAt(whole, options);
  // The whole was tried first because a folder name may contain a `#`.
  const hash = wanted.lastIndexOf("#");
  if (hash <= 0) return undefined;
  const path = pathOf(wanted.slice(0, hash), options);
  return isFile(path) ? sessionAt(path, { ...options, id: wanted.slice(hash + 1) }) : undefined;
}

async function sessionAt(path: string, options: MatchForeignOptions & { readonly id?: string }): Promise<ForeignMatch> {
  if (isOwn(path, options)) return { kind: "own", path };
  checkOpens(path);
  const { foreignSessionAt } = await import("../interop/index.js");
  return { kind: "one", session: await foreignSessionAt(path, options.id) };
}

function pathOf(wanted: string, { cwd, agentPlaces }: MatchForeignOptions): string {
  const home = agentPlaces?.home ?? homedir();
  return wanted.startsWith("~/") ? join(home, wanted.slice(2)) : resolve(cwd, wanted);
}

function isOwn(path: string, { home, sessionDir }: MatchForeignOptions): boolean {
  if (!path.endsWith(".jsonl")) return false;
  const isInDir = existsSync(sessionDir) && dirname(realpathSync(path)) === realpathSync(sessionDir);
  return isInDir || isOwnSessionFile(path, home);
}

/** The last resort: match words of the title. */
function withWords(sessions: readonly ForeignSession[], wanted: string): readonly ForeignSession[] {
  const fits = wordMatcher(wanted);
  return sessions.filter((session) => fits(`${session.agent} ${foreignTitle(session, 200)}`));
}

/**
 * Another program's session in a file: a transcript that needs conversion, or any file in that program's folder.
 * Undefined for Bough's own files, and for pi's outside pi's folder, which look the same. A database needs an ID.
 */
export async function foreignFileAt(path: string, places: AgentPlaces = {}): Promise<ForeignSession | undefined> {
  const { detectAgent, folderOwner, foreignSessionAt, readerFor } = await import("../interop/index.js");
  const owner = folderOwner(path, places);
  const agent = (await detectAgent(path))?.agent;
  if (owner === undefined && (agent === undefined || agent === "pi")) return undefined;
  if (agent !== undefined) return foreignSessionAt(path);
  return path.endsWith(".jsonl") ? (await readerFor("pi").describe(path))[0] : undefined;
}

export interface ToImportOptions {
  /** A session folder whose files also count as Bough's own. */
  readonly dir?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Like `findSession`, but only for other agents' sessions. Also accepts files that open as they are, such as pi's. */
export async function findToImport(
  reference: string,
  { dir, signal }: ToImportOptions,
): Promise<Exclude<ForeignMatch, { readonly kind: "several" }>> {
  const path = resolve(reference);
  checkOpens(path);
  const found = await findForeign(reference, { signal });
  if (found !== undefined) return { kind: "one", session: found };
  if (!isFile(path)) return { kind: "none" };
  if (isOwnSessionFile(path) || (dir !== undefined && isBelow(path, dir))) return { kind: "own", path };
  const { foreignSessionAt } = await import("../interop/index.js");
  return { kind: "one", session: await foreignSessionAt(path) };
}

/** Without this check, an unreadable transcript would be reported as a file that is not a transcript. */
function checkOpens(path: string): void {
  if (!isFile(path)) return;
  try {
    accessSync(path, constants.R_OK);
  } catch (cause) {
    throw new SessionError("read-failed", `Could not open ${path}`, {
      data: { path },
      hint: "Check the permissions of the file and its folder.",
      cause,
    });
  }
}

function isBelow(path: string, folder: string): boolean {
  return isFolder(folder) && realpathSync(path).startsWith(`${realpathSync(folder)}${sep}`);
}

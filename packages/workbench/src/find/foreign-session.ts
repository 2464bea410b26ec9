/** Resolves what a user typed to another agent's session. Used only if none of Bough's own sessions match. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { AGENT_NAMES, AGENT_TITLES, type AgentName, SessionError } from "@bough/session/entry/index.js";
import { isOwnSessionFile } from "@bough/session/session/internal.js";
import { shellWord, withoutControls } from "@bough/session/text/index.js";
import type { ForeignPlace, ForeignSession } from "../interop/index.js";
import { severalSessions } from "./several-sessions.js";

interface FindForeignOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds a transcript by path; a session in a database by `path#id`, or by path alone if there is only one; and any
 * session in its agent's default folder by ID, start of ID, title or `agent:id`. Undefined if nothing matches, and for
 * files that open as they are, including pi's, unless they are in another program's folder. Throws `ambiguous-session`
 * with the candidates.
 */
export async function findForeign(
  reference: string,
  options: FindForeignOptions = {},
): Promise<ForeignSession | undefined> {
  return (await lookUp(reference, defaultPlaces(options)))?.foreign;
}

/** Like `findForeign`, but accepts `#entry` at the end. Tries the whole reference first: a title may contain a `#`. */
export async function findForeignPlace(
  reference: string,
  options: FindForeignOptions = {},
): Promise<ForeignPlace | undefined> {
  const everything = defaultPlaces(options);
  return withEntry(reference, (session) => lookUp(session, everything));
}

/** Like `findForeignPlace`, but only for the path of an existing file. Undefined if the file is not another agent's. */
export async function foreignInFile(reference: string): Promise<ForeignPlace | undefined> {
  return withEntry(reference, lookUpPath);
}

/** The agent whose folder contains a file or folder. Bough never writes there, whatever a file contains. */
async function ownerOf(path: string): Promise<AgentName | undefined> {
  return isOwnSessionFile(path) ? undefined : (await interop()).folderOwner(path);
}

/** Throws if new sessions would be written to another program's folder. */
export async function checkSessionDir(dir: string | undefined): Promise<void> {
  const owner = dir === undefined ? undefined : await ownerOf(dir);
  if (owner === undefined) return;
  throw new SessionError("read-only", `${dir} belongs to ${AGENT_TITLES[owner]}, and Bough does not write there`, {
    data: { path: dir, agent: owner, reason: "foreign" },
    hint: "Choose another folder for --session-dir. To import sessions from this one: bough import <path>",
  });
}

/**
 * Tries the whole reference, since a name or folder may contain a `#`; if that finds nothing, tries the part before the
 * last `#` and returns the rest as `entry`.
 */
export async function withEntry<Found extends { readonly entry?: string }>(
  reference: string,
  find: (session: string) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const whole = await find(reference);
  if (whole !== undefined) return whole;
  const hash = reference.lastIndexOf("#");
  if (hash <= 0 || hash === reference.length - 1) return undefined;
  const found = await find(reference.slice(0, hash));
  return found === undefined ? undefined : { ...found, entry: reference.slice(hash + 1) };
}

/** The error for commands that would have to modify the session. */
export function importFirst({ foreign, reference }: ForeignPlace): SessionError {
  const { agent, id, path } = foreign;
  return new SessionError("read-only", `That session belongs to ${AGENT_TITLES[agent]}, and Bough does not modify it`, {
    data: { agent, id, path, reason: "foreign" },
    hint: withoutControls(`Import it first: bough import ${shellWord(reference)}`),
  });
}

/** Loaded lazily: most commands only deal with Bough's own sessions. */
const interop = () => import("../interop/index.js");

/** Lists all sessions in the agents' default folders, or those of one agent. */
type Everything = (agent?: AgentName) => Promise<readonly ForeignSession[]>;

/** Searches on first use, and only once per agent. */
function defaultPlaces({ signal }: FindForeignOptions): Everything {
  const found = new Map<AgentName | undefined, Promise<readonly ForeignSession[]>>();
  return (agent) => {
    const find = async () => {
      const [{ findSessions }, { knownFilesPlace }] = await Promise.all([interop(), import("../interop/internal.js")]);
      return findSessions({ agents: agent && [agent], signal, cache: knownFilesPlace() });
    };
    const known = found.get(agent) ?? find();
    found.set(agent, known);
    return known;
  };
}

async function lookUp(reference: string, everything: Everything): Promise<ForeignPlace | undefined> {
  const atPath = await lookUpPath(reference);
  if (atPath !== undefined) return atPath;
  const name = reference.slice(0, Math.max(0, reference.indexOf(":")));
  const agent = AGENT_NAMES.find((known) => known === name);
  if (agent === undefined && /[/\\]|\.jsonl$/.test(reference)) return undefined;
  const all = await everything(agent);
  const found = onlyForeign(reference, (await interop()).matchSessions(all, reference));
  if (found === undefined) return undefined;
  return { foreign: found, reference: (await interop()).referencesAmong(all)(found) };
}

async function lookUpPath(reference: string): Promise<ForeignPlace | undefined> {
  const hash = reference.lastIndexOf("#");
  const whole = resolve(reference);
  const path = isFile(whole) || hash <= 0 ? whole : resolve(reference.slice(0, hash));
  if (!isFile(path)) return undefined;
  const owner = await ownerOf(path);
  if (owner === undefined && opensAsItIs(path)) return undefined;
  const { detectAgent, matchSessions, readerFor } = await interop();
  const known = await detectAgent(path);
  // A title line or damage may precede pi's header. In another program's folder, such a file is still never written.
  if (owner === undefined && (known === undefined || known.agent === "pi")) return undefined;
  const reader = known ?? (path.endsWith(".jsonl") ? readerFor("pi") : undefined);
  if (reader === undefined) return undefined;
  const sessions = await reader.describe(path);
  if (path !== whole) {
    // In any other file, the text after `#` names an entry, which the caller resolves.
    const wanted = reference.slice(hash + 1);
    if (sessions.length < 2 && sessions[0]?.id !== wanted) return undefined;
    const foreign = onlyForeign(reference, matchSessions(sessions, wanted));
    return foreign === undefined ? undefined : { foreign, reference: `${path}#${foreign.id}` };
  }
  const foreign = onlyForeign(reference, sessions);
  return foreign === undefined ? undefined : { foreign, reference: path };
}

/** The path may be an arbitrary title, so any failure means that it is not a file. */
export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const HEAD = 1 << 12;

/** Whether Bough can open a file without conversion. One short read, without loading the readers of other agents. */
export function opensAsItIs(path: string): boolean {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    // Opening it later reports why it cannot be read.
    return true;
  }
  try {
    const bytes = Buffer.allocUnsafe(HEAD);
    const head = bytes.toString("utf8", 0, readSync(file, bytes, 0, HEAD, 0));
    return /^\uFEFF?\s*\{\s*"type"\s*:\s*"session"\s*,/.test(head);
  } finally {
    closeSync(file);
  }
}

/** Undefined if the list is empty. Throws `ambiguous-session` with the candidates if it has several. */
function onlyForeign(reference: string, found: readonly ForeignSession[]): ForeignSession | undefined {
  const [first] = found;
  if (first === undefined || found.length === 1) return first;
  const { how, name } = waysToName(first, found);
  throw severalSessions(found, {
    reference,
    what: "sessions from other agents",
    how,
    line: (session) => `${name(session)}  ${oneLine(session.title ?? "")}`,
    facts: ({ agent, id, path, title }) => ({ agent, id, path, title }),
  });
}

/** How to refer to each of these sessions unambiguously. */
function waysToName(
  first: ForeignSession,
  found: readonly ForeignSession[],
): { readonly how: string; readonly name: (session: ForeignSession) => string } {
  if (found.every(({ path }) => path === first.path)) {
    return { how: "Add one to the path:", name: ({ path, id }) => `${path}#${id}` };
  }
  if (found.every(({ agent, id }) => agent === first.agent && id === first.id)) {
    return { how: "Give the path:", name: ({ path }) => path };
  }
  const times = new Map<string, number>();
  for (const { agent, id } of found) times.set(`${agent}:${id}`, (times.get(`${agent}:${id}`) ?? 0) + 1);
  const name = ({ agent, id, path }: ForeignSession) => (times.get(`${agent}:${id}`) === 1 ? `${agent}:${id}` : path);
  const how = [...times.values()].every((many) => many === 1) ? "Give more of the ID:" : "Give one of these:";
  return { how, name };
}

function oneLine(title: string): string {
  return title.replace(/\s+/g, " ").slice(0, 60);
}

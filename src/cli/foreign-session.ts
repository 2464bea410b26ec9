/** From what a person typed to a session of another agent. It is only looked for where nothing of Bough's own fits. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { AgentName, ForeignSession } from "../interop/index.js";
import { isOwnSessionFile, SessionError } from "../session/index.js";
import { withoutControls } from "../text/index.js";
import { theOnlyForeign } from "./foreign-candidates.js";

export interface FindForeignOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A session of another agent, and perhaps a place in it. */
export interface ForeignPlace {
  readonly foreign: ForeignSession;
  /** What finds this session again, from anywhere: `claude-code:4f2a...`, or a path where it lies elsewhere. */
  readonly reference: string;
  /** What stood after `#`. */
  readonly entry?: string;
}

export const AGENT_TITLES: Readonly<Record<AgentName, string>> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  opencode: "opencode",
  gemini: "Gemini CLI",
  pi: "pi",
};

/**
 * A transcript by its path; a session in a database as `path#id`, or the path alone where it holds one; any session in
 * the usual places by its id, the start of its id, its title or `agent:id`. Undefined if none fits, and for files that
 * open as they are: pi's among them, unless they are in another program's folder. Throws `ambiguous-session` with the
 * candidates.
 */
export async function findForeign(
  reference: string,
  options: FindForeignOptions = {},
): Promise<ForeignSession | undefined> {
  return (await lookUp(reference, usualPlaces(options)))?.foreign;
}

/** The same with `#entry` behind it: the whole is tried first, since a title may hold a `#`. */
export async function findForeignPlace(
  reference: string,
  options: FindForeignOptions = {},
): Promise<ForeignPlace | undefined> {
  const everything = usualPlaces(options);
  return withEntry(reference, (session) => lookUp(session, everything));
}

/** The same for the path of a file that is there. Undefined if it is not another agent's. */
export async function foreignInFile(reference: string): Promise<ForeignPlace | undefined> {
  return withEntry(reference, lookUpPath);
}

/** The agent whose folder a file or folder is in. Files in there are only read, whatever they hold. */
export async function ownerOf(path: string): Promise<AgentName | undefined> {
  return isOwnSessionFile(path) ? undefined : (await interop()).folderOwner(path);
}

/** Throws where a new session would become a file in another program's folder. */
export async function checkSessionDir(dir: string | undefined): Promise<void> {
  const owner = dir === undefined ? undefined : await ownerOf(dir);
  if (owner === undefined) return;
  throw new SessionError("read-only", `${dir} is in a folder of ${AGENT_TITLES[owner]}, which Bough only reads`, {
    data: { path: dir, agent: owner, reason: "foreign" },
    hint: "Choose another folder for --session-dir. Sessions found in this one can be imported: bough import <path>",
  });
}

async function withEntry(
  reference: string,
  find: (session: string) => Promise<ForeignPlace | undefined>,
): Promise<ForeignPlace | undefined> {
  const whole = await find(reference);
  if (whole !== undefined) return whole;
  const hash = reference.lastIndexOf("#");
  if (hash <= 0 || hash === reference.length - 1) return undefined;
  const found = await find(reference.slice(0, hash));
  return found === undefined ? undefined : { ...found, entry: reference.slice(hash + 1) };
}

/** Every session in the usual places, or those of some agents, newest first, each with what finds it again. */
export async function allForeign(
  options: FindForeignOptions & { readonly agents?: readonly AgentName[] } = {},
): Promise<readonly ForeignPlace[]> {
  const all = await sessionsOf(options.agents, options.signal);
  const times = new Map<string, number>();
  for (const { agent, id } of all) times.set(`${agent}:${id}`, (times.get(`${agent}:${id}`) ?? 0) + 1);
  return all.map((foreign) => {
    return { foreign, reference: referenceTo(foreign, times.get(`${foreign.agent}:${foreign.id}`) ?? 1) };
  });
}

/** The id where its agent has it once; otherwise the path, and in a database the id behind it. */
function referenceTo({ agent, id, path }: ForeignSession, times: number): string {
  if (times === 1) return `${agent}:${id}`;
  return path.endsWith(".db") ? `${path}#${id}` : path;
}

/** What is said to a command that would have to write. */
export function importFirst({ foreign, reference }: ForeignPlace): SessionError {
  const { agent, id, path } = foreign;
  return new SessionError("read-only", `That is a session of ${AGENT_TITLES[agent]}, which Bough only reads`, {
    data: { agent, id, path, reason: "foreign" },
    hint: withoutControls(`Make it one of Bough's first: bough import ${quoted(reference)}`),
  });
}

/** An argument as a shell takes it. */
export function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

/** Not before it is needed: most commands are about Bough's own sessions. */
const interop = () => import("../interop/index.js");

/** All sessions in the usual places, or those of one agent. */
type Everything = (agent?: AgentName) => Promise<readonly ForeignSession[]>;

/** Found once, and not before they are needed. */
function usualPlaces({ signal }: FindForeignOptions): Everything {
  const found = new Map<AgentName | undefined, Promise<readonly ForeignSession[]>>();
  return (agent) => {
    const known = found.get(agent) ?? sessionsOf(agent === undefined ? undefined : [agent], signal);
    found.set(agent, known);
    return known;
  };
}

async function sessionsOf(
  agents: readonly AgentName[] | undefined,
  signal: AbortSignal | undefined,
): Promise<ForeignSession[]> {
  return (await interop()).findSessions({
    ...(agents === undefined ? {} : { agents }),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function lookUp(reference: string, everything: Everything): Promise<ForeignPlace | undefined> {
  const atPath = await lookUpPath(reference);
  if (atPath !== undefined) return atPath;
  const name = reference.slice(0, Math.max(0, reference.indexOf(":")));
  const agent = isAgentName(name) ? name : undefined;
  if (agent === undefined && /[/\\]|\.jsonl$/.test(reference)) return undefined;
  const all = await everything(agent);
  const found = theOnlyForeign(reference, (await interop()).matchSessions(all, reference));
  if (found === undefined) return undefined;
  const times = all.filter((other) => other.agent === found.agent && other.id === found.id).length;
  return { foreign: found, reference: referenceTo(found, times) };
}

function isAgentName(name: string): name is AgentName {
  return Object.hasOwn(AGENT_TITLES, name);
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
  // A title or damage can come before pi's header. In another program's folder such a file is still only read.
  if (owner === undefined && (known === undefined || known.agent === "pi")) return undefined;
  const reader = known ?? (path.endsWith(".jsonl") ? readerFor("pi") : undefined);
  if (reader === undefined) return undefined;
  const sessions = await reader.describe(path);
  if (path !== whole) {
    // What stands behind the `#` of any other file is an entry, and the caller's affair.
    const wanted = reference.slice(hash + 1);
    if (sessions.length < 2 && sessions[0]?.id !== wanted) return undefined;
    const foreign = theOnlyForeign(reference, matchSessions(sessions, wanted));
    return foreign === undefined ? undefined : { foreign, reference: `${path}#${foreign.id}` };
  }
  const foreign = theOnlyForeign(reference, sessions);
  return foreign === undefined ? undefined : { foreign, reference: path };
}

/** A title can be taken for a path, and be anything: what cannot be looked at is no file. */
export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const HEAD = 1 << 12;

/** Whether a file opens as it is. Costs one read, so that nobody has to wait for the readers of other agents. */
export function opensAsItIs(path: string): boolean {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    // Whoever opens it is told why it cannot be read.
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

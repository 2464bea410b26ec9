/** Which sessions a question is about, and where to continue when it is asked again. */
import { jsonObject } from "@bough/session/text/index.js";
import type { History, KnownSession } from "../store/history.js";

export interface SessionFilter {
  /** `bough`, `claude-code`, `codex` and so on. */
  readonly agent?: string | undefined;
  /** Sessions of this folder and those below it. */
  readonly folder?: string | undefined;
  /** An id, the start of one, or a reference. */
  readonly session?: string | undefined;
  /** Sessions that were written to after this time, in milliseconds. */
  readonly since?: number | undefined;
}

/** Newest first. */
export function filteredSessions(history: History, filter: SessionFilter): readonly KnownSession[] {
  const { agent, session, since } = filter;
  const folder = filter.folder?.replace(/\/+$/, "");
  return history.sessions.filter(
    (known) =>
      (agent === undefined || agentOf(known) === agent) &&
      (folder === undefined || folder === "" || known.cwd === folder || known.cwd.startsWith(`${folder}/`)) &&
      (session === undefined || isNamed(known, session)) &&
      (since === undefined || known.modified >= since),
  );
}

export function agentOf({ agent }: Pick<KnownSession, "agent">): string {
  return agent ?? "bough";
}

const LEAST_START = 4;

/** By its reference, its id, or the start of its id. */
export function isNamed({ reference, id }: KnownSession, name: string): boolean {
  return reference === name || id === name || (name.length >= LEAST_START && id.startsWith(name));
}

/** The last thing that was answered. What is sorted after it comes next, also if sessions changed meanwhile. */
export interface Position {
  readonly modified: number;
  readonly key: string;
  /** Row, turn or character, counted down or up by who asks. */
  readonly at: number;
}

export function positionCode({ modified, key, at }: Position): string {
  return Buffer.from(JSON.stringify({ modified, key, at })).toString("base64url");
}

/** Undefined for anything that is not a position. */
export function positionOf(code: string | undefined): Position | undefined {
  const value = code === undefined ? undefined : jsonObject(Buffer.from(code, "base64url").toString("utf8"));
  const { modified, key, at } = value ?? {};
  if (typeof modified !== "number" || typeof key !== "string" || typeof at !== "number") return undefined;
  return { modified, key, at };
}

/** Whether a session is sorted before the one of a position, and so was told about already. */
export function isBefore(session: KnownSession, position: Position): boolean {
  if (session.key === position.key) return false;
  return session.modified > position.modified || (session.modified === position.modified && session.key < position.key);
}

/** Selects sessions, and encodes the position at which the next page continues. */
import { jsonObject } from "@bough/session/text/index.js";
import type { History, KnownSession } from "../store/history.js";

export interface SessionFilter {
  /** `bough`, `claude-code`, `codex` and so on. */
  readonly agent?: string | undefined;
  /** Sessions of this folder and its subfolders. */
  readonly folder?: string | undefined;
  /** An ID, the start of one, or a reference. */
  readonly session?: string | undefined;
  /** Sessions modified since this time, in milliseconds. */
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

function agentOf({ agent }: Pick<KnownSession, "agent">): string {
  return agent ?? "bough";
}

const LEAST_START = 4;

/** Matches its reference, its ID, or the start of its ID. */
export function isNamed({ reference, id }: KnownSession, name: string): boolean {
  return reference === name || id === name || (name.length >= LEAST_START && id.startsWith(name));
}

/** The last result returned. The next page starts after it in sort order, even if sessions have changed since. */
export interface Position {
  readonly modified: number;
  readonly key: string;
  /** A row or turn within the session; its meaning depends on the tool. */
  readonly at: number;
}

export function positionCode({ modified, key, at }: Position): string {
  return Buffer.from(JSON.stringify({ modified, key, at })).toString("base64url");
}

/** Undefined for an invalid code. */
export function positionOf(code: string | undefined): Position | undefined {
  const value = code === undefined ? undefined : jsonObject(Buffer.from(code, "base64url").toString("utf8"));
  const { modified, key, at } = value ?? {};
  if (typeof modified !== "number" || typeof key !== "string" || typeof at !== "number") return undefined;
  return { modified, key, at };
}

/** Whether a session comes before a position in sort order, and so was returned already. */
export function isBefore(session: KnownSession, position: Position): boolean {
  if (session.key === position.key) return false;
  return session.modified > position.modified || (session.modified === position.modified && session.key < position.key);
}

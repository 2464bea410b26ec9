/** Finds the sessions on this machine, Bough's own and other agents', each with a stamp that changes when it does. */
import { createHash } from "node:crypto";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import type { AgentName } from "@bough/session/entry/index.js";
import { boughHome, SessionManager } from "@bough/session/session/index.js";
import { everySessionFile } from "@bough/session/session/internal.js";
import { attempt, defined, errorText } from "@bough/session/text/index.js";
import {
  type AgentPlaces,
  type ForeignSession,
  findPlaces,
  foreignSessionId,
  openSource,
  opensInPlace,
} from "../../interop/index.js";

export interface Source {
  /** Undefined for Bough's own. */
  readonly agent: AgentName | undefined;
  readonly path: string;
  /** For another agent's session: how it was found. */
  readonly foreign: ForeignSession | undefined;
  /** The part of an address before `#`; undefined for Bough's own, whose ID is known only after reading. */
  readonly reference: string | undefined;
  /** Milliseconds. */
  readonly modified: number;
  readonly bytes: number;
  /** Changes whenever the session does. */
  readonly stamp: string;
}

export interface SourcePlaces {
  /** `$BOUGH_HOME`. */
  readonly home?: string;
  /** Folders of other agents' sessions. */
  readonly agents?: AgentPlaces;
  /** A file that keeps what lists learn about other agents' transcripts. Default: none. */
  readonly cache?: string;
  /** Default: archived sessions are left out. */
  readonly archived?: "include" | "leave-out";
  readonly signal?: AbortSignal;
}

/** Called for each folder of Bough's own sessions that cannot be read. */
export type OnClosed = (folder: string, reason: string) => void;

/** Identifies a source in the index. */
export function sourceKey({ agent, path, foreign }: Source): string {
  const name = `${agent ?? "bough"}\0${path}\0${foreign?.id ?? ""}`;
  return createHash("sha256").update(name).digest("hex").slice(0, 32);
}

/** Newest first. Folders that cannot be listed are reported and skipped. */
export async function findSources(options: SourcePlaces, onClosed: OnClosed): Promise<Source[]> {
  const { agents, cache, signal } = options;
  const own = ownSources(options, onClosed);
  const places = await findPlaces({ ...agents, signal, ...defined({ cache }) });
  const found = places.flatMap(({ foreign, reference }) => foreignSource(foreign, reference));
  return [...own, ...found].sort((a, b) => b.modified - a.modified);
}

/** Bough's own. */
export function ownSources(options: SourcePlaces, onClosed: OnClosed): Source[] {
  return ownFiles(options, onClosed).flatMap(ownSource);
}

function ownFiles({ home = boughHome(), archived = "leave-out" }: SourcePlaces, onClosed: OnClosed): readonly string[] {
  try {
    const onUnreadable = (error: Error, folder: string) => onClosed(folder, errorText(error));
    return everySessionFile({ home, archived, onUnreadable });
  } catch (error) {
    onClosed(join(home, "sessions"), errorText(error));
    return [];
  }
}

function ownSource(path: string): Source[] {
  const stats = attempt(() => statSync(path));
  if (stats === undefined || !stats.isFile()) return [];
  const { size: bytes, mtimeMs: modified } = stats;
  return [
    {
      agent: undefined,
      path,
      foreign: undefined,
      reference: undefined,
      modified,
      bytes,
      stamp: `${bytes} ${modified}`,
    },
  ];
}

function foreignSource(foreign: ForeignSession, reference: string): Source[] {
  if (foreign.problem !== undefined) return [];
  const { agent, path, files } = foreign;
  const modified = foreign.modified.getTime();
  // A database file changes with any of its sessions, so only the session's own time counts.
  const stats = path.endsWith(".db") ? [] : files.map((file) => attempt(() => statSync(file)));
  const stamp = [modified, ...stats.map((stat) => `${stat?.size} ${stat?.mtimeMs}`)].join(" ");
  return [{ agent, path, foreign, reference, modified, bytes: foreign.size, stamp }];
}

const TAIL = 256;

/** Hash of the last bytes of a file: detects a rewrite that kept size and modification time. */
export function tailHash(path: string): string {
  return (
    attempt(() => {
      const file = openSync(path, "r");
      try {
        const size = statSync(path).size;
        const bytes = Buffer.alloc(Math.min(TAIL, size));
        readSync(file, bytes, 0, bytes.length, size - bytes.length);
        return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
      } finally {
        closeSync(file);
      }
    }) ?? ""
  );
}

export interface OpenedSource {
  readonly session: SessionManager;
  close(): void;
}

/** Opens a source read-only. */
export async function openToRead(source: Source, signal?: AbortSignal): Promise<OpenedSource> {
  const { foreign, path } = source;
  if (foreign !== undefined && !opensInPlace(foreign)) {
    return openSource(foreign, { originals: "leave-out", signal });
  }
  const session = await SessionManager.openInSlices(path, undefined, { readOnly: true });
  return { session, close: () => session.close() };
}

/** An ID that is the same for a session and its import. */
export function commonId(agent: AgentName | undefined, id: string): string {
  return agent === undefined ? id : foreignSessionId(agent, id);
}

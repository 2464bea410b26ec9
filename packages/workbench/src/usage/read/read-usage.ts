/** Reads what the sessions of this machine used, from an index that is brought up to date first. */
import { setImmediate } from "node:timers/promises";
import { boughHome } from "@bough/session/session/index.js";
import { sessionInfo } from "@bough/session/session/internal.js";
import { attempt, defined, errorText, firstWords } from "@bough/session/text/index.js";
import {
  findSources,
  ownSources,
  type Source,
  type SourcePlaces,
  sourceKey,
  tailHash,
} from "../../history/internal.js";
import { modelCalls } from "../../interop/door.js";
import { opensInPlace } from "../../interop/index.js";
import type { ModelCall } from "../../interop/internal.js";
import { ownCalls } from "./own-calls.js";
import { type ModelNames, rowsOf, type UsageSession } from "./session-usage.js";
import { type IndexedSession, UsageIndex } from "./usage-index.js";

export interface ReadUsageOptions extends SourcePlaces {
  /** Whose sessions are read. */
  readonly scope: "own" | "all-agents";
  /** Called before each session that must be read. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface UsageSource {
  readonly models: readonly string[];
  readonly sessions: readonly IndexedSession[];
  /** Sessions and folders that could not be read. */
  readonly problems: readonly { readonly path: string; readonly reason: string }[];
}

/** Sessions read before an abort are kept in the index. */
export async function readUsage(options: ReadUsageOptions): Promise<UsageSource> {
  const { scope, signal, home = boughHome(), onProgress } = options;
  const problems: { path: string; reason: string }[] = [];
  const places = { ...options, home, archived: "include" as const };
  const onClosed = (path: string, reason: string) => problems.push({ path, reason });
  const sources = scope === "own" ? ownSources(places, onClosed) : await findSources(places, onClosed);
  const index = UsageIndex.load(home);
  const keyed = sources.map((source) => ({ source, key: sourceKey(source) }));
  const changed = keyed.filter(({ source, key }) => index.get(key)?.stamp !== stampOf(source));
  let hasChanged = false;
  try {
    for (const [done, { source, key }] of changed.entries()) {
      onProgress?.(done, changed.length);
      await setImmediate();
      signal?.throwIfAborted();
      try {
        index.set(await readOne(source, { key, models: index.models, signal }));
        hasChanged = true;
      } catch (error) {
        if (signal?.aborted === true) throw error;
        index.delete(key);
        problems.push({ path: source.path, reason: errorText(error) });
      }
    }
    hasChanged = forgetOthers(index, new Set(keyed.map(({ key }) => key)), scope) || hasChanged;
  } finally {
    if (hasChanged) attempt(() => index.save());
  }
  const sessions = keyed.flatMap(({ key }) => index.get(key) ?? []);
  return { models: index.models.names, sessions, problems };
}

/** A time this close to the read could stay the same through another change, so the last bytes decide as well. */
const COARSEST_MS = 2_000;

function stampOf({ stamp, path, modified }: Source): string {
  return Date.now() - modified > COARSEST_MS ? stamp : `${stamp} ${tailHash(path)}`;
}

interface ReadOneOptions {
  readonly key: string;
  readonly models: ModelNames;
  readonly signal: AbortSignal | undefined;
}

async function readOne(source: Source, { key, models, signal }: ReadOneOptions): Promise<IndexedSession> {
  // Before the read: a change in between makes the next stamp differ.
  const stamp = stampOf(source);
  const { foreign, path } = source;
  const isInPlace = foreign === undefined || opensInPlace(foreign);
  const { calls, branches } = isInPlace ? ownCalls(path) : { calls: await callsOf(source, signal), branches: [] };
  return { session: { ...factsOf(source, key), branches }, stamp, rows: rowsOf(calls, models) };
}

async function callsOf({ foreign }: Source, signal: AbortSignal | undefined): Promise<readonly ModelCall[]> {
  if (foreign === undefined) throw new Error("bug: one of our own sessions has no conversion");
  const calls: ModelCall[] = [];
  for await (const call of modelCalls(foreign, signal)) calls.push(call);
  return calls;
}

const LONGEST_TITLE = 120;

function factsOf({ agent, foreign, path, modified, bytes }: Source, key: string): Omit<UsageSession, "branches"> {
  if (foreign !== undefined) {
    const { id, cwd, title, created } = foreign;
    return {
      key,
      agent,
      id,
      path,
      cwd,
      title: firstWords(title ?? "", LONGEST_TITLE),
      created: created.getTime() || 0,
    };
  }
  const info = sessionInfo({ path, size: bytes, modifiedMs: modified });
  if (info === undefined) return { key, agent, id: "", path, cwd: "", title: "", created: 0 };
  const { id, cwd, name, firstMessage, created, importedFrom: from } = info;
  const title = firstWords(name ?? firstMessage, LONGEST_TITLE);
  const origin = from === undefined ? undefined : { agent: from.agent, id: from.id };
  return { key, agent, id, path, cwd, title, created: created.getTime() || 0, ...defined({ importedFrom: origin }) };
}

/** Forgets sessions that are gone. Those of other agents are known to be gone only if they were looked for. */
function forgetOthers(index: UsageIndex, keys: ReadonlySet<string>, scope: ReadUsageOptions["scope"]): boolean {
  const gone = [...index.keys].filter((key) => !keys.has(key) && (scope !== "own" || isOwn(index, key)));
  for (const key of gone) index.delete(key);
  return gone.length > 0;
}

function isOwn(index: UsageIndex, key: string): boolean {
  return index.get(key)?.session.agent === undefined;
}

/** `bough ls`: sessions of a folder, of all folders, or of the archive. */

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import {
  archiveRoot,
  exactSessionInfo,
  listAllSessions,
  listArchived,
  listSessions,
  type OnListProgress,
  type SessionInfo,
  sessionFolder,
  sessionsRoot,
} from "../../../session/index.js";
import { listedSessions, type SessionSort, sessionRow } from "../../../view/index.js";
import { checkFolder } from "../session-argument.js";
import { type ListedSession, sessionColumns, sessionTsv } from "../session-columns.js";
import { dollarsOf } from "../session-cost.js";
import type { SubcommandCall } from "../subcommand.js";

/** A terminal shows so many unless told otherwise: the rest would scroll away. */
const TERMINAL_LIMIT = 100;

export async function run(call: SubcommandCall): Promise<number> {
  const { flags, out, places } = call;
  const limit = flags.count("limit") ?? (out.isTerminal && !out.json ? TERMINAL_LIMIT : undefined);
  const sort = (flags.text("sort") ?? "recent") as SessionSort;
  const { sessions, total } = await sessionsFor(call, sort === "recent" ? limit : undefined);
  const listed = withWishes(call, sorted(sessions, sort).slice(0, limit));
  const scope = flags.isOn("archived") ? "archive" : flags.isOn("all") || places.dir !== undefined ? "all" : "folder";
  const home = homedir();
  if (out.json) await out.values({}, "sessions", map(listed, jsonOf));
  else if (!out.isTerminal) await out.raw(sessionTsv(listed, { home }));
  else if (listed.length === 0) out.line(nothing(scope));
  else await out.lines(sessionColumns(listed, { width: out.width, now: call.now().getTime(), home, scope }));
  if (out.isTerminal && !out.json && listed.length < total) out.remark(`${total - listed.length} more: -n ${total}`);
  return 0;
}

interface FoundSessions {
  readonly sessions: readonly ListedSession[];
  readonly total: number;
}

/** `most` ends the reading early: files come in the order they were written to, newest first. */
async function sessionsFor({ flags, places, signal }: SubcommandCall, most?: number): Promise<FoundSessions> {
  if (flags.isOn("archived")) return archived();
  const all = flags.isOn("all");
  const folder = all ? sessionsRoot() : (places.dir ?? sessionFolder(places.cwd));
  checkFolder(folder);
  const sessions: ListedSession[] = [];
  let total = 0;
  const enough = new AbortController();
  const options = { signal: AbortSignal.any([signal, enough.signal]) };
  const take: OnListProgress = (_done, files, info) => {
    total = files;
    if (info !== undefined && !enough.signal.aborted) sessions.push({ info });
    if (sessions.length === most) enough.abort();
  };
  try {
    if (all) await listAllSessions(take, options);
    else await listSessions(folder, take, options);
  } catch (error) {
    if (!enough.signal.aborted || signal.aborted) throw error;
  }
  return { sessions, total: enough.signal.aborted ? total : sessions.length };
}

async function archived(): Promise<FoundSessions> {
  checkFolder(archiveRoot());
  const times = new Map(listArchived().map(({ path, archivedAt }) => [path, archivedAt]));
  const sessions: ListedSession[] = [];
  for (const folder of new Set([...times.keys()].map((path) => dirname(path)))) {
    for (const info of await listSessions(folder)) sessions.push({ info, archivedAt: times.get(info.path) });
  }
  return { sessions, total: sessions.length };
}

function sorted(sessions: readonly ListedSession[], sort: SessionSort): ListedSession[] {
  const byPath = new Map(sessions.map((one) => [one.info.path, one]));
  const rows = sessions.map(({ info }) => sessionRow(info));
  return listedSessions(rows, { words: "", sort }).map(({ path }) => byPath.get(path) as ListedSession);
}

/** Counted only where it is shown: what nobody sees need not be read. */
function withWishes({ flags, signal }: SubcommandCall, shown: readonly ListedSession[]): ListedSession[] {
  return shown.map((one) => {
    signal.throwIfAborted();
    const info = flags.isOn("exact") && !one.info.exact ? exact(one.info) : one.info;
    return flags.isOn("cost") ? { ...one, info, cost: dollarsOf(info.path) } : { ...one, info };
  });
}

function exact(info: SessionInfo): SessionInfo {
  // Gone since the folder was read: what was known of it still is.
  return existsSync(info.path) ? exactSessionInfo(info) : info;
}

function nothing(scope: "archive" | "all" | "folder"): string {
  if (scope === "archive") return "Nothing is archived.";
  return scope === "all"
    ? "There are no sessions yet. Start one with: bough"
    : "No sessions of this folder yet. bough ls --all shows those of every folder.";
}

function jsonOf({ info, cost, archivedAt }: ListedSession): Readonly<Record<string, unknown>> {
  return {
    id: info.id,
    path: info.path,
    name: info.name ?? null,
    firstMessage: info.firstMessage,
    cwd: info.cwd,
    created: info.created.toISOString(),
    modified: info.modified.toISOString(),
    bytes: info.size,
    messages: info.messageCount ?? null,
    branches: info.branchCount ?? null,
    exact: info.exact,
    parentSession: info.parentSession ?? null,
    ...(cost === undefined ? {} : { cost }),
    ...(archivedAt === undefined ? {} : { archivedAt }),
  };
}

function* map<From, To>(items: Iterable<From>, change: (item: From) => To): Generator<To> {
  for (const item of items) yield change(item);
}

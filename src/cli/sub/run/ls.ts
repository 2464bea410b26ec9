/** `bough ls`: sessions of a folder, of all folders, or of the archive. */

import { statSync } from "node:fs";
import { homedir } from "node:os";
import {
  archiveRoot,
  exactSessionInfo,
  listAllSessions,
  listArchived,
  listSessions,
  type SessionInfo,
  sessionFolder,
  sessionsRoot,
} from "../../../session/index.js";
import { listedSessions, type SessionSort, sessionRow } from "../../../view/index.js";
import { checkFolder } from "../session-argument.js";
import { type ListedSession, sessionColumns, sessionTsv } from "../session-columns.js";
import { dollarsOf } from "../session-cost.js";
import type { SubcommandCall } from "../subcommand.js";

export async function run(call: SubcommandCall): Promise<number> {
  const { flags, out } = call;
  const found = await sessionsFor(call);
  const listed = withWishes(call, found);
  const scope = flags.isOn("archived")
    ? "archive"
    : flags.isOn("all") || call.places.dir !== undefined
      ? "all"
      : "folder";
  if (out.json) await out.values({}, "sessions", map(listed, jsonOf));
  else if (!out.isTerminal) await out.raw(sessionTsv(listed, { home: homedir() }));
  else if (listed.length === 0) out.line(nothing(scope));
  else await out.lines(sessionColumns(listed, { width: out.width, now: call.now().getTime(), home: homedir(), scope }));
  if (out.isTerminal && !out.json && listed.length < found.length) {
    out.remark(`${found.length - listed.length} more; -n shows so many`);
  }
  return 0;
}

async function sessionsFor({ flags, places, signal }: SubcommandCall): Promise<ListedSession[]> {
  if (flags.isOn("archived")) return archived();
  const all = flags.isOn("all");
  const folder = all ? sessionsRoot() : (places.dir ?? sessionFolder(places.cwd));
  checkFolder(folder);
  const infos = all ? await listAllSessions(undefined, { signal }) : await listSessions(folder, undefined, { signal });
  return infos.map((info) => ({ info }));
}

async function archived(): Promise<ListedSession[]> {
  checkFolder(archiveRoot());
  const times = new Map(listArchived().map(({ path, archivedAt }) => [path, archivedAt]));
  const folders = new Set(
    [...times.keys()].map((path) => path.slice(0, Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")))),
  );
  const found: ListedSession[] = [];
  for (const folder of folders) {
    for (const info of await listSessions(folder)) found.push({ info, archivedAt: times.get(info.path) });
  }
  return found;
}

/** Sorted and cut, and only then counted: what nobody sees need not be read. */
function withWishes({ flags, signal }: SubcommandCall, found: readonly ListedSession[]): ListedSession[] {
  const byPath = new Map(found.map((one) => [one.info.path, one]));
  const sort = (flags.text("sort") ?? "recent") as SessionSort;
  const rows = listedSessions(
    found.map(({ info }) => sessionRow(info)),
    { words: "", sort },
  );
  const shown = rows.slice(0, flags.count("limit") ?? rows.length).map(({ path }) => byPath.get(path) as ListedSession);
  return shown.map((one) => {
    signal.throwIfAborted();
    const info = flags.isOn("exact") && !one.info.exact ? exact(one.info) : one.info;
    return flags.isOn("cost") ? { ...one, info, cost: dollarsOf(info.path) } : { ...one, info };
  });
}

function exact(info: SessionInfo): SessionInfo {
  // Gone since the folder was read: what was known of it still is.
  return statSync(info.path, { throwIfNoEntry: false }) === undefined ? info : exactSessionInfo(info);
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

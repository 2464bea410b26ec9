/** Finds opencode's sessions and describes them for lists. */
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import { itemsIn } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";
import type { AgentPlaces, FileFacts, ForeignSession, SourceProblem } from "../contract.js";
import { jsonProblem } from "../conversion/json-head.js";
import { firstPromptField } from "../conversion/prompt-words.js";
import { headOf } from "../file-head.js";
import { stringIn, withoutMark } from "../foreign-lines.js";
import { InteropError } from "../interop-error.js";
import { READ_EVERY_TIME } from "../known-files.js";
import { damagedSession, problemTitle } from "../source-problem.js";
import { openDatabase } from "./database-store.js";
import { openExport, openExportHead } from "./export-store.js";
import { filesOfSession, openFolder, storageAbove } from "./folder-store.js";
import { type JsonObject, type SessionStore, type StoredRecord, sessionIdOf, timeOf } from "./session-store.js";

/** `$XDG_DATA_HOME/opencode`, or `~/.local/share/opencode`, on every system. */
export function opencodeData({ home, environment = home === undefined ? process.env : {} }: AgentPlaces): string {
  const configured = environment.XDG_DATA_HOME;
  const data = configured === undefined || configured === "" ? join(home ?? homedir(), ".local", "share") : configured;
  return join(data, "opencode");
}

/** Whether a file contains opencode sessions, or should but is damaged. */
export function isStore(path: string): boolean {
  return storeKind(path) !== undefined || isDamagedFile(path);
}

type StoreKind = "database" | "export" | "folder";

const HEAD = 1 << 14;

/** Checks only the first bytes or, for a database damaged there, its name. */
function storeKind(path: string): StoreKind | undefined {
  const head = withoutMark(headOf(path, HEAD)?.toString("utf8") ?? "");
  if (head.startsWith("SQLite format 3\0")) {
    return basename(path).startsWith("opencode") ? "database" : undefined;
  }
  if (head !== "" && DATABASE.test(basename(path))) return "database";
  if (!path.endsWith(".json")) return undefined;
  if (/^\s*\{\s*"info"\s*:\s*\{/.test(head))
    return /"(?:projectID|slug|directory)"\s*:/.test(head) ? "export" : undefined;
  return storageAbove(path) !== undefined && /"projectID"\s*:|"directory"\s*:/.test(head) ? "folder" : undefined;
}

const DATABASE = /^opencode(?:-[^.]*)?\.db$/;

export function openStore(path: string): SessionStore {
  const kind = storeKind(path);
  if (kind === "database") return openDatabase(path);
  return kind === "folder" ? openFolder(path) : openExport(path);
}

/**
 * The sessions that a user started; those of sub-agents are part of the session that started them. An unreadable store
 * is listed itself, with the reason.
 */
export async function describeStore(path: string): Promise<ForeignSession[]> {
  const kind = storeKind(path);
  const problem = kind === "database" ? undefined : jsonProblem(path);
  if (problem !== undefined) return [damagedSession("opencode", path, problem)];
  try {
    return sessionsIn(path, kind);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [damagedSession("opencode", path, problemOf(error))];
  }
}

function sessionsIn(path: string, kind: StoreKind | undefined): ForeignSession[] {
  const store = kind === "export" ? openExportHead(path) : openStore(path);
  try {
    const all = store.sessions();
    // A folder contains other sessions too; list only the one in this file.
    const own = kind === "folder" ? all.slice(0, 1) : startedByPerson(all);
    return own.map((record) => ({
      ...sessionOf(path, record, all, kind),
      ...promptOrProblem(store, sessionIdOf(record)),
    }));
  } finally {
    store.close();
  }
}

/** Damage in a database may affect only some of its sessions. */
function promptOrProblem(store: SessionStore, session: string): Partial<ForeignSession> {
  try {
    return firstPromptField(firstPromptIn(store, session));
  } catch (error) {
    if (!isDamage(error)) throw error;
    const problem = problemOf(error);
    return { problem, title: problemTitle(problem) };
  }
}

function isDamage(error: unknown): error is InteropError {
  return error instanceof InteropError && error.code === "damaged-source";
}

function problemOf({ data }: InteropError): SourceProblem {
  return { kind: "damaged", reason: String(data.reason) };
}

/** Number of messages searched for the first prompt. */
const FIRST_MESSAGES = 4;

function firstPromptIn(store: SessionStore, session: string): string | undefined {
  let seen = 0;
  for (const { value, parts } of store.messages(session)) {
    seen += 1;
    if (seen > FIRST_MESSAGES) break;
    const texts = value?.role === "user" ? parts.flatMap((part) => typedText(part.value) ?? []) : [];
    if (texts.length > 0) return texts.join(" ");
  }
  return undefined;
}

function typedText(part: JsonObject | undefined): string | undefined {
  return part?.type === "text" && part.synthetic !== true && part.ignored !== true ? stringIn(part.text) : undefined;
}

function startedByPerson(all: readonly StoredRecord[]): StoredRecord[] {
  const ids = new Set(all.map(sessionIdOf));
  return all.filter(({ value }) => !ids.has(stringIn(value?.parentID) ?? ""));
}

function sessionOf(
  path: string,
  record: StoredRecord,
  all: readonly StoredRecord[],
  kind: StoreKind | undefined,
): ForeignSession {
  const id = sessionIdOf(record) || basename(path).replace(/\.[^.]*$/, "");
  const stats = statSync(path);
  const children = kind === "folder" ? childrenOf(id, all) : [];
  const files = kind === "folder" ? [record, ...children].flatMap(({ file }) => filesOfSession(file)) : [path];
  const created = timeOf(record.value, "created");
  const updated = timeOf(record.value, "updated");
  return {
    agent: "opencode",
    path,
    files,
    id,
    cwd: stringIn(record.value?.directory) ?? "",
    title: stringIn(record.value?.title),
    created: created === undefined ? stats.birthtime : new Date(created),
    modified: updated === undefined ? stats.mtime : new Date(updated),
    size: files.reduce((sum, file) => sum + statSync(file).size, 0),
  };
}

/** The sessions of a session's sub-agents, recursively. */
export function childrenOf(id: string, all: readonly StoredRecord[]): StoredRecord[] {
  const children: StoredRecord[] = [];
  const parents = [id];
  for (let parent = parents.shift(); parent !== undefined; parent = parents.shift()) {
    for (const record of all) {
      if (record.value?.parentID !== parent || children.includes(record)) continue;
      children.push(record);
      parents.push(sessionIdOf(record));
    }
  }
  return children;
}

/** Lists databases first: opencode migrates sessions to them but leaves the older files in place. */
export async function* findOpencode(places: AgentPlaces, facts = READ_EVERY_TIME): AsyncGenerator<ForeignSession> {
  const data = opencodeData(places);
  const seen = new Set<string>();
  for (const path of databasesIn(data, places)) {
    for (const session of await describedDatabase(path, facts)) {
      seen.add(session.id);
      yield session;
    }
  }
  const root = join(data, "storage", "session");
  for (const project of itemsIn(root)) {
    if (!project.isDirectory()) continue;
    for (const item of itemsIn(join(root, project.name))) {
      const path = join(root, project.name, item.name);
      const isSession = item.isFile() && (storeKind(path) === "folder" || isDamagedFile(path));
      for (const session of isSession ? await describeQuietly(path) : []) {
        if (!seen.has(session.id) && (session.problem !== undefined || isRoot(path))) yield session;
      }
    }
  }
}

/** Whether a path is a session's own file, and the file is damaged. */
function isDamagedFile(path: string): boolean {
  const storage = storageAbove(path);
  return storage !== undefined && basename(storage) === "storage" && readableProblem(path) !== undefined;
}

function readableProblem(path: string): SourceProblem | undefined {
  // Missing or not readable.
  return attempt(() => jsonProblem(path));
}

function isRoot(path: string): boolean {
  const all = openFolder(path).sessions();
  const [own] = all;
  return own === undefined || startedByPerson(all).includes(own);
}

function databasesIn(
  data: string,
  { home, environment = home === undefined ? process.env : {} }: AgentPlaces,
): string[] {
  const named = environment.OPENCODE_DB;
  const usual = itemsIn(data).filter((item) => item.isFile() && DATABASE.test(item.name));
  const paths = usual.map((item) => join(data, item.name)).sort();
  if (named === undefined || named === "" || named === ":memory:") return paths;
  const path = isAbsolute(named) ? named : join(data, named);
  return paths.includes(path) ? paths : [path, ...paths];
}

/** The sessions of a database, which has not changed if neither it nor its log did. */
async function describedDatabase(path: string, facts: FileFacts): Promise<readonly ForeignSession[]> {
  const sessions = await facts.later("opencode", path, () => describeQuietly(path), [`${path}-wal`]);
  return sessions.map((session) => ({
    ...session,
    created: new Date(session.created),
    modified: new Date(session.modified),
  }));
}

async function describeQuietly(path: string): Promise<readonly ForeignSession[]> {
  try {
    return await describeStore(path);
  } catch {
    // Missing or not readable: lists omit it, and opening it by name reports why.
    return [];
  }
}

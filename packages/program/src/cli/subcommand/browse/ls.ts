/** `bough ls`: sessions of a folder, of all folders, of all agents, or of the archive. */

import { homedir } from "node:os";
import { SessionError } from "@bough/session/entry/index.js";
import type { SessionInfo } from "@bough/session/session/index.js";
import type { CountProgress } from "@bough/session/session/internal.js";
import { listedSessions, type SessionSort, sessionRow } from "@bough/session/view/internal.js";
import type { AgentName, ForeignSession } from "@bough/workbench/interop/index.js";
import { usageError } from "../../cli-error.js";
import { noteDamaged } from "../import/damaged-notice.js";
import { noteUnreadable } from "../import/unreadable-notice.js";
import { listLimit } from "../list-limit.js";
import { mapped } from "../output.js";
import { type ListScope, sessionColumns, sessionTsv } from "../session-columns.js";
import { StatusLine } from "../status-line.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { AGENTS, OWN } from "./agents.js";
import { type CountedList, countListed } from "./count-listed.js";
import { type FoundSessions, findArchived, findOwn } from "./find-own.js";
import { type ListedSession, sessionJson } from "./listed-session.js";
import { shortIds } from "./short-ids.js";

export const row: SubcommandRow = {
  name: "ls",
  usage: "",
  summary: "List the sessions in this folder",
  details:
    "Newest first: name or first prompt, age, turns, branches, size and cost. Turns are user prompts on all branches. Large files are counted once and cached; sessions not counted yet show ?, as do unknown prices. Another agent's session is counted again once it has grown by half; until then its counts end in +. Run ls again to count more of Bough's, or pass --exact to count all listed sessions. --all-agents adds sessions from Claude Code, Codex, opencode, Gemini CLI and pi; an imported session is listed once, as Bough's. In a pipe, columns are separated by tabs.",
  flags: {
    all: { short: "a", help: "list every folder's sessions" },
    "all-agents": { help: "list every folder's sessions, including other agents'" },
    agent: {
      value: "agent",
      repeatable: true,
      choices: AGENTS,
      help: "only this agent's sessions; repeatable",
    },
    archived: { help: "list archived sessions of every folder" },
    store: { takesValue: true, help: "list what is in your store; --store=name for another one" },
    exact: { help: "count every listed session, even if that is slow" },
    sort: { value: "order", choices: ["recent", "name", "size"], help: "sort order (default recent)" },
    limit: { short: "n", value: "n", help: "show at most N (default 100 in a terminal)" },
  },
  examples: [
    ["ls", "sessions in this folder"],
    ["ls --all --sort size -n 10", "the ten largest sessions"],
    ["ls --all-agents", "include other agents' sessions"],
    ["ls --agent codex --agent gemini --exact", "only these two, fully counted"],
    ["ls --store", "this project's sessions on every machine"],
    ["ls --all --json", "for a script"],
  ],
  json: '{ "sessions": [{ id, agent, path, name, firstMessage, cwd, created, modified, bytes, turns, messages, branches, cost, exact, parentSession, importedFrom, archivedAt? }] }; cost is { dollars, unpriced }; agent is bough for native sessions; importedFrom is { agent, id, path }. turns, messages, branches and cost are null until counted, and may be those of an earlier count unless exact is true; bytes is null if sessions share a database. With --store: { "store", "project", "sessions": [{ id, title, project, cwd, updated, replicas: [{ id, name }], here }] }',
  args: { least: 0, most: 0 },
  completes: "none",
};

export async function run(call: SubcommandCall): Promise<number> {
  const { flags, out } = call;
  if (flags.isOn("store")) return (await import("../store/look-in-store.js")).listStore(call);
  const scope = scopeOf(call);
  const limit = listLimit(call);
  const sort = (flags.text("sort") ?? "recent") as SessionSort;
  const {
    sessions,
    total,
    otherIds = [],
    closed = [],
  } = await find(call, scope, sort === "recent" ? limit : undefined);
  const counted = await count(call, sorted(sessions, sort).slice(0, limit));
  const listed = counted.sessions;
  const home = homedir();
  if (out.json) await out.values({}, "sessions", mapped(listed, sessionJson));
  else if (!out.isTerminal) await out.raw(sessionTsv(listed, { scope }));
  else if (listed.length === 0) out.line(nothing(scope));
  else {
    const ids = shortIds([...sessions.map(({ info }) => info.id), ...otherIds]);
    await out.lines(sessionColumns(listed, { width: out.width, now: call.now().getTime(), home, scope, ids }));
  }
  if (out.isTerminal && !out.json && listed.length < total) out.notice(`${total - listed.length} more: -n ${total}`);
  if (!out.json) for (const notice of countNotices(counted)) out.notice(notice);
  if (scope === "agents") {
    noteDamaged(
      call,
      sessions.flatMap(({ source }) => source ?? []),
    );
    await noteUnreadable(call, flags.all("agent"));
  } else if (!out.json && listed.length === 0 && scope !== "archive") await noteOthers(call);
  for (const { message } of closed) out.notice(`bough: ${message}`);
  return closed.length === 0 ? 0 : 1;
}

/** On standard error, so that a script gets only the list. */
async function noteOthers(call: SubcommandCall): Promise<void> {
  const { othersHere } = await import("../import/others-here.js");
  const others = await othersHere(call);
  if (others !== undefined) call.out.notice(others);
}

function scopeOf({ flags, places }: SubcommandCall): ListScope {
  const agents = flags.isOn("all-agents") || flags.isOn("agent");
  if (flags.isOn("archived") && agents) {
    throw usageError("The archive contains no sessions from other agents", "Use either --archived or --all-agents.");
  }
  if (agents) return "agents";
  if (flags.isOn("archived")) return "archive";
  return flags.isOn("all") || places.dir !== undefined ? "all" : "folder";
}

function find(call: SubcommandCall, scope: ListScope, most: number | undefined): Promise<FoundSessions> {
  if (scope === "archive") return findArchived();
  const { flags, out } = call;
  const ids = out.isTerminal && !out.json ? "short" : "whole";
  if (scope === "agents") return findOfAgents(call, { agents: flags.all("agent"), ids });
  return findOwn(call, { folders: flags.isOn("all") ? "all" : "this", most });
}

async function count({ flags, signal }: SubcommandCall, shown: readonly ListedSession[]): Promise<CountedList> {
  const line = new StatusLine();
  const onProgress = ({ done, total }: CountProgress) => line.tell(() => `Counting: ${done} of ${total} sessions`);
  try {
    return await countListed(shown, { exact: flags.isOn("exact"), signal, onProgress });
  } finally {
    line.clear();
  }
}

function sorted(sessions: readonly ListedSession[], sort: SessionSort): ListedSession[] {
  // By row rather than by file, because several sessions may share a file.
  const byRow = new Map(sessions.map((session) => [sessionRow(session.info), session]));
  return listedSessions([...byRow.keys()], { words: "", sort }).map((row) => byRow.get(row) as ListedSession);
}

function countNotices({ leftOut, grown, failed }: CountedList): string[] {
  const notices: string[] = [];
  const these = (many: number) => (many === 1 ? "1 session" : `${many} sessions`);
  if (leftOut > 0) notices.push(`${these(leftOut)} not counted yet (?); --exact counts all listed sessions`);
  if (grown > 0) notices.push(`${these(grown)} grew after counting (+); --exact counts all listed sessions`);
  if (failed > 0) notices.push(`${these(failed)} could not be counted (?); open them to see why`);
  return notices;
}

function nothing(scope: ListScope): string {
  switch (scope) {
    case "archive":
      return "Nothing is archived.";
    case "agents":
      return "No sessions found, from Bough or other agents. Start one: bough";
    case "all":
      return "No sessions yet. Start one: bough";
    case "folder":
      return "No sessions in this folder yet. To list every folder: bough ls --all";
  }
}

/** Sessions of all agents in one list: Bough's own of every folder, and those of the others in their usual places. */
interface AgentListOptions {
  /** Limits the list to these; none means all. */
  readonly agents: readonly string[];
  /** `short`: prefixes of ids will be shown, which users may pass to a command that searches all agents. */
  readonly ids: "short" | "whole";
}

/**
 * An imported session is listed once, as the one it became; it counts both as one of Bough's and as one of the source
 * agent.
 */
async function findOfAgents(
  call: Pick<SubcommandCall, "places" | "signal">,
  { agents, ids }: AgentListOptions,
): Promise<FoundSessions> {
  const isWanted = (agent: string) => agents.length === 0 || agents.includes(agent);
  const others = agents.filter((agent): agent is AgentName => agent !== OWN);
  const onlyOwn = agents.length > 0 && others.length === 0;
  // All of them, shown or not: a session that was imported long ago still replaces its source in the list.
  const looking = findOwn(call, { folders: call.places.dir === undefined ? "all" : "this" });
  const own = await (isWanted(OWN) ? looking : looking.catch(onlyClosed));
  const { closed = [] } = own;
  const imported = new Set(own.sessions.flatMap(({ info }) => info.importedFrom ?? []).map(originKey));
  const sessions = own.sessions.filter(({ info }) => isWanted(OWN) || isWanted(info.importedFrom?.agent ?? OWN));
  const ownIds = own.sessions.map(({ info }) => info.id);
  if (onlyOwn) return { sessions, total: sessions.length, otherIds: ownIds, closed };
  // Loaded only here, so that listing one's own sessions does not wait for the other readers.
  const [{ findSessions }, { knownFilesPlace }] = await Promise.all([
    import("@bough/workbench/interop/index.js"),
    import("@bough/workbench/interop/internal.js"),
  ]);
  const { signal } = call;
  const cache = knownFilesPlace();
  const found = await findSessions({
    signal,
    cache,
    agents: others.length === 0 || ids === "short" ? undefined : others,
  });
  signal.throwIfAborted();
  const wanted = found.filter((source) => isWanted(source.agent) && !imported.has(originKey(source)));
  const all = [...sessions, ...listed(wanted)];
  return { sessions: all, total: all.length, otherIds: [...ownIds, ...found.map(({ id }) => id)], closed };
}

/** If only other agents' sessions are requested, an unreadable Bough folder is reported, and the others are listed. */
function onlyClosed(error: unknown): FoundSessions {
  if (!(error instanceof SessionError) || error.code !== "read-failed") throw error;
  return { sessions: [], total: 0, closed: [error] };
}

function originKey({ agent, id }: { readonly agent: string; readonly id: string }): string {
  return `${agent}:${id}`;
}

function listed(sources: readonly ForeignSession[]): ListedSession[] {
  const sharing = new Map<string, number>();
  for (const { path } of sources) sharing.set(path, (sharing.get(path) ?? 0) + 1);
  return sources.map((source) => {
    const among = sharing.get(source.path) ?? 1;
    return { source, sharesFile: among > 1, info: foreignInfo(source, Math.round(source.size / among)) };
  });
}

function foreignInfo(source: ForeignSession, size: number): SessionInfo {
  const { path, id, cwd, title, firstPrompt, created, modified, problem } = source;
  return {
    path,
    id,
    cwd,
    parentSession: undefined,
    // Without a name, the title is the first prompt.
    name: title === firstPrompt ? undefined : title,
    created,
    modified,
    size,
    firstMessage: firstPrompt ?? "",
    messageCount: undefined,
    turnCount: undefined,
    branchCount: undefined,
    cost: undefined,
    // What cannot be read cannot be counted either.
    exact: problem !== undefined,
    importedFrom: undefined,
  };
}

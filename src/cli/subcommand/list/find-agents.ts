/** Sessions of all agents in one list: Bough's own of every folder, and those of the others in their usual places. */
import type { AgentName, ForeignSession } from "../../../interop/index.js";
import type { SessionInfo } from "../../../session/index.js";
import type { SubcommandCall } from "../subcommand.js";
import { type FoundSessions, findOwn } from "./find-own.js";
import { type ListedSession, OWN } from "./listed-session.js";

interface AgentsWish {
  /** Narrows it; none means all. */
  readonly agents: readonly string[];
  /** `short`: starts of ids will be shown, and someone may give them to a command that looks through all agents. */
  readonly ids: "short" | "whole";
}

/**
 * What was imported is listed once, as the session it became; it counts as one of
 * Bough's and of the agent it came from.
 */
export async function findOfAgents(
  call: Pick<SubcommandCall, "places" | "signal">,
  { agents, ids }: AgentsWish,
): Promise<FoundSessions> {
  // All of them, whatever is shown: a session that was imported long ago still represents its source.
  const own = await findOwn(call, { folders: call.places.dir === undefined ? "all" : "this" });
  const imported = new Set(own.sessions.flatMap(({ info }) => info.importedFrom ?? []).map(originKey));
  const isWanted = (agent: string) => agents.length === 0 || agents.includes(agent);
  const sessions = own.sessions.filter(({ info }) => isWanted(OWN) || isWanted(info.importedFrom?.agent ?? OWN));
  const others = agents.filter((agent): agent is AgentName => agent !== OWN);
  const ownIds = own.sessions.map(({ info }) => info.id);
  if (agents.length > 0 && others.length === 0) return { sessions, total: sessions.length, otherIds: ownIds };
  // Loaded only here: one's own list sessions does not wait for the readers of others.
  const { listForeign } = await import("../../../command/index.js");
  const { signal } = call;
  const found = await listForeign({ signal, agents: others.length === 0 || ids === "short" ? undefined : others });
  signal.throwIfAborted();
  const wanted = found.filter((source) => isWanted(source.agent) && !imported.has(originKey(source)));
  const all = [...sessions, ...listed(wanted)];
  return { sessions: all, total: all.length, otherIds: [...ownIds, ...found.map(({ id }) => id)] };
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
    // If it has no name, its title is its first prompt.
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

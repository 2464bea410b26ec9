/** `bough search`: hits as they are found, progress on standard error. */

import { AGENT_TITLES, type AgentName } from "@bough/session/entry/index.js";
import {
  type SearchOptions,
  type SearchProgress,
  searchSessions,
  sessionFolder,
  sessionsRoot,
} from "@bough/session/session/index.js";
import { sessionNames } from "@bough/session/session/internal.js";
import { shortAge, shortBytes, withoutControls } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import type { ForeignPlace, FoundHit, SearchPlaces } from "@bough/workbench/interop/index.js";
import { usageError } from "../../cli-error.js";
import { safeJson } from "../../safe-json.js";
import { noteUnreadable } from "../import/unreadable-notice.js";
import { listLimit } from "../list-limit.js";
import { sessionArgument } from "../session-argument.js";
import { StatusLine } from "../status-line.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { AGENTS, OWN } from "./agents.js";

export const row: SubcommandRow = {
  name: "search",
  usage: "<words...>",
  summary: "Search sessions",
  details:
    'Matches entries that contain all words, in any order. Quote "a phrase" to match it exactly; re:pattern is a regular expression. Abandoned branches and compacted entries are searched too, and their hits are marked. Pass the address of a hit to show, tree or bough --session (for other agents: show and tree only). Exits with 1 if nothing is found.',
  flags: {
    all: { short: "a", help: "search every folder's sessions" },
    "all-agents": { help: "search every folder's sessions, including other agents'" },
    agent: {
      value: "agent",
      repeatable: true,
      choices: AGENTS,
      help: "search only this agent's sessions, in every folder; repeatable",
    },
    in: {
      value: "session",
      repeatable: true,
      help: "search only this session, which can be another agent's; repeatable",
    },
    role: {
      value: "role",
      repeatable: true,
      help: "only this role: user, assistant, toolResult, compaction, ...; repeatable",
    },
    case: { help: "match case" },
    store: { takesValue: true, help: "search what is in your store; --store=name for another one" },
    limit: { short: "n", value: "n", help: "stop after N hits (default 100 in a terminal)" },
  },
  examples: [
    ["search tokenizer", "sessions in this folder"],
    ['search --all "merge conflict"', "both words, in any folder"],
    ["search --all-agents tokenizer", "include Claude Code, Codex, opencode, Gemini CLI and pi"],
    ["search -n 1 --role user 're:time(d )?out'", "the first prompt that matches"],
    ["search --store migration", "this project's sessions on every machine"],
  ],
  json: 'one line per hit, as found: { "type": "hit", address, agent?, sessionId, sessionName, path, entryId, entryType, role, timestamp, excerpt, matches, state }, then { "type": "end", hits, filesDone, filesTotal, bytesDone, bytesTotal, problems }. state is active, abandoned or compacted; agent is set for sessions from other agents. With --store: { "type": "hit", store, sessionId, title, entryId, role, timestamp, excerpt, state, here }, then { "type": "end", hits }.',
  args: { least: 1, most: Number.POSITIVE_INFINITY },
  completes: "none",
};

export async function run(call: SubcommandCall): Promise<number> {
  const { flags, out, signal } = call;
  const limit = listLimit(call);
  const roles = flags.all("role");
  const query = call.args.map(quoted).join(" ");
  if (query.replaceAll('"', "").trim() === "") {
    throw usageError("Nothing to search for", 'Give words, a "phrase" in quotes, or re: and a regular expression.');
  }
  if (flags.isOn("store")) return (await import("../store/look-in-store.js")).searchStore(call, limit);
  const progress = new StatusLine();
  const search = searchIn(query, await placesOf(call, progress), {
    signal,
    onProgress: (now) => progress.tell(() => progressWords(now)),
    caseSensitive: flags.isOn("case"),
    limit,
    roles: roles.length === 0 ? undefined : roles,
  });
  let hits = 0;
  let session = "";
  try {
    for (;;) {
      const step = await search.next();
      if (step.done === true) {
        progress.clear();
        return await finish(call, step.value, { hits, limit });
      }
      hits += 1;
      progress.clear();
      if (out.json) await out.raw([`${safeJson({ type: "hit", ...step.value })}\n`]);
      else {
        const { agent, sessionId, path } = step.value;
        // A database contains many sessions.
        const here = `${agent} ${sessionId} ${path}`;
        if (here !== session) out.line(sessionLine(step.value, { first: session === "" }));
        session = here;
        await out.lines(hitLines(step.value, call.now().getTime()));
      }
    }
  } finally {
    progress.clear();
    await search.return(undefined as never);
  }
}

function progressWords({ filesDone, filesTotal, bytesDone, bytesTotal }: SearchProgress): string {
  return `Searching: ${filesDone} of ${filesTotal} sessions, ${shortBytes(bytesDone)} of ${shortBytes(bytesTotal)}`;
}

/** A word that was quoted in the shell is one phrase. */
function quoted(word: string, _at: number, all: readonly string[]): string {
  if (all.length === 1 || !/\s/.test(word) || /^(?:re:|")/.test(word)) return word;
  return `"${word.replaceAll('"', '\\"')}"`;
}

type Places = Partial<SearchPlaces>;
type Hits = AsyncGenerator<FoundHit, SearchProgress, undefined>;

/** The readers for other agents are loaded only if needed. */
async function* searchIn(query: string, { own, foreign }: Places, options: SearchOptions): Hits {
  if (foreign === undefined) return yield* searchSessions(query, { ...options, ...own });
  const { searchEverywhere } = await import("@bough/workbench/interop/index.js");
  return yield* searchEverywhere(query, { own, foreign }, options);
}

async function placesOf({ flags, places, signal }: SubcommandCall, progress: StatusLine): Promise<Places> {
  const named = flags.all("in");
  if (named.length > 0) {
    const files: string[] = [];
    const foreign: ForeignPlace[] = [];
    for (const reference of named) {
      const found = await sessionArgument(reference, places, { signal });
      if (found.foreign === undefined) files.push(found.file);
      else {
        (await import("@bough/workbench/interop/index.js")).checkReadable(found.foreign.foreign);
        foreign.push(found.foreign);
      }
    }
    return {
      own: files.length === 0 ? undefined : { files },
      foreign: foreign.length === 0 ? undefined : async () => foreign,
    };
  }
  const chosen = flags.all("agent");
  const everywhere = flags.isOn("all") || flags.isOn("all-agents") || chosen.length > 0;
  const dir = everywhere ? sessionsRoot() : (places.dir ?? sessionFolder(places.cwd));
  // An unreadable session is an error here, not a search without hits.
  sessionNames(dir);
  const agents = chosen.filter((agent): agent is AgentName => agent !== OWN);
  const foreign = async () => {
    progress.say("Finding other agents' sessions");
    const [{ findPlaces }, { knownFilesPlace }] = await Promise.all([
      import("@bough/workbench/interop/index.js"),
      import("@bough/workbench/interop/internal.js"),
    ]);
    return findPlaces({ signal, cache: knownFilesPlace(), agents: agents.length === 0 ? undefined : agents });
  };
  const isForeign = chosen.length === 0 ? flags.isOn("all-agents") : agents.length > 0;
  const isOwn = chosen.length === 0 || chosen.includes(OWN);
  return { own: isOwn ? { dir } : undefined, foreign: isForeign ? foreign : undefined };
}

async function finish(
  { out, flags, args }: SubcommandCall,
  progress: SearchProgress,
  { hits, limit }: { readonly hits: number; readonly limit: number | undefined },
): Promise<number> {
  if (out.json) await out.raw([`${safeJson({ type: "end", hits, ...progress })}\n`]);
  for (const { path, message } of progress.problems) out.notice(`bough: ${path} could not be searched: ${message}`);
  if (flags.isOn("all-agents") || flags.isOn("agent")) await noteUnreadable({ out }, flags.all("agent"));
  if (out.json) return hits === 0 ? 1 : 0;
  if (hits === 0) {
    const [where, how] = searched(flags);
    out.notice(`Nothing in ${where} matches ${args.join(" ")} (${progress.filesTotal} searched).${how}`);
  } else if (hits === limit) out.notice(`The first ${hits === 1 ? "hit" : `${hits} hits`}; -n shows more.`);
  return hits === 0 ? 1 : 0;
}

/** Where it searched, and where else one could search. */
function searched(flags: SubcommandCall["flags"]): readonly [where: string, how: string] {
  if (flags.isOn("in")) return [flags.all("in").length === 1 ? "that session" : "those sessions", ""];
  if (flags.isOn("agent")) return [`any session from ${flags.all("agent").map(agentTitle).join(" or ")}`, ""];
  if (flags.isOn("all-agents")) return ["any agent's sessions", ""];
  if (flags.isOn("all")) return ["any session", " To search other agents too: --all-agents"];
  return ["the sessions in this folder", " To search every folder: --all; other agents too: --all-agents"];
}

function agentTitle(agent: string): string {
  return agent === OWN ? "Bough" : AGENT_TITLES[agent as AgentName];
}

function sessionLine({ sessionName, sessionId, agent }: FoundHit, { first }: { readonly first: boolean }): Line {
  const whose = agent === undefined ? "" : `  ${AGENT_TITLES[agent]}`;
  const title = flat(sessionName ?? "session");
  return [span(`${first ? "" : "\n"}`), span(title, "strong"), span(`${whose}  ${flat(sessionId)}`, "muted")];
}

const STATES = { active: "", abandoned: "  on an abandoned branch", compacted: "  before a compaction" } as const;

function* hitLines(hit: FoundHit, now: number): Generator<Line> {
  const who = hit.role ?? hit.entryType;
  const age = shortAge(Date.parse(hit.timestamp), now);
  yield [span("  "), span(hit.address, "accent"), span(`  ${who}  ${age}${STATES[hit.state]}`, "muted")];
  yield [span("    "), ...markedExcerpt(hit)];
}

/** The excerpt with its matches underlined, or between « and » if there are no colors. */
function* markedExcerpt({ excerpt, matches }: FoundHit): Generator<Line[number]> {
  let at = 0;
  for (const [start, end] of matches) {
    if (start < at) continue;
    yield span(flat(excerpt.slice(at, start)));
    yield span(`«${flat(excerpt.slice(start, end))}»`, "accent");
    at = end;
  }
  yield span(flat(excerpt.slice(at)));
}

function flat(text: string): string {
  return withoutControls(text).replace(/\s+/g, " ");
}

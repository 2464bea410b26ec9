/** Finds Codex's rollouts and describes them for lists. */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { AgentPlaces, FileFacts, ForeignSession, SourceProblem } from "../contract.js";
import { jsonProblem } from "../conversion/json-head.js";
import { firstPromptField, promptStart, promptWords } from "../conversion/prompt-words.js";
import { foreignLines, objectIn, stringIn } from "../foreign-lines.js";
import { READ_EVERY_TIME } from "../known-files.js";
import { damagedSession, linesProblem } from "../source-problem.js";
import { zstdProblem } from "./cold/zstd-problem.js";
import { isDatedName, rolloutsAround, rolloutsOf, rootAbove, threadInName } from "./rollout-files.js";
import { headOf, type RolloutHead } from "./rollout-head.js";
import type { RolloutIdentity } from "./rollout-record.js";

/** `$CODEX_HOME`, or `~/.codex`. */
export function codexHome({ home, environment = home === undefined ? process.env : {} }: AgentPlaces): string {
  const configured = environment.CODEX_HOME;
  return configured === undefined || configured === "" ? join(home ?? homedir(), ".codex") : configured;
}

export async function detectRollout(path: string): Promise<boolean> {
  const { head, problem } = await inspectRollout(path);
  return head !== undefined || problem !== undefined;
}

export async function describeRollout(path: string): Promise<ForeignSession> {
  const { head, problem } = await inspectRollout(path);
  if (problem !== undefined) return damagedSession("codex", path, problem);
  const related = await relatedRollouts(path, head?.identity, { files: rolloutsAround(path), head: headOf });
  const root = rootAbove(path);
  return sessionOf(path, [path, ...related], {
    head,
    names: threadNames(root === undefined ? undefined : dirname(root)),
  });
}

/** Sub-agents are part of the thread that started them; those whose thread is gone are listed separately. */
export async function* findRollouts(
  places: AgentPlaces,
  facts: FileFacts = READ_EVERY_TIME,
): AsyncGenerator<ForeignSession> {
  const home = codexHome(places);
  const files = rolloutsOf(home);
  const names = threadNames(home);
  const heads = new Map<string, RolloutHead>();
  for (const path of files) {
    const { head, problem } = await facts.later("codex", path, () => inspectRollout(path));
    if (problem !== undefined) yield damagedSession("codex", path, problem);
    if (head !== undefined) heads.set(path, head);
  }
  const threads = new Set([...heads.values()].map(({ identity }) => identity?.id));
  const subagents = subagentsIn(heads);
  const neighbours = { files, subagents, head: async (path: string) => heads.get(path) };
  for (const [path, head] of heads) {
    if (head.identity?.isSubagent === true && threads.has(head.identity.parentThread)) continue;
    const session = await describedOrGone(path, async () => {
      return sessionOf(path, [path, ...(await relatedRollouts(path, head.identity, neighbours))], { head, names });
    });
    if (session !== undefined) yield session;
  }
}

/** Rollouts of sub-agents, by the thread that started them. */
function subagentsIn(heads: ReadonlyMap<string, RolloutHead>): Map<string, string[]> {
  const subagents = new Map<string, string[]>();
  for (const [path, { identity }] of heads) {
    if (identity?.isSubagent !== true || identity.parentThread === undefined) continue;
    const siblings = subagents.get(identity.parentThread);
    if (siblings === undefined) subagents.set(identity.parentThread, [path]);
    else siblings.push(path);
  }
  return subagents;
}

/** Undefined if the file was deleted or archived since the folder was read. */
async function describedOrGone(
  path: string,
  describe: () => Promise<ForeignSession>,
): Promise<ForeignSession | undefined> {
  try {
    return await describe();
  } catch (error) {
    if (existsSync(path)) throw error;
    return undefined;
  }
}

interface RolloutFacts {
  readonly head: RolloutHead | undefined;
  /** Thread names by thread ID. */
  readonly names: ReadonlyMap<string, string>;
}

function sessionOf(path: string, files: readonly string[], { head, names }: RolloutFacts): ForeignSession {
  const stats = statSync(path);
  const id = head?.identity?.id ?? threadInName(path) ?? basename(path).replace(/\.json.*$/, "");
  const created = Date.parse(head?.identity?.created ?? head?.time ?? "");
  return {
    agent: "codex",
    path,
    files,
    id,
    cwd: head?.cwd ?? "",
    title: names.get(id) ?? promptWords(head?.prompt),
    ...firstPromptField(head?.prompt),
    created: Number.isNaN(created) ? stats.birthtime : new Date(created),
    modified: stats.mtime,
    size: files.slice(1).reduce((sum, file) => sum + statSync(file).size, stats.size),
  };
}

/** Thread names given by the user, from `session_index.jsonl`, in which the last line about a thread counts. */
function threadNames(home: string | undefined): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const index = home === undefined ? undefined : join(home, "session_index.jsonl");
  if (index === undefined || !existsSync(index)) return names;
  for (const { text } of foreignLines(index)) {
    const line = objectIn(text);
    const id = stringIn(line?.id);
    const name = stringIn(line?.thread_name);
    if (id !== undefined && name !== undefined) names.set(id, name);
  }
  return names;
}

interface InspectedRollout {
  /** Undefined if the file is not a rollout, or is unreadable. */
  readonly head: RolloutHead | undefined;
  /** Undefined for readable rollouts, files with other names, and empty files. */
  readonly problem: SourceProblem | undefined;
}

async function inspectRollout(path: string): Promise<InspectedRollout> {
  const isNamed = isDatedName(basename(path)) && sizeOf(path) > 0;
  const packed = isNamed && path.endsWith(".zst") ? await zstdProblem(path) : undefined;
  const head = packed === undefined ? await headOf(path) : undefined;
  if (packed !== undefined || head !== undefined || !isNamed) return { head: withShortPrompt(head), problem: packed };
  return { head, problem: (path.endsWith(".json") ? jsonProblem(path) : linesProblem(path)) ?? NO_RECORD };
}

function withShortPrompt(head: RolloutHead | undefined): RolloutHead | undefined {
  return head?.prompt === undefined ? head : { ...head, prompt: promptStart(head.prompt) };
}

/** 0 if it is not a file or not readable, which opening it will report. */
function sizeOf(path: string): number {
  try {
    accessSync(path, constants.R_OK);
    const stats = statSync(path);
    return stats.isFile() ? stats.size : 0;
  } catch {
    return 0;
  }
}

/** The lines are readable, but none is a Codex record. */
const NO_RECORD: SourceProblem = { kind: "damaged", reason: "It has no readable record." };

/** Where to find the other files of a thread: its earlier history, and the sub-agents it started. */
interface Neighbours {
  /** Sorted by name, which is also by time. */
  readonly files: readonly string[];
  head(path: string): Promise<RolloutHead | undefined>;
  /** Rollouts of sub-agents by the thread that started them, if the caller has opened all files anyway. */
  readonly subagents?: ReadonlyMap<string, readonly string[]>;
}

async function relatedRollouts(
  path: string,
  identity: RolloutIdentity | undefined,
  neighbours: Neighbours,
): Promise<string[]> {
  if (identity === undefined) return [];
  const before = await historyBefore(path, identity, neighbours);
  const isOther = (file: string): boolean => file !== path && !before.includes(file);
  const started = await startedBy(path, identity, neighbours);
  return [...before, ...started.filter(isOther)];
}

async function historyBefore(path: string, identity: RolloutIdentity, { files, head }: Neighbours): Promise<string[]> {
  const related: string[] = [];
  for (let base = identity.base; base !== undefined; ) {
    const { thread } = base;
    const file = files.find((name) => basename(name).includes(thread) && name !== path && !related.includes(name));
    if (file === undefined) break;
    related.push(file);
    base = (await head(file))?.identity?.base;
  }
  return related;
}

/** Sub-agents can start others. They start later than their parents, so one pass in order of time finds all. */
async function startedBy(path: string, identity: RolloutIdentity, neighbours: Neighbours): Promise<string[]> {
  const { subagents, head } = neighbours;
  const until = statSync(path).mtimeMs;
  const threads = new Set([identity.id]);
  const started: string[] = [];
  const take = async (file: string): Promise<void> => {
    if (file === path || started.includes(file) || !mayHaveStarted(file, path, until)) return;
    const other = (await head(file))?.identity;
    if (other?.isSubagent !== true || other.parentThread === undefined || !threads.has(other.parentThread)) return;
    threads.add(other.id);
    started.push(file);
  };
  if (subagents === undefined) for (const file of neighbours.files) await take(file);
  // `take` adds to the set during the iteration.
  else for (const thread of threads) for (const file of subagents.get(thread) ?? []) await take(file);
  return started.sort();
}

const START = /^rollout-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)/;
/** File names are in local time of an unknown time zone. */
const ZONES = 26 * 60 * 60 * 1000;

/** Whether a rollout started while the parent was written, which avoids opening the files of all days. */
function mayHaveStarted(file: string, parent: string, until: number): boolean {
  const start = startOf(file);
  const begin = startOf(parent);
  if (start === undefined || begin === undefined) return true;
  return start >= begin && start <= until + ZONES;
}

function startOf(path: string): number | undefined {
  const match = START.exec(basename(path));
  return match === null ? undefined : Date.parse(`${match[1]}T${match[2]}:${match[3]}:${match[4]}Z`);
}

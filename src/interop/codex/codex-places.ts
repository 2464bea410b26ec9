/** Where Codex keeps its rollouts, and what a list says of them. */
import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { AgentPlaces, ForeignSession } from "../contract.js";
import { firstPromptField, promptWords } from "../conversion/prompt-words.js";
import { foreignLines, objectIn, stringIn } from "../foreign-lines.js";
import { relatedRollouts } from "./related-rollouts.js";
import { rolloutsAround, rolloutsBelow, rootAbove } from "./rollout-files.js";
import { headOf, type RolloutHead } from "./rollout-head.js";

/** `$CODEX_HOME`, or `~/.codex`. */
export function codexHome({ home, environment = process.env }: AgentPlaces): string {
  const configured = home === undefined ? environment.CODEX_HOME : undefined;
  return configured === undefined || configured === "" ? join(home ?? homedir(), ".codex") : configured;
}

export async function describeRollout(path: string): Promise<ForeignSession> {
  const head = await headOf(path);
  const related = await relatedRollouts(path, head?.identity, { files: rolloutsAround(path), head: headOf });
  return sessionOf(path, [path, ...related], head);
}

/** Sub-agents are part of the thread that started them; one whose thread is gone stands for itself. */
export async function* findRollouts(places: AgentPlaces): AsyncGenerator<ForeignSession> {
  for (const folder of ["sessions", "archived_sessions"]) {
    const files = rolloutsBelow(join(codexHome(places), folder));
    const heads = new Map<string, RolloutHead>();
    for (const path of files) {
      const head = await headOf(path);
      if (head !== undefined) heads.set(path, head);
    }
    const threads = new Set([...heads.values()].map(({ identity }) => identity?.id));
    const neighbours = { files, head: async (path: string) => heads.get(path) };
    for (const [path, head] of heads) {
      if (head.identity?.isSubagent === true && threads.has(head.identity.parentThread)) continue;
      yield sessionOf(path, [path, ...(await relatedRollouts(path, head.identity, neighbours))], head);
    }
  }
}

const THREAD_IN_NAME = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:_[^.]*)?\.jsonl/;

function sessionOf(path: string, files: readonly string[], head: RolloutHead | undefined): ForeignSession {
  const stats = statSync(path);
  const id = head?.identity?.id ?? THREAD_IN_NAME.exec(basename(path))?.[1] ?? basename(path).replace(/\.json.*$/, "");
  const created = Date.parse(head?.identity?.created ?? head?.time ?? "");
  return {
    agent: "codex",
    path,
    files,
    id,
    cwd: head?.cwd ?? "",
    title: nameOf(path, id) ?? promptWords(head?.prompt),
    ...firstPromptField(head?.prompt),
    created: Number.isNaN(created) ? stats.birthtime : new Date(created),
    modified: stats.mtime,
    size: files.reduce((sum, file) => sum + statSync(file).size, 0),
  };
}

/** The name a user gave the thread: the last line about it in `session_index.jsonl`. */
function nameOf(path: string, id: string): string | undefined {
  const root = rootAbove(path);
  const index = root === undefined ? undefined : join(dirname(root), "session_index.jsonl");
  if (index === undefined || !existsSync(index)) return undefined;
  let name: string | undefined;
  for (const { text } of foreignLines(index)) {
    const line = text.includes(id) ? objectIn(text) : undefined;
    if (line?.id === id) name = stringIn(line.thread_name) ?? name;
  }
  return name;
}

/** Finds Claude Code's sessions, and describes them from the start and end of their files. */
import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { itemsIn } from "@bough/session/log/index.js";
import { attempt, defined, isRecord } from "@bough/session/text/index.js";
import type { AgentPlaces, FileFacts, ForeignSession, SourceProblem } from "../contract.js";
import { promptWords } from "../conversion/prompt-words.js";
import { stringIn } from "../foreign-lines.js";
import { READ_EVERY_TIME } from "../known-files.js";
import type { LineRecord } from "../line-records.js";
import { NO_RECORDS, recordsAtEnds, recordsOf } from "../record-ends.js";
import { damagedSession, linesProblem } from "../source-problem.js";
import {
  isClaudeRecord,
  isInterruption,
  kindOfRecord,
  promptingCommand,
  taggedText,
  textIn,
  titleIn,
  typedCommand,
} from "./claude-record.js";
import { agentIdOfFile, agentMetaOf } from "./claude-sketch.js";

/** `$CLAUDE_CONFIG_DIR/projects`, or `~/.claude/projects`. */
export function claudeProjects({ home, environment = home === undefined ? process.env : {} }: AgentPlaces): string {
  const configured = environment.CLAUDE_CONFIG_DIR;
  const root = configured === undefined || configured === "" ? join(home ?? homedir(), ".claude") : configured;
  return join(root, "projects");
}

const LONGEST_FOLDER = 200;

/** The folder name for a working directory. Undefined if it would need Claude Code's own hash. */
export function claudeFolderName(cwd: string): string | undefined {
  const name = cwd.replace(/[^A-Za-z0-9]/g, "-");
  return name.length > LONGEST_FOLDER ? undefined : name;
}

export function detectClaude(path: string, facts = READ_EVERY_TIME): boolean {
  return path.endsWith(".jsonl") && sketchOf(path, facts).isClaude;
}

/** Recognizes a session by its file name and folder. */
const SESSION = /[\\/]projects[\\/][^\\/]+[\\/][0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl$/;

const FIRST_RECORDS = 20;

/** What a list needs of the start and the end of one file. */
interface ClaudeSketch {
  readonly isClaude: boolean;
  /** Why a session cannot be read. */
  readonly problem?: SourceProblem;
  /** The session that its first record names. */
  readonly session?: string;
  readonly cwd?: string;
  readonly time?: string;
  /** Given by the user or by Claude Code. */
  readonly name?: string;
  readonly prompt?: string;
}

function sketchOf(path: string, facts: FileFacts): ClaudeSketch {
  return facts.of("claude-code", path, () => sketched(path));
}

function sketched(path: string): ClaudeSketch {
  const ends = recordsAtEnds(path) ?? { head: NO_RECORDS, tail: NO_RECORDS };
  const { head, tail } = ends;
  const problem = head.isEmpty && tail.isEmpty && SESSION.test(path) ? linesProblem(path) : undefined;
  const last = (wanted: string) => {
    const isWanted = (record: LineRecord) => (record.type === wanted ? record : undefined);
    return tail.last([wanted], isWanted) ?? head.last([wanted], isWanted);
  };
  const named = last("custom-title") ?? last("ai-title");
  return {
    isClaude: problem !== undefined || head.first(FIRST_RECORDS).some(isClaudeRecord),
    ...defined({
      problem,
      session: firstOf(head, (record) => stringIn(record.sessionId)),
      cwd: firstOf(recordsOf(ends), (record) => stringIn(record.cwd)),
      time: firstOf(recordsOf(ends), ({ timestamp }) =>
        Number.isNaN(Date.parse(stringIn(timestamp) ?? "")) ? undefined : stringIn(timestamp),
      ),
      name: named === undefined ? undefined : titleIn(named),
      prompt: firstPrompt(head, agentIdOfFile(path) === undefined ? "main" : "sub-agent"),
    }),
  };
}

/** The first answer that a record gives. */
function firstOf<Value>(
  records: Iterable<LineRecord>,
  answer: (record: LineRecord) => Value | undefined,
): Value | undefined {
  for (const record of records) {
    const value = answer(record);
    if (value !== undefined) return value;
  }
  return undefined;
}

interface DescribeOptions {
  /** The result of `agentFilesBeside`, to be shared when describing many sessions of one folder. */
  readonly beside?: ReadonlyMap<string, readonly string[]>;
  readonly sketch?: ClaudeSketch;
}

export function describeClaude(
  path: string,
  facts = READ_EVERY_TIME,
  { beside = agentFilesBeside(dirname(path), facts), sketch = sketchOf(path, facts) }: DescribeOptions = {},
): ForeignSession {
  const { problem, time, cwd, name, prompt } = sketch;
  if (problem !== undefined) return damagedSession("claude-code", path, problem);
  const older = beside.get(basename(path, ".jsonl")) ?? [];
  const files = [path, ...agentFilesOf(path), ...older.filter((file) => file !== path).sort()];
  const stats = statSync(path);
  return {
    agent: "claude-code",
    path,
    files,
    id: basename(path, ".jsonl"),
    cwd: cwd ?? "",
    title: name ?? agentTask(path, agentIdOfFile(path)) ?? prompt,
    ...defined({ firstPrompt: prompt }),
    created: time === undefined ? stats.birthtime : new Date(time),
    modified: stats.mtime,
    size: files.slice(1).reduce((sum, file) => sum + statSync(file).size, stats.size),
  };
}

/** The task of a sub-agent, from the description in the call that started it. */
function agentTask(path: string, agent: string | undefined): string | undefined {
  const meta = agent === undefined ? undefined : agentMetaOf(path).meta;
  return promptWords(isRecord(meta) ? stringIn(meta.description) : undefined);
}

/**
 * The first prompt or, if there are only commands, the first of those, as typed. In a sub-agent's own transcript, the
 * prompt it was given.
 */
function firstPrompt(records: Iterable<LineRecord>, speaker: "main" | "sub-agent"): string | undefined {
  let command: string | undefined;
  for (const record of records) {
    const kind = kindOfRecord(record);
    if ((kind !== "user" && kind !== "shell") || record.isMeta === true) continue;
    if (speaker === "main" && record.isSidechain === true) continue;
    const text = textIn((record.message as { content?: unknown }).content).trim();
    const prompt = promptingCommand(text) ?? (text.startsWith("<") || isInterruption(text) ? undefined : text);
    const words = promptWords(prompt);
    if (words !== undefined) return words;
    command ??= commandIn(text);
  }
  return promptWords(command);
}

function commandIn(text: string): string | undefined {
  const shell = taggedText(text, "bash-input");
  const typed = typedCommand(text);
  if (shell !== "") return `!${shell}`;
  return typed === "" ? undefined : typed;
}

/** The transcripts of the sub-agents of a session, in its folder, with the journals of their runs. */
function agentFilesOf(path: string): string[] {
  const folder = join(path.replace(/\.jsonl$/, ""), "subagents");
  return filesBelow(folder).filter((file) => agentIdOfFile(file) !== undefined || basename(file) === "journal.jsonl");
}

/** Transcripts of sub-agents by session ID. Older versions wrote them all next to the sessions. */
function agentFilesBeside(folder: string, facts: FileFacts): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const item of itemsIn(folder)) {
    if (!item.isFile() || agentIdOfFile(item.name) === undefined) continue;
    const file = join(folder, item.name);
    const id = sketchOf(file, facts).session;
    if (id !== undefined) files.set(id, [...(files.get(id) ?? []), file]);
  }
  return files;
}

function filesBelow(folder: string): string[] {
  const files: string[] = [];
  const folders = existsSync(folder) ? [folder] : [];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const item of itemsIn(next)) {
      if (item.isDirectory()) folders.push(join(next, item.name));
      else if (item.isFile()) files.push(join(next, item.name));
    }
  }
  return files.sort();
}

/** Sub-agents are part of the session that started them; those whose session is gone are listed separately. */
export async function* findClaude(places: AgentPlaces, facts = READ_EVERY_TIME): AsyncGenerator<ForeignSession> {
  const root = claudeProjects(places);
  for (const project of itemsIn(root)) {
    if (!project.isDirectory()) continue;
    const folder = join(root, project.name);
    const beside = agentFilesBeside(folder, facts);
    const listed = new Set<string>();
    for (const item of itemsIn(folder)) {
      if (!item.isFile() || agentIdOfFile(item.name) !== undefined) continue;
      const session = describedOrGone(join(folder, item.name), facts, beside);
      if (session === undefined) continue;
      listed.add(session.id);
      yield session;
    }
    for (const path of agentsWithoutSession(folder, beside, listed)) {
      const session = describedOrGone(path, facts, new Map());
      if (session !== undefined) yield session;
    }
  }
}

/** Transcripts of sub-agents, inside session folders and next to sessions, that belong to no listed session. */
function agentsWithoutSession(
  folder: string,
  beside: ReadonlyMap<string, readonly string[]>,
  listed: ReadonlySet<string>,
): string[] {
  const older = [...beside].flatMap(([id, files]) => (listed.has(id) ? [] : files));
  const newer = itemsIn(folder).flatMap((item) =>
    item.isDirectory() && !listed.has(item.name) ? agentFilesOf(join(folder, `${item.name}.jsonl`)) : [],
  );
  return [...older, ...newer].filter((file) => agentIdOfFile(file) !== undefined).sort();
}

function describedOrGone(path: string, facts: FileFacts, beside: Map<string, string[]>): ForeignSession | undefined {
  // The file may have been deleted since the folder was read.
  return attempt(() => {
    const sketch = path.endsWith(".jsonl") ? sketchOf(path, facts) : undefined;
    return sketch?.isClaude === true ? describeClaude(path, facts, { beside, sketch }) : undefined;
  });
}

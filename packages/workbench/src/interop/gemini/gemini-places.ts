/** Finds Gemini CLI's chats, and describes them from their first records. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { itemsIn } from "@bough/session/log/index.js";
import { attempt, isRecord } from "@bough/session/text/index.js";
import type { AgentPlaces, FileFacts, ForeignSession, SourceProblem } from "../contract.js";
import { isFileName } from "../conversion/file-name.js";
import { jsonProblem } from "../conversion/json-head.js";
import { firstPromptField, promptStart, promptWords } from "../conversion/prompt-words.js";
import { headOf } from "../file-head.js";
import { objectIn, stringIn } from "../foreign-lines.js";
import { READ_EVERY_TIME } from "../known-files.js";
import { damagedSession, linesProblem } from "../source-problem.js";
import { chatMessage, isCommand, isContext, type JsonObject, textOf } from "./chat-message.js";
import { firstChatRecords } from "./chat-records.js";

/** `$GEMINI_CLI_HOME/.gemini`, or `~/.gemini`. */
export function geminiHome({ home, environment = home === undefined ? process.env : {} }: AgentPlaces): string {
  const configured = environment.GEMINI_CLI_HOME;
  return join(configured === undefined || configured === "" ? (home ?? homedir()) : configured, ".gemini");
}

const HEAD = 1 << 16;
const FIRST_RECORDS = 40;
const MESSAGE_TYPES: ReadonlySet<unknown> = new Set(["user", "gemini", "info", "error", "warning"]);

/** Checks only the first bytes or, if those are damaged, the file name. */
export function detectChat(path: string): boolean {
  const head = headOf(path, HEAD)?.toString("utf8") ?? "";
  if (path.endsWith(".json")) return isChatObject(head) || isCheckpoint(head) || chatProblem(path) !== undefined;
  if (!path.endsWith(".jsonl")) return false;
  const [first, ...more] = head.split("\n", FIRST_LINES);
  const record = first === undefined ? undefined : objectIn(first);
  if (record !== undefined) return isChatRecord(record);
  if (first !== undefined && /^\s*\{"sessionId":"[^"]*","projectHash":/.test(first)) return true;
  // The metadata line may be damaged while the chat after it is intact.
  return (
    more.map(objectIn).some((other) => other !== undefined && isChatRecord(other)) || chatProblem(path) !== undefined
  );
}

const FIRST_LINES = 20;

function isChatRecord(record: JsonObject): boolean {
  if (typeof record.$rewindTo === "string" || isRecord(record.$set)) return true;
  if (typeof record.sessionId === "string") return typeof record.projectHash === "string";
  return (
    typeof record.id === "string" && MESSAGE_TYPES.has(record.type) && "content" in record && "timestamp" in record
  );
}

/** Recognizes a chat by its file name and folder. */
const CHAT = /[\\/]chats[\\/]session-[^\\/]*\.jsonl?$|[\\/]checkpoint[^\\/]*\.json$/;

/** Why a chat cannot be read; undefined if it can. */
function chatProblem(path: string): SourceProblem | undefined {
  if (!CHAT.test(path)) return undefined;
  // Missing or not readable.
  return attempt(() => (path.endsWith(".json") ? jsonProblem(path) : linesProblem(path)));
}

function isChatObject(head: string): boolean {
  return /"sessionId"\s*:/.test(head) && (/"projectHash"\s*:/.test(head) || /"type"\s*:\s*"gemini"/.test(head));
}

function isCheckpoint(head: string): boolean {
  if (!/^\s*(?:\[|\{[\s\S]*"(?:clientHistory|history)"\s*:\s*\[)/.test(head)) return false;
  return /"role"\s*:\s*"(?:user|model)"/.test(head) && /"parts"\s*:\s*\[/.test(head);
}

interface ChatHead {
  readonly id: string | undefined;
  readonly kind: string | undefined;
  readonly created: number | undefined;
  readonly summary: string | undefined;
  readonly prompt: string | undefined;
  readonly cwd: string | undefined;
}

function chatHead(path: string): ChatHead {
  let id: string | undefined;
  let kind: string | undefined;
  let created = Number.NaN;
  let summary: string | undefined;
  let prompt: string | undefined;
  let cwd: string | undefined;
  let seen = 0;
  for (const { value } of firstChatRecords(path)) {
    seen += 1;
    if (seen > FIRST_RECORDS || (id !== undefined && prompt !== undefined && cwd !== undefined)) break;
    if (value === undefined) continue;
    id ??= value.sessionId === "checkpoint" ? undefined : stringIn(value.sessionId);
    kind ??= stringIn(value.kind);
    summary ??= stringIn(value.summary);
    if (Number.isNaN(created)) created = Date.parse(stringIn(value.startTime) ?? stringIn(value.timestamp) ?? "");
    for (const raw of messagesOf(value)) {
      const message = chatMessage(raw);
      const text = textOf(message).trim();
      if (message.type !== "user" || text === "") continue;
      if (isContext(text)) cwd ??= /Workspace Directories:\*\*\s*\n\s*- (.+)/.exec(text)?.[1]?.trim();
      else if (!isCommand(text)) prompt ??= text;
    }
  }
  return {
    ...{ id, kind, created: Number.isNaN(created) ? undefined : created, summary, cwd },
    prompt: prompt === undefined ? undefined : promptStart(prompt),
  };
}

function messagesOf(record: JsonObject): readonly JsonObject[] {
  const { $set: set } = record;
  if (isRecord(set)) return Array.isArray(set.messages) ? set.messages.filter(isRecord) : [];
  return typeof record.type === "string" || typeof record.role === "string" ? [record] : [];
}

/** What a list needs of one file. */
interface ChatSketch {
  readonly isChat: boolean;
  readonly problem?: SourceProblem;
  /** Absent if it has a problem. */
  readonly head?: ChatHead;
}

function sketchOf(path: string, facts: FileFacts): ChatSketch {
  return facts.of("gemini", path, () => {
    if (!detectChat(path)) return { isChat: false };
    const problem = problemIn(path);
    return problem === undefined ? { isChat: true, head: chatHead(path) } : { isChat: true, problem };
  });
}

function problemIn(path: string): SourceProblem | undefined {
  return chatProblem(path) ?? (path.endsWith(".json") ? jsonProblem(path) : undefined);
}

export function describeChat(path: string, known?: ChatSketch): ForeignSession {
  const problem = known === undefined ? problemIn(path) : known.problem;
  if (problem !== undefined) return damagedSession("gemini", path, problem);
  const head = known?.head ?? chatHead(path);
  const stats = statSync(path);
  const id = head.id ?? basename(path).replace(/\.jsonl?$/, "");
  const files = [path, ...agentFilesOf(path, id)];
  return {
    agent: "gemini",
    path,
    files,
    id,
    cwd: projectRootOf(path) ?? head.cwd ?? "",
    title: head.summary ?? promptWords(head.prompt),
    ...firstPromptField(head.prompt),
    created: head.created === undefined ? stats.mtime : new Date(head.created),
    modified: stats.mtime,
    size: files.slice(1).reduce((sum, file) => sum + statSync(file).size, stats.size),
  };
}

/** The project's path, which its folder contains in a file; the folder name alone may be a hash. */
function projectRootOf(path: string): string | undefined {
  for (const folder of [dirname(path), dirname(dirname(path)), dirname(dirname(dirname(path)))]) {
    const file = join(folder, ".project_root");
    // Older versions have no such file. Asking costs less than failing.
    if (!existsSync(file)) continue;
    try {
      const root = readFileSync(file, "utf8").trim();
      if (root !== "") return root;
    } catch {
      // Not readable.
    }
  }
  return undefined;
}

/** Sub-agents write to a folder named after the chat's ID. */
function agentFilesOf(path: string, id: string): string[] {
  // The id comes from the file: reject path traversal.
  if (!isFileName(id)) return [];
  const folder = join(dirname(path), id);
  if (!existsSync(folder)) return [];
  return itemsIn(folder)
    .filter((item) => item.isFile() && item.name.endsWith(".jsonl"))
    .map((item) => join(folder, item.name))
    .sort();
}

/** One session per chat: resuming leaves copies and small files with the same ID, of which the largest is the chat. */
export async function* findChats(places: AgentPlaces, facts = READ_EVERY_TIME): AsyncGenerator<ForeignSession> {
  const root = join(geminiHome(places), "tmp");
  for (const project of itemsIn(root)) {
    if (!project.isDirectory()) continue;
    const folder = join(root, project.name);
    const chats = new Map<string, ForeignSession>();
    for (const path of chatFilesIn(folder)) {
      const sketch = sketchOf(path, facts);
      if (!sketch.isChat) continue;
      const chat = describeChat(path, sketch);
      if ((chats.get(chat.id)?.size ?? -1) < chat.size) chats.set(chat.id, chat);
    }
    yield* chats.values();
    for (const path of agentsWithoutChat(folder, chats)) {
      const sketch = sketchOf(path, facts);
      if (sketch.isChat) yield describeChat(path, sketch);
    }
  }
}

/** Sub-agents are part of the chat that started them; those whose chat is gone are listed separately. */
function agentsWithoutChat(folder: string, chats: ReadonlyMap<string, ForeignSession>): string[] {
  const root = join(folder, "chats");
  const gone = itemsIn(root).filter((item) => item.isDirectory() && !chats.has(item.name));
  return gone.flatMap(({ name }) => agentFilesOf(join(root, `${name}.jsonl`), name));
}

function chatFilesIn(folder: string): string[] {
  const chats = itemsIn(join(folder, "chats")).filter(
    (item) => item.isFile() && /^session-.*\.jsonl?$/.test(item.name),
  );
  const saved = itemsIn(folder).filter((item) => item.isFile() && /^checkpoint.*\.json$/.test(item.name));
  return [
    ...chats.map(({ name }) => join(folder, "chats", name)),
    ...saved.map(({ name }) => join(folder, name)),
  ].sort();
}

/** Writes a path as a chat that `gemini --resume` can continue. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { SessionEntry } from "@bough/session/entry/index.js";
import { namesIn } from "@bough/session/log/index.js";
import { attempt, isRecord } from "@bough/session/text/index.js";
import type { ForeignWriter, WriteLoss, WritePlan, WriteRequest } from "../../contract.js";
import type { Program } from "../../conversion/path-losses.js";
import { pathWithout } from "../../conversion/picked-path.js";
import { plannedLines, RepeatedIds } from "../../conversion/planned-lines.js";
import { checkResumeFolder } from "../../conversion/resume-folder.js";
import { type Answer, type Compaction, type Prompt, spokenPath, wordsOf } from "../../conversion/spoken-path.js";
import { foreignSessionId } from "../../foreign-entry.js";
import { objectIn, stringIn } from "../../foreign-lines.js";
import { isContext, type JsonObject } from "../chat-message.js";
import { geminiHome } from "../gemini-places.js";
import { answerMessage, isUnsent, promptMessage } from "./chat-lines.js";

export const geminiWriter: ForeignWriter = { agent: "gemini", planWrite: planChat };

const PROGRAM: Program = { title: "Gemini CLI", signs: "google", names: "kept" };
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/**
 * Gemini CLI names the file of a new session after the current minute and, over ACP, overwrites an existing file with
 * that name. A past minute is safe.
 */
const MINUTE = 60_000;
/** The answer that Gemini CLI itself writes after a summary. */
const ACKNOWLEDGED = "Got it. Thanks for the additional context!";

function planChat(request: WriteRequest): WritePlan {
  const { cwd, title, places, newId } = request;
  checkResumeFolder("gemini", cwd);
  const unsent: WriteLoss[] = [];
  const { steps, facts, losses } = spokenPath(pathWithout(request.entries, isOwnContext), {
    program: PROGRAM,
    onStep: (step) => {
      if (step.kind === "prompt" && isUnsent(step)) unsent.push(unsentLoss(step));
    },
  });
  const made = newId();
  const sessionId = UUID.test(made) ? made : foreignSessionId("gemini", made);
  const now = request.now();
  const start = new Date(now.getTime() - MINUTE).toISOString();
  const metadata = {
    sessionId,
    projectHash: createHash("sha256").update(cwd).digest("hex"),
    startTime: start,
    lastUpdated: now.toISOString(),
    kind: "main",
    ...(title === undefined ? {} : { summary: title }),
  };
  const ids = new RepeatedIds(newId);
  const records = function* (): Generator<JsonObject> {
    const chat = new Chat(ids.replay());
    yield metadata;
    for (const step of steps) yield chat.lineOf(step);
  };
  const folder = projectFolder(geminiHome(places), cwd);
  const minutes = start.slice(0, 16).replace(":", "-");
  return {
    agent: "gemini",
    path: join(folder.path, "chats", `session-${minutes}-${sessionId.slice(0, 8)}.jsonl`),
    sessionId,
    lines: plannedLines(facts.length + 1, records),
    losses: [...losses, ...unsent],
    resume: { command: ["gemini", "--resume", sessionId], cwd },
    ...(folder.isMarked ? {} : { beside: [{ path: join(folder.path, PROJECT_ROOT), text: cwd }] }),
  };
}

/** Whether an entry is the context that starts every chat, which Gemini CLI creates again when it resumes. */
function isOwnContext(entry: SessionEntry): boolean {
  if (entry.type !== "custom_message") return false;
  const text = typeof entry.content === "string" ? entry.content : wordsOf(entry.content);
  return isContext(text.trim());
}

function unsentLoss({ id }: Prompt): WriteLoss {
  const effect = 'written with "User: " before it; Gemini CLI would not send it otherwise';
  return { entryId: id, what: "a message that looks like a command", effect };
}

class Chat {
  readonly #newId: () => string;
  /** Message IDs by step. A step kept by a compaction is written again with the same ID. */
  readonly #ids = new Map<number, string>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** A compaction replaces the list, as Gemini CLI's own does, with a summary and the kept messages. */
  lineOf(step: Prompt | Answer | Compaction): JsonObject {
    return step.kind === "compaction" ? { $set: { messages: this.#compressed(step) } } : this.#messageOf(step);
  }

  #messageOf(step: Prompt | Answer): JsonObject {
    const id = this.#ids.get(step.order) ?? this.#newId();
    this.#ids.set(step.order, id);
    return step.kind === "prompt" ? promptMessage(step, id) : answerMessage(step, id);
  }

  #compressed({ summary, timestamp, kept }: Compaction): JsonObject[] {
    const text = summary.includes("<state_snapshot>") ? summary : `<state_snapshot>\n${summary}\n</state_snapshot>`;
    return [
      { id: this.#newId(), timestamp, type: "user", content: [{ text }] },
      { id: this.#newId(), timestamp, type: "gemini", content: [{ text: ACKNOWLEDGED }] },
      ...Array.from(kept, (step) => this.#messageOf(step)),
    ];
  }
}

/** File with the working directory of a project folder, by which Gemini CLI finds unregistered folders. */
const PROJECT_ROOT = ".project_root";

interface ProjectFolder {
  readonly path: string;
  /** Whether the folder already contains the file that names its working directory. */
  readonly isMarked: boolean;
}

/**
 * The folder registered for the directory, or else one that names the directory, or else a new one. Only reads: Gemini
 * CLI itself registers a folder that it finds by the file inside.
 */
function projectFolder(geminiHome: string, cwd: string): ProjectFolder {
  const root = join(geminiHome, "tmp");
  const registered = registeredSlugs(geminiHome);
  const own = registered.get(cwd);
  const names = namesIn(root);
  if (own !== undefined && isFree(join(root, own), cwd)) {
    return { path: join(root, own), isMarked: ownerOf(join(root, own)) === cwd };
  }
  const marked = names.find((name) => ownerOf(join(root, name)) === cwd);
  if (marked !== undefined) return { path: join(root, marked), isMarked: true };
  const taken = new Set([...names, ...namesIn(join(geminiHome, "history")), ...registered.values()]);
  const slug = slugOf(cwd);
  let name = slug;
  for (let number = 1; taken.has(name); number++) name = `${slug}-${number}`;
  return { path: join(root, name), isMarked: false };
}

function slugOf(cwd: string): string {
  const words = basename(cwd)
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join("-") ?? "project";
}

function registeredSlugs(geminiHome: string): ReadonlyMap<string, string> {
  const projects = objectIn(textIn(join(geminiHome, "projects.json")) ?? "")?.projects;
  const slugs = new Map<string, string>();
  for (const [cwd, slug] of Object.entries(isRecord(projects) ? projects : {})) {
    // The name comes from the file: reject path traversal.
    const name = stringIn(slug);
    if (name !== undefined && /^[\w-]+$/.test(name)) slugs.set(cwd, name);
  }
  return slugs;
}

function isFree(folder: string, cwd: string): boolean {
  const owner = ownerOf(folder);
  return owner === undefined || owner === cwd;
}

function ownerOf(folder: string): string | undefined {
  return textIn(join(folder, PROJECT_ROOT))?.trim();
}

function textIn(path: string): string | undefined {
  // Missing or not readable.
  return attempt(() => readFileSync(path, "utf8"));
}

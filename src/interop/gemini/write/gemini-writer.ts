/** A path as a chat that `gemini --resume` continues. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { SessionEntry } from "../../../entry/index.js";
import type { ForeignWriter, WriteLoss, WritePlan, WriteRequest } from "../../contract.js";
import type { Program } from "../../conversion/path-losses.js";
import { checkResumeFolder } from "../../conversion/resume-folder.js";
import { type Answer, type Compaction, type Prompt, spokenPath, wordsOf } from "../../conversion/spoken-path.js";
import { foreignSessionId } from "../../foreign-entry.js";
import { isContext, type JsonObject } from "../chat-message.js";
import { geminiHome } from "../gemini-places.js";
import { answerMessage, isUnsent, promptMessage } from "./chat-lines.js";
import { PROJECT_ROOT, projectFolder } from "./project-folder.js";

export const geminiWriter: ForeignWriter = { agent: "gemini", planWrite: planChat };

const PROGRAM: Program = { title: "Gemini CLI", signs: "google", names: "kept" };
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** What the program itself writes behind a summary. */
const ACKNOWLEDGED = "Got it. Thanks for the additional context!";

function planChat(request: WriteRequest): WritePlan {
  const { cwd, title, places, newId } = request;
  checkResumeFolder("gemini", cwd);
  const { steps, losses } = spokenPath(
    request.entries.filter((entry) => !isOwnContext(entry)),
    PROGRAM,
  );
  const made = newId();
  const sessionId = UUID.test(made) ? made : foreignSessionId("gemini", made);
  const start = request.now().toISOString();
  const metadata = {
    sessionId,
    projectHash: createHash("sha256").update(cwd).digest("hex"),
    startTime: start,
    lastUpdated: start,
    kind: "main",
    ...(title === undefined ? {} : { summary: title }),
  };
  const chat = new Chat(newId);
  const lines: JsonObject[] = [metadata, ...steps.map((step) => chat.lineOf(step))];
  const folder = projectFolder(geminiHome(places), cwd);
  const minutes = start.slice(0, 16).replace(":", "-");
  return {
    agent: "gemini",
    path: join(folder.path, "chats", `session-${minutes}-${sessionId.slice(0, 8)}.jsonl`),
    sessionId,
    lines: lines.map((line) => JSON.stringify(line)),
    losses: [...losses, ...steps.flatMap((step) => (step.kind === "prompt" ? unsentLoss(step) : []))],
    resume: { command: ["gemini", "--resume", sessionId], cwd },
    ...(folder.isMarked ? {} : { beside: [{ path: join(folder.path, PROJECT_ROOT), text: cwd }] }),
  };
}

/** What the program tells the model at the start of every chat. It makes a fresh one when it resumes. */
function isOwnContext(entry: SessionEntry): boolean {
  if (entry.type !== "custom_message") return false;
  const text = typeof entry.content === "string" ? entry.content : wordsOf(entry.content);
  return isContext(text.trim());
}

function unsentLoss(step: Prompt): WriteLoss[] {
  if (!isUnsent(step)) return [];
  const effect = 'written with "User: " before it; Gemini CLI would not send it otherwise';
  return [{ entryId: step.id, what: "a message that looks like a command", effect }];
}

class Chat {
  readonly #newId: () => string;
  readonly #messages = new Map<Prompt | Answer, JsonObject>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** A compaction replaces the list, as the program's own does: a summary, and then what is kept. */
  lineOf(step: Prompt | Answer | Compaction): JsonObject {
    return step.kind === "compaction" ? { $set: { messages: this.#compressed(step) } } : this.#messageOf(step);
  }

  #messageOf(step: Prompt | Answer): JsonObject {
    const known = this.#messages.get(step);
    if (known !== undefined) return known;
    const message = step.kind === "prompt" ? promptMessage(step, this.#newId()) : answerMessage(step, this.#newId());
    this.#messages.set(step, message);
    return message;
  }

  #compressed({ summary, timestamp, kept }: Compaction): JsonObject[] {
    const text = summary.includes("<state_snapshot>") ? summary : `<state_snapshot>\n${summary}\n</state_snapshot>`;
    return [
      { id: this.#newId(), timestamp, type: "user", content: [{ text }] },
      { id: this.#newId(), timestamp, type: "gemini", content: [{ text: ACKNOWLEDGED }] },
      ...kept.map((step) => this.#messageOf(step)),
    ];
  }
}

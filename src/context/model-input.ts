import type { AgentMessage, ImageBlock, TextBlock } from "../entry/index.js";
import { isRecord } from "../text/index.js";
import { assistantInput } from "./assistant-input.js";
import { isFilledString, type JsonRecord } from "./json-value.js";
import { executionText, fileMentionText, summaryText } from "./message-text.js";
import type { ModelInputMessage, ModelInputTarget, UserInput } from "./model-input-message.js";
import { repairPairs } from "./repair-pairs.js";
import { soundMessage } from "./sound-message.js";
import { uniqueCallIds } from "./unique-call-ids.js";

/**
 * The messages in the three roles every provider knows.
 *
 * Summaries, extension messages, shell commands, mentioned files and `system` or `developer` notes speak in the user's
 * role. Data bound to a provider goes to that provider alone. Messages with nothing to say and roles this version does
 * not know are omitted. Calls and results are paired and call ids are unique, whatever was passed in. The same input
 * always gives the same bytes, and a longer conversation starts with the bytes of the shorter one unless the addition
 * is a late result for an earlier call.
 */
export function toModelInput(messages: readonly AgentMessage[], target: ModelInputTarget): ModelInputMessage[] {
  const sound: AgentMessage[] = [];
  for (const message of messages) {
    const better = soundMessage(message);
    if (better !== null) sound.push(better);
  }
  const input: ModelInputMessage[] = [];
  for (const message of repairPairs(sound)) {
    const converted = convert(message, target);
    if (converted !== null) input.push(converted);
  }
  return uniqueCallIds(input);
}

function convert(message: AgentMessage, target: ModelInputTarget): ModelInputMessage | null {
  if (message.role === "assistant") return assistantInput(message, target);
  if (message.role === "toolResult") {
    const { role, toolCallId, toolName, content, isError } = message;
    return { role, toolCallId, toolName, content: plainBlocks(content), isError: isError === true };
  }
  return userInput(message as unknown as JsonRecord);
}

function userInput(message: JsonRecord): UserInput | null {
  switch (message.role) {
    case "user":
    case "custom":
    case "system":
    case "developer":
      return user(message.content);
    case "branchSummary":
    case "compactionSummary":
      return isFilledString(message.summary) ? user(summaryText(message.role, message.summary)) : null;
    case "bashExecution":
    case "pythonExecution":
      return message.excludeFromContext === true ? null : user(executionText(message));
    case "fileMention":
      return user(message.content ?? mentionedFiles(message.files));
    default:
      return null;
  }
}

function user(content: unknown): UserInput | null {
  const blocks = plainBlocks(content);
  return blocks.length === 0 ? null : { role: "user", content: blocks };
}

function mentionedFiles(files: unknown): unknown[] {
  if (!Array.isArray(files)) return [];
  const blocks: unknown[] = [];
  for (const file of files) {
    if (!isRecord(file)) continue;
    blocks.push({ type: "text", text: fileMentionText(file) });
    if (isRecord(file.image)) blocks.push({ ...file.image, type: "image" });
  }
  return blocks;
}

const MISSING_IMAGE = "[There was an image here. Its data is stored outside the session and is not available.]";

/** Text and images alone. Blank text goes, because providers refuse it; an image kept elsewhere becomes a note. */
function plainBlocks(content: unknown): (TextBlock | ImageBlock)[] {
  if (typeof content === "string") return content.trim() === "" ? [] : [{ type: "text", text: content }];
  const blocks: (TextBlock | ImageBlock)[] = [];
  for (const block of Array.isArray(content) ? content : []) {
    if (!isRecord(block)) continue;
    if (block.type === "text" && typeof block.text === "string" && block.text.trim() !== "") {
      blocks.push({ type: "text", text: block.text });
    } else if (block.type === "image" && typeof block.data === "string" && typeof block.mimeType === "string") {
      const elsewhere = block.data.startsWith("blob:");
      blocks.push(
        elsewhere
          ? { type: "text", text: MISSING_IMAGE }
          : { type: "image", data: block.data, mimeType: block.mimeType },
      );
    }
  }
  return blocks;
}

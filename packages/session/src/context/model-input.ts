import type { AgentMessage, AssistantBlock, AssistantMessage, ImageBlock, TextBlock } from "../entry/index.js";
import { inOneGo, isRecord, type Steps } from "../text/index.js";
import { isFilledString, type JsonRecord } from "./json-value.js";
import { executionText, fileMentionText, summaryText } from "./message-text.js";
import type {
  AssistantInput,
  ModelInputMessage,
  ModelInputTarget,
  ProviderBlock,
  ToolResultInput,
  UserInput,
} from "./model-input-message.js";
import { PairedMessages } from "./repair-pairs.js";
import { SentNames } from "./sent-names.js";
import { soundMessage } from "./sound-message.js";

/**
 * The messages in the three roles that every provider knows.
 *
 * Summaries, extension messages, shell commands, mentioned files and `system` or `developer` notes use the user's role.
 * Provider-bound data goes only to its provider. Empty messages and roles this version does not know are skipped. Calls
 * and results are paired and call IDs are unique, whatever the input. The same input always gives the same bytes, and a
 * longer conversation starts with the bytes of the shorter one unless the addition is a late result for an earlier
 * call.
 */
export function toModelInput(
  messages: readonly AgentMessage[],
  /** The provider that will read it. With a model, provider-bound data must also come from exactly that model. */
  target: { readonly provider: string; readonly model?: string },
): ModelInputMessage[] {
  return inOneGo(modelInputSteps(messages, target));
}

/** Like `toModelInput`, in steps, for conversations long enough to block everything else. */
export function* modelInputSteps(
  messages: Iterable<AgentMessage>,
  target: ModelInputTarget,
): Steps<ModelInputMessage[]> {
  const paired = new PairedMessages();
  for (const message of messages) {
    const better = soundMessage(message);
    if (better !== null) paired.push(better);
    yield;
  }
  const input: ModelInputMessage[] = [];
  const names = new SentNames();
  for (const message of paired.list()) {
    const converted = convert(names.sent(message), target);
    if (converted !== null) input.push(converted);
    yield;
  }
  return yield* uniqueCallIds(input);
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

/**
 * Only text and images. Blank text is dropped, because providers reject it; an image stored elsewhere becomes a note.
 */
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

/**
 * Makes tool call IDs unique: an ID that occurred before gets a number, and so does its result.
 *
 * Some models restart their call numbering in every answer, and an entry copied to another branch keeps its IDs, but
 * providers reject duplicates. Expects paired input. Only looks back, so earlier bytes never change.
 */
function* uniqueCallIds(messages: readonly ModelInputMessage[]): Steps<ModelInputMessage[]> {
  const used = new Map<string, number>();
  let renamed = new Map<string, string>();
  const unique: ModelInputMessage[] = [];
  for (const message of messages) {
    if (message.role === "assistant") renamed = claimIds(message, used);
    if (message.role === "toolResult") unique.push(withResultId(message, renamed));
    else unique.push(message.role === "assistant" && renamed.size > 0 ? withCallIds(message, renamed) : message);
    yield;
  }
  return unique;
}

/** `used` counts how often each ID was wanted, so that numbering a frequent one does not start over each time. */
function claimIds(message: AssistantInput, used: Map<string, number>): Map<string, string> {
  const renamed = new Map<string, string>();
  for (const block of message.content) {
    if (block.type !== "toolCall") continue;
    let count = (used.get(block.id) ?? 0) + 1;
    let id = count === 1 ? block.id : `${block.id}_${count}`;
    while (used.has(id)) id = `${block.id}_${++count}`;
    used.set(block.id, count);
    if (!used.has(id)) used.set(id, 1);
    if (id !== block.id) renamed.set(block.id, id);
  }
  return renamed;
}

function withCallIds(message: AssistantInput, renamed: ReadonlyMap<string, string>): AssistantInput {
  const content = message.content.map((block) => {
    const id = block.type === "toolCall" ? renamed.get(block.id) : undefined;
    return block.type === "toolCall" && id !== undefined ? { ...block, id } : block;
  });
  // The provider's copy of the answer contains the original IDs.
  return { role: message.role, content };
}

function withResultId(result: ToolResultInput, renamed: ReadonlyMap<string, string>): ToolResultInput {
  const toolCallId = renamed.get(result.toolCallId);
  return toolCallId === undefined ? result : { ...result, toolCallId };
}

/**
 * An answer as the target may see it; `null` if nothing is left.
 *
 * The target sees its own finished answers whole: signatures, redacted thinking, blocks only it understands, and its
 * payload. Of any other answer, or one that ended with `error` or `aborted`, it gets text and tool calls: thinking
 * becomes plain text, because the findings in it are still useful, and everything that only the original provider can
 * read is dropped. Unfinished answers count as foreign because a provider rejects reasoning without the output that
 * should have followed.
 */
function assistantInput(message: AssistantMessage, target: ModelInputTarget): AssistantInput | null {
  const own = isOwn(message, target);
  const content: (AssistantBlock | ProviderBlock)[] = [];
  for (const block of message.content) {
    const shown = own ? ownBlock(block) : foreignBlock(block);
    if (shown !== null) content.push(shown);
  }
  if (content.length === 0) return null;
  const payload: unknown = (message as unknown as JsonRecord).providerPayload;
  return { role: "assistant", content, ...(own && payload !== undefined ? { providerPayload: payload } : {}) };
}

function isOwn(message: AssistantMessage, target: ModelInputTarget): boolean {
  if (message.stopReason === "error" || message.stopReason === "aborted") return false;
  return message.provider === target.provider && (target.model === undefined || message.model === target.model);
}

function ownBlock(block: AssistantBlock): AssistantBlock | ProviderBlock | null {
  switch (block.type) {
    case "text":
      // Blank text is rejected, but a signed one may be what the provider expects after its reasoning.
      return isBlank(block.text) && block.textSignature === undefined ? null : block;
    case "thinking":
      return isBlank(block.thinking) && block.thinkingSignature === undefined ? null : block;
    case "toolCall": {
      const { partialJson: _leftover, ...call } = block as typeof block & { partialJson?: unknown };
      return call;
    }
    default:
      return ownUnknownBlock(block);
  }
}

function ownUnknownBlock(block: JsonRecord): AssistantBlock | ProviderBlock {
  if (block.type === "redactedThinking" && typeof block.data === "string") {
    return { type: "thinking", thinking: "", thinkingSignature: block.data, redacted: true };
  }
  return { type: "provider", data: block };
}

function foreignBlock(block: AssistantBlock): AssistantBlock | null {
  switch (block.type) {
    case "text":
      return isBlank(block.text) ? null : { type: "text", text: block.text };
    case "thinking":
      return block.redacted === true || isBlank(block.thinking) ? null : { type: "text", text: block.thinking };
    case "toolCall":
      return { type: "toolCall", id: block.id, name: block.name, arguments: block.arguments };
    default:
      return null;
  }
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

import { createHash } from "node:crypto";
import type { ModelInputMessage, ToolResultInput } from "@bough/session/context/index.js";
import { modelInputSteps } from "@bough/session/context/internal.js";
import type { ImageBlock, TextBlock } from "@bough/session/entry/index.js";
import type { Steps } from "@bough/session/text/index.js";
import type { ModelInfo, ModelRequest } from "./language-model.js";
import type { ProviderApi } from "./provider-api.js";
import type { AssistantPart, Prompt, PromptMessage, ToolOutput, ToolPart, UserPart } from "./provider-types.js";

const NO_IMAGES = "[There was an image here. This model does not support images.]";
const NO_OUTPUT = "(no output)";
const OPENING_TEXT = "[The conversation so far:]";
const CONTINUE_TEXT = "Continue.";

/**
 * Converts a built context to the AI SDK's prompt for one model.
 *
 * Always valid for the provider: starts and ends with the user's side, pairs calls and results, includes images only
 * for models that support them, and sends opaque provider data only to its own provider. The same request gives the
 * same prompt. Runs in steps, because a conversation can be long.
 */
export function* toPrompt(request: ModelRequest, info: ModelInfo, api: ProviderApi): Steps<Prompt> {
  const target = { provider: info.provider, model: info.id };
  const input = withSafeCallIds(yield* modelInputSteps(request.messages, target));
  yield;
  const prompt: PromptMessage[] = [];
  for (let at = 0; at < input.length; at++) {
    const message = input[at] as ModelInputMessage;
    if (message.role === "toolResult") {
      const results = runOfResults(input, at);
      prompt.push(...toolMessages(results, info, api));
      at += results.length - 1;
    } else if (message.role === "user") {
      prompt.push({ role: "user", content: message.content.map((block) => userPart(block, info)) });
    } else {
      const content = message.content.flatMap((block) => assistantParts(block, api));
      if (content.length > 0) prompt.push({ role: "assistant", content });
    }
    yield;
  }
  if (prompt[0]?.role !== "user") prompt.unshift({ role: "user", content: [{ type: "text", text: OPENING_TEXT }] });
  if (prompt.at(-1)?.role === "assistant")
    prompt.push({ role: "user", content: [{ type: "text", text: CONTINUE_TEXT }] });
  const system = wellFormed(request.system);
  if (system.trim() !== "") prompt.unshift({ role: "system", content: system });
  return api.finishPrompt?.(prompt, info) ?? prompt;
}

function runOfResults(input: readonly ModelInputMessage[], start: number): ToolResultInput[] {
  const results: ToolResultInput[] = [];
  for (let at = start; at < input.length; at++) {
    const message = input[at] as ModelInputMessage;
    if (message.role !== "toolResult") break;
    results.push(message);
  }
  return results;
}

/** One message for all results of a step, and a user message for images that cannot be in them. */
function toolMessages(results: readonly ToolResultInput[], info: ModelInfo, api: ProviderApi): PromptMessage[] {
  const content: ToolPart[] = [];
  const after: UserPart[] = [];
  for (const result of results) {
    const images = result.content.filter((block) => block.type === "image");
    const inside = info.images && api.toolImages === "inside" && !result.isError;
    if (info.images && !inside) {
      for (const image of images) {
        after.push({ type: "text", text: `Image from the result of ${result.toolName}:` }, userPart(image, info));
      }
    }
    content.push({
      type: "tool-result",
      toolCallId: result.toolCallId,
      toolName: result.toolName,
      output: inside && images.length > 0 ? mixedOutput(result) : textOutput(result, info, api),
    });
  }
  const tool: PromptMessage = { role: "tool", content };
  return after.length === 0 ? [tool] : [tool, { role: "user", content: after }];
}

function mixedOutput(result: ToolResultInput): ToolOutput {
  return {
    type: "content",
    value: result.content.map((block) =>
      block.type === "text"
        ? { type: "text", text: wellFormed(block.text) }
        : { type: "image-data", data: block.data, mediaType: block.mimeType },
    ),
  };
}

function textOutput(result: ToolResultInput, info: ModelInfo, api: ProviderApi): ToolOutput {
  const texts = result.content.map((block) =>
    block.type === "text" ? wellFormed(block.text) : info.images ? "[The image follows below.]" : NO_IMAGES,
  );
  const text = texts.length === 0 ? NO_OUTPUT : texts.join("\n");
  if (!result.isError) return { type: "text", value: text };
  const told = api.marksErrors || /^error\b/i.test(text) ? text : `Error: ${text}`;
  return { type: "error-text", value: told };
}

function userPart(block: TextBlock | ImageBlock, info: ModelInfo): UserPart {
  if (block.type === "text") return { type: "text", text: wellFormed(block.text) };
  if (!info.images) return { type: "text", text: NO_IMAGES };
  return { type: "file", mediaType: block.mimeType, data: block.data };
}

type AssistantBlocks = Extract<ModelInputMessage, { role: "assistant" }>["content"][number];

function assistantParts(block: AssistantBlocks, api: ProviderApi): readonly AssistantPart[] {
  switch (block.type) {
    case "text":
      return [{ type: "text", text: wellFormed(block.text), providerOptions: api.signatures.writeText(block) }];
    case "thinking":
      return api.signatures.writeThinking(block);
    case "toolCall": {
      return [
        {
          type: "tool-call",
          toolCallId: block.id,
          toolName: block.name,
          input: block.arguments,
          providerOptions: api.signatures.writeCall(block),
        },
      ];
    }
    case "provider":
      // A block that the SDK cannot represent, for example of a tool that ran on the provider's side.
      return [];
  }
}

/** Replaces lone surrogates (half of an emoji, for example), which providers reject. */
function wellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, "\uFFFD");
}

const LONGEST = 64;

/**
 * Makes call IDs acceptable to every provider: at most 64 letters, digits, `_` and `-`.
 *
 * Sessions of other programs contain IDs such as `call_1|fc_2`. A changed ID ends in a hash of the original, so that
 * different IDs stay different and the same ID always gives the same result.
 */
function withSafeCallIds(messages: readonly ModelInputMessage[]): readonly ModelInputMessage[] {
  return messages.map((message) => {
    if (message.role === "toolResult") return { ...message, toolCallId: safeCallId(message.toolCallId) };
    if (message.role !== "assistant") return message;
    const content = message.content.map((block) =>
      block.type === "toolCall" ? { ...block, id: safeCallId(block.id) } : block,
    );
    return { ...message, content };
  });
}

function safeCallId(id: string): string {
  if (id.length <= LONGEST && /^[A-Za-z0-9_-]+$/.test(id)) return id;
  const mark = createHash("sha256").update(id).digest("hex").slice(0, 8);
  return `${id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, LONGEST - 9)}_${mark}`;
}

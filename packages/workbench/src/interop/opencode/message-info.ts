/** Interprets the fields of opencode messages: content, model, and how they ended. */
import type { AssistantBlock, StopReason, UserContent } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import { imageOfDataUrl } from "../conversion/data-url.js";
import { stringIn } from "../foreign-lines.js";
import type { NamedModel, Part } from "./session-entries.js";
import { type JsonObject, timeOf } from "./session-store.js";

/** Whether a part is text for the model, or an image. */
export function isSaid(part: JsonObject): boolean {
  if (part.type === "text") return part.ignored !== true && typeof part.text === "string";
  return part.type === "file" && imageOfDataUrl(part.url) !== undefined;
}

export function contentOf(parts: readonly Part[]): UserContent {
  return parts.flatMap(({ value }) => {
    const image = value.type === "file" ? imageOfDataUrl(value.url) : undefined;
    return image ?? { type: "text" as const, text: String(value.text) };
  });
}

export function modelOf({ providerID, modelID, model }: JsonObject): NamedModel {
  const named = isRecord(model) ? model : {};
  return {
    provider: stringIn(providerID) ?? stringIn(named.providerID) ?? "",
    model: stringIn(modelID) ?? stringIn(named.modelID) ?? stringIn(named.id) ?? "",
  };
}

const APIS: ReadonlyMap<string, string> = new Map([
  ["anthropic", "anthropic-messages"],
  ["openai", "openai-responses"],
  ["google", "google-generative-ai"],
]);

export function apiOf(provider: string): string {
  return APIS.get(provider) ?? "openai-completions";
}

export function isComplete(info: JsonObject): boolean {
  return timeOf(info, "completed") !== undefined || typeof info.finish === "string" || isRecord(info.error);
}

export function endingOf(
  info: JsonObject,
  content: readonly AssistantBlock[],
): { stopReason: StopReason; errorMessage?: string } {
  const { error, finish } = info;
  if (isRecord(error)) {
    if (error.name === "MessageAbortedError" || error.type === "aborted") return { stopReason: "aborted" };
    const message = isRecord(error.data) ? stringIn(error.data.message) : stringIn(error.message);
    return { stopReason: "error", errorMessage: message ?? String(error.name ?? error.type) };
  }
  // Killed or stopped, which opencode does not record.
  if (!isComplete(info)) return { stopReason: "aborted" };
  if (finish === "length") return { stopReason: "length" };
  const calls = content.some((block) => block.type === "toolCall");
  return { stopReason: finish === "tool-calls" || (finish === undefined && calls) ? "toolUse" : "stop" };
}

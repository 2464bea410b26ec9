/** A model with a stream provided by an extension, with the events of pi. */
import { modelInputSteps } from "@bough/session/context/internal.js";
import type { AgentMessage, AssistantMessage, ToolCallBlock, Usage } from "@bough/session/entry/index.js";
import { inSlices } from "@bough/session/log/index.js";
import { defined, errorText, isRecord } from "@bough/session/text/index.js";
import type { LanguageModel, ModelEvent, ModelFailure, ModelInfo, ModelRequest } from "./language-model.js";
import { NO_USAGE } from "./message-usage.js";
import type { ProviderConfig, SimpleOptions, SimpleStreamEvent } from "./provider-config.js";

interface SimpleParts {
  readonly streamSimple: NonNullable<ProviderConfig["streamSimple"]>;
  readonly apiKey: () => Promise<string | undefined>;
}

/** Never throws: if the stream fails, or ends without `done` or `error`, the last event has a failure. */
export function simpleModel(info: ModelInfo, { streamSimple, apiKey }: SimpleParts): LanguageModel {
  return {
    info,
    async *stream(request, { signal, now, onPayload, onResponse, onStreamEvent }) {
      const ended = (given: unknown, failure?: ModelFailure): ModelEvent => ({
        type: "end",
        message: messageFrom(given, { info, timestamp: now(), failure, aborted: signal?.aborted === true }),
        failure: signal?.aborted === true ? undefined : failure,
      });
      try {
        const { maxOutput, thinkingLevel } = request;
        // It may spread them over defaults of its own.
        const options: SimpleOptions = defined({
          signal,
          apiKey: await apiKey(),
          maxTokens: maxOutput,
          reasoning: thinkingLevel === "off" ? undefined : thinkingLevel,
          onPayload: onPayload && ((payload: unknown) => onPayload(payload)),
          onResponse: onResponse && ((response: Parameters<typeof onResponse>[0]) => onResponse(response)),
          onProviderStreamEvent: onStreamEvent && ((data: unknown) => onStreamEvent(data, info)),
        });
        for await (const event of await streamSimple(info, await contextOf(request, info), options)) {
          if (event.type === "done") return yield ended(event.message);
          if (event.type === "error") return yield ended(event.error, failureOf(event.error));
          const piece = pieceOf(event);
          if (piece !== undefined) yield piece;
        }
        yield ended(undefined, failureOf({ errorMessage: "The answer ended before it was complete" }));
      } catch (error) {
        yield ended(undefined, failureOf({ errorMessage: errorText(error) }));
      }
    },
  };
}

async function contextOf({ system, messages, tools }: ModelRequest, { provider, id }: ModelInfo) {
  const input = await inSlices(modelInputSteps(messages, { provider, model: id }));
  return { systemPrompt: system, messages: input as unknown as readonly AgentMessage[], tools };
}

function pieceOf({ type, delta = "", toolCall }: SimpleStreamEvent): ModelEvent | undefined {
  if (type === "text_delta") return { type: "text", delta };
  if (type === "thinking_delta") return { type: "thinking", delta };
  if (type === "toolcall_end" && isRecord(toolCall))
    return { type: "tool_call", call: toolCall as unknown as ToolCallBlock };
  return undefined;
}

function failureOf(given: unknown): ModelFailure {
  const message = isRecord(given) && typeof given.errorMessage === "string" ? given.errorMessage : "The model failed";
  return { kind: "unknown", message, retryable: false };
}

interface Ending {
  readonly info: ModelInfo;
  readonly timestamp: number;
  readonly failure: ModelFailure | undefined;
  readonly aborted: boolean;
}

/** The extension's message, completed with the required fields. */
function messageFrom(given: unknown, { info, timestamp, failure, aborted }: Ending): AssistantMessage {
  const message = isRecord(given) ? given : {};
  const content = (Array.isArray(message.content) ? message.content : []) as AssistantMessage["content"];
  const said = typeof message.stopReason === "string" ? (message.stopReason as AssistantMessage["stopReason"]) : "stop";
  const sound: AssistantMessage = {
    ...(message as object),
    role: "assistant",
    content,
    api: info.api,
    provider: info.provider,
    model: info.id,
    usage: isRecord(message.usage) ? ({ ...NO_USAGE, ...message.usage } as Usage) : NO_USAGE,
    stopReason: aborted ? "aborted" : failure === undefined ? said : "error",
    ...(failure === undefined || aborted ? {} : { errorMessage: failure.message }),
    timestamp,
  };
  return defined(sound);
}

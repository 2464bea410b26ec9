import { setImmediate } from "node:timers/promises";
import type { ModelInputMessage } from "@bough/session/context/index.js";
import { modelInputSteps } from "@bough/session/context/internal.js";
import type { AgentMessage, AssistantBlock, AssistantMessage, Usage } from "@bough/session/entry/index.js";
import { NOTE_TYPES } from "@bough/session/entry/internal.js";
import { inSlices, type Steps, WorkTurns } from "@bough/session/log/index.js";
import type { LanguageModel, ModelInfo } from "../language-model.js";
import { answerRequest } from "./answer-request.js";

export const OFFLINE_INFO: ModelInfo = {
  provider: "offline",
  id: "rules",
  name: "Offline (rules, no language model)",
  api: "offline",
  contextWindow: 128_000,
  maxOutput: 8192,
  reasoning: false,
  images: false,
  prices: undefined,
};

/**
 * The built-in model, which uses rules instead of a language model, and says so.
 *
 * Deterministic: the same request gives the same answer and the same call IDs. Needs no key and no network. Token
 * counts are estimates, and there is no cost.
 */
export function offlineModel(info: ModelInfo = OFFLINE_INFO): LanguageModel {
  return {
    info,
    async *stream(request, options) {
      const timestamp = options.now();
      const turns = new WorkTurns();
      const target = { provider: info.provider, model: info.id };
      const input = await inSlices(modelInputSteps(withoutNotes(request.messages), target), turns);
      const sent = Math.ceil((request.system.length + (await inSlices(jsonLength(input), turns))) / 4);
      const content: AssistantBlock[] = [];
      const end = (stopReason: AssistantMessage["stopReason"]) =>
        ({
          type: "end",
          message: {
            role: "assistant",
            content,
            api: info.api,
            provider: info.provider,
            model: info.id,
            usage: estimate(sent, content),
            stopReason,
            timestamp,
          },
        }) as const;

      const answer = answerRequest(request, input);
      let text = "";
      for (const delta of deltas(answer.text)) {
        await setImmediate();
        if (options.signal?.aborted === true) return yield end("aborted");
        text += delta;
        content[0] = { type: "text", text };
        yield { type: "text", delta };
      }
      for (const call of answer.calls) {
        await setImmediate();
        if (options.signal?.aborted === true) return yield end("aborted");
        yield { type: "tool_input", id: call.id, name: call.name, delta: JSON.stringify(call.arguments) };
        content.push(call);
        yield { type: "tool_call", call };
      }
      if (options.signal?.aborted === true) return yield end("aborted");
      yield end(answer.calls.length > 0 ? "toolUse" : "stop");
    },
  };
}

/** Splits the text into a few words at a time, so that front ends and aborts see a normal stream. */
function deltas(text: string): string[] {
  return text.match(/(?:\S+\s*|\s+){1,4}/g) ?? [];
}

/** Assumes four characters per token. */
function estimate(sent: number, content: readonly AssistantBlock[]): Usage {
  const output = Math.ceil(JSON.stringify(content).length / 4);
  return { input: sent, output, cacheRead: 0, cacheWrite: 0, totalTokens: sent + output };
}

/** The length of `JSON.stringify(messages)`, computed in steps. */
function* jsonLength(messages: readonly ModelInputMessage[]): Steps<number> {
  // The brackets and the commas.
  let length = 2 + Math.max(0, messages.length - 1);
  for (const message of messages) {
    length += JSON.stringify(message).length;
    yield;
  }
  return length;
}

/** Drops notes about files, the mode or servers, so that rules answer what the user said. */
function* withoutNotes(messages: readonly AgentMessage[]): Generator<AgentMessage> {
  for (const message of messages) {
    if (message.role !== "custom" || !NOTE_TYPES.includes(message.customType)) yield message;
  }
}

import { setImmediate } from "node:timers/promises";
import type { ModelInputMessage } from "@bough/session/context/index.js";
import { modelInputSteps } from "@bough/session/context/internal.js";
import {
  type AgentMessage,
  type AssistantBlock,
  type AssistantMessage,
  CHANGED_FILES_TYPE,
  MODE_TYPE,
  type Usage,
} from "@bough/session/entry/index.js";
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
 * The built-in model: rules instead of a language model, and it says so.
 *
 * Deterministic: the same request gives the same answer and the same call ids. Needs no key and no network. Counts of
 * tokens are estimates, and there is no cost.
 */
export function offlineModel(info: ModelInfo = OFFLINE_INFO): LanguageModel {
  return {
    info,
    async *stream(request, options) {
      const timestamp = options.now();
      const turns = new WorkTurns();
      const target = { provider: info.provider, model: info.id };
      const input = await inSlices(modelInputSteps(said(request.messages), target), turns);
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

/** A few words at a time, so that front ends and aborts meet a stream like any other. */
function deltas(text: string): string[] {
  return text.match(/(?:\S+\s*|\s+){1,4}/g) ?? [];
}

/** About four characters a token. */
function estimate(sent: number, content: readonly AssistantBlock[]): Usage {
  const output = Math.ceil(JSON.stringify(content).length / 4);
  return { input: sent, output, cacheRead: 0, cacheWrite: 0, totalTokens: sent + output };
}

/** As long as `JSON.stringify` writes them together. */
function* jsonLength(messages: readonly ModelInputMessage[]): Steps<number> {
  // The brackets, and a comma between two.
  let length = 2 + Math.max(0, messages.length - 1);
  for (const message of messages) {
    length += JSON.stringify(message).length;
    yield;
  }
  return length;
}

/** A rule answers what a user said, not a note about files or the mode. */
function* said(messages: readonly AgentMessage[]): Generator<AgentMessage> {
  for (const message of messages) {
    if (message.role !== "custom" || !NOTES.includes(message.customType)) yield message;
  }
}

const NOTES = [CHANGED_FILES_TYPE, MODE_TYPE];

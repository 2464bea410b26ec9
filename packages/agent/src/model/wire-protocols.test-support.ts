/** The streaming protocols of four APIs for the contract suite: one answer in each of them. */
import type { ModelApi, ModelInfo } from "./language-model.js";
import type { WireReply } from "./wire-server.test-support.js";

export type SpokenPart =
  | { readonly thinking: string; readonly signature: string }
  | { readonly text: string; readonly signature?: string }
  | { readonly call: string; readonly name: string; readonly input: string; readonly signature?: string };

export interface Spoken {
  readonly parts: readonly SpokenPart[];
  readonly stop: "stop" | "length" | "toolUse";
}

export interface Protocol {
  readonly api: Exclude<ModelApi, "offline">;
  readonly provider: string;
  readonly model: string;
  /** Appended to the server's origin. */
  readonly base: string;
  readonly path: RegExp;
  readonly frames: (spoken: Spoken) => readonly string[];
  readonly failure: (status: number, message: string, type: string) => string;
  readonly overflow: { readonly status: number; readonly message: string; readonly type: string };
}

/** The usage that every protocol below reports, as far as it can. */
export const SPOKEN_USAGE = { input: 12, output: 9, cacheRead: 50, cacheWrite: 100, reasoning: 4 } as const;

export const PROTOCOLS: readonly Protocol[] = [
  {
    api: "anthropic-messages",
    provider: "anthropic",
    model: "claude-sonnet-4-5",
    base: "/v1",
    path: /^\/v1\/messages$/,
    frames: anthropicFrames,
    failure: (_status, message, type) => JSON.stringify({ type: "error", error: { type, message } }),
    overflow: {
      status: 400,
      message: "prompt is too long: 210000 tokens > 200000 maximum",
      type: "invalid_request_error",
    },
  },
  {
    api: "openai-responses",
    provider: "openai",
    model: "gpt-5",
    base: "/v1",
    path: /^\/v1\/responses$/,
    frames: responsesFrames,
    failure: (_status, message, type) => JSON.stringify({ error: { message, type, code: type, param: null } }),
    overflow: {
      status: 400,
      message: "Your input exceeds the context window of this model.",
      type: "context_length_exceeded",
    },
  },
  {
    api: "openai-completions",
    provider: "ollama",
    model: "qwen3",
    base: "/v1",
    path: /^\/v1\/chat\/completions$/,
    frames: completionsFrames,
    failure: (_status, message, type) => JSON.stringify({ error: { message, type } }),
    overflow: {
      status: 400,
      message: "This model's maximum context length is 8192 tokens.",
      type: "invalid_request_error",
    },
  },
  {
    api: "google-generative-ai",
    provider: "google",
    model: "gemini-2.5-flash",
    base: "/v1beta",
    path: /^\/v1beta\/models\/gemini-2\.5-flash:streamGenerateContent\?alt=sse$/,
    frames: googleFrames,
    failure: (status, message, type) => JSON.stringify({ error: { code: status, message, status: type } }),
    overflow: {
      status: 400,
      message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
      type: "INVALID_ARGUMENT",
    },
  },
];

export function infoOf(protocol: Protocol, origin: string): ModelInfo {
  return {
    provider: protocol.provider,
    id: protocol.model,
    name: protocol.model,
    api: protocol.api,
    contextWindow: 200_000,
    maxOutput: 64_000,
    reasoning: true,
    images: true,
    prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    baseUrl: `${origin}${protocol.base}`,
  };
}

export function says(protocol: Protocol, spoken: Spoken): WireReply {
  return { frames: protocol.frames(spoken), after: "end" };
}

function event(data: object): string {
  const type = (data as { type?: string }).type;
  return `${type === undefined ? "" : `event: ${type}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Splits a text in two, so that every stream has several deltas. */
function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return text.length < 2 ? [text] : [text.slice(0, middle), text.slice(middle)];
}

function anthropicFrames({ parts, stop }: Spoken): readonly string[] {
  const { input, output, cacheRead, cacheWrite } = SPOKEN_USAGE;
  const usage = {
    input_tokens: input,
    output_tokens: 1,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
  };
  const frames = [
    event({
      type: "message_start",
      message: { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], usage },
    }),
  ];
  for (const [index, part] of parts.entries()) {
    const start = (content_block: object) => frames.push(event({ type: "content_block_start", index, content_block }));
    const delta = (value: object) => frames.push(event({ type: "content_block_delta", index, delta: value }));
    if ("thinking" in part) {
      start({ type: "thinking", thinking: "", signature: "" });
      for (const thinking of halves(part.thinking)) delta({ type: "thinking_delta", thinking });
      delta({ type: "signature_delta", signature: part.signature });
    } else if ("text" in part) {
      start({ type: "text", text: "" });
      for (const text of halves(part.text)) delta({ type: "text_delta", text });
    } else {
      start({ type: "tool_use", id: part.call, name: part.name, input: {} });
      for (const partial_json of halves(part.input)) delta({ type: "input_json_delta", partial_json });
    }
    frames.push(event({ type: "content_block_stop", index }));
  }
  const stop_reason = { stop: "end_turn", length: "max_tokens", toolUse: "tool_use" }[stop];
  const details = { output_tokens_details: { thinking_tokens: SPOKEN_USAGE.reasoning } };
  frames.push(
    event({
      type: "message_delta",
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: output, ...details },
    }),
    event({ type: "message_stop" }),
  );
  return frames;
}

function responsesFrames({ parts, stop }: Spoken): readonly string[] {
  const frames = [event({ type: "response.created", response: { id: "resp_1", created_at: 1, model: "m" } })];
  for (const [output_index, part] of parts.entries()) {
    const item = (state: "added" | "done", value: object) =>
      frames.push(event({ type: `response.output_item.${state}`, output_index, item: value }));
    if ("thinking" in part) {
      // Two summary parts in one reasoning item, as the API sends for longer reasoning.
      const item_id = `rs_${output_index}`;
      item("added", { type: "reasoning", id: item_id, summary: [], encrypted_content: null });
      for (const [summary_index, text] of part.thinking.split("\n\n").entries()) {
        const of = { item_id, output_index, summary_index };
        frames.push(event({ type: "response.reasoning_summary_part.added", ...of }));
        for (const delta of halves(text))
          frames.push(event({ type: "response.reasoning_summary_text.delta", ...of, delta }));
        frames.push(event({ type: "response.reasoning_summary_part.done", ...of }));
      }
      item("done", { type: "reasoning", id: item_id, summary: [], encrypted_content: part.signature });
    } else if ("text" in part) {
      const id = part.signature ?? `msg_${output_index}`;
      item("added", { type: "message", id, role: "assistant", content: [] });
      for (const delta of halves(part.text)) {
        frames.push(event({ type: "response.output_text.delta", item_id: id, output_index, content_index: 0, delta }));
      }
      item("done", { type: "message", id, role: "assistant", content: [] });
    } else {
      const call = { type: "function_call", id: `fc_${output_index}`, call_id: part.call, name: part.name };
      item("added", { ...call, arguments: "" });
      for (const delta of halves(part.input)) {
        frames.push(event({ type: "response.function_call_arguments.delta", item_id: call.id, output_index, delta }));
      }
      item("done", { ...call, arguments: part.input, status: "completed" });
    }
  }
  const { input, output, cacheRead, reasoning } = SPOKEN_USAGE;
  const usage = {
    input_tokens: input + cacheRead,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
  };
  const incomplete_details = stop === "length" ? { reason: "max_output_tokens" } : null;
  const type = stop === "length" ? "response.incomplete" : "response.completed";
  frames.push(event({ type, response: { id: "resp_1", incomplete_details, usage } }));
  return frames;
}

function completionsFrames({ parts, stop }: Spoken): readonly string[] {
  const chunk = (value: object) => `data: ${JSON.stringify({ id: "chat_1", created: 1, model: "m", ...value })}\n\n`;
  const delta = (value: object) => chunk({ choices: [{ index: 0, delta: value, finish_reason: null }] });
  const frames = [delta({ role: "assistant", content: "" })];
  let index = 0;
  for (const part of parts) {
    if ("thinking" in part)
      for (const reasoning_content of halves(part.thinking)) frames.push(delta({ reasoning_content }));
    else if ("text" in part) for (const content of halves(part.text)) frames.push(delta({ content }));
    else {
      const [first = "", second = ""] = halves(part.input);
      const call = { index, id: part.call, type: "function", function: { name: part.name, arguments: first } };
      frames.push(delta({ tool_calls: [call] }));
      if (second !== "") frames.push(delta({ tool_calls: [{ index, function: { arguments: second } }] }));
      index += 1;
    }
  }
  const { input, output, cacheRead, reasoning } = SPOKEN_USAGE;
  const usage = {
    prompt_tokens: input + cacheRead,
    prompt_tokens_details: { cached_tokens: cacheRead },
    completion_tokens: output,
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
  const finish_reason = { stop: "stop", length: "length", toolUse: "tool_calls" }[stop];
  frames.push(
    chunk({ choices: [{ index: 0, delta: {}, finish_reason }] }),
    chunk({ choices: [], usage }),
    "data: [DONE]\n\n",
  );
  return frames;
}

function googleFrames({ parts, stop }: Spoken): readonly string[] {
  const chunk = (value: object) => `data: ${JSON.stringify({ responseId: "google_1", ...value })}\n\n`;
  const say = (part: object) => chunk({ candidates: [{ index: 0, content: { role: "model", parts: [part] } }] });
  const frames: string[] = [];
  for (const part of parts) {
    const signed = part.signature === undefined ? {} : { thoughtSignature: part.signature };
    if ("thinking" in part) {
      const [first = "", second = ""] = halves(part.thinking);
      frames.push(say({ text: first, thought: true }), say({ text: second, thought: true, ...signed }));
    } else if ("text" in part) {
      const [first = "", second = ""] = halves(part.text);
      frames.push(say({ text: first }), say({ text: second, ...signed }));
    } else {
      const args: unknown = JSON.parse(part.input);
      frames.push(say({ functionCall: { id: part.call, name: part.name, args }, ...signed }));
    }
  }
  const { input, output, cacheRead, reasoning } = SPOKEN_USAGE;
  const usageMetadata = {
    promptTokenCount: input + cacheRead,
    cachedContentTokenCount: cacheRead,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning,
    totalTokenCount: input + cacheRead + output,
  };
  const finishReason = stop === "length" ? "MAX_TOKENS" : "STOP";
  frames.push(
    chunk({ candidates: [{ index: 0, content: { role: "model", parts: [] }, finishReason }], usageMetadata }),
  );
  return frames;
}

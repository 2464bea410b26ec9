// A model on loopback that does what prompts say: `RUN<<command>>` in the last prompt is answered with a call of the
// agent's shell tool, everything else in words. Speaks the Messages, Responses and Gemini protocols, and records each
// request as `[kind, text]` parts, so that all agents are compared alike.
import { eventStream, modelServer, sendJson } from "../resume/model-server.mjs";

const USAGE = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

/** `shell`: the agent's tool, and the name of the command in its input. */
export function scriptedServer(protocol, shell) {
  let number = 0;
  // A conversation may continue with another server.
  const start = Date.now().toString(36);
  const next = (parts) => {
    number += 1;
    const [kind, text] = parts.findLast(([one]) => one === "user" || one === "result") ?? ["user", ""];
    const command = kind === "user" ? /RUN<<(.*?)>>/.exec(text)?.[1] : undefined;
    if (command === undefined) return { number, text: `Answer ${number}.` };
    const input = { [shell.argument]: command, ...shell.more };
    return { number, text: `Running ${number}.`, call: { id: `call_${start}_${number}`, name: shell.tool, input } };
  };
  return modelServer(PROTOCOLS[protocol](next));
}

const PROTOCOLS = {
  messages: (next) => (exchange) => {
    const { url, asked, response, requests } = exchange;
    if (url.includes("/count_tokens")) return sendJson(response, { input_tokens: 1 });
    if (!url.includes("/messages")) return response.writeHead(404).end();
    const parts = asked.messages.flatMap(({ role, content }) =>
      (typeof content === "string" ? [{ type: "text", text: content }] : content).map((block) => {
        if (block.type === "tool_use") return ["call", block.name];
        if (block.type === "tool_result") return ["result", ""];
        return [role, block.text ?? ""];
      }),
    );
    // Titles and the like have no tools.
    const isTurn = (asked.tools ?? []).length > 0 && !parts.at(-1)?.[1].startsWith("[SUGGESTION MODE");
    if (isTurn) requests.push(spoken(parts));
    const { number, text, call } = isTurn ? next(parts) : { number: 0, text: "A title" };
    const message = {
      id: `msg_${number}`,
      type: "message",
      role: "assistant",
      model: asked.model,
      stop_sequence: null,
      usage: USAGE,
    };
    const content = [{ type: "text", text }, ...(call === undefined ? [] : [{ type: "tool_use", ...call }])];
    const stop_reason = call === undefined ? "end_turn" : "tool_use";
    if (asked.stream !== true) return sendJson(response, { ...message, content, stop_reason });
    const send = eventStream(response);
    send("message_start", { message: { ...message, content: [], stop_reason: null } });
    for (const [index, block] of content.entries()) {
      const [start, delta] =
        block.type === "text"
          ? [
              { type: "text", text: "" },
              { type: "text_delta", text: block.text },
            ]
          : [
              { ...block, input: {} },
              { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
            ];
      send("content_block_start", { index, content_block: start });
      send("content_block_delta", { index, delta });
      send("content_block_stop", { index });
    }
    send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } });
    send("message_stop", {});
    response.end();
  },
  responses:
    (next) =>
    ({ url, asked, response, requests }) => {
      if (!url.includes("/responses")) return response.writeHead(404).end();
      const parts = asked.input.flatMap(({ type, role, content = [], name }) => {
        if (type === "function_call" || type === "custom_tool_call") return [["call", name]];
        if (type.endsWith("_output")) return [["result", ""]];
        return type === "message" ? content.map(({ text }) => [role, text ?? ""]) : [];
      });
      const isTurn = (asked.tools ?? []).length > 0;
      if (isTurn) requests.push(spoken(parts));
      const { number, text, call } = isTurn ? next(parts) : { number: 0, text: "A title" };
      const send = eventStream(response);
      send("response.created", { response: { id: `resp_${number}` } });
      const content = [{ type: "output_text", text, annotations: [] }];
      const item = { type: "message", id: `msg_${number}`, role: "assistant", status: "completed", content };
      send("response.output_item.done", { output_index: 0, item });
      if (call !== undefined) {
        const called = { type: "function_call", id: `fc_${number}`, call_id: call.id, name: call.name };
        const item = { ...called, arguments: JSON.stringify(call.input) };
        send("response.output_item.done", { output_index: 1, item });
      }
      const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
      send("response.completed", { response: { id: `resp_${number}`, usage } });
      response.end();
    },
  gemini:
    (next) =>
    ({ url, asked, response, requests }) => {
      if (url.includes(":countTokens")) return sendJson(response, { totalTokens: 1 });
      if (!url.includes("enerateContent")) return response.writeHead(404).end();
      const parts = (asked.contents ?? []).flatMap(({ role, parts = [] }) =>
        parts.map((part) => {
          if (part.functionCall !== undefined) return ["call", part.functionCall.name];
          if (part.functionResponse !== undefined) return ["result", ""];
          return [role === "model" ? "assistant" : "user", part.text ?? ""];
        }),
      );
      requests.push(spoken(parts));
      const { text, call } = next(parts);
      const made = [
        { text },
        ...(call === undefined ? [] : [{ functionCall: { id: call.id, name: call.name, args: call.input } }]),
      ];
      const candidate = { content: { role: "model", parts: made }, finishReason: "STOP", index: 0 };
      const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
      const value = { candidates: [candidate], usageMetadata, modelVersion: "loopback" };
      if (!url.includes(":streamGenerateContent")) return sendJson(response, value);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${JSON.stringify(value)}\r\n\r\n`);
    },
};

/** Without what the agent adds itself. */
function spoken(parts) {
  return parts.filter(([kind, text]) => {
    if (kind === "system" || kind === "developer") return false;
    return !(kind === "user" && (text.startsWith("<") || text.trim() === ""));
  });
}

// A model on loopback that does what prompts say: each `RUN<<command>>` in the last prompt is answered with a call of the
// agent's shell tool, one after the other, `HOLD<<text>>` with that text and no end, and everything else in words. With
// `pace`, answers come in small pieces, so many milliseconds apart. Speaks the Messages, Responses and Gemini protocols,
// and records each request as `[kind, text]` parts, so that all agents are compared alike.
import { setTimeout as pause } from "node:timers/promises";
import { eventStream, modelServer, sendJson } from "../resume/model-server.mjs";

const WORDS = "ash birch cedar elm fir gum hazel iris juniper kauri larch maple nutmeg oak pine quince rowan".split(
  " ",
);
const USAGE = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

/** `shell`: the agent's tool, and the name of the command in its input. */
export function scriptedServer(protocol, shell, { pace = 0 } = {}) {
  let number = 0;
  // A conversation may continue with another server.
  const start = Date.now().toString(36);
  const next = (parts) => {
    number += 1;
    const turn = parts.slice(parts.findLastIndex(([kind]) => kind === "user"));
    const [[, prompt] = ["user", ""]] = turn;
    const hold = /HOLD<<(.*?)>>/s.exec(prompt)?.[1];
    if (hold !== undefined) return { number, text: hold, isHeld: true, pace };
    // `CALL<<tool {"input": 1}>>`: any tool of the agent.
    const [, tool, json] = /CALL<<(\S+) (.*?)>>/s.exec(prompt) ?? [];
    if (tool !== undefined && !turn.some(([kind]) => kind === "result")) {
      return {
        number,
        text: "Calling.",
        call: { id: `call_${start}_${number}`, name: tool, input: JSON.parse(json) },
        pace,
      };
    }
    const done = turn.filter(([kind]) => kind === "result").length;
    const command = [...prompt.matchAll(/RUN<<(.*?)>>/gs)][done]?.[1];
    // Long enough that a kill can hit the middle, and without repetitions, which Gemini CLI takes for a loop.
    const more = pace === 0 ? "" : ` ${WORDS.map((word) => word + number).join(" ")} and that was ${start}-${number}.`;
    if (command === undefined) return { number, text: `Answer ${start}-${number}.${more}`, pace };
    const input = { [shell.argument]: command, ...shell.more };
    const call = { id: `call_${start}_${number}`, name: shell.tool, input };
    return { number, text: `Running ${start}-${number}.${more}`, call, pace };
  };
  return modelServer(PROTOCOLS[protocol](next));
}

/** As it is sent: in pieces, if there is a pace. */
async function inPieces({ text, pace = 0 }, send) {
  const size = pace === 0 ? text.length : 30;
  for (let at = 0; at < text.length; at += size) {
    if (pace > 0) await pause(pace);
    send(text.slice(at, at + size));
  }
}

const PROTOCOLS = {
  messages: (next) => async (exchange) => {
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
    const answer = isTurn ? next(parts) : { number: 0, text: "A title" };
    const { number, text, call } = answer;
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
    send("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
    await inPieces(answer, (piece) => {
      send("content_block_delta", { index: 0, delta: { type: "text_delta", text: piece } });
    });
    if (answer.isHeld) return;
    send("content_block_stop", { index: 0 });
    if (call !== undefined) {
      const partial_json = JSON.stringify(call.input);
      send("content_block_start", { index: 1, content_block: { type: "tool_use", ...call, input: {} } });
      send("content_block_delta", { index: 1, delta: { type: "input_json_delta", partial_json } });
      send("content_block_stop", { index: 1 });
    }
    send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } });
    send("message_stop", {});
    response.end();
  },
  responses:
    (next) =>
    async ({ url, asked, response, requests }) => {
      if (!url.includes("/responses")) return response.writeHead(404).end();
      const parts = asked.input.flatMap(({ type, role, content = [], name }) => {
        if (type === "function_call" || type === "custom_tool_call") return [["call", name]];
        if (type.endsWith("_output")) return [["result", ""]];
        return type === "message" ? content.map(({ text }) => [role, text ?? ""]) : [];
      });
      const isTurn = (asked.tools ?? []).length > 0;
      if (isTurn) requests.push(spoken(parts));
      const answer = isTurn ? next(parts) : { number: 0, text: "A title" };
      const { number, text, call } = answer;
      const send = eventStream(response);
      send("response.created", { response: { id: `resp_${number}` } });
      const begun = { type: "message", id: `msg_${number}`, role: "assistant", status: "in_progress", content: [] };
      send("response.output_item.added", { output_index: 0, item: begun });
      await inPieces(answer, (delta) => {
        send("response.output_text.delta", { output_index: 0, item_id: begun.id, content_index: 0, delta });
      });
      if (answer.isHeld) return;
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
    async ({ url, asked, response, requests }) => {
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
      const answer = next(parts);
      const { text, call } = answer;
      const called = call === undefined ? [] : [{ functionCall: { id: call.id, name: call.name, args: call.input } }];
      const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
      const value = (made, isLast) => {
        const candidate = {
          content: { role: "model", parts: made },
          index: 0,
          ...(isLast ? { finishReason: "STOP" } : {}),
        };
        return { candidates: [candidate], ...(isLast ? { usageMetadata } : {}), modelVersion: "loopback" };
      };
      if (!url.includes(":streamGenerateContent")) return sendJson(response, value([{ text }, ...called], true));
      response.writeHead(200, { "content-type": "text/event-stream" });
      const send = (made, isLast) => response.write(`data: ${JSON.stringify(value(made, isLast))}\r\n\r\n`);
      await inPieces(answer, (piece) => send([{ text: piece }], false));
      if (answer.isHeld) return;
      send(called, true);
      response.end();
    },
};

/** Without what the agent adds itself. */
function spoken(parts) {
  return parts.filter(([kind, text]) => {
    if (kind === "system" || kind === "developer") return false;
    return !(kind === "user" && (text.startsWith("<") || text.trim() === ""));
  });
}

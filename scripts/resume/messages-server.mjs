// A model on loopback that speaks the Messages protocol: answers every request with one sentence and records the
// requests.
import { ANSWER, eventStream, modelServer, sendJson } from "./model-server.mjs";

export const messagesServer = () => modelServer(answer);

function answer({ url, asked, response, requests }) {
  if (url.includes("/count_tokens")) return sendJson(response, { input_tokens: 1 });
  if (!url.includes("/messages")) return response.writeHead(404).end();
  requests.push(asked);
  const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const message = { id: "msg_1", type: "message", role: "assistant", model: asked.model, stop_sequence: null, usage };
  if (asked.stream !== true) {
    return sendJson(response, { ...message, content: [{ type: "text", text: ANSWER }], stop_reason: "end_turn" });
  }
  const send = eventStream(response);
  send("message_start", { message: { ...message, content: [], stop_reason: null } });
  send("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
  send("content_block_delta", { index: 0, delta: { type: "text_delta", text: ANSWER } });
  send("content_block_stop", { index: 0 });
  send("message_delta", { delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 1 } });
  send("message_stop", {});
  response.end();
}

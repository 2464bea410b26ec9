// A model on loopback that speaks the Messages protocol: answers every request with one sentence and keeps what was asked.
import { createServer } from "node:http";

export const ANSWER = "Going on.";

export async function messagesServer() {
  const requests = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => answer(request, body === "" ? {} : JSON.parse(body), response, requests));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { requests, address: `http://127.0.0.1:${server.address().port}`, close };
}

function answer(request, asked, response, requests) {
  if (request.url.includes("/count_tokens")) return json(response, { input_tokens: 1 });
  if (!request.url.includes("/messages")) return response.writeHead(404).end();
  requests.push(asked);
  const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const message = { id: "msg_1", type: "message", role: "assistant", model: asked.model, stop_sequence: null, usage };
  if (asked.stream !== true) {
    return json(response, { ...message, content: [{ type: "text", text: ANSWER }], stop_reason: "end_turn" });
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send("message_start", { message: { ...message, content: [], stop_reason: null } });
  send("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
  send("content_block_delta", { index: 0, delta: { type: "text_delta", text: ANSWER } });
  send("content_block_stop", { index: 0 });
  send("message_delta", { delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 1 } });
  send("message_stop", {});
  response.end();
}

function json(response, value) {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

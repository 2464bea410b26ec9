// A model on loopback that speaks the Gemini protocol: answers every request with one sentence and keeps what was asked,
// in the shape of the Messages protocol, so that all programs are judged alike.
import { createServer } from "node:http";
import { ANSWER } from "./messages-server.mjs";

export async function geminiServer() {
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
  if (request.url.includes(":countTokens")) return json(response, { totalTokens: 1 });
  if (!request.url.includes("enerateContent")) return response.writeHead(404).end();
  requests.push({ messages: (asked.contents ?? []).map(messageOf) });
  const candidate = { content: { role: "model", parts: [{ text: ANSWER }] }, finishReason: "STOP", index: 0 };
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  const value = { candidates: [candidate], usageMetadata, modelVersion: "loopback" };
  if (!request.url.includes(":streamGenerateContent")) return json(response, value);
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(`data: ${JSON.stringify(value)}\r\n\r\n`);
}

function messageOf({ role, parts = [] }) {
  const blocks = parts.map((part) => {
    if (part.functionCall !== undefined) {
      const { id, name, args } = part.functionCall;
      return { type: "tool_use", id: id ?? name, name, input: args ?? {} };
    }
    if (part.functionResponse !== undefined) {
      const { id, name, response = {} } = part.functionResponse;
      const words = response.output ?? response.error ?? JSON.stringify(response);
      return { type: "tool_result", tool_use_id: id ?? name, content: [{ type: "text", text: words }] };
    }
    if (part.inlineData !== undefined) return { type: "image", source: { data: part.inlineData.data } };
    return { type: "text", text: part.text ?? "" };
  });
  return { role: role === "model" ? "assistant" : "user", content: withImages(blocks) };
}

/** Images of a result come right behind it; they belong to it. */
function withImages(blocks) {
  const merged = [];
  for (const block of blocks) {
    const last = merged.at(-1);
    if (block.type === "image" && last?.type === "tool_result") last.content.push(block);
    else merged.push(block);
  }
  return merged;
}

function json(response, value) {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

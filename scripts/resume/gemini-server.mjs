// A model on loopback that speaks the Gemini protocol: answers every request with one sentence and records the requests
// in the form of the Messages protocol, so that all programs are judged alike.
import { ANSWER, modelServer, sendJson } from "./model-server.mjs";

export const geminiServer = () => modelServer(answer);

function answer({ url, asked, response, requests }) {
  if (url.includes(":countTokens")) return sendJson(response, { totalTokens: 1 });
  if (!url.includes("enerateContent")) return response.writeHead(404).end();
  requests.push({ messages: (asked.contents ?? []).map(messageOf) });
  const candidate = { content: { role: "model", parts: [{ text: ANSWER }] }, finishReason: "STOP", index: 0 };
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  const value = { candidates: [candidate], usageMetadata, modelVersion: "loopback" };
  if (!url.includes(":streamGenerateContent")) return sendJson(response, value);
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

/** Merges images into the result just before them, to which they belong. */
function withImages(blocks) {
  const merged = [];
  for (const block of blocks) {
    const last = merged.at(-1);
    if (block.type === "image" && last?.type === "tool_result") last.content.push(block);
    else merged.push(block);
  }
  return merged;
}

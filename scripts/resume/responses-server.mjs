// A model on loopback that speaks the Responses protocol: answers every request with one sentence and records the
// requests.
import { ANSWER, eventStream, modelServer } from "./model-server.mjs";

export const responsesServer = () => modelServer(answer);

function answer({ url, asked, response, requests }) {
  if (!url.includes("/responses")) return response.writeHead(404).end();
  requests.push(asked);
  const content = [{ type: "output_text", text: ANSWER, annotations: [] }];
  const item = { type: "message", id: "msg_1", role: "assistant", status: "completed", content };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const send = eventStream(response);
  send("response.created", { response: { id: "resp_1" } });
  send("response.output_item.done", { output_index: 0, item });
  send("response.completed", { response: { id: "resp_1", usage } });
  response.end();
}

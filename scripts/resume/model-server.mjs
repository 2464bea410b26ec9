// The base of the model servers on loopback: reads requests, keeps what was asked, and answers as the protocol wants.
import { createServer } from "node:http";

/** What every server answers. */
export const ANSWER = "Going on.";

/** `answer({ url, asked, response, requests })` replies to one request and keeps what it has to in `requests`. */
export async function modelServer(answer) {
  const requests = [];
  const server = createServer((request, response) => {
    let body = "";
    // A character may be cut in two between chunks.
    request.setEncoding("utf8");
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      answer({ url: request.url, asked: body === "" ? {} : JSON.parse(body), response, requests });
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { requests, address: `http://127.0.0.1:${server.address().port}`, close };
}

export function sendJson(response, value) {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Starts a stream of events; gives the function that sends one. */
export function eventStream(response) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  return (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
}

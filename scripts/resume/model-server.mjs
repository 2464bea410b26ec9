// The base of the model servers on loopback: reads and records requests, and answers as the protocol requires.
import { createServer } from "node:http";

/** The answer of every server. */
export const ANSWER = "Going on.";

/** `answer({ url, asked, response, requests })` replies to one request and records it in `requests`. */
export async function modelServer(answer) {
  const requests = [];
  /** As they came. */
  const bodies = [];
  const server = createServer((request, response) => {
    let body = "";
    // A chunk may end in the middle of a character.
    request.setEncoding("utf8");
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      bodies.push(body);
      answer({ url: request.url, asked: body === "" ? {} : JSON.parse(body), response, requests });
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { requests, bodies, address: `http://127.0.0.1:${server.address().port}`, close };
}

export function sendJson(response, value) {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Starts an event stream and returns a function that sends an event. */
export function eventStream(response) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  return (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
}

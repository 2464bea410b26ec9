/** An MCP server over streamable HTTP that does one thing wrong, or nothing. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * `large`: a call is answered with more than a message may hold. `endless`: the same as one event that does not end.
 * `dies`: the connection breaks in a call. `breaks`: the same after an answer has begun. `ends`: a stream that ends without one. `not-json`: a call is answered with text. `elsewhere`: everything is answered with
 * a redirect to `to`. `hangs`: nothing is answered.
 */
export type HttpWay = "good" | "large" | "endless" | "dies" | "breaks" | "ends" | "not-json" | "elsewhere" | "hangs";

export interface HttpMcpServer {
  readonly url: string;
  /** Every request, in order. */
  readonly requests: { readonly method: string; readonly headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
}

const MEGABYTE = "x".repeat(1 << 20);

export async function httpMcpServer(way: HttpWay = "good", { to = "" } = {}): Promise<HttpMcpServer> {
  const requests: { method: string; headers: IncomingHttpHeaders }[] = [];
  const json = (response: ServerResponse, body: unknown) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  const call = (response: ServerResponse, id: unknown) => {
    const result = { content: [{ type: "text", text: "over HTTP" }] };
    if (way === "dies") return response.destroy();
    if (way === "not-json") return response.writeHead(200, { "content-type": "application/json" }).end("Service down");
    if (way === "breaks" || way === "ends") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      return response.write("event: message\n", () => (way === "ends" ? response.end("\n") : response.destroy()));
    }
    if (way !== "large" && way !== "endless") return json(response, { jsonrpc: "2.0", id, result });
    const isStream = way === "endless";
    response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
    const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`;
    response.write(`${isStream ? "event: message\ndata: " : ""}${head}`);
    const more = (): void => {
      while (!response.destroyed) if (!response.write(MEGABYTE)) return void response.once("drain", more);
    };
    return more();
  };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { id, method = request.method, params } = body === "" ? { id: undefined } : JSON.parse(body);
    requests.push({ method, headers: request.headers });
    if (way === "hangs") return;
    if (way === "elsewhere") return response.writeHead(307, { location: to }).end();
    if (request.method !== "POST") return response.writeHead(405).end();
    if (id === undefined) return response.writeHead(202).end();
    if (method === "tools/call") return call(response, id);
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "web", version: "2" },
      },
      "tools/list": { tools: [{ name: "look", description: "Looks.", inputSchema: { type: "object" } }] },
    };
    return json(response, { jsonrpc: "2.0", id, result: results[method] ?? {} });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

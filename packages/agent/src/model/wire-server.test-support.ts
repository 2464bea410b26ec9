/** A real HTTP server on loopback that answers model requests from a script and records them. */
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface WireRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
  /** Resolves when the connection was closed before the answer was complete. */
  readonly closedEarly: Promise<void>;
}

export type WireReply =
  /** A complete response that is not a stream. */
  | { readonly bytes: Buffer; readonly type: string }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string }
  /** Frames of an event stream; then it ends, is cut off, or stays silent until the client closes it. */
  | { readonly frames: readonly string[]; readonly after: "end" | "cut" | "wait" };

export interface WireServer {
  readonly origin: string;
  readonly requests: WireRequest[];
  /** Replies are sent in this order. */
  reply(...replies: readonly WireReply[]): void;
  /** Decides about requests itself; undefined for the next reply of the script. */
  route(decide: (request: WireRequest) => WireReply | undefined): void;
  /** Resolves when this many requests have arrived. */
  asked(count: number): Promise<void>;
  /** Drops the remaining replies. */
  forget(): void;
  close(): Promise<void>;
}

export async function wireServer(): Promise<WireServer> {
  const queue: WireReply[] = [];
  const requests: WireRequest[] = [];
  const routes: ((request: WireRequest) => WireReply | undefined)[] = [];
  const arrivals = new EventEmitter().setMaxListeners(0);
  const server = createServer((request, response) => {
    const next = (arrived: WireRequest) => {
      requests.push(arrived);
      const reply = routes.at(-1)?.(arrived) ?? queue.shift();
      arrivals.emit("request");
      return reply;
    };
    void serve(request, response, next);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    route: (decide) => void routes.push(decide),
    asked: async (count) => {
      while (requests.length < count) await once(arrivals, "request");
    },
    reply: (...replies) => void queue.push(...replies),
    forget: () => void queue.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  next: (request: WireRequest) => WireReply | undefined,
): Promise<void> {
  const closedEarly = new Promise<void>((resolve) => {
    response.on("close", () => {
      if (!response.writableFinished) resolve();
    });
  });
  let text = "";
  for await (const chunk of request) text += String(chunk);
  const reply = next({
    path: request.url ?? "",
    headers: request.headers,
    body: text === "" ? undefined : JSON.parse(text),
    closedEarly,
  }) ?? { status: 500, body: "the script has no more replies" };
  if ("bytes" in reply) {
    response.writeHead(200, { "content-type": reply.type }).end(reply.bytes);
    return;
  }
  if ("status" in reply) {
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers }).end(reply.body);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const frame of reply.frames) response.write(frame);
  if (reply.after === "end") response.end();
  // The bytes must be sent before the connection is closed.
  if (reply.after === "cut") response.write("", () => setImmediate(() => response.socket?.destroy()));
}

/** A real proxy on loopback: tunnels with CONNECT, forwards plain http, and sends everything to one place. */
import { createServer, request as send } from "node:http";
import { type AddressInfo, connect } from "node:net";

export interface ConnectProxy {
  readonly origin: string;
  /** `CONNECT host:port` or `GET http://host/path`, in the order they came. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

interface ConnectProxyOptions {
  /** Whatever host is asked for is this port on loopback. */
  readonly port: number;
  /** `user:password`, without which it answers 407. */
  readonly login?: string;
}

export async function connectProxy({ port, login }: ConnectProxyOptions): Promise<ConnectProxy> {
  const asked: string[] = [];
  const expected = login === undefined ? undefined : `Basic ${Buffer.from(login).toString("base64")}`;
  const refused = (given: string | undefined) => expected !== undefined && given !== expected;
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (refused(request.headers["proxy-authorization"])) return void response.writeHead(407).end();
    const { pathname, search } = new URL(request.url ?? "");
    const { method, headers } = request;
    const onward = send({ host: "127.0.0.1", port, path: `${pathname}${search}`, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  server.on("connect", (request, socket, head) => {
    asked.push(`CONNECT ${request.url}`);
    socket.on("error", () => {});
    if (refused(request.headers["proxy-authorization"])) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const target = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.write(head);
      target.pipe(socket).pipe(target);
    });
    target.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

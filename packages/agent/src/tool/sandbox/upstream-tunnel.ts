/** Connections through the proxy that the user's own environment names, if it names one. */

import { request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

export interface HostAddress {
  readonly host: string;
  readonly port: number;
}

interface TunnelOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** A connection to this host through the user's proxy; undefined if the host is reached directly. */
export async function tunnelTo(
  { host, port }: HostAddress,
  { env, signal }: TunnelOptions,
): Promise<Socket | undefined> {
  const { proxyOf } = await import("../../model/internal.js");
  const shown = host.includes(":") ? `[${host}]` : host;
  const given = proxyOf(new URL(`${port === 80 ? "http" : "https"}://${shown}:${port}/`), env);
  if (given === undefined || !URL.canParse(given)) return undefined;
  const proxy = new URL(given);
  if (!/^https?:$/.test(proxy.protocol)) return undefined;
  const isTls = proxy.protocol === "https:";
  const at = { host: proxy.hostname.replace(/^\[|\]$/g, ""), port: Number(proxy.port || (isTls ? 443 : 80)) };
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return new Promise((resolve, reject) => {
    const asked = httpRequest({
      createConnection: () => (isTls ? connectTls({ ...at, servername: at.host }) : connect(at)),
      method: "CONNECT",
      path: `${shown}:${port}`,
      headers: {
        host: `${shown}:${port}`,
        ...(login === ":" ? {} : { "proxy-authorization": `Basic ${Buffer.from(login).toString("base64")}` }),
      },
      signal,
    });
    asked.once("connect", (answer, socket: Socket, head: Buffer) => {
      if (answer.statusCode !== 200) {
        socket.destroy();
        reject(new Error(`The proxy answered ${answer.statusCode}`));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    asked.once("response", (answer) => {
      answer.destroy();
      reject(new Error(`The proxy answered ${answer.statusCode}`));
    });
    asked.once("error", reject);
    asked.end();
  });
}

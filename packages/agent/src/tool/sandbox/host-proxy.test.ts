/** Names whose addresses change, or lead to this machine: the address that was checked is the one that is used. */
import { once } from "node:events";
import { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setImmediate as nextRound } from "node:timers/promises";
import { expect, test } from "vitest";
import { afterTest } from "../../../../../test/support/after-test.js";
import { hostProxy } from "./host-proxy.js";

/** A proxy for a name with these addresses, one list after another, and a server of this machine. */
async function place(addresses: readonly (readonly string[])[], allowed: readonly string[]) {
  const server = createServer((_, response) => response.end("reached"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const asked: string[] = [];
  let looked = 0;
  const proxy = hostProxy({
    allow: async ({ host }) => {
      asked.push(host);
      return allowed.includes(host);
    },
    lookup: async () => (addresses[looked++] ?? []).map((address) => ({ address })),
    env: {},
  });
  await proxy.listen({ port: 0, host: "127.0.0.1" });
  afterTest(() => {
    proxy.close();
    server.closeAllConnections();
    server.close();
  });
  const get = async (host: string, method: "GET" | "CONNECT" = "GET") => {
    const target = method === "GET" ? `http://${host}:${port}/` : `${host}:${port}`;
    const sent = request({ host: "127.0.0.1", port: proxy.port(), method, path: target, agent: false }).end();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      sent.on("error", reject);
      sent.on("response", (answer) => resolve(answer.resume().statusCode));
      sent.on("connect", (answer, socket) => {
        socket.destroy();
        resolve(answer.statusCode);
      });
    });
    return { status, asked: asked.splice(0), looked };
  };
  return { get };
}

const NAME = "rebind.example";

test.each(["127.0.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "10.0.0.1", "169.254.169.254", "0.0.0.0"])(
  "an allowed name that leads to %s is not reached without a yes to the address",
  async (address) => {
    const { get } = await place([[address], ["8.8.8.8", address]], [NAME]);
    expect(await get(NAME)).toEqual({ status: 403, asked: [NAME, address], looked: 1 });
    // Also if it is one of several, and for a tunnel.
    expect(await get(NAME, "CONNECT")).toEqual({ status: 403, asked: [NAME, address], looked: 2 });
  },
);

test("a name is looked up once for a connection, and that address is used, whatever the name leads to next", async () => {
  const { get } = await place([["127.0.0.1"], ["127.0.0.2"]], [NAME, "127.0.0.1"]);
  expect(await get(NAME)).toEqual({ status: 200, asked: [NAME, "127.0.0.1"], looked: 1 });
  expect(await get(NAME, "CONNECT")).toEqual({ status: 403, asked: [NAME, "127.0.0.2"], looked: 2 });
});

test("a yes that comes after the command has ended connects to nothing", async () => {
  const answers: ((isAllowed: boolean) => void)[] = [];
  const looked: string[] = [];
  const proxy = hostProxy({
    allow: () => new Promise((resolve) => void answers.push(resolve)),
    lookup: async (host) => {
      looked.push(host);
      return [];
    },
    env: {},
  });
  await proxy.listen({ port: 0, host: "127.0.0.1" });
  afterTest(proxy.close);
  const name = Buffer.from("late.example");
  const firstWords = [
    "GET http://late.example/ HTTP/1.1\r\nHost: late.example\r\n\r\n",
    "CONNECT late.example:443 HTTP/1.1\r\n\r\n",
    Buffer.concat([Buffer.from([5, 1, 0, 5, 1, 0, 3, name.length]), name, Buffer.from([0, 80])]),
  ];
  const clients = firstWords.map((words) => {
    const client = connect({ port: proxy.port() ?? 0, host: "127.0.0.1" }).on("error", () => undefined);
    client.write(words);
    return once(client.resume(), "close");
  });
  while (answers.length < clients.length) await nextRound();
  proxy.close();
  await Promise.all(clients);
  for (const answer of answers) answer(true);
  for (let round = 0; round < 5; round++) await nextRound();
  expect(looked).toEqual([]);
});

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { Database } from "./database.js";

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A protocol message: a letter, the length, and the body. */
function message(letter: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

test("a server that ends in the moment in which a connection is ready ends the query, not the process", async () => {
  const ready = [message("R", Buffer.alloc(4)), message("Z", Buffer.from("I"))];
  const over = message("E", Buffer.from("SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0"));
  // A real server sends this in two pieces; on a busy machine they arrive as one.
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(Buffer.concat([...ready, over])));
  });
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const database = await Database.open(`postgres://someone@127.0.0.1:${port}/any?sslmode=disable`);
  await expect(database.rows("select 1")).rejects.toMatchObject({ code: "store-unreachable" });
  await database.close();
});

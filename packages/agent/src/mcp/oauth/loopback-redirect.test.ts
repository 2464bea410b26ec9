import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { afterTest } from "../../../../../test/support/after-test.js";
import { loopbackRedirect } from "./loopback-redirect.js";

/** What is answered to a request with this target, as it is. */
async function answerTo(port: number, target: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.end(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  return text(socket);
}

test("requests that are not the redirect are refused, whatever their target, and the login goes on", async () => {
  const redirect = await loopbackRedirect({ state: "abc" });
  afterTest(() => redirect.close());
  const port = Number(new URL(redirect.url).port);
  for (const target of ["//", "//:", "http://[", "/", "/callback?state=other", "/callback/other"])
    expect(await answerTo(port, target), target).toMatch(/^HTTP\/1\.1 400 /);
  expect(await answerTo(port, "/callback?state=abc&code=1")).toMatch(/^HTTP\/1\.1 200 /);
  const params = await redirect.answer({ signal: new AbortController().signal });
  expect(params.get("code")).toBe("1");
});

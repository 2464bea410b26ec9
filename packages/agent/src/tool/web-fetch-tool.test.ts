import { lookup } from "node:dns/promises";
import { readFileSync, statSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { connectProxy } from "../../../../test/support/connect-proxy.js";
import { createPermissions } from "./permission/permissions.js";
import { parseRule } from "./permission/rule/rule.js";
import { NO, workshop } from "./tool-context.test-support.js";
import { pageText } from "./web/page-text.js";
import { addressKind } from "./web/public-address.js";

let server: Server;
let origin: string;
let answer: RequestListener;
let requests: string[];
beforeEach(async () => {
  requests = [];
  answer = (_, response) => response.end("");
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.headers.host} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const sends = (body: string | Buffer, headers: Record<string, string> = {}, status = 200): RequestListener => {
  return (_, response) =>
    response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers }).end(body);
};
const LOCAL = { tools: { webFetch: { allowLoopback: true } } };

describe("a page", () => {
  test("comes as Markdown, without scripts, styles, pictures in it and control characters", async () => {
    const shop = workshop();
    answer = sends(
      "<!doctype html><head><title>Guide &amp; more</title><style>p{}</style></head><body><script>evil()</script>" +
        "<h1>Start</h1><p>Use <code>npm \u001b[31mtest</code> and <a href='/x'>this</a>.</p>" +
        "<img alt=pixel src='data:image/png;base64,AAAA'><svg><path d='M0'/></svg><ul><li>one<li>two</ul></body>",
    );
    expect(await shop.text("web_fetch", { url: `${origin}/guide#part` }, LOCAL)).toBe(
      [
        `${origin}/guide\n`,
        "# Guide & more\n\n# Start\n\nUse `npm test` and [this](/x).\n\npixel\n\n-   one\n-   two",
      ].join("\n"),
    );
    expect(shop.asked).toEqual([{ tool: "web_fetch", action: "fetch", target: `${origin}/guide` }]);
  });

  test("is fetched without cookies and keys, also after a page that sets a cookie", async () => {
    const shop = workshop();
    const sent: string[][] = [];
    answer = (request, response) => {
      sent.push(Object.keys(request.headers));
      const next = request.url === "/a" ? { location: "/b" } : {};
      response.writeHead(request.url === "/a" ? 302 : 200, { "set-cookie": "a=b; Path=/", ...next }).end("text");
    };
    for (const path of ["/a", "/b"]) await shop.text("web_fetch", { url: `${origin}${path}` }, LOCAL);
    expect([sent.length, sent.flat().filter((name) => /cookie|auth|key|token|referer/i.test(name))]).toEqual([3, []]);
  });

  test.each([
    ["text/plain; charset=iso-8859-1", Buffer.from("caf\xe9", "latin1"), "café"],
    ["application/json", '{"a":1}', '{"a":1}'],
    ["", "<html><b>x</b>", "**x**"],
    ["text/html", Buffer.from("<meta charset=iso-8859-1><p>\xa3 5", "latin1"), "£ 5"],
    ["text/plain; charset=nonsense", "plain", "plain"],
  ])("of the type %j is read as it is meant", async (type, body, expected) => {
    const shop = workshop();
    answer = sends(body, { "content-type": type });
    expect(await shop.text("web_fetch", { url: origin }, LOCAL)).toBe(`${origin}/\n\n${expected}`);
  });

  test("that is not text is refused, whatever it says it is", async () => {
    const shop = workshop();
    answer = sends("%PDF", { "content-type": "application/pdf" });
    expect(await shop.failure("web_fetch", { url: origin }, LOCAL)).toBe(
      `${origin}/ is application/pdf, not text. Only text can be fetched.`,
    );
    answer = sends(Buffer.from([0x89, 0, 1, 2]));
    expect(await shop.failure("web_fetch", { url: origin }, LOCAL)).toContain("is not text");
  });

  test("that is long is cut, and all of it is in a private file; one beyond the limit is not read to its end", async () => {
    const shop = workshop();
    answer = sends(gzipSync("word ".repeat(20_000)), { "content-type": "text/plain", "content-encoding": "gzip" });
    const result = await shop.call("web_fetch", { url: origin }, { ...LOCAL, callId: "../c/1" });
    const { fullOutputPath = "" } = result.details as { fullOutputPath?: string };
    expect(readFileSync(fullOutputPath, "utf8").length).toBe(99_999);
    expect([statSync(fullOutputPath).mode & 0o777, fullOutputPath.startsWith(shop.outputDir)]).toEqual([0o600, true]);
    const tools = { webFetch: { allowLoopback: true, maxBytes: 1000 } };
    const cut = await shop.call("web_fetch", { url: origin }, { tools });
    expect(cut.details).toMatchObject({ bytes: 1000, truncated: true });
  });

  test("that never ends, or does not answer, is given up", async () => {
    const shop = workshop();
    const tools = { webFetch: { allowLoopback: true, timeoutSeconds: 0.2 } };
    answer = () => {};
    expect(await shop.failure("web_fetch", { url: origin }, { tools })).toBe(
      `${origin}/ did not answer within 0.2 seconds`,
    );
    answer = (_, response) => void response.writeHead(200, { "content-type": "text/plain" }).write("begun");
    expect(await shop.failure("web_fetch", { url: origin }, { tools })).toContain("did not answer within");
  });

  test("with an error status is an error that says what the server said", async () => {
    const shop = workshop();
    answer = sends("<p>No such page", {}, 404);
    expect(await shop.failure("web_fetch", { url: origin }, LOCAL)).toBe(
      `${origin}/\n\nNo such page\n[The server answered with status 404]`,
    );
  });

  test.each(["file:///etc/passwd", "ftp://a.example/", "nonsense", "http://me:secret@a.example/", "javascript:1"])(
    "at %s is refused before anyone is asked",
    async (url) => {
      const shop = workshop();
      const text = await shop.failure("web_fetch", { url }, LOCAL);
      expect([text.includes("secret"), shop.asked]).toEqual([false, []]);
    },
  );
});

describe("private addresses", () => {
  test.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.1",
    "localhost",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.100.100.200",
    "0.0.0.0",
    "[fe80::1]",
    "[fd00::1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "224.0.0.1",
  ])("%s is refused after the user said yes, and nothing is sent", async (host) => {
    const shop = workshop();
    const { port } = server.address() as AddressInfo;
    expect(await shop.failure("web_fetch", { url: `http://${host}:${port}/` })).toMatch(
      /^Refused: .* resolves to (this machine|a private network)/,
    );
    expect(requests).toEqual([]);
  });

  test("the public ones are those that are given out to the public", () => {
    const kinds = ["1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1", "172.32.0.1", "not an address", "::"].map(
      addressKind,
    );
    expect(kinds).toEqual(["public", "public", "public", "public", "private", "private"]);
  });

  test("a redirect to one is refused, also from a page that was allowed", async () => {
    const shop = workshop();
    answer = (_, response) => response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end();
    expect(await shop.failure("web_fetch", { url: origin }, LOCAL)).toBe(
      "Refused: 169.254.169.254 resolves to a private network. web_fetch only reaches the public internet.",
    );
    expect(shop.asked.map(({ target, note }) => [target, note])).toEqual([
      [`${origin}/`, undefined],
      ["http://169.254.169.254/latest/meta-data/", `${origin}/ redirects to this address.`],
    ]);
  });
});

describe("redirects", () => {
  test("on the same host are followed; to another host they ask again", async () => {
    const shop = workshop();
    const { port } = server.address() as AddressInfo;
    answer = ({ url }, response) => {
      if (url === "/a") response.writeHead(301, { location: "/b" }).end();
      else if (url === "/b") response.writeHead(302, { location: `http://localhost:${port}/c` }).end();
      else response.writeHead(200, { "content-type": "text/plain" }).end("there");
    };
    const permit = async ({ target }: { target: string }) =>
      target.includes("localhost") ? NO : { allowed: true as const };
    expect(await shop.failure("web_fetch", { url: `${origin}/a` }, { ...LOCAL, permit })).toBe("The user said no.");
    expect(requests.length).toBe(2);
    expect(await shop.text("web_fetch", { url: `${origin}/a` }, LOCAL)).toBe(`http://localhost:${port}/c\n\nthere`);
  });

  test("that go round are given up, and so are those to other protocols", async () => {
    const shop = workshop();
    answer = (_, response) => response.writeHead(302, { location: "/again" }).end();
    expect(await shop.failure("web_fetch", { url: origin }, LOCAL)).toBe(`${origin}/ redirects more than 5 times`);
    answer = (_, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end();
    expect(await shop.failure("web_fetch", { url: origin }, LOCAL)).toContain("Expected an address");
  });
});

test("nothing is sent when the answer is no, and rules by host decide without asking", async () => {
  const shop = workshop();
  expect(await shop.failure("web_fetch", { url: origin }, { ...LOCAL, decision: NO })).toBe("The user said no.");
  expect(requests).toEqual([]);
  const rules = [parseRule("web_fetch(127.0.0.1)", { effect: "deny", source: { kind: "user" } })];
  const { permit } = createPermissions({ mode: "auto", cwd: shop.cwd, rules });
  expect(await shop.failure("web_fetch", { url: origin }, { ...LOCAL, permit })).toContain(
    "Refused by rule deny web_fetch(127.0.0.1)",
  );
  expect(requests).toEqual([]);
});

test("pages made to be slow are converted all the same", async () => {
  const page = (body: string) => pageText({ type: "text/html", charset: undefined, body: Buffer.from(body) });
  for (const piece of [
    "<div>",
    "<script>",
    "<b><i>",
    "<",
    "<title",
    "<path>",
    "</p><a href=x>",
    "<!--",
    "&amp;",
    "* _ `",
    "<table><tr><td>",
  ]) {
    expect(typeof (await page(piece.repeat(20_000)))).toBe("string");
  }
  expect(await page(`<div>${"<p>x</p>".repeat(3)}</div>`)).toBe("x\n\nx\n\nx");
});

/** As behind a company proxy: public names cannot be resolved. */
const knowsNumbers = async (host: string) => {
  if (isIP(host) === 0 && host !== "localhost") throw new Error("getaddrinfo ENOTFOUND");
  return lookup(host, { all: true });
};

describe("a proxy in the environment", () => {
  const through = (env: Readonly<Record<string, string>>, options = {}) => ({
    tools: { webFetch: { allowLoopback: false, env, lookup: knowsNumbers, ...options } },
  });
  async function proxied(login?: string) {
    const { port } = server.address() as AddressInfo;
    const proxy = await connectProxy({ port, login });
    onTestFinished(() => proxy.close());
    return proxy;
  }

  test("is used for names that only the proxy knows; redirects are followed through it too", async () => {
    const proxy = await proxied("me:secret");
    const env = { HTTP_PROXY: proxy.origin.replace("//", "//me:secret@") };
    answer = ({ url }, response) =>
      url === "/old"
        ? response.writeHead(301, { location: "/new" }).end()
        : response
            .writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" })
            .end(gzipSync("through the proxy"));
    const shop = workshop();
    const page = await shop.text("web_fetch", { url: "http://docs.example.invalid/old" }, through(env));
    expect(page).toBe("http://docs.example.invalid/new\n\nthrough the proxy");
    expect(proxy.asked).toEqual(["GET http://docs.example.invalid/old", "GET http://docs.example.invalid/new"]);
    expect(requests).toEqual(["GET docs.example.invalid /old", "GET docs.example.invalid /new"]);
  });

  test("does not lead into private networks: by address, by name, or by a redirect", async () => {
    const proxy = await proxied();
    const env = { HTTP_PROXY: proxy.origin, HTTPS_PROXY: proxy.origin };
    const shop = workshop();
    for (const host of ["10.1.2.3", "169.254.169.254", "2130706433", "[fd00::1]", "localhost", "intranet", "a.corp"]) {
      const refused = await shop.failure("web_fetch", { url: `http://${host}/` }, through(env));
      expect([host, refused]).toEqual([
        host,
        expect.stringMatching(/^Refused: .* resolves to (this machine|a private network)/),
      ]);
    }
    expect(proxy.asked).toEqual([]);
    answer = (_, response) => response.writeHead(302, { location: "http://192.168.0.1/admin" }).end();
    expect(await shop.failure("web_fetch", { url: "http://docs.example.invalid/" }, through(env))).toBe(
      "Refused: 192.168.0.1 resolves to a private network. web_fetch only reaches the public internet.",
    );
    expect(proxy.asked).toEqual(["GET http://docs.example.invalid/"]);
  });

  test("is not used for hosts in NO_PROXY; one that refuses or is gone is named without its password", async () => {
    const proxy = await proxied("me:secret");
    const shop = workshop();
    const env = { HTTP_PROXY: proxy.origin, HTTPS_PROXY: proxy.origin.replace("//", "//me:wrong@") };
    const excepted = { ...env, NO_PROXY: "example.invalid" };
    expect(await shop.failure("web_fetch", { url: "http://docs.example.invalid/" }, through(excepted))).toContain(
      "Host not found: docs.example.invalid",
    );
    expect(proxy.asked).toEqual([]);
    const tunnel = await shop.failure("web_fetch", { url: "https://docs.example.invalid/" }, through(env));
    expect([tunnel.includes("requires a user name and password (407)"), tunnel.includes("wrong")]).toEqual([
      true,
      false,
    ]);
    await proxy.close();
    expect(await shop.failure("web_fetch", { url: "http://docs.example.invalid/" }, through(env))).toContain(
      `The proxy ${proxy.origin} cannot be reached (ECONNREFUSED)`,
    );
  });

  test("does not change the limits: long pages are cut, silent ones are given up", async () => {
    const proxy = await proxied();
    const env = { HTTP_PROXY: proxy.origin };
    const shop = workshop();
    answer = sends("x".repeat(5000), { "content-type": "text/plain" });
    const cut = await shop.call("web_fetch", { url: "http://docs.example.invalid/" }, through(env, { maxBytes: 1000 }));
    expect(cut.details).toMatchObject({ bytes: 1000, truncated: true });
    answer = () => {};
    const silent = through(env, { timeoutSeconds: 0.2 });
    expect(await shop.failure("web_fetch", { url: "http://docs.example.invalid/" }, silent)).toBe(
      "http://docs.example.invalid/ did not answer within 0.2 seconds",
    );
  });
});

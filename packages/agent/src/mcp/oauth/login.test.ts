import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { oauthMcpServer } from "../../../../../test/support/oauth-mcp-server.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { call, openServers, ready, said } from "../mcp-servers.test-support.js";
import { login, logout } from "./login.js";

const signal = new AbortController().signal;

async function guarded(options: Parameters<typeof oauthMcpServer>[0] = {}) {
  const remote = await oauthMcpServer(options);
  onTestFinished(() => remote.close());
  const home = tempFolder();
  const server = { name: "guarded", settings: { url: remote.url }, source: { kind: "user" } } as const;
  const place = { cwd: home, home, env: {}, version: "1", signal };
  const logIn = (open: (url: string) => void = (url) => void fetch(url)) => login({ ...place, server, open });
  const open = () => openServers({ guarded: { url: remote.url } }, { home, env: {} });
  return { remote, home, server, logIn, open };
}

test("a server that wants a login is named, and works after one; tokens are renewed, and only in auth.json", async () => {
  const { remote, home, server, logIn, open } = await guarded();
  const before = open();
  await ready(before.servers);
  expect(before.notices).toEqual(["The MCP server guarded requires a login. Log in with: bough mcp login guarded"]);

  expect(await logIn()).toBe("done");
  const after = open();
  await ready(after.servers);
  expect(said(await call(after.servers, "guarded__secret"))).toBe("only for those who are logged in");

  remote.expire();
  expect(said(await call(after.servers, "guarded__secret"))).toBe("only for those who are logged in");
  expect(remote.asked.filter((path) => path === "POST /register")).toHaveLength(1);

  const file = join(home, "auth.json");
  const [name] = Object.keys(JSON.parse(readFileSync(file, "utf8")));
  expect([name, statSync(file).mode & 0o777]).toEqual([`mcp:${remote.url}`, 0o600]);

  expect(logout(server, { home, env: {} })).toBe(true);
  expect(readFileSync(file, "utf8")).toBe("{}\n");
  expect(logout(server, { home, env: {} })).toBe(false);
});

test("an expired login is reported, and no browser is opened automatically", async () => {
  const { remote, logIn, open } = await guarded();
  await logIn();
  remote.expire();
  remote.revoke();
  const said: unknown[] = [];
  const spies = (["debug", "info", "log", "warn", "error"] as const).map((method) =>
    vi.spyOn(console, method).mockImplementation((...words) => void said.push(words)),
  );
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  const { servers, notices } = open();
  await ready(servers);
  expect(notices).toEqual(["The MCP server guarded requires a login. Log in with: bough mcp login guarded"]);
  // The SDK prints warnings about rejected tokens, which belong in the log, not on the screen.
  expect(servers.list()[0]?.log[0]).toMatch(/^warn: \[mcp-sdk\] OAuth "invalid_grant"/);
  console.warn("of someone else");
  expect(said).toEqual([["of someone else"]]);
});

test.each([
  [{ authorizationEndpoint: "http://login.example.com/authorize" }, "http://login.example.com"],
  [{ authorizationEndpoint: "file:///etc/passwd" }, "file://"],
  [{ authorizationEndpoint: "javascript:alert(1)" }, ""],
  [{ tokenEndpoint: "http://login.example.com/token" }, "login.example.com"],
])("an address for logging in that is not https is refused: %o", async (options, shown) => {
  const { home, logIn } = await guarded(options);
  const opened: string[] = [];
  const failure = await logIn((url) => {
    opened.push(url);
    void fetch(url);
  }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "login-failed", message: expect.stringContaining(shown) });
  // A token URL is only used after the redirect.
  expect(opened.filter((url) => !url.startsWith("http://127.0.0.1"))).toEqual([]);
  expect(
    statSync(join(home, "auth.json"), { throwIfNoEntry: false }) === undefined ||
      !readFileSync(join(home, "auth.json"), "utf8").includes("access_token"),
  ).toBe(true);
});

test("an answer with the wrong state is not taken", async () => {
  const { logIn } = await guarded();
  const done = await logIn((url) => {
    const redirect = new URL(new URL(url).searchParams.get("redirect_uri") ?? "");
    redirect.search = "code=stolen&state=guess";
    void fetch(redirect).then(async (response) => {
      expect(response.status).toBe(400);
      await fetch(url);
    });
  });
  expect(done).toBe("done");
});

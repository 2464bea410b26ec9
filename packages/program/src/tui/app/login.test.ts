import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { oauthClient, oauthServer } from "@bough/agent/model/provider/oauth-server.test-support.js";
import { wireServer } from "@bough/agent/model/wire-server.test-support.js";
import { expect, onTestFinished, test, vi } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { TestApp } from "./app.test-support.js";

/** A terminal with an extension whose provider has a login. */
async function withLogin(work: (app: TestApp) => Promise<void>): Promise<void> {
  const server = await oauthServer();
  const app = await TestApp.open({
    rows: 24,
    columns: 100,
    extension: (bough) => {
      bough.on("session_start", () =>
        bough.registerProvider("corp", {
          baseUrl: `${server.origin}/v1`,
          api: "openai-completions",
          models: [{ id: "large" }],
          oauth: oauthClient(server.origin),
        }),
      );
    },
  });
  try {
    await app.shows(/session/i);
    await work(app);
  } finally {
    await app.close();
    await server.close();
  }
}

test("/login shows the page to open, waits for the browser, and opens the provider's models", async () => {
  await withLogin(async (app) => {
    app.type("/login corp");
    app.press("enter");
    await app.shows("Waiting for Corporate SSO");
    const shown = (await app.lines()).map((line) => line.trim());
    const from = shown.findIndex((line) => line.startsWith("http://127.0.0.1"));
    const until = shown.findIndex((line, at) => at >= from && line.length < 76);
    const url = shown.slice(from, until + 1).join("");
    await fetch(url);
    await app.shows("Logged in to Corporate SSO.");
    expect(JSON.parse(readFileSync(join(app.home, "auth.json"), "utf8"))).toMatchObject({ corp: { type: "oauth" } });
    expect((await app.lines()).some((line) => line.includes("http://127.0.0.1"))).toBe(false);
    app.type("/logout corp");
    app.press("enter");
    await app.shows("Logged out of corp.");
    expect(JSON.parse(readFileSync(join(app.home, "auth.json"), "utf8"))).toEqual({});
  });
});

test("/login lists logins of extensions and providers with keys; Esc cancels; an unknown provider is named", async () => {
  await withLogin(async (app) => {
    app.type("/login");
    app.press("enter");
    const list = await app.shows("Log in to which provider?");
    expect(list).toMatch(/corp: Corporate SSO[\s\S]*anthropic: API key[\s\S]*openai: API key/);
    expect(list).not.toMatch(/ollama:|offline:/);
    app.press("enter");
    await app.shows("Waiting for Corporate SSO");
    app.press("escape");
    await app.shows("Login cancelled. Nothing was saved.");
    app.type("/login opemai");
    app.press("enter");
    await app.shows("Unknown provider opemai.\n Did you mean openai?");
  });
});

test("/login takes a key without showing it, asks the provider, and saves only a key that works", async () => {
  const KEY = "sk-not-to-be-seen";
  const server = await wireServer();
  onTestFinished(() => server.close());
  const providers = { openai: { baseUrl: `${server.origin}/v1` } };
  const app = await TestApp.open({ rows: 24, columns: 100, settings: { models: { providers } } });
  onTestFinished(() => app.close());
  const file = join(app.home, "auth.json");
  const answer = (status: number, body: object) =>
    server.reply({ status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const enter = async (): Promise<string> => {
    app.type("/login openai");
    app.press("enter");
    await app.shows("Key for openai");
    app.port.feed(`\x1b[200~${KEY}\x1b[201~`);
    const typed = await app.shows("*".repeat(KEY.length));
    app.press("enter");
    return typed;
  };
  await app.shows(/session/i);
  answer(401, { error: { message: `Incorrect API key provided: ${KEY}.`, code: "invalid_api_key" } });
  const shown = [await enter(), await app.shows("The key was not saved: openai rejected the key (401): Incorrect")];
  expect(existsSync(file)).toBe(false);
  answer(200, { data: [{ id: "gpt-5" }, { id: "gpt-5-mini" }] });
  shown.push(await enter(), await app.shows("The key works (2 models) and was saved in"));
  expect(shown.join()).not.toContain(KEY);
  expect(server.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    ["/v1/models", `Bearer ${KEY}`],
    ["/v1/models", `Bearer ${KEY}`],
  ]);
  expect([JSON.parse(readFileSync(file, "utf8")).openai, statSync(file).mode & 0o777]).toEqual([
    { type: "api_key", key: KEY },
    0o600,
  ]);
  app.type("/logout openai");
  app.press("enter");
  await app.shows("Logged out of openai.");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({});
});

test("a check that does not end is stopped with Esc, and nothing is saved", async () => {
  const server = await wireServer();
  onTestFinished(() => server.close());
  const providers = { openai: { baseUrl: `${server.origin}/v1` } };
  const app = await TestApp.open({ settings: { models: { providers } } });
  onTestFinished(() => app.close());
  await app.shows(/session/i);
  server.reply({ frames: [], after: "wait" });
  app.type("/login openai");
  app.press("enter");
  await app.shows("Key for openai");
  app.type("sk-some-key");
  app.press("enter");
  await app.shows("Checking the key with openai");
  app.press("escape");
  await app.shows("Login cancelled. Nothing was saved.");
  expect(existsSync(join(app.home, "auth.json"))).toBe(false);
});

test("/login offers the sign-in with a browser where there is one, and can be cancelled meanwhile", async () => {
  const server = await wireServer();
  onTestFinished(() => server.close());
  const folder = tempFolder();
  const opened = join(folder, "opened");
  const browser = join(folder, "browser.sh");
  writeFileSync(browser, `#!/bin/sh\nprintf '%s' "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`, {
    mode: 0o755,
  });
  vi.stubEnv("BROWSER", browser);
  onTestFinished(() => void vi.unstubAllEnvs());
  const providers = { openrouter: { baseUrl: `${server.origin}/v1` } };
  const app = await TestApp.open({ rows: 24, columns: 100, settings: { models: { providers } } });
  onTestFinished(() => app.close());
  const start = async () => {
    app.type("/login openrouter");
    app.press("enter");
    await app.shows("Sign in with your browser");
    app.press("enter");
    await app.shows("Waiting for openrouter");
    await expect.poll(() => existsSync(opened), { timeout: 10_000 }).toBe(true);
    const callback = new URL(new URL(readFileSync(opened, "utf8")).searchParams.get("callback_url") ?? "");
    rmSync(opened);
    callback.hostname = "127.0.0.1";
    return callback;
  };
  const cancelled = await start();
  app.press("escape");
  await app.shows("Login cancelled. Nothing was saved.");
  await expect(fetch(cancelled)).rejects.toThrow();
  const KEY = "sk-or-not-to-be-seen";
  const json = (body: object) => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  server.reply(json({ key: KEY }), json({ data: { label: "bough" } }));
  const callback = await start();
  callback.searchParams.set("code", "auth-code");
  await fetch(callback);
  await app.shows("The key works and was saved in");
  expect((await app.lines()).join("\n")).not.toContain(KEY);
  expect(JSON.parse(readFileSync(join(app.home, "auth.json"), "utf8"))).toEqual({
    openrouter: { type: "api_key", key: KEY },
  });
  // A key can still be entered.
  app.type("/login openrouter");
  app.press("enter");
  await app.shows("Enter an API key");
  app.press("down");
  app.press("enter");
  await app.shows("Key for openrouter");
});

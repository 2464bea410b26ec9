import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { oauthClient, oauthServer } from "../../model/provider/oauth-server.test-support.js";
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

test("/login is cancelled with Esc, and a provider without a login is named", async () => {
  await withLogin(async (app) => {
    app.type("/login");
    app.press("enter");
    await app.shows("Waiting for Corporate SSO");
    app.press("escape");
    await app.shows("Login cancelled. Nothing was saved.");
    app.type("/login openai");
    app.press("enter");
    await app.shows("openai has no login. To save a key for it: bough login openai");
  });
});

/** What Bough asks of the network about models, and when: over loopback, as programs of their own. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { wireServer } from "@bough/agent/model/wire-server.test-support.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { bough, makePlace, type Place } from "./cli-support.js";
import { runSub } from "./sub-support.js";
import { sitDown } from "./terminal-support.js";

const KEY = "sk-or-v1-not-to-be-seen-0123456789";

async function wire() {
  const server = await wireServer();
  onTestFinished(() => server.close());
  return server;
}

function placeWith(refresh: string): Place {
  const providers = { team: { baseUrl: "http://127.0.0.1:9/v1", apiKeyEnv: "TEAM_KEY", models: [{ id: "large" }] } };
  return makePlace({ settings: { model: "offline/rules", models: { refresh, providers } }, env: { TEAM_KEY: "k" } });
}

const LIST = JSON.stringify({
  groq: { models: { fresh: { id: "fresh", name: "Fresh", limit: { context: 50_000 } } } },
});

describe("new models", () => {
  test("are fetched by a session in the terminal, and never by bough -p", async () => {
    const server = await wire();
    const place = placeWith(`${server.origin}/api.json`);
    server.reply({ status: 200, body: LIST });
    expect((await bough(place, ["-p", "list the files here"])).code).toBe(0);
    expect((await bough(place, ["--mode", "json", "-p", "list the files here"])).code).toBe(0);
    expect((await bough(place, ["models", "--no-servers"])).code).toBe(0);
    expect(server.requests).toEqual([]);
    const { terminal } = sitDown({ place, args: ["--plain"], rows: 40, columns: 120 });
    await server.asked(1);
    const file = join(place.home, "cache", "models", "models.dev.json");
    await expect.poll(() => existsSync(file)).toBe(true);
    terminal.type("/quit").press("enter");
    expect(await terminal.ends()).toBe(0);
    expect(server.requests.map(({ path }) => path)).toEqual(["/api.json"]);
    const { stdout } = await runSub(place, ["models", "fresh", "--no-servers", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      prices: { fetched: { "models.dev": expect.stringMatching(/^\d{4}-\d\d-\d\d$/) } },
      models: [{ model: "groq/fresh", contextWindow: 50_000, prices: null, source: "fetched" }],
    });
  });

  test("do not keep the terminal from ending while the server hangs", async () => {
    const server = await wire();
    server.reply({ frames: [], after: "wait" });
    const place = placeWith(`${server.origin}/api.json`);
    const { terminal } = sitDown({ place, args: ["--plain"], rows: 40, columns: 120 });
    await server.asked(1);
    terminal.type("read notes.txt").press("enter");
    await terminal.shows("buy milk");
    terminal.type("/quit").press("enter");
    expect(await terminal.ends()).toBe(0);
    await server.requests[0]?.closedEarly;
  });

  test("without a price are refused by --max-cost before anything is asked, also if a list says they are free", async () => {
    const server = await wire();
    const place = makePlace({
      settings: { models: { providers: { groq: { baseUrl: `${server.origin}/v1` } } } },
      env: { GROQ_API_KEY: "k" },
    });
    const folder = join(place.home, "cache", "models");
    mkdirSync(folder, { recursive: true });
    const free = { provider: "groq", id: "gift", contextWindow: 50_000, prices: { input: 0, output: 0 } };
    writeFileSync(
      join(folder, "models.dev.json"),
      JSON.stringify({ date: "2026-11-19", failed: false, models: [free] }),
    );
    const { code, stderr } = await bough(place, ["-p", "--max-cost", "1", "--model", "groq/gift", "Hello"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("The price of groq/gift is unknown")]);
    expect(server.requests).toEqual([]);
  });
});

describe("signing in with a browser", () => {
  /** OpenRouter's side: gives a code to the page that it sends back, and a key for the code with the right verifier. */
  async function openRouter({ refuses = false } = {}) {
    const exchanged: Record<string, string>[] = [];
    const server = createServer(async (request, response) => {
      let body = "";
      for await (const piece of request) body += String(piece);
      const json = (value: object, status = 200) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
      if (request.url === "/api/v1/key") return json({ data: { label: "sk-or-v1-not" } });
      if (request.url !== "/api/v1/auth/keys") return json({}, 404);
      exchanged.push(JSON.parse(body));
      return refuses ? json({ error: `Invalid code, not ${KEY}` }, 403) : json({ key: KEY, user_id: "u" });
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return { exchanged, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  /** A browser that writes down the address. */
  function placeFor(origin: string): { readonly place: Place; readonly address: string } {
    const place = makePlace({
      settings: { model: "offline/rules", models: { providers: { openrouter: { baseUrl: `${origin}/api/v1` } } } },
    });
    const browser = join(place.cwd, "browser.sh");
    const address = join(place.cwd, "address");
    writeFileSync(browser, `#!/bin/sh\nprintf '%s' "$1" > '${address}.part' && mv '${address}.part' '${address}'\n`, {
      mode: 0o755,
    });
    return { place: { ...place, env: { ...place.env, BROWSER: browser } }, address };
  }

  const came = async (file: string): Promise<URL> => {
    await expect.poll(() => existsSync(file), { timeout: 60_000 }).toBe(true);
    return new URL(readFileSync(file, "utf8"));
  };

  test("saves a checked key, which is shown nowhere", async () => {
    const { createHash } = await import("node:crypto");
    const { origin, exchanged } = await openRouter();
    const { place, address } = placeFor(origin);
    const login = runSub(place, ["login", "openrouter", "--browser"]);
    const page = await came(address);
    expect([page.origin, page.pathname, page.searchParams.get("code_challenge_method")]).toEqual([
      origin,
      "/auth",
      "S256",
    ]);
    const callback = new URL(page.searchParams.get("callback_url") ?? "");
    expect([callback.hostname, callback.pathname]).toEqual([
      "localhost",
      expect.stringMatching(/^\/callback\/[\w-]{32}$/),
    ]);
    // Somebody else's redirect, without the state, changes nothing.
    callback.hostname = "127.0.0.1";
    for (const path of ["/callback", "/callback/guessed", "/"]) {
      expect((await fetch(new URL(`${path}?code=stolen`, callback))).status).toBe(400);
    }
    callback.searchParams.set("code", "auth-code");
    expect((await fetch(callback)).status).toBe(200);
    const { code, stdout, stderr } = await login;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^The key works and was saved in /)]);
    expect(stdout + stderr).not.toContain(KEY);
    expect(JSON.parse(readFileSync(join(place.home, "auth.json"), "utf8"))).toEqual({
      openrouter: { type: "api_key", key: KEY },
    });
    const [{ code: sent, code_verifier = "" } = {} as Record<string, string>] = exchanged;
    expect([exchanged.length, sent]).toEqual([1, "auth-code"]);
    expect(createHash("sha256").update(code_verifier).digest("base64url")).toBe(
      page.searchParams.get("code_challenge"),
    );
    // Nothing listens any more.
    await expect(fetch(callback)).rejects.toThrow();
  });

  test("that is refused saves nothing, and repeats nothing of the answer", async () => {
    const { origin } = await openRouter({ refuses: true });
    const { place, address } = placeFor(origin);
    const login = runSub(place, ["login", "openrouter", "--browser"]);
    const callback = new URL((await came(address)).searchParams.get("callback_url") ?? "");
    callback.hostname = "127.0.0.1";
    callback.searchParams.set("code", "auth-code");
    await fetch(callback);
    const { code, stdout, stderr } = await login;
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("Could not sign in to openrouter: the code was refused (403)");
    expect(stderr).not.toContain(KEY);
    expect(existsSync(join(place.home, "auth.json"))).toBe(false);
  });

  test("is not offered for a provider that does not offer it to other programs", async () => {
    const { code, stderr } = await runSub(makePlace(), ["login", "anthropic", "--browser"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("anthropic has no sign-in for other programs")]);
  });
});

/** `bough models`, `login`, `logout`, and `bough doctor --online`, which explains every account that does not work. */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type LocalProgramOptions, localProgram } from "@bough/agent/model/local/local-program.test-support.js";
import { type WireReply, wireServer } from "@bough/agent/model/wire-server.test-support.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectProxy } from "../support/connect-proxy.js";
import { makePlace, type Place } from "./cli-support.js";
import { runSub } from "./sub-support.js";

const KEY = "sk-not-to-be-seen-0123456789";
const json = (value: unknown, status = 200): WireReply => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});

async function wire(...replies: readonly WireReply[]) {
  const server = await wireServer();
  onTestFinished(() => server.close());
  server.reply(...replies);
  return server;
}

interface Account {
  readonly baseUrl: string;
  readonly provider?: string;
  readonly model?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** A place where sessions start with a model at this address. */
function placeAt({ baseUrl, provider = "openai", model = "gpt-5", env = { OPENAI_API_KEY: KEY } }: Account): Place {
  const settings = { model: `${provider}/${model}`, models: { providers: { [provider]: { baseUrl } } } };
  return makePlace({ settings, env });
}

interface Check {
  readonly area: string;
  readonly level: string;
  readonly message: string;
  readonly hint?: string;
}

/** What the doctor says about the account; the key is nowhere in it. */
async function diagnosis(place: Place, ...args: readonly string[]) {
  const { code, stdout, stderr } = await runSub(place, ["doctor", "--online", "--json", ...args]);
  expect(stdout + stderr).not.toContain(KEY);
  const checks = (JSON.parse(stdout).checks as Check[]).filter(({ area }) => area === "Models");
  return { code, bad: checks.filter(({ level }) => level === "error" || level === "warning"), checks };
}

describe("bough doctor --online explains", () => {
  test("no key", async () => {
    const server = await wire();
    const place = placeAt({ baseUrl: `${server.origin}/v1`, env: {} });
    const unasked = await runSub(place, ["doctor"]);
    expect([unasked.code, unasked.stdout]).toEqual([1, expect.stringContaining("error    No key for openai\n")]);
    const { code, bad } = await diagnosis(place);
    expect([code, bad.map(({ level }) => level), server.requests]).toEqual([1, ["error"], []]);
    expect(bad[0]?.message).toMatch(/No key for openai/);
    expect(bad[0]?.hint).toMatch(/OPENAI_API_KEY|bough login openai/);
  });

  test.each([
    [
      "a wrong key",
      [json({ error: { message: `Incorrect API key provided: ${KEY}`, code: "invalid_api_key" } }, 401)],
      /^openai\/gpt-5 rejected the key \(401\)/,
      /bough login openai/,
    ],
    [
      "a limit of requests",
      [json({ error: { message: "Rate limit reached", type: "requests", code: "rate_limit_exceeded" } }, 429)],
      /^openai\/gpt-5 rate limited the request \(429\): Rate limit reached/,
      /wait|Wait|again/,
    ],
    [
      "no credit",
      [json({ error: { message: "You exceeded your current quota", code: "insufficient_quota" } }, 429)],
      /no credit left/,
      /Add credit/,
    ],
    [
      "a model that does not exist",
      [
        json({ data: [{ id: "other" }] }),
        json({ error: { message: "The model does not exist", code: "model_not_found" } }, 404),
      ],
      /^openai\/gpt-5 was not found \(404\)/,
      /bough models/,
    ],
    [
      "a server that is down",
      [json({ error: { message: "The server had an error" } }, 500)],
      /^openai\/gpt-5 failed \(500\)/,
      /again/,
    ],
    [
      "a web page in place of an API",
      [{ status: 200, headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><title>Sign in</title>" }],
      /answered with a web page \(200\)/,
      /base URL/,
    ],
  ] as const)("%s", async (_name, replies, message, hint) => {
    const server = await wire(...replies);
    const { code, bad } = await diagnosis(placeAt({ baseUrl: `${server.origin}/v1` }));
    expect([code, bad.length, bad[0]?.level]).toEqual([1, 1, "error"]);
    expect(bad[0]?.message).toMatch(message);
    expect(bad[0]?.hint).toMatch(hint);
  });

  test("an address where nothing listens", async () => {
    const server = await wireServer();
    await server.close();
    const { code, bad } = await diagnosis(placeAt({ baseUrl: `${server.origin}/v1` }));
    expect([code, bad[0]?.message, bad[0]?.hint]).toEqual([
      1,
      expect.stringContaining(new URL(server.origin).host),
      `Check that a server is running at ${server.origin}/v1`,
    ]);
  });

  test("a proxy that refuses, and one that is not there", async () => {
    const proxy = await connectProxy({ port: 1, login: "me:secret" });
    const at = (HTTPS_PROXY: string) =>
      placeAt({ baseUrl: "https://gateway.test/v1", env: { OPENAI_API_KEY: KEY, HTTPS_PROXY } });
    const refused = await diagnosis(at(proxy.origin));
    await proxy.close();
    const gone = await diagnosis(at(proxy.origin));
    expect(refused.bad[0]?.message).toContain(`The proxy ${proxy.origin} requires a user name and password (407)`);
    expect(gone.bad[0]?.message).toContain(`The proxy ${proxy.origin} cannot be reached`);
    expect([refused.bad[0]?.hint, gone.bad[0]?.hint].every((hint) => /HTTPS_PROXY|proxy/i.test(hint ?? ""))).toBe(true);
  });

  test("an address that redirects elsewhere, which does not get the key; and one that is not encrypted", async () => {
    const other = await wire();
    const server = await wire({ status: 307, headers: { location: `${other.origin}/v1/models` }, body: "" });
    const away = await diagnosis(placeAt({ baseUrl: `${server.origin}/v1` }));
    expect(away.bad[0]?.message).toContain(`redirects to ${other.origin}/v1/models; the key was not sent there`);
    expect([away.code, other.requests]).toEqual([1, []]);
    const clear = await diagnosis(placeAt({ baseUrl: "http://gateway.test/v1" }));
    expect(clear.bad.map(({ message }) => message).join("\n")).toContain("not encrypted");
  });

  test("a server on this machine with a small window, without the model, and one that is not started", async () => {
    const local = async (options: Partial<LocalProgramOptions> = {}) => {
      const program = await localProgram({
        ...{ kind: "ollama", model: "qwen3:8b", trained: 40_960, window: 4096, loaded: true },
        ...options,
      });
      onTestFinished(() => program.close());
      return program;
    };
    const place = (origin: string) =>
      placeAt({ baseUrl: `${origin}/v1`, provider: "ollama", model: "qwen3:8b", env: {} });
    const small = await diagnosis(place((await local()).origin));
    expect([small.code, small.bad]).toEqual([
      0,
      [
        {
          area: "Models",
          level: "warning",
          message: expect.stringMatching(/4,?096|4k/),
          hint: expect.stringContaining("OLLAMA_CONTEXT_LENGTH"),
        },
      ],
    ]);
    const without = await diagnosis(place((await local({ model: "other" })).origin));
    expect([without.code, without.bad[0]?.message, without.bad[0]?.hint]).toEqual([
      1,
      expect.stringContaining("ollama/qwen3:8b was not found (404)"),
      expect.stringContaining("ollama pull"),
    ]);
    const gone = await local();
    await gone.close();
    const stopped = await diagnosis(place(gone.origin));
    expect([stopped.code, stopped.bad[0]?.hint]).toEqual([1, `Check that a server is running at ${gone.origin}/v1`]);
  });

  test("a model name that no one knows, and --model without --online", async () => {
    const server = await wire();
    const place = placeAt({ baseUrl: `${server.origin}/v1` });
    const unknown = await diagnosis(place, "--model", "nobody/none");
    expect([unknown.code, unknown.bad[0]?.message]).toEqual([1, expect.stringContaining("nobody")]);
    expect((await runSub(place, ["doctor", "--model", "openai/gpt-5"])).code).toBe(2);
  });

  test("nothing, where the account works; without --online no one is asked", async () => {
    const server = await wire(json({ data: [{ id: "gpt-5" }] }));
    const place = placeAt({ baseUrl: `${server.origin}/v1` });
    const { stdout } = await runSub(place, ["doctor", "--json"]);
    expect([server.requests, stdout]).toEqual([[], expect.stringContaining("Keys set for openai")]);
    const { code, bad, checks } = await diagnosis(place);
    expect([code, bad, checks.at(-1)?.message]).toEqual([0, [], "openai/gpt-5 works"]);
  });
});

describe("bough models", () => {
  test("lists models with window, price, key and source; words and --usable narrow it down", async () => {
    const place = makePlace({ env: { ANTHROPIC_API_KEY: KEY } });
    const all = await runSub(place, ["models", "--no-servers"]);
    expect(all.stdout).toMatch(/^Model +Context +Price in\/out +Key +Source\n/);
    expect(all.stdout).toMatch(/^anthropic\/claude-sonnet-4-6 +\S+ +\$\d.* +ANTHROPIC_API_KEY +built in$/m);
    expect(all.stdout).toMatch(/^openai\/\S+ .* no key +built in$/m);
    expect(all.stdout).toMatch(/Prices in dollars per million tokens; built-in ones as of \d{4}-\d\d-\d\d\./);
    const usable = JSON.parse((await runSub(place, ["models", "claude", "--usable", "--no-servers", "--json"])).stdout);
    const rows = usable.models as { model: string; usable: boolean; key: string | null }[];
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ model, usable: can }) => model.includes("claude") && can)).toBe(true);
    expect((await runSub(place, ["models", "no such thing", "--no-servers"])).stdout).toContain("No models found.");
    expect(all.stdout + JSON.stringify(usable)).not.toContain(KEY);
  });

  test("--refresh takes models and prices from a file, which is then the one that counts", async () => {
    const place = makePlace();
    const cost = { input: 1.25, output: 7.5, cache_read: 0.125 };
    const listed = { id: "gpt-99", name: "GPT 99", cost, limit: { context: 500_000, output: 64_000 } };
    writeFileSync(
      join(place.cwd, "api.json"),
      JSON.stringify({ openai: { id: "openai", models: { "gpt-99": listed } } }),
    );
    const refreshed = JSON.parse((await runSub(place, ["models", "--refresh", "api.json", "--json"])).stdout);
    expect(refreshed).toEqual({ models: 1, providers: 1, date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
    const { stdout } = await runSub(place, ["models", "gpt-99", "--no-servers"]);
    expect(stdout).toMatch(/^openai\/gpt-99 +500k +\$1\.25 \/ \$7\.5 +no key +list$/m);
    expect(stdout).toContain(`those of your list ${refreshed.date}.`);
    // What bough models --json prints can be read again.
    writeFileSync(
      join(place.cwd, "own.json"),
      (await runSub(place, ["models", "gpt-99", "--no-servers", "--json"])).stdout,
    );
    expect((await runSub(place, ["models", "--refresh", "own.json"])).stdout).toBe("Read 1 model of 1 provider.\n");
  });

  test.each([
    ["absent.json", undefined],
    ["not-json.json", "<html>"],
    ["other.json", '{"name":"package"}'],
    ["list.json", "[1,2,3]"],
  ])("--refresh %s is refused, and the list before stays", async (name, content) => {
    const place = makePlace();
    if (content !== undefined) writeFileSync(join(place.cwd, name), content);
    const { code, stdout, stderr } = await runSub(place, ["models", "--refresh", name]);
    expect([code === 0, stdout, stderr]).toEqual([false, "", expect.stringContaining(name)]);
    expect((await runSub(place, ["models", "sonnet-4-6", "--no-servers"])).stdout).toContain("built in");
  });
});

describe("bough login and logout", () => {
  test("save a key that works in a private file and take it out again; a variable that stays is named", async () => {
    const server = await wire(json({ data: [{ id: "gpt-5" }] }));
    const place = placeAt({ baseUrl: `${server.origin}/v1`, env: {} });
    const file = join(place.home, "auth.json");
    const login = await runSub(place, ["login", "openai"], { input: `${KEY}\n` });
    expect([login.code, statSync(file).mode & 0o777, login.stdout + login.stderr]).toEqual([
      0,
      0o600,
      expect.not.stringContaining(KEY),
    ]);
    const withVariable = { ...place, env: { ...place.env, OPENAI_API_KEY: "sk-other" } };
    const logout = await runSub(withVariable, ["logout", "openai"]);
    expect(logout.stdout).toBe("Removed the key for openai.\nOPENAI_API_KEY is still set and is used.\n");
    expect(readFileSync(file, "utf8")).toBe("{}\n");
    expect(JSON.parse((await runSub(place, ["logout", "openai", "--json"])).stdout)).toEqual({
      ...{ provider: "openai", removed: false, remaining: null },
    });
    const unknown = await runSub(place, ["logout", "opnai"]);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("Did you mean openai?")]);
  });

  test("a key that can only be checked with a model is not saved unchecked, unless told to", async () => {
    const place = makePlace();
    const refused = await runSub(place, ["login", "bedrock"], { input: `${KEY}\n` });
    expect([refused.code, existsSync(join(place.home, "auth.json"))]).toEqual([1, false]);
    expect(refused.stderr).toBe(
      [
        "bough: bedrock needs a model name to check the key",
        "To check the key with a model, pass --model <name>.",
        "The key was not saved. To save it without checking, pass --no-check.\n",
      ].join("\n"),
    );
    const forced = await runSub(place, ["login", "bedrock", "--no-check"], { input: `${KEY}\n` });
    expect([forced.code, forced.stdout]).toEqual([0, expect.stringMatching(/^The key was saved in /)]);
  });
});

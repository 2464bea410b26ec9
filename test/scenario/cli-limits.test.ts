/** `bough -p` for programs: limits, a schema, one JSON object; what is wrong with them, and what stops them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, openSync, symlinkSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { PROTOCOLS, type Spoken } from "@bough/agent/model/wire-protocols.test-support.js";
import { type WireReply, type WireServer, wireServer } from "@bough/agent/model/wire-server.test-support.js";
import { describe, expect, test } from "vitest";
import { afterTest } from "../support/after-test.js";
import { heldDeadline } from "../support/deadline.js";
import { bough, conversation, makePlace, type Place, PROGRAM, Running, sessionFiles, theOnly } from "./cli-support.js";
import { runHere } from "./run-here.js";

const protocol = PROTOCOLS.find(({ api }) => api === "openai-completions") as (typeof PROTOCOLS)[number];
const speaks = (spoken: Spoken): WireReply => ({ frames: protocol.frames(spoken), after: "end" });
const says = (text: string) => speaks({ parts: [{ text }], stop: "stop" });
const calls = (name: string, input: object) =>
  speaks({ parts: [{ call: "call_1", name, input: JSON.stringify(input) }], stop: "toolUse" });
const failing = (status: number, headers = {}): WireReply => ({
  status,
  headers,
  body: protocol.failure(status, "not now", "error"),
});

/** A place with a model `wire/m` that says what the test wrote down, with a price unless that is left out. */
async function wired(
  facts: object = { prices: { input: 1, output: 10 } },
  others: object = {},
): Promise<Place & { server: WireServer }> {
  const server = await wireServer();
  afterTest(() => server.close());
  const baseUrl = `${server.origin}/v1`;
  const providers = { wire: { baseUrl, api: protocol.api, models: [{ id: "m", ...facts }] } };
  return { ...makePlace({ settings: { model: "wire/m", models: { providers }, ...others } }), server };
}

const JSON_FLAGS = ["-p", "--output-format", "json"] as const;

/** The only thing on standard output. */
function result({ stdout }: { readonly stdout: string }): Record<string, unknown> {
  expect(stdout.match(/\n/g)).toHaveLength(1);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe("a time limit", () => {
  const TIMEOUT = ["--verbose", "--timeout", "54321ms"] as const;

  test("stops a running command, and says what was there", async () => {
    const { pass } = heldDeadline(54_321);
    const place = await wired();
    place.server.reply(calls("bash", { command: "echo said; touch begun; sleep 600" }));
    const watcher = watch(place.cwd, (_event, name) => {
      if (name === "begun") pass();
    });
    afterTest(() => watcher.close());
    const ended = await runHere(place, [...JSON_FLAGS, ...TIMEOUT, "--permission", "auto", "--sandbox", "off", "go"]);
    expect([ended.code, result(ended)]).toMatchObject([
      7,
      { exitReason: "limit-reached", limit: "milliseconds", answer: null, usage: { steps: 1 } },
    ]);
    expect(ended.stderr).toContain("bough: Stopped after 54.321 seconds, the limit for one run\n");
    expect((await conversation(theOnly(sessionFiles(place)))).at(-1)).toMatch(/^toolResult: said/);
  });

  test("stops a wait before a retry", async () => {
    const { pass } = heldDeadline(54_321);
    const place = await wired();
    place.server.reply(failing(429, { "retry-after": "50" }));
    const heard = (_stream: string, text: string) => {
      if (text.includes("retrying in 50 s")) pass();
    };
    const ended = await runHere(place, [...JSON_FLAGS, ...TIMEOUT, "go"], { heard });
    expect([ended.code, result(ended)]).toMatchObject([7, { limit: "milliseconds", usage: { steps: 1 } }]);
    expect(place.server.requests).toHaveLength(1);
  });

  test("stops a compaction", async () => {
    const { pass } = heldDeadline(54_321);
    const compaction = { enabled: true, reserveTokens: 100, keepRecentTokens: 1 };
    const place = await wired({ contextWindow: 120 }, { compaction });
    place.server.reply(says("one"), { frames: [], after: "wait" });
    expect((await runHere(place, ["-p", "first"])).code).toBe(0);
    const heard = (_stream: string, text: string) => {
      if (text.includes("Writing a summary")) pass();
    };
    const ended = await runHere(place, [...JSON_FLAGS, ...TIMEOUT, "-c", "second"], { heard });
    expect([ended.code, result(ended)]).toMatchObject([7, { limit: "milliseconds", usage: { steps: 0 } }]);
    expect(ended.stderr).toContain("Writing a summary");
    expect((await conversation(theOnly(sessionFiles(place)))).at(-1)).toBe("user: second");
  });

  test("works in a process of its own, whatever is running at that moment", async () => {
    const place = await wired();
    place.server.reply(calls("bash", { command: "sleep 600" }));
    const ended = await bough(place, [
      ...JSON_FLAGS,
      "--permission",
      "auto",
      "--sandbox",
      "off",
      "--timeout",
      "1.5s",
      "go",
    ]);
    expect([ended.code, result(ended)]).toMatchObject([7, { limit: "milliseconds", answer: null }]);
    expect((await conversation(theOnly(sessionFiles(place))))[0]).toBe("user: go");
  });
});

test("a limit on tokens allows no step once they are used, cached ones included", async () => {
  const place = await wired();
  place.server.reply(calls("read", { path: "notes.txt" }), says("never asked for"));
  const ended = await runHere(place, [...JSON_FLAGS, "--max-tokens", "60", "go"]);
  expect([ended.code, result(ended)]).toMatchObject([
    7,
    { exitReason: "limit-reached", limit: "tokens", answer: null, usage: { steps: 1 } },
  ]);
  expect(ended.stderr).toContain("bough: Stopped after 60 tokens, the limit for one run\n");
  expect(place.server.requests).toHaveLength(1);
});

describe("a limit on what it costs", () => {
  test("is refused for a model without a known price, before anything is sent or written", async () => {
    const place = await wired({});
    const ended = await runHere(place, [...JSON_FLAGS, "--max-cost", "1", "go"]);
    const message = "--max-cost: The price of wire/m is unknown, so its cost cannot be limited";
    expect([ended.code, result(ended)]).toMatchObject([
      2,
      { exitReason: "usage-error", error: { code: "wrong-usage", message }, cost: 0 },
    ]);
    expect(ended.stderr).toBe(
      `bough: ${message}\n  Set \`prices\` for it in settings (models.providers), or use --max-turns and --timeout.\n`,
    );
    expect([place.server.requests, sessionFiles(place)]).toEqual([[], []]);
  });

  test("holds for the built-in rules, which cost nothing", async () => {
    const ended = await runHere(makePlace(), [...JSON_FLAGS, "--max-cost", "0.01", "read notes.txt"]);
    expect([ended.code, result(ended)]).toMatchObject([0, { cost: 0, model: "offline/rules" }]);
  });

  test("reports the cost as unknown, not as 0, for a model without a price", async () => {
    const place = await wired({});
    place.server.reply(says("hello"));
    expect(result(await runHere(place, [...JSON_FLAGS, "go"]))).toMatchObject({ answer: "hello", cost: null });
  });
});

describe("the formats", () => {
  const schema = (place: Place, value: unknown) => {
    writeFileSync(join(place.cwd, "form.json"), typeof value === "string" ? value : JSON.stringify(value));
  };

  test("text prints the answer, or the JSON of what has the form", async () => {
    const place = await wired();
    schema(place, { type: "array", items: { type: "string" } });
    place.server.reply(says("hello"), calls("final_answer", { answer: ["a\u202eb"] }));
    expect((await runHere(place, ["-p", "--output-format", "text", "go"])).stdout).toBe("hello\n");
    expect((await runHere(place, ["-p", "--schema", "form.json", "go"])).stdout).toBe('["a\\u202eb"]\n');
  });

  test("stream is what --mode json prints", async () => {
    const place = makePlace();
    const types = async (...args: readonly string[]) => {
      const { stdout } = await runHere(place, [...args, "--no-session", "read notes.txt"]);
      return stdout
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as { type: string }).type);
    };
    const streamed = await types("-p", "--output-format", "stream");
    expect([streamed[0], streamed.at(-1)]).toEqual(["session", "run_end"]);
    expect(await types("--mode", "json")).toEqual(streamed);
  });

  test("json reports why nothing could be started", async () => {
    const ended = await runHere(makePlace(), [...JSON_FLAGS, "--session", "nothing", "x"]);
    expect([ended.code, result(ended)]).toMatchObject([
      1,
      { exitReason: "failure", answer: null, sessionId: null, error: { code: "session-not-found" } },
    ]);
  });

  test("json reports a prompt that an extension handled, without what the extension prints", async () => {
    const place = makePlace();
    const extension = `export default (bough) => bough.on("input", () => { console.log("noise"); return { handled: true }; });`;
    writeFileSync(join(place.cwd, "own.js"), extension);
    const ended = await runHere(place, [...JSON_FLAGS, "--extension", "own.js", "x"]);
    expect([ended.code, result(ended)]).toMatchObject([0, { exitReason: "success", answer: null }]);
  });

  test("json ends quietly if the reader closed the pipe", async () => {
    const running = new Running(makePlace(), [...JSON_FLAGS, "list files"]);
    running.child.stdout.destroy();
    running.child.stdin.end();
    const ended = await running.ended;
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
  });

  test.skipIf(!existsSync("/dev/full")).each([
    ["json", JSON_FLAGS],
    ["text", ["-p"]],
    ["stream", ["-p", "--output-format", "stream"]],
    ["a list", ["ls"]],
    ["the version", ["--version"]],
  ] as const)("a result that does not fit on the disk is a failure: %s", async (_what, args) => {
    const { cwd, env } = makePlace();
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, [PROGRAM, ...args, ...(args[0] === "-p" ? ["list files"] : [])], {
      ...{ cwd, env },
      stdio: ["ignore", full, "pipe"],
    });
    closeSync(full);
    const told = text(child.stderr as Readable);
    const [code] = await once(child, "close");
    expect([code, await told]).toEqual([
      1,
      "bough: Could not write to standard output: ENOSPC: no space left on device, write\n",
    ]);
  });

  test("a mistake on the command line prints nothing on standard output", async () => {
    const ended = await runHere(makePlace(), [...JSON_FLAGS, "--max-turns", "many", "x"]);
    expect([ended.code, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toBe("bough: Invalid value for --max-turns: many\n  Use a whole number of at least 1.\n");
  });
});

describe("a schema that is not one", () => {
  let nested: object = { type: "string" };
  for (let level = 0; level < 3_000; level++) nested = { items: nested };

  test.each<[string, string, string]>([
    ["is not JSON", "{ type: 'object' }", " is not JSON: "],
    ["is empty", "", " is not JSON: "],
    ["is JSON of something else", '{ "name": "x" }', "it has no keyword of JSON Schema, such as type or properties"],
    ["is a list", "[]", "must be a zod schema, or a JSON Schema as an object"],
    ["has a type that is not one", '{ "type": "banana" }', "Unsupported type: banana"],
    ["is elsewhere", '{ "$ref": "https://example.com/a.json" }', "External $ref is not supported"],
    ["is itself", '{ "$ref": "#" }', "it refers to itself without end"],
    ["never ends", JSON.stringify(nested), "it is nested more than 200 levels deep"],
    ["is huge", `{ "type": "object", "description": "${"x".repeat(300_000)}" }`, "at most 250 KB are read"],
  ])("because it %s is refused before anything is sent", async (_why, text, reason) => {
    const place = await wired();
    writeFileSync(join(place.cwd, "form.json"), text);
    const ended = await runHere(place, [...JSON_FLAGS, "--schema", "form.json", "go"]);
    expect([ended.code, result(ended)]).toMatchObject([2, { exitReason: "usage-error", sessionId: null }]);
    expect(ended.stderr).toMatch(/^bough: --schema: /);
    expect(ended.stderr).toContain(reason);
    expect([place.server.requests, sessionFiles(place)]).toEqual([[], []]);
  });

  test("or not a file is refused", async () => {
    const place = await wired();
    mkdirSync(join(place.cwd, "folder.json"));
    symlinkSync("/dev/zero", join(place.cwd, "endless.json"));
    for (const name of ["nowhere.json", "folder.json", "endless.json"]) {
      const ended = await runHere(place, ["-p", "--schema", name, "go"]);
      expect([ended.code, ended.stdout]).toEqual([2, ""]);
      expect(ended.stderr).toContain(`bough: --schema: Cannot read ${join(place.cwd, name)}: `);
    }
  });

  test("is refused, and one that contains itself is not", async () => {
    const place = await wired();
    const form = { type: "object", properties: { name: { type: "string" }, in: { $ref: "#" } }, required: ["name"] };
    writeFileSync(join(place.cwd, "form.json"), JSON.stringify(form));
    const output = { name: "a", in: { name: "b" } };
    place.server.reply(calls("final_answer", { name: "a", in: {} }), calls("final_answer", output));
    expect(result(await runHere(place, [...JSON_FLAGS, "--schema", "form.json", "go"]))).toMatchObject({ output });
  });
});

describe("a signal", () => {
  test.each([
    ["SIGINT", 130, "interrupted"],
    ["SIGTERM", 143, "terminated"],
    ["SIGHUP", 129, "hangup"],
  ] as const)("%s while a tool runs leaves one whole object and a valid session", async (signal, code, reason) => {
    const place = await wired();
    place.server.reply(calls("bash", { command: "echo begun >&2; touch begun; sleep 600" }));
    const running = new Running(place, [...JSON_FLAGS, "--verbose", "--permission", "auto", "--sandbox", "off", "go"]);
    running.child.stdin.end();
    while (!running.stderr.includes("bough: bash")) await once(running.child.stderr, "data");
    running.child.kill(signal);
    const ended = await running.ended;
    expect([ended.code, result(ended)]).toMatchObject([
      code,
      { exitReason: reason, exitCode: code, answer: null, usage: { steps: 1 }, model: "wire/m" },
    ]);
    expect(ended.stderr).not.toContain("The run was stopped");
    expect((await conversation(theOnly(sessionFiles(place))))[0]).toBe("user: go");
  });

  test("in a wait before a retry does, too", async () => {
    const place = await wired();
    place.server.reply(failing(429, { "retry-after": "50" }));
    const running = new Running(place, [...JSON_FLAGS, "--verbose", "go"]);
    running.child.stdin.end();
    while (!running.stderr.includes("retrying in")) await once(running.child.stderr, "data");
    running.child.kill("SIGTERM");
    const ended = await running.ended;
    expect([ended.code, result(ended)]).toMatchObject([143, { exitReason: "terminated" }]);
    expect((await conversation(theOnly(sessionFiles(place))))[0]).toBe("user: go");
  });

  test("before a session is open leaves nothing", async () => {
    const place = await wired();
    const running = new Running(place, [...JSON_FLAGS, "go"]);
    await new Promise((taken) => running.child.stdin.write("x".repeat(1 << 20), taken));
    running.child.kill("SIGINT");
    expect(await running.ended).toEqual({ code: 130, stdout: "", stderr: "" });
    expect(sessionFiles(place)).toEqual([]);
  });
});

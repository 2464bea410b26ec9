/** Extensions written for pi that need what only the whole program has: reloading, providers at the start. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { lines } from "@bough/agent/agent/agent-harness.test-support.js";
import { browsing, oauthServer } from "@bough/agent/model/provider/oauth-server.test-support.js";
import { wireServer } from "@bough/agent/model/wire-server.test-support.js";
import { type AgentRequest, parseCliOptions } from "@bough/program/cli/cli-options.js";
import { expect, test } from "vitest";
import { makePlace } from "../scenario/cli-support.js";
import { runHere } from "../scenario/run-here.js";
import { tempFolder } from "../support/temp-folder.js";
import { sit } from "./pi-seat.js";

test("again: reads itself again and starts anew", async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, "version.txt"), "1");
  const seat = await sit({ extensions: ["again.ts"], env: { AGAIN_FOLDER: folder } });
  writeFileSync(join(folder, "version.txt"), "2");
  await seat.send("/again");
  await seat.started.agent.whenIdle();
  expect(seat.said).toEqual(["info: version 1 (startup)", "info: version 2 (reload)"]);
});

test("gateway: brings a provider with its address, key, headers and models", async () => {
  const seat = await sit({
    extensions: ["gateway.ts"],
    env: { GATEWAY_KEY: "key-of-the-gateway", GATEWAY_URL: "http://127.0.0.1:9/v1" },
    steps: [],
  });
  await seat.send("/oak");
  expect(seat.said).toEqual(["info: Oak: true"]);
  expect(seat.started.agent.model?.info).toMatchObject({
    provider: "gateway",
    id: "oak",
    images: true,
    maxOutput: 4000,
  });
  await seat.send("/no-gateway");
  expect(seat.said.at(-1)).toBe("info: found nothing");
});

test("sso: people log in to a provider, and it lists its models", async () => {
  const server = await oauthServer();
  try {
    const seat = await sit({ extensions: ["sso.ts"], env: { SSO_URL: server.origin }, steps: [] });
    const { registry } = seat.started.parts;
    await seat.send("/who");
    expect(seat.said).toEqual(["info: none false"]);
    let page = "";
    await registry.login?.("sso", {
      ...browsing(),
      onAuth: ({ url }) => {
        page = url;
      },
      onPrompt: async () => {
        const { headers } = await fetch(page, { redirect: "manual" });
        return new URL(headers.get("location") ?? "").searchParams.get("code") ?? "";
      },
    });
    await registry.discover({ timeoutMs: 1 });
    await seat.send("/who");
    expect(seat.said.at(-1)).toBe("info: live-1,live-2 true");
    await seat.started.agent.setModel(registry.resolve("sso/live-2"));
    await seat.send("hi");
    expect(lines(seat.started.agent.session).at(-1)).toBe("assistant(stop): hello");
    expect(server.asked).toEqual(["valid /v1/chat/completions"]);
  } finally {
    await server.close();
  }
});

test("parrot: answers as a model of its own", async () => {
  const seat = await sit({ extensions: ["parrot.ts"], request: { model: "birds/parrot" } });
  await seat.send("Polly");
  expect(lines(seat.started.agent.session)).toEqual([
    "model_change",
    "user: Polly",
    "assistant(stop): Squawk: Polly (with tools, told what to do)",
  ]);
  const answer = seat.started.agent.session.getLeafEntry();
  expect(answer).toMatchObject({ message: { usage: { cost: { total: 2 } } } });
});

test("rehearsal: scripted answers of pi's provider for tests are given in order", async () => {
  const seat = await sit({ extensions: ["rehearsal.ts"], request: { model: "stage/actor" } });
  await seat.send("Begin");
  expect(lines(seat.started.agent.session)).toEqual([
    "model_change",
    "user: Begin",
    "assistant(toolUse): thinking +read#c1",
    "result#c1: water the oak",
    "assistant(stop): Heard the notes in call 2",
  ]);
  await seat.send("/prompter");
  expect(seat.said.at(-1)).toBe(
    "info: stop: Whispered line; stop: and another; error: No more faux responses queued (0 left, 3 calls)",
  );
});

test("flags: are given on the command line, with or without an equals sign", async () => {
  for (const args of [
    ["--quiet-mode", "--region=south", "go"],
    ["--quiet-mode", "--region", "south", "go"],
  ]) {
    const { agent } = parseCliOptions(["-p", ...args], { terminal: false }) as { readonly agent: AgentRequest };
    const { extensionArguments } = agent;
    const seat = await sit({ extensions: ["flags.ts"], request: { extensionArguments } as object });
    expect(seat.said).toEqual(["info: quiet true, region south, other undefined"]);
    expect(seat.started.parts.prompt).toBe("go");
  }
});

test("a provider that speaks to Claude is asked below the address that pi takes", async () => {
  const server = await wireServer();
  try {
    const place = makePlace({ settings: {} });
    const extension = join(place.cwd, "claude.js");
    const models = [{ id: "one" }, { id: "two", baseUrl: `${server.origin}/two/` }];
    const config = { baseUrl: `${server.origin}/gate`, apiKey: "k", api: "anthropic-messages", models };
    const known = { baseUrl: `${server.origin}/known`, apiKey: "k" };
    writeFileSync(
      extension,
      `export default function (pi) {
        pi.registerProvider("gate", ${JSON.stringify(config)});
        pi.registerProvider("anthropic", ${JSON.stringify(known)});
        pi.on("session_start", (event, ctx) => process.stdout.write(ctx.model.baseUrl + "\\n"));
      }`,
    );
    const told: string[] = [];
    for (const model of ["gate/one", "gate/two", "anthropic/claude-sonnet-4-6"]) {
      server.reply({ status: 400, body: "{}" });
      const { stderr } = await runHere(place, ["-p", "--extension", extension, "--model", model, "hello"]);
      told.push(stderr.split("\n")[0] ?? "");
    }
    expect(server.requests.map(({ path }) => path)).toEqual([
      "/gate/v1/messages",
      "/two/v1/messages",
      "/known/v1/messages",
    ]);
    expect(told).toEqual(["gate", "two", "known"].map((name) => `[claude] ${server.origin}/${name}`));
  } finally {
    await server.close();
  }
});

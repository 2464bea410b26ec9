/** Prompt caches as a promise, across processes: one is killed in the middle of a turn, another resumes, moves and forks. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROTOCOLS, type Protocol, type SpokenPart, says } from "@bough/agent/model/wire-protocols.test-support.js";
import { type WireServer, wireServer } from "@bough/agent/model/wire-server.test-support.js";
import { assertPromptPrefix } from "@bough/session/context/index.js";
import { isPrompt } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, onTestFinished, test } from "vitest";
import { sampledCases } from "../support/sampled.js";
import { RpcClient } from "./cli-rpc-client.js";
import { makePlace, type Place, PROGRAM, sessionFiles, theOnly } from "./cli-support.js";

const KILLS = ["in an answer", "while a tool runs", "in the answer after a tool"] as const;
const THOUGHT: SpokenPart = { thinking: "Look first.", signature: "SIGNATURE-1" };
const SAID: SpokenPart = { text: "an answer", signature: "msg_1" };
const ALLOWED = ["--allow", "bash(*)"] as const;

const answers = (protocol: Protocol) => says(protocol, { parts: [THOUGHT, SAID], stop: "stop" });
const calls = (protocol: Protocol, command: string) =>
  says(protocol, {
    parts: [THOUGHT, { call: "call-1", name: "bash", input: JSON.stringify({ command }) }],
    stop: "toolUse",
  });
/** An answer that stops coming. */
const begins = (protocol: Protocol) => {
  const frames = protocol.frames({ parts: [THOUGHT, SAID], stop: "stop" });
  return { frames: frames.slice(0, frames.length - 2), after: "wait" as const };
};

function placeFor(protocol: Protocol, server: WireServer): Place {
  // A server on this machine would be asked for more than answers.
  const provider = protocol.provider === "ollama" ? "groq" : protocol.provider;
  const models = { providers: { [provider]: { baseUrl: `${server.origin}${protocol.base}` } } };
  const place = makePlace({ settings: { model: `${provider}/${protocol.model}`, models, thinkingLevel: "low" } });
  writeFileSync(join(place.home, "auth.json"), JSON.stringify({ [provider]: "key" }), { mode: 0o600 });
  return place;
}

/** Starts a turn in a process of its own and kills it there. */
async function killIn(kill: (typeof KILLS)[number], protocol: Protocol, server: WireServer, place: Place) {
  const running = join(place.cwd, "running");
  if (kill === "in an answer") server.reply(begins(protocol));
  else if (kill === "while a tool runs") server.reply(calls(protocol, `echo $$ > ${running}; exec sleep 600`));
  else server.reply(calls(protocol, "echo done"), begins(protocol));
  const child = spawn(process.execPath, [PROGRAM, "-p", "the first prompt", ...ALLOWED], {
    ...{ cwd: place.cwd, env: place.env, stdio: "ignore" },
  });
  const gone = once(child, "close");
  const isThere = () =>
    kill === "while a tool runs" ? existsSync(running) : server.requests.length === (kill === "in an answer" ? 1 : 2);
  await expect.poll(() => isThere() || child.exitCode !== null, { timeout: 60_000 }).toBe(true);
  child.kill("SIGKILL");
  expect((await gone)[1]).toBe("SIGKILL");
  if (!existsSync(running)) return;
  // A killed program cannot end what it started; here that is the test's to do.
  await expect.poll(() => readFileSync(running, "utf8").trim()).not.toBe("");
  process.kill(Number(readFileSync(running, "utf8")), "SIGKILL");
}

const CASES = PROTOCOLS.flatMap((protocol, number) =>
  sampledCases(KILLS, number).map((kill) => [protocol.api, kill, protocol] as const),
);

test.each(CASES)(
  "%s, killed %s: requests of the next process start with the ones before",
  {
    timeout: 120_000,
  },
  async (_api, kill, protocol) => {
    const server = await wireServer();
    onTestFinished(() => server.close());
    const place = placeFor(protocol, server);
    await killIn(kill, protocol, server, place);
    const killed = server.requests.length;

    const file = theOnly(sessionFiles(place));
    // Any process but the one that was killed: this one.
    const client = new RpcClient(place, ["-c", ...ALLOWED], { isHere: true });
    const ask = async (text: string): Promise<unknown> => {
      server.reply(answers(protocol));
      await client.request("prompt", { text });
      await client.request("whenIdle");
      return server.requests.at(-1)?.body;
    };
    const second = await ask("the second prompt");
    const prompts = promptsOf(file);
    expect(prompts.map(({ text }) => text)).toEqual(["the first prompt", "the second prompt"]);
    // Back to before the second prompt, and on from there.
    await client.request("navigateTree", { targetId: prompts[1]?.id });
    const other = await ask("another second prompt");
    const third = await ask("a third prompt");
    // The fork has everything before the third prompt.
    await client.request("fork", { entryId: promptsOf(file).at(-1)?.id });
    const forked = await ask("a prompt in the fork");
    expect((await client.close()).code).toBe(0);

    for (const { body } of server.requests.slice(0, killed)) {
      for (const after of [second, other, third, forked]) assertPromptPrefix(body, after);
    }
    for (const after of [third, forked]) assertPromptPrefix(other, after);
    expect(server.requests.length).toBe(killed + 4);
  },
);

function promptsOf(file: string): readonly { readonly id: string; readonly text: unknown }[] {
  const session = SessionManager.open(file, undefined, { readOnly: true });
  try {
    return session.getEntries().flatMap((entry) => {
      if (!isPrompt(entry) || entry.type !== "message") return [];
      const { content } = entry.message as { readonly content: unknown };
      const [first] = Array.isArray(content) ? (content as readonly { readonly text?: string }[]) : [];
      return [{ id: entry.id as string, text: typeof content === "string" ? content : first?.text }];
    });
  } finally {
    session.close();
  }
}

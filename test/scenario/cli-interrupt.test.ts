import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { conversation, makePlace, Running, sessionFiles, theOnly } from "./cli-support.js";
import { runHere } from "./run-here.js";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A model server that takes requests and never says a word, and the text of its first one. */
async function silentServer(): Promise<{ readonly baseUrl: string; readonly asked: Promise<string> }> {
  const server = createServer(() => {});
  servers.push(server);
  const asked = once(server, "request").then(([request]) => text(request as IncomingMessage));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("a signal in the middle of a run", () => {
  test("SIGINT during a tool that never ends: exit 130, the command is gone, the session can continue", async () => {
    const place = makePlace();
    const running = new Running(place, [
      "-p",
      "--permission",
      "auto",
      // In a sandbox, the number of the process would mean nothing here.
      ...["--sandbox", "off"],
      "--mode",
      "json",
      "$ echo $$ > pid; echo begun; sleep 600",
    ]);
    running.child.stdin.end();
    await running.printed('"text":"begun');
    const pid = Number(readFileSync(join(place.cwd, "pid"), "utf8"));
    expect(isAlive(pid)).toBe(true);
    running.child.kill("SIGINT");
    const ended = await running.ended;
    expect([ended.code, ended.stderr]).toEqual([130, ""]);
    expect(isAlive(pid)).toBe(false);
    expect(JSON.parse(ended.stdout.trimEnd().split("\n").at(-1) as string)).toEqual({
      type: "run_end",
      outcome: { kind: "aborted" },
    });
    const file = theOnly(sessionFiles(place));
    const [prompt, call, result] = await conversation(file);
    expect([prompt, call]).toEqual(["user: $ echo $$ > pid; echo begun; sleep 600", "assistant: [toolCall bash]"]);
    expect(result).toMatch(/^toolResult: begun/);
    expect((await runHere(place, ["-p", "-c", "read notes.txt"])).stdout).toContain("buy milk");
  });

  test("SIGTERM while the model is silent: exit 143, the prompt is kept", async () => {
    const { baseUrl, asked } = await silentServer();
    const providers = { silent: { baseUrl, api: "openai-completions", models: [{ id: "mute" }] } };
    const place = makePlace({ settings: { models: { providers } } });
    const verse = ["--append-system-prompt", "Answer in verse."];
    const running = new Running(place, ["-p", "--model", "silent/mute", ...verse, "hello"]);
    running.child.stdin.end();
    const [system, user] = (JSON.parse(await asked) as { messages: { role: string; content: string }[] }).messages;
    expect(system).toEqual({ role: "system", content: expect.stringMatching(/Answer in verse\.\n<\/instructions>$/) });
    expect(user).toMatchObject({ role: "user" });
    running.child.kill("SIGTERM");
    expect(await running.ended).toEqual({ code: 143, stdout: "", stderr: "" });
    expect((await conversation(theOnly(sessionFiles(place))))[0]).toBe("user: hello");
  });

  test("before there is anything to close, the first signal ends it", async () => {
    const place = makePlace();
    // Its input stays open, so it waits for more of the prompt; more than a pipe holds is taken only by a reader.
    const running = new Running(place, ["-p", "hello"]);
    await new Promise((taken) => running.child.stdin.write("x".repeat(1 << 20), taken));
    running.child.kill("SIGINT");
    expect(await running.ended).toEqual({ code: 130, stdout: "", stderr: "" });
    expect(sessionFiles(place)).toEqual([]);
  });

  test("an unreachable provider is reported with its address, exit 5", async () => {
    const { baseUrl } = await silentServer();
    for (const server of servers.splice(0)) await new Promise((done) => server.close(done));
    const providers = { gone: { baseUrl, api: "openai-completions", models: [{ id: "any" }] } };
    const place = makePlace({ settings: { models: { providers }, retry: { maxRetries: 0 } } });
    const ended = await runHere(place, ["-p", "--model", "gone/any", "hello"]);
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([5, "", expect.stringContaining(baseUrl)]);
  });
});

import { once } from "node:events";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { INTERRUPTED_RESULT, toModelInput } from "@bough/session/context/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { afterEach, describe, expect, test } from "vitest";
import { conversation, makePlace, type Place, Running, sessionFiles, theOnly } from "./cli-support.js";
import { runHere } from "./run-here.js";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A place with a model `own/any` on a server of the test's, and the server's first request. */
async function placeWithServer(
  answer: RequestListener,
  env: NodeJS.ProcessEnv = {},
): Promise<Place & { readonly asked: Promise<unknown> }> {
  const server = createServer(answer);
  servers.push(server);
  const asked = once(server, "request");
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const own = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    api: "openai-completions",
    apiKeyEnv: "OWN_KEY",
    models: [{ id: "any" }],
  };
  const settings = { model: "offline/rules", models: { providers: { own } }, retry: { maxRetries: 0 } };
  return { ...makePlace({ settings, env: { OWN_KEY: "key-that-nobody-may-see", ...env } }), asked };
}

describe("a session file", () => {
  test("with a damaged line goes on without it; the line is told and stays in the file", async () => {
    const place = makePlace();
    await runHere(place, ["-p", "read notes.txt"]);
    const file = theOnly(sessionFiles(place));
    appendFileSync(file, '{"type":"message","id":"half');
    const before = readFileSync(file, "utf8");
    const ended = await runHere(place, ["-p", "-c", "read app.js"]);
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining("console.log")]);
    expect(ended.stderr).toContain("bough: The session file is damaged, line 7: the last line was cut off");
    expect(ended.stderr).toContain(file);
    expect(readFileSync(file, "utf8").startsWith(`${before}\n`)).toBe(true);
    const session = SessionManager.open(file, undefined, { readOnly: true });
    expect(session.getBranch().filter(({ type }) => type === "message")).toHaveLength(8);
    session.close();
  });

  test("that is none is refused and left as it was", async () => {
    const place = makePlace();
    const file = join(place.cwd, "notes.txt");
    const before = readFileSync(file, "utf8");
    const ended = await runHere(place, ["-p", "--session", file, "list files"]);
    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toContain(`bough: ${file} is not a session file\n`);
    expect([readFileSync(file, "utf8"), sessionFiles(place)]).toEqual([before, []]);
  });

  test("that cannot be made is told once, with what to check", async () => {
    const place = makePlace();
    writeFileSync(join(place.home, "sessions"), "in the way");
    const ended = await runHere(place, ["-p", "list files"]);
    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr.match(/^bough: .+\n {2}Check .+\n$/)?.[0]).toBe(ended.stderr);
  });

  test("of a program that was killed shows the open call as interrupted, and goes on", async () => {
    const place = makePlace();
    const running = new Running(place, [
      "--mode",
      "json",
      "-p",
      "--permission",
      "auto",
      "--sandbox",
      "off",
      "$ echo begun; sleep 5",
    ]);
    running.child.stdin.end();
    const killed = running.ended.catch(() => "killed");
    await running.printed('"text":"begun');
    running.child.kill("SIGKILL");
    expect(await killed).toBe("killed");
    const file = theOnly(sessionFiles(place));
    const session = SessionManager.open(file, undefined, { readOnly: true });
    const shown = toModelInput(session.buildSessionContext().messages, { provider: "offline" });
    session.close();
    expect(shown.at(-1)).toMatchObject({ role: "toolResult", content: [{ text: INTERRUPTED_RESULT }], isError: true });
    expect(await runHere(place, ["-p", "-c", "read app.js"])).toMatchObject({ code: 0, stderr: "" });
    expect(sessionFiles(place)).toEqual([file]);
  });

  test("that two programs have open gets a branch from each, and the second is told", async () => {
    const place = await placeWithServer(() => {});
    await runHere(place, ["-p", "read notes.txt"]);
    const first = new Running(place, ["-p", "-c", "--model", "own/any", "say nothing"]);
    first.child.stdin.end();
    await place.asked;
    const second = await runHere(place, ["-p", "-c", "--model", "offline/rules", "read app.js"]);
    expect(second.stderr).toContain(`bough: This session is also open in bough (process ${first.child.pid} on `);
    first.child.kill("SIGTERM");
    expect((await first.ended).code).toBe(143);
    const said = readFileSync(theOnly(sessionFiles(place)), "utf8");
    expect([said.includes('"say nothing"'), said.includes("console.log")]).toEqual([true, true]);
    await conversation(theOnly(sessionFiles(place)));
  });
});

test("an input that nobody ends is waited for, and that is said", async () => {
  const running = new Running(makePlace(), ["-p", "read app.js"]);
  const [said] = await once(running.child.stderr, "data");
  expect(said).toMatch(/^bough: Waiting for the end of standard input\n.*< \/dev\/null\n$/);
  running.child.stdin.end();
  expect(await running.ended).toMatchObject({ code: 0, stdout: expect.stringContaining("console.log") });
});

describe("a provider", () => {
  test("that does not accept the key is told, and the key stands nowhere, though the provider repeats it", async () => {
    const place = await placeWithServer((request, response) => {
      response.writeHead(401, { "content-type": "application/json" });
      const message = `Incorrect API key provided: ${request.headers.authorization}`;
      response.end(JSON.stringify({ error: { message, type: "invalid_request_error", code: "invalid_api_key" } }));
    });
    const ended = await runHere(place, ["--mode", "json", "-p", "--model", "own/any", "hello"]);
    expect(ended.code).toBe(5);
    expect(ended.stderr).toMatch(/^bough: own\/any rejected the key \(401\).*\n {2}Check the key for own: .*\n$/);
    const written = readFileSync(theOnly(sessionFiles(place)), "utf8");
    expect(`${ended.stdout}${ended.stderr}${written}`).not.toContain("key-that-nobody-may-see");
  });

  test("that breaks off in the middle of a word: the beginning is kept, the reason told", async () => {
    const place = await placeWithServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const choice = { index: 0, delta: { role: "assistant", content: "Hello wor" } };
      response.write(
        `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices: [choice] })}\n\n`,
        () => response.destroy(),
      );
    });
    const ended = await runHere(place, ["-p", "--model", "own/any", "hello"]);
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([
      5,
      "",
      expect.stringContaining("own/any: connection lost\n"),
    ]);
    const said = readFileSync(theOnly(sessionFiles(place)), "utf8")
      .trimEnd()
      .split("\n")
      .at(-1) as string;
    expect(JSON.parse(said)).toMatchObject({ message: { stopReason: "error", content: [{ text: "Hello wor" }] } });
  });

  test("of one's own keeps its key from commands too", async () => {
    const place = await placeWithServer(() => {});
    const ended = await runHere(place, ["-p", "--permission", "auto", "--sandbox", "off", "$ echo [$OWN_KEY]"]);
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining("[]\n")]);
  });
});

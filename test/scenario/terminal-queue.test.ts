import { writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { conversation, sessionFiles } from "./cli-support.js";
import { idle, leave, onlySession, promptsOf, reading, sitDown } from "./terminal-support.js";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A provider that keeps every request waiting until the test answers it. */
async function slowProvider() {
  const held: ServerResponse[] = [];
  let arrived = (): void => {};
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      held.push(response);
      arrived();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const providers = { local: { baseUrl, api: "openai-completions", models: [{ id: "writer" }] } };
  return {
    settings: { model: "local/writer", models: { providers }, retry: { maxRetries: 0 } },
    /** The next request, which may have come already. */
    next: async (): Promise<ServerResponse> => {
      while (held.length === 0) {
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
      }
      return held.shift() as ServerResponse;
    },
  };
}

function rejectKey(response: ServerResponse): void {
  const body = JSON.stringify({ error: { message: "wrong key", type: "auth", code: "invalid_api_key" } });
  response.writeHead(401, { "content-type": "application/json" }).end(body);
}

describe("a message that waits for the agent", () => {
  test("is back in the editor when the run fails, and is not sent in another session", async () => {
    const provider = await slowProvider();
    const seat = sitDown({ settings: provider.settings, args: ["--model", "local/writer"] });
    const { terminal } = seat;
    await terminal.shows("New session");
    terminal.type("go").press("enter");
    await terminal.shows(/ \d+ s · /);
    const first = await provider.next();
    terminal.type("drop the table").press("alt+enter");
    await terminal.shows("then → drop the table");
    rejectKey(first);
    await terminal.shows(/─\n› drop the table/);
    await terminal.shows("The run failed. Queued messages are back in the editor.");
    await idle(seat);
    terminal.press("ctrl+u");
    await terminal.shows((text) => !/─\n› drop the table/.test(text));
    terminal.type("/new").press("enter");
    await terminal.shows((text) => !text.includes("· #1 "));
    terminal.type("hello there").press("enter");
    await terminal.shows(/ \d+ s · /);
    rejectKey(await provider.next());
    await terminal.shows("wrong key");
    await idle(seat);
    await leave(seat);
    const files = sessionFiles(seat.place);
    expect(files).toHaveLength(2);
    const said = await Promise.all(files.map((file) => reading(file, promptsOf)));
    expect(said).toEqual([["go"], ["hello there"]]);
  });

  test("a correction sent while a command is being stopped is the next prompt", async () => {
    const seat = sitDown({ settings: { model: "offline/rules", permissionMode: "auto", sandbox: "off" } });
    const { terminal, place } = seat;
    // A child in the background that does not go when it is asked to: stopping takes a while.
    const script = "(trap '' TERM; echo started; while :; do sleep 0.1; done) &\nsleep 600\n";
    writeFileSync(join(place.cwd, "server.sh"), script);
    await terminal.shows("New session");
    terminal.type("run bash server.sh").press("enter");
    await terminal.shows(/bash {2}bash server\.sh[\s\S]*started/);
    await terminal.escape(/Stopping \d+ s/);
    terminal.type("read notes.txt").press("enter");
    await terminal.shows(/next → read notes\.txt\n Stopping… your message is sent next \(Esc: back to the editor\)/);
    await terminal.shows("buy milk");
    await idle(seat);
    await leave(seat);
    expect((await conversation(onlySession(seat))).filter((line) => line.startsWith("user"))).toHaveLength(2);
    expect((await reading(onlySession(seat), promptsOf)).at(-1)).toBe("read notes.txt");
  });
});

/** What `tried` says if no attempt has all words, and which turns are no attempts. */
import { mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { assistant, user } from "../../../../../test/support/messages.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { answerTried, History, triedWords } from "../index.js";

const AT = Date.parse("2026-11-17T12:00:00Z");
const MINUTE = 60_000;
let home: string;
let dir: string;

beforeEach(() => {
  home = tempFolder();
  vi.stubEnv("BOUGH_HOME", join(home, ".bough"));
  dir = join(home, ".bough", "sessions", "--app--");
  mkdirSync(dir, { recursive: true });
});
afterEach(() => void vi.unstubAllEnvs());

type Message = Parameters<SessionManager["appendMessage"]>[0];

function session(messages: readonly Message[], minutesAgo: number): void {
  const time = new Date(AT - minutesAgo * MINUTE);
  const made = SessionManager.create("/app", dir, { now: () => time });
  for (const message of messages) made.appendMessage(message);
  made.close();
  utimesSync(made.getSessionFile() as string, time, time);
}

async function tried(words: string, search = 60_000): Promise<{ readonly text: string; readonly found: number }> {
  const history = new History({ home: join(home, ".bough"), agents: { home, environment: {} } });
  await history.refresh();
  return answerTried(history, { words }, { now: () => new Date(AT), timeouts: { refresh: 60_000, search } });
}

const DAY = 24 * 60;
const call = (id: string): Message => ({
  ...assistant({ type: "toolCall", id, name: "read", arguments: { path: "walrus.ts" } }),
  stopReason: "toolUse",
});
const result = (toolCallId: string): Message =>
  ({
    role: "toolResult",
    toolCallId,
    toolName: "read",
    content: [{ type: "text", text: "export const tusk = 2;" }],
    isError: false,
    timestamp: 3,
  }) as Message;

describe("words", () => {
  test("of which only one matches give that attempt, with what it has and which words are unknown", async () => {
    session([user("Teach the walrus to swim"), assistant("It swims.")], DAY);
    const { text, found } = await tried("was it tried that walruses fly to Mars?");
    expect(found).toBe(1);
    expect(text).toMatch(
      /^No attempt has all of these words\. The closest ones, best first:\nIn no session: fly, mars\n\nkept/,
    );
    expect(text).toContain("  has: walruses\n");
  });

  test("that are rare count more than words that every session has", async () => {
    session([user("Fix the tests of the narwhal"), assistant("Done.")], 20 * DAY);
    for (let n = 0; n < 30; n++) session([user(`Fix the flaky tests, round ${n}`), assistant("Done.")], n + DAY);
    const { text } = await tried("narwhals failing in flaky tests");
    expect(text.split("asked: ")[1]).toMatch(/^Fix the tests of the narwhal/);
  });

  test("that appear only in the output of a tool give the attempt it belongs to", async () => {
    session([user("Look at the animal"), call("a"), result("a"), assistant("I have seen it.")], DAY);
    const { text } = await tried("tusks of the seal");
    expect(text).toContain("asked: Look at the animal");
    expect(text).toContain("In no session: seal");
  });

  test("that nothing has are answered with nothing, and named", async () => {
    session([user("Teach the walrus to swim"), assistant("It swims.")], DAY);
    expect(await tried("how about penguins?")).toEqual({
      found: 0,
      text: "Nothing like this was tried in any session on this machine. None of these words appear: penguins.",
    });
  });

  test("in one argument of a shell are a question, and a phrase if an attempt has it", async () => {
    session([user("Teach the walrus to swim"), assistant("It swims.")], DAY);
    session([user("Swim, walrus, and teach the others"), assistant("It does.")], DAY);
    const question = triedWords(["did anybody teach walruses how to swim?"]);
    expect((await tried(question)).found).toBe(2);
    const { text } = await tried(triedWords(["the walrus to swim"]));
    expect(
      text
        .split("asked: ")
        .slice(1)
        .map((asked) => asked.split("\n")[0]),
    ).toEqual(["Teach the walrus to swim", "Swim, walrus, and teach the others"]);
  });

  test("that could not be searched for in time are not said to be nothing", async () => {
    session([user("Teach the walrus to swim"), assistant("It swims.")], DAY);
    const { text, found } = await tried("swimming lessons", -1);
    expect([found, text]).toEqual([0, expect.stringContaining("Nothing found so far")]);
  });
});

describe("left out", () => {
  const nothing = {
    found: 0,
    text: expect.stringMatching(/^No finished attempt matches .*\. Turns of the last minute are left out\.$/),
  };

  test("is the prompt that asks, which began within the last minute", async () => {
    session([user("Was the walrus tried?"), assistant("I will look.")], 0.5);
    expect(await tried("walrus")).toEqual(nothing);
  });

  test("is a turn that is still running", async () => {
    session([user("Work on the walrus"), call("a"), result("a")], 10);
    expect(await tried("walrus")).toEqual(nothing);
  });

  test("is a prompt that nothing came of", async () => {
    session([user("Work on the walrus")], DAY);
    expect(await tried("walrus")).toEqual(nothing);
  });

  test("is not a turn that was killed long ago: what it did counts", async () => {
    session([user("Work on the walrus"), call("a"), result("a")], DAY);
    expect((await tried("walrus")).found).toBe(1);
  });
});

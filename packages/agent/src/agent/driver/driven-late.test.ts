/** What agents do after their turns, and agents that cannot load a conversation. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EntryId } from "@bough/session/entry/index.js";
import { processIdentity } from "@bough/session/log/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { afterTest } from "../../../../../test/support/after-test.js";
import { TURN_VERSION, type TurnHead, TurnJournal } from "../../driver/internal.js";
import type { AgentSession } from "../agent-session.js";
import { drivenPlace, steps, told } from "./driven-place.test-support.js";

/** Resolves with a notice that contains these words. */
function notice(agent: AgentSession, words: string): Promise<string> {
  return new Promise((resolve) => {
    const stop = agent.subscribe((event) => {
      if (event.type !== "notice" || !event.message.includes(words)) return;
      stop();
      resolve(event.message);
    });
  });
}

test("what an agent does after its turn is added to its branch, and the next prompt continues from there", async () => {
  const { open, agentHome, requests, events } = drivenPlace();
  const agent = await open();
  await agent.prompt(steps(["later", "go", "b.txt", "b\n"], ["say", "Started."]));
  const added = notice(agent, "worked on after its turn");
  writeFileSync(join(agentHome, "go"), "");
  expect(await added).toBe("Scripted worked on after its turn: 3 entries added to its branch");
  // Such as a failure to record files.
  expect(events.filter((event) => event.type === "notice" && event.level !== "info")).toEqual([]);
  const work = [
    "assistant: Started.",
    "assistant: toolCall",
    "toolResult: written",
    "files by tool: b.txt",
    "assistant: Later: b.txt.",
  ];
  expect(told(agent).slice(1)).toEqual(work);
  await agent.prompt("Go on");
  expect(told(agent).slice(1, 6)).toEqual(work);
  expect(requests().at(-1)?.slice(-2)).toEqual([
    ["assistant", "Later: b.txt."],
    ["user", "Go on"],
  ]);
});

test("work after the turn never moves the user, and files wait for it", async () => {
  const { open, agentHome, read } = drivenPlace();
  const agent = await open();
  await agent.prompt(steps(["write", "a.txt", "one\n"], ["say", "First."]));
  const first = agent.session.getLeafId() as EntryId;
  await agent.prompt(steps(["write", "a.txt", "two\n"], ["later", "go", "b.txt", "b\n"], ["say", "Second."]));
  const second = agent.session.getLeafId() as EntryId;
  await agent.navigateTree(first, { files: "stay" });
  const added = notice(agent, "worked on after its turn");
  writeFileSync(join(agentHome, "go"), "");
  await added;
  const said = () => told(agent).filter((line) => !line.startsWith("files"));
  const before = said();
  expect(before.slice(1)).toEqual(["assistant: toolCall", "toolResult: written", "assistant: First."]);
  expect(told(agent, agent.session.getTipIds().at(-1)).slice(-5)).toEqual([
    "assistant: Second.",
    "assistant: toolCall",
    "toolResult: written",
    "files by tool: b.txt",
    "assistant: Later: b.txt.",
  ]);
  expect(agent.driverWork).toMatchObject({ agent: "pi", title: "Scripted" });
  const refused = { code: "agent-working", message: "Scripted is still working in this folder" };
  await expect(agent.navigateTree(second)).rejects.toMatchObject(refused);
  expect([said(), read()]).toEqual([before, "two\n"]);
  await agent.driverWork?.stop();
  expect(agent.driverWork).toBeUndefined();
  await agent.navigateTree(second);
  await agent.prompt("Another way");
  expect(told(agent).slice(-2)).toEqual(["user: Another way", "assistant: You said: Another way"]);
});

test("an agent that cannot load a conversation is given it as text, masked, and only the prompt is recorded", async () => {
  const { open, requests, root, sessions, events } = drivenPlace();
  const secret = `ghp_${"aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4"}`;
  const session = SessionManager.create(root, sessions);
  session.appendMessage({ role: "user", content: `Is ${secret} set?`, timestamp: 1 });
  // Once without any transcript that can be read, once with one.
  for (const [habits, transcripts] of [
    ["no-load", "pi"],
    ["", undefined],
  ] as const) {
    const agent = await open(
      { habits, ...(transcripts === undefined ? { transcripts: undefined as never } : {}) },
      session.openAgain(),
    );
    expect(await agent.prompt("Go on")).toMatchObject({ kind: "done" });
    expect(told(agent).slice(1)).toEqual([
      "user: Go on",
      expect.stringMatching(/^assistant: You said: This is the conv/),
    ]);
    const [given = ""] = requests().at(-1)?.at(-1)?.slice(1) ?? [];
    expect(given).toContain("[User]: Is ");
    expect(JSON.stringify(requests())).not.toContain(secret);
    const [, driver] = agent.session.getBranch();
    const records = transcripts === undefined ? { records: "protocol" } : {};
    expect(driver).toMatchObject({ customType: "bough.driver", data: { agent: "pi", version: "1.2.3", ...records } });
    await agent.prompt("And now?");
    expect(requests().at(-1)?.at(-1)).toEqual(["user", "And now?"]);
  }
  expect(
    events.flatMap((event) => (event.type === "notice" && event.message.includes("as text") ? [event.message] : [])),
  ).toEqual([
    "Scripted cannot load this conversation, so it is given as text with the prompt: long results are shortened",
    "Scripted cannot load this conversation, so it is given as text with the prompt: long results are shortened",
  ]);
});

test("another process does not drive a session of the agent that is driven here", async () => {
  const { open, sessions } = drivenPlace();
  const agent = await open();
  await agent.prompt("One");
  const file = agent.session.getSessionFile() as string;
  const other = await open({}, SessionManager.open(file, sessions));
  await other.prompt("Two");
  const natives = readFileSync(file, "utf8").match(/"nativeId":"[^"]+"/g) ?? [];
  expect(new Set(natives).size).toBe(2);
});

test.each(["stop", "wait"] as const)(
  "an agent that outlives its Bough is asked about, and its turn is added once it has ended: %s",
  async (answer) => {
    const { root, sessions, open } = drivenPlace();
    const session = SessionManager.create(root, sessions);
    session.appendMessage({ role: "user", content: "Before", timestamp: 1 });
    const file = session.getSessionFile() as string;
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
    const group = child.pid as number;
    afterTest(() => void child.kill("SIGKILL"));
    const gone = once(child, "exit");
    const head = { version: TURN_VERSION, sessionId: session.getSessionId(), leaf: session.getLeafId() };
    const turn = { driver: "pi", nativeId: "n", model: "m", cwd: root, prompt: "Left", timestamp: 2 };
    const lines = [
      { ...head, ...turn, process: processIdentity(group) },
      { kind: "text", text: "Half of" },
    ];
    const journal = new TurnJournal(file, lines[0] as TurnHead);
    journal.leave();
    const [name = ""] = readdirSync(sessions).filter((one) => one.endsWith(".turn"));
    const left = name.replace(/(\d+)-[0-9a-f]{8}-/, "$1-00000000-");
    rmSync(join(sessions, name));
    writeFileSync(join(sessions, left), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    session.close();
    const asked: unknown[] = [];
    const again = await open(
      {
        onLeftAgent: async (agent) => {
          asked.push(agent);
          // It ends by itself.
          if (answer === "wait") setTimeout(() => child.kill(), 100);
          return answer;
        },
      },
      SessionManager.open(file, sessions),
    );
    await gone;
    expect(asked).toEqual([{ agent: "pi", group }]);
    expect(told(again)).toEqual(["user: Before", "user: Left", "assistant (aborted): Half of"]);
  },
);

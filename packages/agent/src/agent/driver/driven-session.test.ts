/** Sessions whose turns another agent does: what is recorded, where it continues, and what its model is sent. */
import { spawnSync } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EntryId } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { drivenPlace, type Opening, steps, told } from "./driven-place.test-support.js";

test("a turn becomes entries from the transcript, with the files that its calls changed", async () => {
  const { open, read, questions } = drivenPlace();
  const agent = await open();
  const prompt = steps(["say", "I will."], ["write", "a.txt", "one\n"], ["say", "Done."]);
  expect(await agent.prompt(prompt)).toMatchObject({ kind: "done", message: { content: [{ text: "Done." }] } });
  expect(told(agent)).toEqual([
    `user: ${prompt}`.slice(0, 60),
    "assistant: I will.",
    "assistant: toolCall",
    "toolResult: written",
    "files by tool: a.txt",
    "assistant: Done.",
  ]);
  expect([read(), questions]).toEqual(["one\n", []]);
  // Three answers, as the agent counted them.
  expect(agent.runUsage).toMatchObject({ steps: 3, input: 3, output: 3 });
  const file = agent.session.getSessionFile() as string;
  // Nothing is left beside the session.
  expect(readdirSync(dirname(file)).filter((name) => name.endsWith(".turn"))).toEqual([]);
});

test("after going back, the model is sent exactly the path, and the files are those of the branch", async () => {
  const { open, read, requests, sessions, events } = drivenPlace();
  const agent = await open();
  await agent.prompt(steps(["write", "a.txt", "one\n"], ["say", "First."]));
  const first = agent.session.getLeafId() as EntryId;
  await agent.prompt(steps(["write", "a.txt", "two\n"], ["say", "Second."]));
  const [, second] = requests();
  expect(second?.map(([role, text = ""]) => `${role} ${text.slice(0, 9)}`)).toEqual([
    'user [["write"',
    "assistant ",
    "toolResult written",
    "assistant First.",
    'user [["write"',
  ]);
  await agent.navigateTree(first);
  expect(read()).toBe("one\n");
  await agent.prompt("Another way");
  expect(requests().at(-1)).toEqual([...(second?.slice(0, -1) ?? []), ["user", "Another way"]]);
  expect(told(agent).slice(-2)).toEqual(["user: Another way", "assistant: You said: Another way"]);

  // The same from another process, tomorrow: the agent's own session is loaded, not written again.
  const file = agent.session.getSessionFile() as string;
  await agent.dispose();
  const again = await open({}, SessionManager.open(file, sessions));
  await again.prompt("And then");
  expect(requests().at(-1)?.slice(-3)).toEqual([
    ["user", "Another way"],
    ["assistant", "You said: Another way"],
    ["user", "And then"],
  ]);
  const natives = again.session
    .getBranch()
    .flatMap((entry) =>
      entry.type === "custom" && entry.customType === "bough.driver"
        ? [(entry.data as { nativeId: string }).nativeId]
        : [],
    );
  expect(new Set(natives).size).toBe(2);
  // A slow machine says that it stores the folder first.
  expect(events.filter((event) => event.type === "notice" && event.level !== "info")).toEqual([]);
});

test("a branch of another agent's conversation is given to this one whole", async () => {
  const { open, requests, root, sessions } = drivenPlace();
  const session = SessionManager.create(root, sessions);
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
  const made = { api: "x", provider: "x", model: "x", usage, stopReason: "stop", timestamp: 1 } as const;
  session.appendMessage({ role: "user", content: "What is a bough?", timestamp: 1 });
  session.appendMessage({ role: "assistant", content: [{ type: "text", text: "A large branch." }], ...made });
  const agent = await open({}, session);
  await agent.prompt("And a twig?");
  expect(requests()).toEqual([
    [
      ["user", "What is a bough?"],
      ["assistant", "A large branch."],
      ["user", "And a twig?"],
    ],
  ]);
});

test("secrets in what Bough's own model made never reach the agent", async () => {
  const { open, requests, root, sessions, events, agentHome } = drivenPlace();
  const secret = `ghp_${"aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4"}`;
  const session = SessionManager.create(root, sessions);
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
  const made = { api: "x", provider: "x", model: "x", usage, timestamp: 1 } as const;
  const call = { type: "toolCall", id: "c1", name: "bash", arguments: { command: "env" } } as const;
  const output = [{ type: "text" as const, text: `GITHUB=${secret}` }];
  const result = { role: "toolResult", toolCallId: "c1", toolName: "bash", isError: false, timestamp: 1 } as const;
  session.appendMessage({ role: "user", content: `Is ${secret} set?`, timestamp: 1 });
  session.appendMessage({ role: "assistant", content: [call], ...made, stopReason: "toolUse" });
  session.appendMessage({ ...result, content: output });
  session.appendMessage({ role: "assistant", content: [{ type: "text", text: secret }], ...made, stopReason: "stop" });
  const agent = await open({}, session);
  // The masked prompt counts as the last one of the history.
  expect(await agent.prompt("Go on")).toMatchObject({ kind: "done" });
  expect(requests()[0]?.map(([role]) => role)).toEqual(["user", "assistant", "toolResult", "assistant", "user"]);
  for (const name of readdirSync(agentHome, { recursive: true }).map(String)) {
    if (name.endsWith(".jsonl")) expect(readFileSync(join(agentHome, name), "utf8")).not.toContain(secret);
  }
  expect(events.flatMap((event) => (event.type === "notice" ? [event.message] : []))).toEqual([
    "1 value that looks like a secret was masked in what Scripted is given",
  ]);
  // The session itself keeps it.
  expect(told(agent).join("\n")).toContain(secret);
});

test("nothing of a branch that others made is given before it was agreed to", async () => {
  const { open, requests, root, sessions, agentHome } = drivenPlace();
  const session = SessionManager.create(root, sessions);
  let isAsked = 0;
  const beforeGiven = async () => {
    isAsked += 1;
    throw new Error("Not agreed");
  };
  const agent = await open({ beforeGiven }, session);
  await agent.prompt("Its own");
  const own = session.getLeafId() as EntryId;
  await agent.prompt("Its own, too");
  await agent.navigateTree(own);
  await agent.prompt("Another branch of its own");
  expect(isAsked).toBe(0);
  const before = readdirSync(agentHome, { recursive: true });
  session.branch(own);
  session.appendMessage({ role: "user", content: "Of another model", timestamp: 1 });
  expect(await agent.prompt("Go on")).toMatchObject({ kind: "failed", failure: { message: "Not agreed" } });
  expect([isAsked, requests().length, readdirSync(agentHome, { recursive: true })]).toEqual([1, 3, before]);
});

test("a load that loses the history is an error, and nothing is sent", async () => {
  const { open, agentHome, sessions, events } = drivenPlace();
  const agent = await open();
  await agent.prompt("One");
  const file = agent.session.getSessionFile() as string;
  const before = told(agent);
  await agent.dispose();
  const again = await open({ habits: "empty-load" }, SessionManager.open(file, sessions));
  expect(await again.prompt("Two")).toMatchObject({
    kind: "failed",
    failure: { message: "Scripted loaded the conversation without its last prompt" },
  });
  expect(told(again)).toEqual(before);
  expect(readFileSync(join(agentHome, "requests.jsonl"), "utf8").trim().split("\n")).toHaveLength(1);
  // The text goes back to the user.
  expect(events.filter(({ type }) => type === "queue_returned")).toMatchObject([{ steering: ["Two"] }]);
});

test("questions are answered by rules first, then by the user, and never for longer than one call", async () => {
  const { open, read, questions } = drivenPlace();
  const agent = await open({ deny: ["edit(secret.txt)"] });
  await agent.prompt(steps(["ask", "a.txt", "asked\n"], ["ask", "secret.txt", "x"], ["say", "Done."]));
  expect([read(), read("secret.txt")]).toEqual(["asked\n", undefined]);
  expect(questions.map((path) => path.split("/").at(-1))).toEqual(["a.txt"]);
  expect(told(agent).at(-1)).toMatch(/^toolResult: Refused by rule deny edit\(secret\.txt\)/);
  // Without an answer for once, the call is refused rather than allowed for good.
  await agent.prompt(steps(["ask", "a.txt", "always\n", ["allow_always", "reject_once"]]));
  expect(read()).toBe("asked\n");
});

test("what was refused is in the session, and is not given back to the agent as its model's", async () => {
  const { open, requests } = drivenPlace();
  const agent = await open({ answer: "no" });
  const outcome = await agent.prompt(steps(["ask", "a.txt", "x"], ["say", "Then not."]));
  expect(outcome.kind).toBe("done");
  const leaf = agent.session.getLeafId() as EntryId;
  expect(told(agent).slice(1)).toEqual([
    "assistant: Then not.",
    "assistant: toolCall",
    expect.stringMatching(/^toolResult: The user said no/),
  ]);
  await agent.prompt("Go on");
  await agent.navigateTree(leaf);
  await agent.prompt("Go on differently");
  expect(
    requests()
      .at(-1)
      ?.map(([role]) => role),
  ).toEqual(["user", "assistant", "user"]);
});

test.each([
  ["is never reported", "hidden"],
  ["is reported after its end", "backwards"],
  ["never ends", "endless"],
])("a call that %s is in the session, with its files", async (_what, step) => {
  const { open } = drivenPlace();
  const agent = await open();
  await agent.prompt(steps([step, "a.txt", "new\n"], ["say", "Done."]));
  expect(told(agent).slice(1)).toEqual([
    "assistant: toolCall",
    "toolResult: written",
    "files by tool: a.txt",
    "assistant: Done.",
  ]);
});

test("nothing an agent sends breaks the turn", async () => {
  const { open, events } = drivenPlace();
  const agent = await open();
  const prompt = steps(
    ["garbage"],
    ["odd"],
    ["unsupported"],
    ["flood", 2000, 100],
    ["repeat", 200, 10_000],
    ["huge", 65],
    ["say", "\u001b[31mFine.\u001b[0m"],
  );
  expect(await agent.prompt(prompt)).toMatchObject({ kind: "done" });
  expect(told(agent).slice(1)).toEqual(["assistant: \u001b[31mFine.\u001b[0m"]);
  expect(events.flatMap((event) => (event.type === "notice" ? [event.message] : []))).toEqual([
    "Scripted printed something that is not a message: Starting up…",
  ]);
});

test("a stopped turn keeps what was shown, and the next prompt continues", async () => {
  const { open, requests } = drivenPlace();
  const agent = await open();
  const stop = agent.subscribe((event) => {
    if (event.type === "message_update" && event.delta.includes("half")) agent.abort();
  });
  expect(await agent.prompt(steps(["say", "Whole."], ["whisper", "Only half of"], ["wait"]))).toEqual({
    kind: "aborted",
  });
  stop();
  expect(told(agent).slice(1)).toEqual(["assistant: Whole.", "assistant (aborted): Only half of"]);
  await agent.prompt("Go on");
  expect(requests().at(-1)?.slice(-1)).toEqual([["user", "Go on"]]);
});

test("an agent that does not stop is ended, and started again by the next prompt", async () => {
  const { open } = drivenPlace();
  const agent = await open({ habits: "deaf", limits: { cancel: 50 } });
  const stop = agent.subscribe((event) => {
    if (event.type === "message_update") agent.abort();
  });
  expect(await agent.prompt(steps(["whisper", "Working"], ["wait"]))).toEqual({ kind: "aborted" });
  stop();
  expect(told(agent).slice(1)).toEqual(["assistant (aborted): Working"]);
  expect(await agent.prompt("Again")).toMatchObject({ kind: "done" });
});

test("an agent that dies keeps what was shown, and is started again by the next prompt", async () => {
  const { open, read, requests } = drivenPlace();
  const agent = await open();
  expect(await agent.prompt(steps(["write", "a.txt", "one\n"], ["whisper", "And now"], ["die"]))).toMatchObject({
    kind: "failed",
    failure: { message: "Scripted was ended by SIGKILL" },
  });
  expect(told(agent).slice(1)).toEqual([
    "assistant: toolCall",
    "toolResult: written",
    "files by tool: a.txt",
    "assistant (aborted): And now",
  ]);
  expect(await agent.prompt("Again")).toMatchObject({ kind: "done" });
  expect([read(), requests().at(-1)?.at(-1)]).toEqual(["one\n", ["user", "Again"]]);
});

test("without a transcript, the turn is recorded from the protocol", async () => {
  const { open } = drivenPlace();
  const agent = await open({ habits: "no-transcript" });
  await agent.prompt(steps(["think", "Hm."], ["say", "I will."], ["write", "a.txt", "one\n"], ["say", "Done."]));
  expect(told(agent).slice(1)).toEqual([
    "assistant: thinking I will. toolCall",
    expect.stringMatching(/^toolResult: /),
    "files by tool: a.txt",
    "assistant: Done.",
  ]);
});

test("what the agent's own program added in the meantime comes in as a branch", async () => {
  const { open, requests, transcript, events } = drivenPlace();
  const agent = await open();
  await agent.prompt("One");
  const leaf = agent.session.getLeafId() as EntryId;
  const last = JSON.parse(readFileSync(transcript(), "utf8").trim().split("\n").at(-1) as string) as { id: string };
  const message = { role: "user", content: "Typed elsewhere", timestamp: 1 };
  appendFileSync(
    transcript(),
    `${JSON.stringify({ type: "message", id: "abcd1234", parentId: last.id, timestamp: "2026-01-01T00:00:00.000Z", message })}\n`,
  );
  await agent.prompt("Two");
  expect(requests().at(-1)).toEqual([
    ["user", "One"],
    ["assistant", "You said: One"],
    ["user", "Two"],
  ]);
  const added = agent.session.getChildren(leaf).find(({ type }) => type === "message");
  expect(added).toMatchObject({ message: { content: "Typed elsewhere" } });
  expect(events.flatMap((event) => (event.type === "notice" ? [event.message] : []))).toEqual([
    "Scripted continued this conversation by itself: 1 entry added as a branch",
  ]);
});

test("a deleted transcript is written again", async () => {
  const { open, requests, transcript } = drivenPlace();
  const agent = await open();
  await agent.prompt("One");
  rmSync(transcript());
  await agent.prompt("Two");
  expect(requests().at(-1)).toEqual([
    ["user", "One"],
    ["assistant", "You said: One"],
    ["user", "Two"],
  ]);
});

test("queued texts are the next prompts", async () => {
  const { open, requests } = drivenPlace();
  const agent = await open();
  const stop = agent.subscribe((event) => {
    if (event.type !== "prompt_sent") return;
    stop();
    agent.steer("Two");
    agent.followUp("Three");
  });
  await agent.prompt("One");
  expect(
    requests()
      .at(-1)
      ?.filter(([role]) => role === "user"),
  ).toEqual([
    ["user", "One"],
    ["user", "Two"],
    ["user", "Three"],
  ]);
});

test("plan mode needs a mode of the agent's own", async () => {
  const { open } = drivenPlace();
  const agent = await open({ permission: "plan" });
  expect(await agent.prompt("Plan")).toMatchObject({
    kind: "failed",
    failure: { message: "Scripted cannot be kept from changing files, so mode plan would not hold" },
  });
  const planning = await open({ permission: "plan", modes: { plan: "quiet" } });
  await planning.prompt(steps(["mode"]));
  planning.setPermissionMode("ask");
  await planning.prompt(steps(["mode"]));
  expect(told(planning).filter((line) => line.startsWith("assistant"))).toEqual([
    "assistant: quiet",
    "assistant: normal",
  ]);
});

test.each([
  ["dies at start", { habits: "dies-at-start" }, "Scripted exited with code 3", "Its last words: no such planet"],
  [
    "is not installed",
    { command: ["no-such-agent"], install: "npm install -g it" },
    "Could not start Scripted: command not found: no-such-agent",
    "npm install -g it",
  ],
  [
    "speaks another protocol",
    { habits: "old-protocol", install: "Update it." },
    "Scripted speaks version 0 of the protocol, not 1",
    "Update it.",
  ],
  ["hangs at start", { habits: "hang-start", limits: { start: 300 } }, "Scripted did not start within 0 s", undefined],
  ["needs a login", { habits: "login", login: "it login" }, "Scripted is not logged in", "Log in with: it login"],
] as const)("an agent that %s", async (_what, opening, message, hint) => {
  const { open } = drivenPlace();
  const agent = await open(opening as Opening);
  const outcome = await agent.prompt("Hello");
  expect(outcome).toMatchObject({ kind: "failed", failure: { message, ...(hint === undefined ? {} : { hint }) } });
  expect(agent.session.getEntries()).toEqual([]);
});

test("errors of a turn are told, and its prompt is kept", async () => {
  const { open } = drivenPlace();
  const agent = await open();
  expect(await agent.prompt(steps(["error", -32_000, "expired"]))).toMatchObject({
    kind: "failed",
    failure: { kind: "auth", message: "Scripted is not logged in" },
  });
  expect(told(agent)).toEqual([`user: ${steps(["error", -32_000, "expired"])}`]);
});

const KILLED = fileURLToPath(new URL("../../../../../test/support/killed-driver.mjs", import.meta.url));

test.each([
  ["while the agent works", "shown"],
  ["in the middle of adding", "4"],
])("Bough killed %s: the next start adds the whole turn, once", (_when, when) => {
  const { root, home, agentHome, sessions, open } = drivenPlace();
  const session = SessionManager.create(root, sessions);
  const file = session.getSessionFile() as string;
  session.close();
  const work = [
    ["say", "I will."],
    ["write", "a.txt", "one\n"],
    ["say", "Done."],
  ] as const;
  const ending = when === "shown" ? [["whisper", "Only half of"], ["wait"]] : [];
  const prompt = steps(...work, ...ending);
  const killed = spawnSync(process.execPath, [KILLED, file, root, agentHome, home, when, prompt], {
    cwd: root,
    encoding: "utf8",
  });
  expect({ signal: killed.signal, stderr: killed.stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
  return checkSettled();

  async function checkSettled(): Promise<void> {
    const again = await open({}, SessionManager.open(file, sessions));
    const expected = [
      `user: ${prompt}`.slice(0, 60),
      "assistant: I will.",
      "assistant: toolCall",
      "toolResult: written",
      ...(when === "shown" ? [] : ["files by tool: a.txt"]),
      "assistant: Done.",
      // Nothing was scanned yet, so it is only known that the turn changed them.
      ...(when === "shown" ? ["assistant (aborted): Only half of", "files by tool: a.txt"] : []),
    ];
    expect(told(again)).toEqual(expected);
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith(".turn"))).toEqual([]);
    await again.prompt("Go on");
    expect(told(again).slice(0, -2)).toEqual(expected);
  }
});

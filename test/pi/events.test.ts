/** Extensions written for pi that listen to events. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lines } from "@bough/agent/agent/agent-harness.test-support.js";
import { expect, test } from "vitest";
import { sit } from "./pi-seat.js";

const bash = (command: string) => [{ call: "bash", input: { command } }];

test("event-log: hears everything, in order", async () => {
  const seat = await sit({ extensions: ["event-log.ts"], steps: [bash("echo hi"), "done"] });
  await seat.send("go");
  await seat.started.close();
  const log = readFileSync(join(seat.cwd, "events.log"), "utf8").trim().split("\n");
  expect(log).toEqual([
    "session_start",
    "input",
    "before_agent_start",
    "agent_start",
    "message_start:user",
    "message_end:user",
    "turn_start",
    "context",
    "message_start:assistant",
    "message_end:assistant",
    "tool_execution_start",
    "tool_call",
    "tool_result",
    "tool_execution_end",
    "message_start:toolResult",
    "message_end:toolResult",
    "turn_end:assistant",
    "turn_start",
    "context",
    "message_start:assistant",
    "message_end:assistant",
    "turn_end:assistant",
    "agent_end",
    "agent_settled",
    "session_shutdown",
  ]);
});

test("start-and-end: is told why a session starts and ends", async () => {
  const seat = await sit({ extensions: ["start-and-end.ts"] });
  expect(seat.said).toEqual(["info: started: startup"]);
  await seat.started.close();
  expect(readFileSync(join(seat.cwd, "ended.txt"), "utf8")).toBe("quit\n");
});

test("unsubscribe: hears one turn and no other", async () => {
  const seat = await sit({ extensions: ["unsubscribe.ts"], steps: [bash("true"), "done", "again"] });
  await seat.send("go");
  await seat.send("go on");
  expect(seat.said).toEqual(["info: a turn"]);
});

test("pirate-prompt: changes the system prompt of the runs it is switched on for", async () => {
  const seat = await sit({ extensions: ["pirate-prompt.ts"], steps: ["hi", "arr", "hi"] });
  await seat.send("hello");
  await seat.send("/pirate");
  await seat.send("hello");
  await seat.send("/pirate");
  await seat.send("hello");
  expect([1, 2, 3].map((number) => seat.told(number).includes("Answer like a pirate."))).toEqual([false, true, false]);
  expect(seat.said).toEqual(["info: Arrr", "info: Back to normal"]);
});

test("daily-note: puts a message before the model with the prompt", async () => {
  const seat = await sit({ extensions: ["daily-note.ts"], steps: ["hi"] });
  await seat.send("hello");
  expect(seat.told(1)).toContain("The prompt has 5 characters.");
  expect(lines(seat.started.agent.session)).toEqual([
    "model_change",
    "user: hello",
    "custom: The prompt has 5 characters.",
    "assistant(stop): hi",
  ]);
});

test("house-rules: adds to the prompt by its options", async () => {
  const seat = await sit({ extensions: ["house-rules.ts"], steps: ["hi", "hi"] });
  await seat.send("hello");
  expect(seat.told(1)).toContain("Prefer tabs over spaces.");
  expect(seat.told(1)).toContain("<glossary>\\nA bough is a branch.\\n</glossary>");
  await seat.send("again");
  expect(seat.told(2).split("Prefer tabs over spaces.")).toHaveLength(2);
});

test("forget-notes: filters what the model is shown; the session keeps it", async () => {
  const seat = await sit({ extensions: ["forget-notes.ts"], steps: ["hi"] });
  await seat.send("/scratch buy string");
  await seat.send("hello");
  expect(seat.told(1)).not.toContain("buy string");
  expect(lines(seat.started.agent.session)).toContain("custom: buy string");
});

test("shout-context: changes messages for the request alone", async () => {
  const seat = await sit({ extensions: ["shout-context.ts"], steps: ["hi"] });
  await seat.send("hello tree");
  expect(seat.told(1)).toContain("HELLO TREE");
  expect(lines(seat.started.agent.session)).toContain("user: hello tree");
});

test("payload: changes the request and hears of the response", async () => {
  const seat = await sit({ extensions: ["payload.ts"], steps: ["hi"] });
  await seat.send("hello");
  expect(seat.request(1)).toMatchObject({ temperature: 0.25 });
  expect(seat.server.requests[0]?.headers["x-trace"]).toBe("trace-7");
  expect(seat.said).toEqual(["info: status 200"]);
});

test("redact-answers: replaces an answer before it is kept", async () => {
  const seat = await sit({ extensions: ["redact-answers.ts"], steps: ["the word is swordfish", "ok"] });
  await seat.send("what is the word");
  await seat.send("and now");
  expect(lines(seat.started.agent.session)).toContain("assistant(stop): the word is ***");
  expect(seat.told(2)).not.toContain("swordfish");
});

test("count-deltas: sees an answer arrive", async () => {
  const seat = await sit({ extensions: ["count-deltas.ts"], steps: ["four words of text"] });
  await seat.send("go");
  expect(seat.said).toEqual(["info: 2 pieces: four words of text; 2 messages"]);
});

test("turn-stats: knows the turn, its tools and its cost", async () => {
  const seat = await sit({ extensions: ["turn-stats.ts"], steps: [bash("true"), "done"] });
  await seat.send("go");
  expect(seat.said).toEqual(["info: turn 0: 1 tools, $0.07", "info: turn 1: 0 tools, $0.14"]);
});

test("guard-rm: blocks, asks, and lets through", async () => {
  const steps = [bash("rm -rf build"), bash("git push"), bash("git push # again"), bash("echo fine"), "done"];
  const seat = await sit({ extensions: ["guard-rm.ts"], steps, answers: ["No", "Yes"] });
  await seat.send("go");
  const results = lines(seat.started.agent.session).filter((line) => line.startsWith("result"));
  expect(results[0]).toBe("result#bash-1!: Folders are not deleted here.");
  expect(results[1]).toBe("result#bash-1!: The user does not want to push.");
  expect(results[2]).toMatch(/not a git repository|git: command not found/);
  expect(results[3]).toBe("result#bash-1: fine");
  expect(seat.said).toEqual(["select: Push to the server? Yes | No", "select: Push to the server? Yes | No"]);
});

test("guard-rm: without a user nothing is pushed", async () => {
  const seat = await sit({ extensions: ["guard-rm.ts"], steps: [bash("git push"), "done"] });
  await seat.send("go");
  expect(lines(seat.started.agent.session)).toContain("result#bash-1!: Nobody can be asked.");
});

test("broken-guard: a guard that fails blocks the call and is named", async () => {
  const seat = await sit({ extensions: ["broken-guard.ts"], steps: [bash("echo ran > ran.txt"), "done"] });
  await seat.send("go");
  const result = lines(seat.started.agent.session).find((line) => line.startsWith("result")) ?? "";
  expect(result).toContain("broken-guard");
  expect(result).toContain("the guard is ill");
  expect(() => readFileSync(join(seat.cwd, "ran.txt"))).toThrow();
  expect(seat.problems.join()).toContain("the guard is ill");
});

test("patch-command: changes the input of a call in place", async () => {
  const seat = await sit({ extensions: ["patch-command.ts"], steps: [bash("echo $WHO"), "done"] });
  await seat.send("go");
  expect(lines(seat.started.agent.session)).toContain("result#bash-1: patched");
});

test("sign-results: changes results and whether they failed", async () => {
  const steps = [bash("echo hi"), [{ call: "read", input: { path: "old.txt" } }], "done"];
  const seat = await sit({ extensions: ["sign-results.ts"], steps });
  writeFileSync(join(seat.cwd, "old.txt"), "rotten apples\n");
  await seat.send("go");
  const results = lines(seat.started.agent.session).filter((line) => line.startsWith("result"));
  expect(results).toEqual(["result#bash-1: hi | -- signed", "result#read-1!: It is not fit to read."]);
});

test("watch-tools: follows a tool to its end", async () => {
  const seat = await sit({
    extensions: ["watch-tools.ts", "countdown.ts"],
    steps: [[{ call: "countdown", input: { from: 2 } }], "done"],
  });
  await seat.send("go");
  expect(seat.said).toEqual([
    'info: start countdown {"from":2}',
    "info: update countdown at 2",
    "info: update countdown at 1",
    "info: end countdown fine",
  ]);
});

test("quick-input: transforms, handles, and continues", async () => {
  const seat = await sit({ extensions: ["quick-input.ts"], steps: ["green", "hello"] });
  await seat.send("ping");
  expect([seat.said, seat.server.requests.length]).toEqual([["info: pong"], 0]);
  await seat.send("? what is moss");
  await seat.send("hi");
  expect(seat.told(1)).toContain("In one sentence: what is moss");
  expect(lines(seat.started.agent.session).filter((line) => line.startsWith("user"))).toEqual([
    "user: In one sentence: what is moss",
    "user: hi",
  ]);
});

test("shell-tricks: answers a command of the user, or runs it elsewhere", async () => {
  const seat = await sit({ extensions: ["shell-tricks.ts"] });
  const { agent } = seat.started;
  expect((await agent.runBash("fortune")).message).toMatchObject({ output: "You will write a test.", exitCode: 0 });
  expect((await agent.runBash("loud echo quiet")).message.output).toContain("QUIET");
  expect((await agent.runBash("echo as it is")).message.output).toContain("as it is");
});

test("watch-model: chooses models by pi's description of them", async () => {
  const seat = await sit({ extensions: ["watch-model.ts"], steps: ["hi"] });
  await seat.send("/use wire/second");
  await seat.send("/use wire/nothing");
  await seat.send("/think high");
  await seat.send("hello");
  expect([...seat.said].sort()).toEqual([
    "error: no model wire/nothing",
    "info: first -> second (text only, 8000 out, $1000)",
    "info: level high",
    "info: now second",
    "info: thinking off -> high",
  ]);
  expect(seat.request(1)).toMatchObject({ model: "second" });
});

test("one-more: has the model go on once before it settles", async () => {
  const seat = await sit({ extensions: ["one-more.ts"], steps: ["done", "checked", "second", "checked too"] });
  await seat.send("work");
  expect(lines(seat.started.agent.session)).toEqual([
    "model_change",
    "user: work",
    "assistant(stop): done",
    "custom: Check your work once more.",
    "assistant(stop): checked",
  ]);
  await seat.send("more");
  expect(seat.server.requests).toHaveLength(4);
});

test("settled: is told once nothing more will happen", async () => {
  const seat = await sit({ extensions: ["settled.ts"], steps: [bash("true"), "done"] });
  await seat.send("go");
  expect(seat.said).toEqual(["info: settled, idle"]);
});

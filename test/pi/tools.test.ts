/** Extensions written for pi that bring tools. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lines } from "@bough/agent/agent/agent-harness.test-support.js";
import { expect, test } from "vitest";
import { type Seat, sit } from "./pi-seat.js";

const results = ({ started }: Seat) => lines(started.agent.session).filter((line) => line.startsWith("result"));
const details = ({ started }: Seat) =>
  started.agent.session
    .getBranch()
    .flatMap((entry) =>
      entry.type === "message" && entry.message.role === "toolResult" ? [entry.message.details] : [],
    );
const toolNames = (seat: Seat, request: number) => seat.request(request).tools?.map((tool) => tool.function.name) ?? [];

test("hello-tool: is called with checked input, and its details are kept", async () => {
  const call = (input: object) => [{ call: "hello", input }];
  const steps = [call({ name: "Oak", times: 2 }), call({ times: 1 }), "done"];
  const seat = await sit({ extensions: ["hello-tool.ts"], steps });
  await seat.send("go");
  expect(seat.request(1).tools?.find((tool) => tool.function.name === "hello")?.function).toMatchObject({
    description: "Greets somebody",
    parameters: { type: "object", required: ["name"], properties: { name: { description: "Who is greeted" } } },
  });
  const [first, second] = results(seat);
  expect(first).toBe("result#hello-1: Hello, Oak! Hello, Oak!");
  expect(second).toMatch(/^result#hello-1!: .*name/);
  expect(details(seat)[0]).toEqual({ greeted: "Oak" });
});

test("hello-tool: a tool of an extension asks before it runs", async () => {
  const steps = [[{ call: "hello", input: { name: "Oak" } }], "done"];
  const seat = await sit({ extensions: ["hello-tool.ts"], steps, request: { permissionMode: "read-only" } });
  await seat.send("go");
  expect(results(seat)[0]).toMatch(/^result#hello-1!: .*read-only/);
});

test("late-tools: the model gets tools that are registered or chosen later", async () => {
  const steps = ["one", "two", "three"];
  const seat = await sit({ extensions: ["late-tools.ts"], steps });
  await seat.send("first");
  await seat.send("/learn graft");
  await seat.send("second");
  await seat.send("/only read graft nonsense");
  await seat.send("third");
  expect(seat.said).toEqual([
    "info: learned Does graft",
    expect.stringMatching(/^info: active: (read, graft|graft, read)$/),
  ]);
  expect([1, 2].map((number) => toolNames(seat, number).includes("graft"))).toEqual([false, true]);
  expect(toolNames(seat, 3).sort()).toEqual(["graft", "read"]);
});

test("logged-read: takes the place of a built-in tool", async () => {
  const steps = [
    [
      { call: "read", input: { path: "notes.txt" } },
      { call: "read", input: { path: "secret.txt" } },
    ],
    "done",
  ];
  const seat = await sit({ extensions: ["logged-read.ts"], steps });
  await seat.send("go");
  expect(results(seat).map((line) => line.trim())).toEqual([
    "result#read-1: water the oak",
    "result#read-2: Access denied.",
  ]);
  expect(readFileSync(join(seat.cwd, "reads.log"), "utf8").split("\n").sort()).toEqual(["", "notes.txt", "secret.txt"]);
});

test("countdown: tells how far it is", async () => {
  const seat = await sit({
    extensions: ["countdown.ts"],
    steps: [[{ call: "countdown", input: { from: 3 } }], "done"],
  });
  const seen: string[] = [];
  seat.started.listen((event) => {
    if (event.type === "tool_update") seen.push(JSON.stringify(event));
  });
  await seat.send("go");
  expect(seen.join()).toMatch(/at 3.*at 2.*at 1/s);
  expect(results(seat)).toEqual(["result#countdown-1: lift-off"]);
});

test("final-answer: repairs its arguments and ends the run", async () => {
  const steps = [[{ call: "report", input: { title: "Oaks", points: "they are slow" } }]];
  const seat = await sit({ extensions: ["final-answer.ts"], steps });
  await seat.send("go");
  expect(results(seat)).toEqual(["result#report-1: Oaks: 1 point(s)"]);
  expect(seat.server.requests).toHaveLength(1);
});

test("failing-tool: what it throws is told to the model", async () => {
  const seat = await sit({ extensions: ["failing-tool.ts"], steps: [[{ call: "fragile" }], "done"] });
  await seat.send("go");
  expect(results(seat)).toEqual(["result#fragile-1!: it broke in two"]);
});

test("big-output: cuts its output and changes a file one call at a time", async () => {
  const counts = [5, 2, 4];
  const steps = [counts.map((count) => ({ call: "numbers", input: { count } })), "done"];
  const seat = await sit({ extensions: ["big-output.ts"], steps });
  await seat.send("go");
  expect(results(seat)[0]).toBe("result#numbers-1: number 1\nnumber 2\nnumber 3\n[3 of 5 lines, 44B]");
  expect(results(seat)[1]).toBe("result#numbers-2: number 1\nnumber 2");
  expect(readFileSync(join(seat.cwd, "numbers.txt"), "utf8").split(";").sort()).toEqual(["", "2", "4", "5"]);
});

test("bash-hook: changes the command and the environment", async () => {
  const seat = await sit({
    extensions: ["bash-hook.ts"],
    steps: [[{ call: "bash", input: { command: "echo $COLOUR" } }], "done"],
  });
  await seat.send("go");
  expect(results(seat)).toEqual(["result#bash-1: hooked\nteal"]);
});

test("memory-files: our tools over files and a shell that are elsewhere", async () => {
  const steps = [
    [{ call: "write", input: { path: "tree.txt", content: "oak\nash\n" } }],
    [{ call: "edit", input: { path: "tree.txt", edits: [{ oldText: "ash", newText: "elm" }] } }],
    [{ call: "read", input: { path: "tree.txt" } }],
    [{ call: "read", input: { path: "none.txt" } }],
    [{ call: "bash", input: { command: "count" } }],
    [{ call: "bash", input: { command: "false" } }],
    "done",
  ];
  const seat = await sit({ extensions: ["memory-files.ts"], steps });
  writeFileSync(join(seat.cwd, "none.txt"), "on the disk");
  await seat.send("go");
  const [write, edit, read, missing, bash, failed] = results(seat);
  expect([write, edit]).toEqual([
    "result#write-1: Wrote 8 bytes to tree.txt",
    "result#edit-1: Replaced 1 block(s) in tree.txt",
  ]);
  expect(read).toBe("result#read-1: oak\nelm\n");
  expect(missing).toContain("no such file in memory: /memory/none.txt");
  expect(bash).toBe("result#bash-1: count over 1 file(s)\n");
  expect(failed).toMatch(/^result#bash-1!: false over 1 file\(s\)[\s\S]*code 1$/);
  expect(details(seat)[1]).toMatchObject({ patch: expect.stringContaining("+elm") });
});

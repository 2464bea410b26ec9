/** Extensions written for pi with commands, flags, messages, programs, models and each other. */

import { lines } from "@bough/agent/agent/agent-harness.test-support.js";
import { expect, test } from "vitest";
import { reply, sit } from "./pi-seat.js";

test("commands: take arguments, complete them, list each other, and fail by name", async () => {
  const seat = await sit({ extensions: ["commands.ts"] });
  await seat.send("/visit garden");
  await seat.send("/list-commands");
  expect(seat.said).toEqual([
    "info: visited garden",
    "info: visit (extension), list-commands (extension), fail (extension)",
  ]);
  await expect(seat.send("/fail")).rejects.toThrow("this command does not work");
  expect(seat.server.requests).toHaveLength(0);
  const { registrations } = seat.started.parts.runner;
  const visit = registrations.command("visit")?.value as
    | { getArgumentCompletions?(prefix: string): unknown }
    | undefined;
  expect(await visit?.getArgumentCompletions?.("gar")).toEqual([
    { value: "garden", label: "garden" },
    { value: "garage", label: "garage" },
  ]);
});

test("flags: have their defaults", async () => {
  const seat = await sit({ extensions: ["flags.ts"] });
  expect(seat.said).toEqual(["info: quiet false, region north, other undefined"]);
});

test("say-things: messages of every kind reach the model as they should", async () => {
  const seat = await sit({ extensions: ["say-things.ts"], steps: ["one", "two", "three", "four"] });
  await seat.send("/ask what is bark");
  await seat.send("/ask-blocks and roots");
  await seat.send("/tell bark is skin");
  await seat.send("/tell-later roots drink");
  await seat.send("/tell-now leaves eat");
  expect(seat.told(3)).toContain("bark is skin");
  expect(seat.told(3)).toContain("leaves eat");
  await seat.send("and now");
  expect(seat.told(4)).toContain("roots drink");
  const said = lines(seat.started.agent.session).filter((line) => !line.startsWith("assistant"));
  expect(said.slice(0, 2)).toEqual(["model_change", "user: what is bark"]);
  expect(said).toContain("custom: bark is skin");
  expect(seat.server.requests).toHaveLength(4);
});

test("steer: speaks to the model before its next step", async () => {
  const steps = [[{ call: "bash", input: { command: "true" } }], "done"];
  const seat = await sit({ extensions: ["steer.ts"], steps });
  await seat.send("go");
  expect(seat.told(2)).toContain("Be quick.");
  expect(seat.server.requests).toHaveLength(2);
});

test("run-git: runs programs, with their exit code and a time limit", async () => {
  const seat = await sit({ extensions: ["run-git.ts"] });
  await seat.send("/run echo hi");
  await seat.send("/run ls nothing-here");
  await seat.send("/run sleep 30");
  const [echo, ls, sleep] = seat.said.map((line) => JSON.parse(line.replace("info: ", "")) as Record<string, unknown>);
  expect(echo).toEqual({ out: "hi", err: "", code: 0, killed: false });
  expect(ls).toMatchObject({ code: 2, killed: false, err: expect.stringContaining("nothing-here") });
  expect(sleep).toMatchObject({ killed: true });
});

test("bus-bell and bus-visitor: talk to each other", async () => {
  const seat = await sit({ extensions: ["bus-bell.ts", "bus-visitor.ts"] });
  await seat.send("/ring 2");
  await seat.send("/ring 3");
  await seat.send("/mute");
  await seat.send("/ring 4");
  expect(seat.said).toEqual(["info: heard 2", "info: heard 5", "info: heard 5"]);
});

test("second-opinion: asks models outside of the conversation", async () => {
  const seat = await sit({ extensions: ["second-opinion.ts"], steps: ["one", "a", "b", "c", "d"] });
  await seat.send("first");
  await seat.send("/opinion is it good");
  expect(seat.said).toEqual(["info: a|b|c|d", "info: stop, priced"]);
  expect(seat.told(2)).toContain("You are a critic.");
  expect(seat.told(2)).toContain("[User]: first\\n\\n[Assistant]: one\\n\\nis it good");
  expect(lines(seat.started.agent.session)).toHaveLength(3);
});

test("second-opinion: a model that fails says so", async () => {
  const seat = await sit({ extensions: ["second-opinion.ts"], steps: ["one"] });
  await seat.send("first");
  seat.server.reply(
    { status: 401, body: JSON.stringify({ error: { message: "no", type: "auth" } }) },
    ...["b", "c", "d"].map(reply),
  );
  await seat.send("/opinion is it good");
  expect(seat.said).toEqual(["info: |b|c|d", "info: error, free"]);
});

test("unsupported: what Bough does not have throws when it is used, and says what to use", async () => {
  const seat = await sit({ extensions: ["unsupported.ts"] });
  expect(seat.problems).toEqual([]);
  await expect(seat.send("/embed")).rejects.toThrow(
    "createAgentSession of pi is not available in Bough. Use createAgentSession from bough/agent.",
  );
  await expect(seat.send("/client")).rejects.toThrow("RpcClient of pi is not available in Bough.");
});

test("clash: a command with the name of a built-in one has a longer name, and says so", async () => {
  const seat = await sit({ extensions: ["clash.ts"] });
  expect(seat.problems).toEqual(["clash register: /tree is a built-in command; this extension's is /tree:clash"]);
  await seat.send("/tree:clash oak");
  expect(seat.said).toEqual(["info: my own tree: oak"]);
});

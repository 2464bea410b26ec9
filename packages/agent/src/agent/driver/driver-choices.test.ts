/** Which agent does the next turn, and with which of its own models. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { EntryId } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { scriptedModel } from "../scripted-model.test-support.js";
import { drivenPlace, steps, told } from "./driven-place.test-support.js";

const driversOn = (session: SessionManager) =>
  session.getBranch().flatMap((entry) => {
    if (entry.type !== "custom" || entry.customType !== "bough.driver") return [];
    const { agent, model, effort } = entry.data as Readonly<Record<string, unknown>>;
    return [[agent, model, effort]];
  });

test("an agent takes over in a running session, is given the path, and hands it back to Bough's own model", async () => {
  const { open, driver, requests, events } = drivenPlace();
  const agent = await open();
  await agent.setDriver(undefined);
  const model = scriptedModel([{ text: "From the model." }, { text: "From it again." }]);
  agent.setModel(model);
  await agent.prompt("One");
  const given: string[] = [];
  await agent.setDriver(driver(), {
    beforeGiven: async (session) => void given.push(session.getSessionId()),
  });
  expect(agent.driver?.title).toBe("Scripted");
  await agent.prompt("Two");
  await agent.setDriver(undefined);
  await agent.prompt("Three");
  expect(requests()).toEqual([
    [
      ["user", "One"],
      ["assistant", "From the model."],
      ["user", "Two"],
    ],
  ]);
  expect(given).toEqual([agent.session.getSessionId()]);
  expect(told(agent)).toEqual([
    "user: One",
    "assistant: From the model.",
    "user: Two",
    "assistant: You said: Two",
    "user: Three",
    "assistant: From it again.",
  ]);
  expect(events.flatMap((event) => (event.type === "driver_changed" ? [event.driver] : []))).toEqual([
    null,
    "pi",
    null,
  ]);
});

test("the agent cannot be changed while something runs, and nothing is sent after a no", async () => {
  const { open, driver } = drivenPlace();
  const agent = await open();
  const sent = new Promise<void>((resolve) => agent.subscribe(({ type }) => type === "prompt_sent" && resolve()));
  const running = agent.prompt(steps(["wait"]));
  await sent;
  await expect(agent.setDriver(undefined)).rejects.toMatchObject({ code: "busy" });
  agent.abort();
  await running;
  await agent.setDriver(driver({ name: "another" }), {
    beforeGiven: () => Promise.reject(new Error("Not continued")),
  });
  expect(await agent.prompt("Two")).toMatchObject({ kind: "failed", failure: { message: "Not continued" } });
});

test("a model and an effort are chosen among those of the agent, recorded, and used by the next start too", async () => {
  const { open, sessions } = drivenPlace();
  const agent = await open({ habits: "options" });
  const values = (options: Awaited<ReturnType<typeof agent.driverOptions>>) =>
    options.map(({ option, value, values }) => [option, value, values.map(({ id }) => id).join(" ")]);
  expect(values(await agent.driverOptions())).toEqual([
    ["mode", "normal", "normal quiet bold"],
    ["model", "small", "small large"],
  ]);
  // By part of its name; its efforts are known then.
  expect(await agent.setDriverOption({ option: "model", value: "lar" })).toEqual({ id: "large", name: "Large" });
  expect(values(await agent.driverOptions()).slice(1)).toEqual([
    ["model", "large", "small large"],
    ["effort", "low", "low high"],
  ]);
  await agent.setDriverOption({ option: "effort", value: "High" });
  await agent.prompt(steps(["model"]));
  await agent.dispose();
  const again = await open(
    { habits: "options" },
    SessionManager.open(agent.session.getSessionFile() as string, sessions),
  );
  await again.prompt(steps(["model"]));
  expect(told(again).filter((line) => line.startsWith("assistant"))).toEqual([
    "assistant: large high",
    "assistant: large high",
  ]);
  expect(driversOn(again.session)).toEqual([["pi", "large", "high"]]);
  await again.setDriverOption({ option: "model", value: "small" });
  await again.prompt(steps(["model"]));
  expect(told(again).at(-1)).toBe("assistant: small undefined");
  expect(driversOn(again.session).at(-1)).toEqual(["pi", "small", undefined]);
});

test("nothing is sent with another model when the agent no longer has the one that was chosen", async () => {
  const { open, sessions, requests } = drivenPlace();
  const agent = await open({ habits: "options", choices: { model: "large" } });
  await agent.prompt("One");
  await agent.dispose();
  const file = agent.session.getSessionFile() as string;
  const again = await open({ habits: "old-models" }, SessionManager.open(file, sessions));
  expect(await again.prompt("Two")).toMatchObject({
    kind: "failed",
    failure: { message: "Scripted does not offer the model large", hint: "Choose one of: small" },
  });
  expect(requests()).toHaveLength(1);
  await again.setDriverOption({ option: "model", value: "small" });
  expect(await again.prompt("Two")).toMatchObject({ kind: "done" });
});

test("a branch that was given to the agent is used by the next start, even if nothing was sent", async () => {
  const { open, agentHome, sessions } = drivenPlace();
  const transcripts = () =>
    readdirSync(join(agentHome, ".pi/agent/sessions"), { recursive: true }).filter((name) =>
      String(name).endsWith("l"),
    );
  const agent = await open({ habits: "options" });
  await agent.prompt("One");
  const first = agent.session.getLeafId() as EntryId;
  await agent.prompt("Two");
  await agent.navigateTree(first);
  await agent.driverOptions();
  expect(transcripts()).toHaveLength(2);
  await agent.dispose();
  const file = agent.session.getSessionFile() as string;
  const again = await open({ habits: "options" }, SessionManager.open(file, sessions));
  await again.prompt("Another two");
  expect(told(again).slice(-2)).toEqual(["user: Another two", "assistant: You said: Another two"]);
  expect(transcripts()).toHaveLength(2);
});

test("a mode of the agent is used until the permission mode changes, and never instead of plan", async () => {
  const { open } = drivenPlace();
  const modes = { plan: "quiet" };
  const agent = await open({ modes });
  await agent.setDriverOption({ option: "mode", value: "quiet" });
  await agent.prompt(steps(["mode"]));
  agent.setPermissionMode("auto");
  await agent.prompt(steps(["mode"]));
  agent.setPermissionMode("plan");
  await agent.setDriverOption({ option: "mode", value: "normal" });
  await agent.prompt(steps(["mode"]));
  expect(told(agent).filter((line) => line.startsWith("assistant"))).toEqual([
    "assistant: quiet",
    "assistant: normal",
    "assistant: quiet",
  ]);
  await expect(agent.setDriverOption({ option: "effort", value: "high" })).rejects.toMatchObject({
    code: "agent-option",
    message: "Scripted offers no choice of effort, so high cannot be used",
  });
});

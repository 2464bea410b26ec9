/** Another agent does the turns: in scripts, for clients of both protocols, and what is left of its sessions. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentsPlace, steps } from "../support/agents-place.js";
import { AcpClient, transcript } from "./acp-client.js";
import { RpcClient } from "./cli-rpc-client.js";
import { sessionFiles } from "./cli-support.js";
import { runHere } from "./run-here.js";

const natives = (folder: string) => {
  const root = join(folder, ".pi/agent/sessions");
  return readdirSync(root, { recursive: true }).filter((name) => String(name).endsWith(".jsonl"));
};

test("a script names the agent, its model and limits; a resume continues with it, and clean deletes its sessions", async () => {
  const { place, folder } = agentsPlace("options delete");
  const auto = ["--permission", "auto"];
  const first = await runHere(place, [
    "-p",
    "--agent",
    "pi",
    "--model",
    "lar",
    "--thinking",
    "high",
    ...auto,
    steps(["model"]),
  ]);
  expect([first.code, first.stdout]).toEqual([0, "large high\n"]);
  expect(first.stderr).toContain("pi edits files and runs commands without asking");
  // Without --agent: who did the last turn, with the model it had.
  const again = await runHere(place, ["-p", "-c", ...auto, steps(["model"])]);
  expect([again.code, again.stdout]).toEqual([0, "large high\n"]);
  const missing = await runHere(place, ["-p", "-c", "--agent", "pi", "--model", "huge", ...auto, "x"]);
  expect([missing.code, missing.stderr]).toEqual([5, expect.stringContaining("pi does not offer the model huge")]);
  const limited = await runHere(place, [
    ...["-p", "-c", "--max-turns", "2", ...auto],
    steps(["write", "a.txt", "1"], ["write", "a.txt", "2"], ["wait"]),
  ]);
  expect([limited.code, limited.stderr]).toEqual([7, expect.stringContaining("Stopped after 2 steps")]);
  const own = await runHere(place, ["-p", "-c", "--agent", "bough", "hello"]);
  expect([own.code, own.stdout]).not.toEqual([0, expect.stringContaining("You said")]);

  expect(natives(folder)).toHaveLength(1);
  const dry = await runHere(place, ["agents", "clean", "--dry-run", "--json"]);
  expect(JSON.parse(dry.stdout)).toMatchObject({ removed: [{ agent: "pi", cwd: place.cwd }], kept: [], failed: [] });
  expect(natives(folder)).toHaveLength(1);
  const cleaned = await runHere(place, ["agents", "clean", "--yes"]);
  expect([cleaned.code, cleaned.stdout]).toEqual([0, expect.stringMatching(/1 session deleted\.\n$/)]);
  expect(natives(folder)).toEqual([]);
});

test("sessions that were continued in the agent's own program are not deleted", async () => {
  const { place, folder } = agentsPlace("delete");
  await runHere(place, ["-p", "--agent", "pi", "--permission", "auto", "hello"]);
  const [name] = natives(folder);
  const file = join(folder, ".pi/agent/sessions", String(name));
  const last = JSON.parse(readFileSync(file, "utf8").trim().split("\n").at(-1) as string);
  const message = { role: "user", content: "More", timestamp: 1 };
  writeFileSync(file, `${JSON.stringify({ ...last, id: "more", parentId: last.id, message })}\n`, { flag: "a" });
  const { stdout } = await runHere(place, ["agents", "clean", "--yes"]);
  expect(stdout).toMatch(/stays: continued in its own program\n0 sessions deleted\.\n$/);
  expect(natives(folder)).toEqual([name]);
});

test("an RPC client changes the agent, is asked before the conversation is sent, and answers its questions", async () => {
  const { place } = agentsPlace("options");
  const client = new RpcClient(place, ["--permission", "ask"], { isHere: true });
  const questions: string[] = [];
  let answer = false;
  client.onQuestion = (method, { title, shown }) => {
    questions.push(`${method} ${title ?? shown}`);
    return method === "ui.confirm" ? answer : "once";
  };
  await client.request("prompt", { text: "hello" });
  expect(await client.request("setDriver", { driver: "pi" })).toMatchObject({ kind: "unchanged", code: "not-agreed" });
  expect(await client.request("getState")).toMatchObject({ driver: null });
  answer = true;
  expect(await client.request("setDriver", { driver: "pi", model: "large" })).toMatchObject({ kind: "done" });
  expect(await client.request("getState")).toMatchObject({ driver: { name: "pi", title: "pi", asks: "never" } });
  const options = await client.request<readonly { option: string; value: string }[]>("driverOptions");
  expect(options.map(({ option, value }) => [option, value])).toEqual([
    ["mode", "normal"],
    ["model", "large"],
    ["effort", "low"],
  ]);
  expect(await client.request("setDriverOption", { option: "effort", value: "high" })).toMatchObject({ id: "high" });
  const text = steps(["model"], ["ask", "b.txt", "b"]);
  expect(await client.request("prompt", { text })).toMatchObject({ kind: "done" });
  expect(questions).toEqual([
    "ui.confirm Continue with pi?",
    "ui.confirm Continue with pi?",
    expect.stringMatching(/^ui\.permission .*b\.txt/),
  ]);
  expect(await client.fault("prompt", { text: "x", output: { type: "object" } })).toMatchObject({
    code: "agent-cannot",
  });
  expect(await client.request("setDriver", { driver: "codex" })).toMatchObject({
    kind: "unchanged",
    code: "agent-missing",
  });
  await client.request("setDriver", { driver: null });
  expect(await client.request("getState")).toMatchObject({ driver: null });
  await client.close();
});

test("an editor drives another agent through Bough, with its models, and forks at a message", async () => {
  const { place } = agentsPlace("options");
  const acp = new AcpClient(place, { args: ["--agent", "pi"], isHere: true });
  const { sessionId } = await acp.begin();
  const settings = await acp.seen((update) => update.sessionUpdate === "config_option_update");
  const { configOptions } = settings as unknown as { configOptions: { id: string; currentValue: string }[] };
  expect(configOptions.map(({ id, currentValue }) => [id, currentValue])).toEqual([
    ["mode", "ask"],
    ["model", "small"],
  ]);
  const prompt = steps(["say", "First."], ["ask", "b.txt", "b"]);
  expect(await acp.say(sessionId, prompt)).toMatchObject({ stopReason: "end_turn" });
  expect(acp.questions).toHaveLength(1);
  expect(readFileSync(join(place.cwd, "b.txt"), "utf8")).toBe("b");
  const history = await acp.load(sessionId);
  expect(transcript(history).slice(0, 2)).toEqual([`user: ${prompt}`, "agent: First."]);
  const fork = await acp.fork(sessionId);
  await acp.say(fork.sessionId, "And now");
  const sent = readFileSync(join(place.env.HOME as string, "requests.jsonl"), "utf8")
    .trim()
    .split("\n")
    .at(-1);
  expect(
    JSON.parse(sent as string)
      .map(([role, text]: string[]) => `${role} ${text ?? ""}`.slice(0, 12))
      .at(-1),
  ).toBe("user And now");
  expect(sessionFiles(place)).toHaveLength(1);
  await acp.end();
});

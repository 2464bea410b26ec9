/** What editors do around sessions: titles, more folders of a workspace, logging out. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { AcpClient } from "./acp-client.js";
import { makePlace } from "./cli-support.js";

test("a title names the session or labels the branch, whether it is open or not", async () => {
  const acp = new AcpClient(makePlace(), { isHere: true });
  const { sessionId } = await acp.begin();
  await acp.say(sessionId, "hello");
  const fork = await acp.fork(sessionId);
  const setTitle = (id: string, title: string) => acp.agent.request("session/set_title", { sessionId: id, title });
  await expect(setTitle(fork.sessionId, "Too early")).rejects.toMatchObject({ code: -32600 });
  await acp.say(fork.sessionId, "another way");
  expect(await setTitle(sessionId, "  Sign-in\u001b[2J\n page ")).toEqual({ title: "Sign-in page" });
  expect(await acp.seen((update) => "title" in update && update.title === "Sign-in page")).toBeDefined();
  expect(await setTitle(fork.sessionId, "Use a library")).toEqual({ title: "Sign-in page › Use a library" });
  for (const id of [sessionId, fork.sessionId]) await acp.agent.request("session/close", { sessionId: id });
  expect((await acp.list()).map(({ title }) => title)).toEqual(["Sign-in page", "Sign-in page › Use a library"]);
  expect(await setTitle(sessionId, "Login")).toEqual({ title: "Login" });
  expect((await acp.list()).map(({ title }) => title)).toEqual(["Login", "Login › Use a library"]);
  await expect(setTitle(sessionId, " \n ")).rejects.toMatchObject({ code: -32602 });
  await expect(setTitle("nope", "x")).rejects.toMatchObject({ code: -32002 });
  await acp.end();
});

test("files in more folders of a workspace are read without a question, others and changes are not", async () => {
  const acp = new AcpClient(makePlace(), { isHere: true });
  const { cwd } = acp.place;
  const [library, other] = [tempFolder(), tempFolder()];
  for (const folder of [library, other]) writeFileSync(join(folder, "a.txt"), "from the library\n");
  const { agentCapabilities } = await acp.initialize();
  expect(agentCapabilities?.sessionCapabilities).toMatchObject({ additionalDirectories: {}, title: {} });
  const open = (additionalDirectories: readonly string[]) =>
    acp.agent.request("session/new", { cwd, mcpServers: [], additionalDirectories: [...additionalDirectories] });
  const { sessionId } = await open([library]);
  acp.onPermission = () => "no";
  await acp.say(sessionId, `read ${join(library, "a.txt")}`);
  expect([acp.questions.length, acp.answer()]).toEqual([0, expect.stringContaining("from the library")]);
  await acp.say(sessionId, `read ${join(other, "a.txt")}`);
  expect(acp.questions).toHaveLength(1);
  await expect(open(["relative"])).rejects.toMatchObject({ code: -32602 });
  // The next load says anew which folders there are.
  await acp.agent.request("session/close", { sessionId });
  await acp.load(sessionId);
  await acp.say(sessionId, `read ${join(library, "a.txt")}`);
  expect(acp.questions).toHaveLength(2);
  await acp.end();
});

test("logging out removes the saved keys of models, and nothing else", async () => {
  const acp = new AcpClient(makePlace(), { isHere: true });
  const file = join(acp.place.home, "auth.json");
  mkdirSync(acp.place.home, { recursive: true });
  writeFileSync(
    file,
    JSON.stringify({ anthropic: { type: "api_key", key: "one" }, openai: { type: "api_key", key: "two" } }),
    {
      mode: 0o600,
    },
  );
  const { agentCapabilities } = await acp.initialize();
  expect(agentCapabilities?.auth).toMatchObject({ logout: {} });
  await acp.agent.request("authenticate", { methodId: "environment" });
  expect(await acp.agent.request("logout", {})).toEqual({});
  expect(readFileSync(file, "utf8")).not.toMatch(/one|two/);
  await expect(acp.agent.request("authenticate", { methodId: "environment" })).rejects.toMatchObject({ code: -32000 });
  await acp.end();
});

/** What editors do around sessions: titles, more folders of a workspace, logging out. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { AcpClient } from "./acp-client.js";
import { RpcClient } from "./cli-rpc-client.js";
import { makePlace, sessionFiles, theOnly } from "./cli-support.js";

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
  const folders = async () => (await acp.list()).map((one) => one.additionalDirectories);
  acp.onPermission = () => "no";
  await acp.say(sessionId, `read ${join(library, "a.txt")}`);
  expect([acp.questions.length, acp.answer()]).toEqual([0, expect.stringContaining("from the library")]);
  expect(await folders()).toEqual([[library]]);
  await acp.say(sessionId, `read ${join(other, "a.txt")}`);
  expect(acp.questions).toHaveLength(1);
  await expect(open(["relative"])).rejects.toMatchObject({ code: -32602 });
  // The next load says anew which folders there are.
  await acp.agent.request("session/close", { sessionId });
  expect(await folders()).toEqual([undefined]);
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

test("archived sessions are off the list until they are unarchived, branches as well as files", async () => {
  const acp = new AcpClient(makePlace(), { isHere: true });
  const { sessionId } = await acp.begin();
  const request = (method: string, id: string) => acp.agent.request(method as "session/archive", { sessionId: id });
  const listed = async (archived?: "exclude" | "include" | "only") => {
    const { cwd } = acp.place;
    const { sessions } = await acp.agent.request("session/list", archived === undefined ? { cwd } : { cwd, archived });
    return sessions.map((one) => [one.sessionId, one.archived]);
  };
  await acp.say(sessionId, "hello");
  const fork = (await acp.fork(sessionId)).sessionId;
  await acp.say(fork, "another way");
  await request("session/archive", sessionId);
  expect([await listed(), await listed("only"), await listed("include")]).toEqual([
    [[fork, false]],
    [[sessionId, true]],
    [
      [sessionId, true],
      [fork, false],
    ],
  ]);
  // With the last branch the file goes to the archive; archiving twice is fine.
  await request("session/archive", fork);
  await request("session/archive", fork);
  expect([await listed(), sessionFiles(acp.place)]).toEqual([[], []]);
  expect(await listed("only")).toEqual([
    [sessionId, true],
    [fork, true],
  ]);
  await request("session/unarchive", fork);
  await request("session/unarchive", fork);
  expect([await listed(), sessionFiles(acp.place).length]).toEqual([[[fork, false]], 1]);
  expect((await acp.load(fork)).length).toBeGreaterThan(0);
  await expect(request("session/archive", "nope")).rejects.toMatchObject({ code: -32002 });
  await expect(request("session/unarchive", "nope")).rejects.toMatchObject({ code: -32002 });
  await expect(listed("_other" as "only")).rejects.toMatchObject({ code: -32602 });
  // What was deleted is not among the archived ones.
  await request("session/unarchive", sessionId);
  await request("session/delete", sessionId);
  expect(await listed("include")).toEqual([[fork, false]]);
  await acp.end();
});

test("a session that is open in another program is not archived, and stays as it was", async () => {
  const acp = new AcpClient(makePlace(), { isHere: true });
  const { sessionId } = await acp.begin();
  await acp.say(sessionId, "hello");
  const file = theOnly(sessionFiles(acp.place));
  const before = readFileSync(file);
  const other = new RpcClient(acp.place, ["-r", file]);
  await other.request("getState");
  const archive = () => acp.agent.request("session/archive" as "session/archive", { sessionId });
  await expect(archive()).rejects.toMatchObject({ code: -32600, message: expect.stringContaining("another program") });
  expect(readFileSync(file)).toEqual(before);
  expect((await acp.list()).map((one) => one.sessionId)).toEqual([sessionId]);
  await acp.say(sessionId, "still open here");
  await other.close();
  await archive();
  expect(await acp.list()).toEqual([]);
  await acp.end();
});

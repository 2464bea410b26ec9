/** `bough mcp` driven by the protocol's own client, over standard input and output. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, expect, test } from "vitest";
import { layOutAgents } from "../support/agents-home.js";
import { tempFolder } from "../support/temp-folder.js";
import { RpcClient } from "./cli-rpc-client.js";
import { PROGRAM } from "./cli-support.js";
import { runHere } from "./run-here.js";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

function place(): { readonly env: Record<string, string>; readonly cwd: string } {
  const home = tempFolder();
  layOutAgents({ home });
  return { env: { PATH: process.env.PATH ?? "", HOME: home, BOUGH_HOME: join(home, ".bough") }, cwd: home };
}

async function connected(): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM, "mcp"], ...place() }));
  cleanUps.push(() => client.close());
  return client;
}

const textOf = (result: { readonly content?: unknown }) =>
  (result.content as readonly { readonly text: string }[]).map(({ text }) => text).join("");

test("/tried in a session answers what bough tried answers, and says the same if there is nothing", async () => {
  const where = { ...place(), home: "" };
  const cases = [
    { words: ["double", "--all"], found: true },
    { words: ["read notes", "--all"], found: true },
    { words: ["double"], found: false },
  ] as const;
  const printed = await Promise.all(cases.map(({ words }) => runHere(where, ["tried", ...words])));
  const client = new RpcClient(where, [], { isHere: true });
  for (const [index, { words, found }] of cases.entries()) {
    const { code, stdout, stderr } = printed[index] as (typeof printed)[0];
    const typed = words.map((word) => (word.includes(" ") ? `"${word}"` : word)).join(" ");
    const outcome = await client.request("runCommand", { line: `/tried ${typed}` });
    expect([code, outcome.kind]).toEqual(found ? [0, "done"] : [1, "unchanged"]);
    expect(`${outcome.message}\n`, typed).toBe(found ? stdout : stderr);
  }
  expect(await client.request("runCommand", { line: "/tried" })).toMatchObject({ code: "wrong-arguments" });
  await client.close();
});

test("a client finds tools that only read, asks each of them, and reads resources", async () => {
  const client = await connected();
  expect(client.getInstructions()).toContain("Call `tried` before you start");
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["tried", "search", "open", "sessions", "blame"]);
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
  const call = async (name: string, input: Record<string, unknown>) =>
    client.callTool({ name, arguments: input }).then((result) => ({ text: textOf(result), isError: result.isError }));

  const tried = await call("tried", { words: "double", agent: "claude-code" });
  expect(tried.text).toMatch(/^left: left by going back\n {2}claude-code:\S+#\w+ · branch #1 /);
  const found = await call("search", { words: "notes.txt", agent: "codex", roles: ["user"] });
  // The words may also be called `query`, as in other servers.
  expect(await call("search", { query: "notes.txt", agent: "codex", roles: ["user"] })).toEqual(found);
  expect(await call("tried", { query: "double", agent: "claude-code" })).toEqual(tried);
  const [address = ""] = /codex:\S+#\w+/.exec(found.text) ?? [];
  expect((await call("open", { address })).text).toContain("Read notes.txt, then count its lines");
  expect((await call("sessions", { words: "fruits" })).text).toMatch(/^pi:/);
  for (const [name, input] of [
    ["tried", {}],
    ["search", { words: "..." }],
    ["search", { words: "x", since: "yesterday" }],
    ["search", {}],
    ["search", { words: 5 }],
    ["open", { address: "../../../etc/passwd" }],
    ["blame", { file: "/etc/passwd" }],
    ["sessions", { unknown: true }],
  ] as const) {
    expect([name, input, (await call(name, input)).isError]).toEqual([name, input, true]);
  }

  const { resources } = await client.listResources();
  expect(resources).toHaveLength(9);
  const [session = "", entry = ""] = address.split("#");
  const uri = `bough://${encodeURIComponent(session)}#${entry}`;
  const { contents } = await client.readResource({ uri });
  expect(contents).toMatchObject([{ uri, text: expect.stringContaining("Read notes.txt") }]);
  await expect(client.readResource({ uri: "bough://..%2F..%2Fetc%2Fpasswd" })).rejects.toThrow("not found");
  await expect(client.readResource({ uri: "file:///etc/passwd" })).rejects.toThrow("not found");
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates).toMatchObject([{ uriTemplate: "bough://{session}{#entry}" }]);
});

function started(): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [PROGRAM, "mcp"], place());
  const ended = once(child, "exit");
  cleanUps.push(() => {
    child.kill();
    return ended;
  });
  return child;
}

const FIRST = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};

test("garbage is passed over, and the next question is answered; a client that disappears, also in the middle of an answer, ends the server", async () => {
  for (const leave of ["stdin", "both"] as const) {
    const child = started();
    child.stdin.write("not json\n\n[]\n{}\n\x00\xff\n");
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 0, method: "no/such" })}\n`);
    child.stdin.write(`${JSON.stringify(FIRST)}\n`);
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    await expect.poll(() => text).toContain('"id":1');
    expect(text).toContain('"serverInfo":{"name":"bough"');
    const params = { name: "search", arguments: { words: "notes" } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params })}\n`);
    if (leave === "both") child.stdout.destroy();
    child.stdin.end();
    expect(await once(child, "exit")).toEqual([0, null]);
  }
});

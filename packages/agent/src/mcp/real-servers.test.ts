/** Servers from the package registry, end to end. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { call, openServers, packagedServer, ready, said } from "./mcp-servers.test-support.js";

const signal = new AbortController().signal;

test("server-filesystem reads in the folder it was given, and nowhere else", async () => {
  const folder = tempFolder();
  mkdirSync(join(folder, "docs"));
  writeFileSync(join(folder, "docs", "a.txt"), "from a file");
  const { servers, notices } = openServers({ files: packagedServer("filesystem", folder) }, { cwd: folder });
  await ready(servers);
  const names = servers.tools().map(({ name }) => name);
  expect(names).toEqual([...names].sort());
  expect(names).toContain("files__read_text_file");
  const inside = await call(servers, "files__read_text_file", { path: join(folder, "docs", "a.txt") });
  expect(said(inside)).toContain("from a file");
  expect((await call(servers, "files__read_text_file", { path: "/etc/passwd" })).isError).toBe(true);
  expect(notices).toEqual([]);
});

test("server-everything works over standard input and output: tools, resources, prompts", async () => {
  const { servers } = openServers({ all: packagedServer("everything", "stdio") });
  await ready(servers);
  expect(said(await call(servers, "all__echo", { message: "hello" }))).toBe("Echo: hello");
  const [facts] = servers.list();
  const uri = facts?.resources[0]?.uri ?? "";
  expect((await servers.readResource("all", uri, { signal })).text).not.toBe("");
  const prompt = facts?.prompts.find(({ args }) => args.length === 0)?.name ?? "";
  expect((await servers.getPrompt("all", prompt, { args: {}, signal })).text).not.toBe("");
  expect(facts?.about?.name).toContain("everything");
});

test("server-everything works over streamable HTTP", async () => {
  const port = await freePort();
  const { command = "", args = [] } = packagedServer("everything", "streamableHttp");
  const child = spawn(command, args, {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const started = new Promise<void>((resolve) => {
    const look = (chunk: Buffer) => /listening|running|port/i.test(String(chunk)) && resolve();
    child.stdout.on("data", look);
    child.stderr.on("data", look);
  });
  await started;
  const { servers, notices } = openServers({ all: { url: `http://127.0.0.1:${port}/mcp` } });
  await ready(servers);
  expect([said(await call(servers, "all__echo", { message: "over HTTP" })), notices]).toEqual(["Echo: over HTTP", []]);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** Standard output as a pipe to another program: one that is slow, that stops reading, and that parses every line. */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { ProtocolOutput } from "@bough/program/cli/output/protocol-output.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { afterTest } from "../support/after-test.js";
import { AcpClient } from "./acp-client.js";
import { RpcClient } from "./cli-rpc-client.js";
import { bough, conversation, makePlace, type Place, PROGRAM, sessionFiles, theOnly } from "./cli-support.js";

const ENTRIES = 3_000;

async function longSession(place: Place): Promise<string> {
  const acp = new AcpClient(place);
  const { sessionId } = await acp.begin();
  await acp.say(sessionId, "hello");
  await acp.end();
  const session = SessionManager.open(theOnly(sessionFiles(place)));
  for (let n = 0; n < ENTRIES; n += 1) {
    session.appendMessage({ role: "user", content: `${n} ${"word ".repeat(200)}`, timestamp: n });
  }
  session.close();
  return sessionId;
}

test("a history that fills the pipe arrives whole in an editor, and the agent goes on", async () => {
  const place = makePlace();
  const sessionId = await longSession(place);
  const acp = new AcpClient(place);
  await acp.initialize();
  const history = await acp.load(sessionId);
  expect(history.filter(({ sessionUpdate }) => sessionUpdate === "user_message_chunk")).toHaveLength(ENTRIES + 1);
  expect(await acp.say(sessionId, "hello")).toMatchObject({ stopReason: "end_turn" });
  await acp.end();
});

const NOISY = `
import { spawn, spawnSync } from "node:child_process";
import { writeSync } from "node:fs";

console.log("printed while loading");
export default function (bough) {
  bough.on("agent_start", async () => {
    console.log("printed in a handler\\nand on a second line");
    process.stdout.write("without console\\n");
    writeSync(1, "by its number\\n");
    spawnSync("echo", ["from a program"], { stdio: "inherit" });
    await new Promise((done) => spawn("echo", ["from another"], { stdio: [0, 1, 2] }).on("close", done));
    spawnSync("echo from a shell", { shell: true, stdio: ["ignore", process.stdout, "ignore"] });
  });
  bough.on("session_shutdown", () => console.log("printed at the end"));
}
`;
const PRINTS = [
  "[noisy] printed while loading",
  "[noisy] printed in a handler",
  "[noisy] and on a second line",
  "[noisy] without console",
  "by its number",
  "[noisy] $ echo from a program",
  "from a program",
  "[noisy] $ echo from another",
  "from another",
  "[noisy] $ echo from a shell",
  "from a shell",
  "[noisy] printed at the end",
];

function noisyPlace(): { readonly place: Place; readonly extension: string } {
  const place = makePlace();
  const extension = join(place.cwd, "noisy.mjs");
  writeFileSync(extension, NOISY);
  return { place, extension };
}

describe("what an extension prints goes to standard error with its name", () => {
  test("in print mode, where standard output is the answer", async () => {
    const { place, extension } = noisyPlace();
    const plain = await bough(place, ["-p", "hello"]);
    const { code, stdout, stderr } = await bough(place, ["-p", "--extension", extension, "hello"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: plain.stdout });
    expect(stderr.trimEnd().split("\n")).toEqual(PRINTS);
  });

  test("in JSON mode", async () => {
    const { place, extension } = noisyPlace();
    const { code, stdout, stderr } = await bough(place, ["-p", "--mode", "json", "--extension", extension, "hello"]);
    const types = stdout
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { readonly type: string }).type);
    expect({ code, first: types[0], last: types.at(-1) }).toEqual({ code: 0, first: "session", last: "run_end" });
    expect(stderr.trimEnd().split("\n")).toEqual(PRINTS);
  });

  test("over RPC", async () => {
    const { place, extension } = noisyPlace();
    const client = new RpcClient(place, ["--extension", extension]);
    expect(await client.request("prompt", { text: "hello" })).toMatchObject({ kind: "done" });
    const { code, stderr } = await client.close();
    expect(code).toBe(0);
    expect(stderr.trimEnd().split("\n")).toEqual(PRINTS);
  });

  test("in an editor", async () => {
    const { place, extension } = noisyPlace();
    const acp = new AcpClient(place, { args: ["--extension", extension] });
    const { sessionId } = await acp.begin();
    expect(await acp.say(sessionId, "hello")).toMatchObject({ stopReason: "end_turn" });
    await acp.end();
    expect(acp.stderr.trimEnd().split("\n")).toEqual(PRINTS);
  });
});

test("a client that does not read cannot keep the program from ending, and the session is whole", async () => {
  const place = makePlace();
  const child = spawn(process.execPath, [PROGRAM, "--mode", "rpc"], { cwd: place.cwd, env: place.env });
  afterTest(() => child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const first = await new Promise<Buffer>((resolve) => child.stdout.once("data", resolve));
  expect(first.toString()).toContain('"type":"session"');
  child.stdout.pause();
  child.stdin.write(`${JSON.stringify({ id: 0, method: "prompt", params: { text: "hello" } })}\n`);
  // Far more than a pipe holds.
  for (let id = 1; id < 3_000; id += 1) {
    child.stdin.write(`${JSON.stringify({ id, method: "initialize", params: { protocolVersion: 1 } })}\n`);
  }
  await written(place, '"role":"assistant"');
  child.kill("SIGTERM");
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  expect(code).toBe(143);
  expect(stderr).toMatch(/^bough: [\d.]+ [KM]B of output were not read\n$/);
  expect((await conversation(theOnly(sessionFiles(place))))[0]).toBe("user: hello");
});

const FLOOD = `
export default function (bough) {
  bough.registerCommand("flood", {
    description: "Says more than a client that does not read can be told",
    handler: async (_args, ctx) => {
      for (let n = 0; n < 4_000; n++) {
        ctx.ui.notify(n + " " + "x".repeat(45_000));
        await new Promise((next) => setImmediate(next));
      }
    },
  });
}
`;

test("output that a client does not read ends the program before it fills the memory, with a sentence", async () => {
  const place = makePlace();
  const extension = join(place.cwd, "flood.mjs");
  writeFileSync(extension, FLOOD);
  const { child, first, end } = await started(place, ["--mode", "rpc", "--extension", extension]);
  expect(first).toContain('"type":"session"');
  child.stdin.write(`${JSON.stringify({ id: 0, method: "prompt", params: { text: "hello" } })}\n`);
  await written(place, '"role":"assistant"');
  child.stdin.write(`${JSON.stringify({ id: 1, method: "runCommand", params: { line: "/flood" } })}\n`);
  const { code, stderr } = await end();
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^bough: Stopped: standard output is not being read, and 6\d MB are waiting\n {2}The session is saved\./,
  );
  expect((await conversation(theOnly(sessionFiles(place))))[0]).toBe("user: hello");
});

test("an editor that stops reading a long history can still end the agent, and is told what it missed", async () => {
  const place = makePlace();
  const sessionId = await longSession(place);
  const { child, end } = await started(place, ["acp"], {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: 1, clientCapabilities: {} },
  });
  const load = { method: "session/load", params: { sessionId, cwd: place.cwd, mcpServers: [] } };
  for (let id = 1; id <= 3; id++) child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...load })}\n`);
  // As soon as anything has arrived, the pipe is being filled.
  await new Promise((resolve) => child.stdout.once("readable", resolve));
  child.kill("SIGTERM");
  const { code, stderr } = await end();
  expect(code).toBe(143);
  expect(stderr).toMatch(/^(bough: [\d.]+ [KM]B of output were not read\n)?$/);
});

/** A program whose first output has come, and whose output is not read from then on. */
async function started(place: Place, args: readonly string[], request?: Record<string, unknown>) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: place.cwd, env: place.env });
  afterTest(() => child.kill("SIGKILL"));
  // It may end without reading.
  child.stdin.on("error", () => {});
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const told = new Promise((resolve) => child.stderr.once("end", resolve));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  if (request !== undefined) child.stdin.write(`${JSON.stringify(request)}\n`);
  const first = await new Promise<Buffer>((resolve) => child.stdout.once("data", resolve));
  child.stdout.pause();
  const end = async () => {
    const [code] = await Promise.all([ended, told]);
    return { code, stderr: said };
  };
  return { child, first: first.toString(), end };
}

/** Waits until the session file has it. */
async function written(place: Place, text: string): Promise<void> {
  for (;;) {
    const [file] = sessionFiles(place);
    if (file !== undefined && readFileSync(file, "utf8").includes(text)) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("lines for a client that is behind", () => {
  function pipe({ mostBytes }: { readonly mostBytes?: number } = {}) {
    const stdout = new PassThrough({ highWaterMark: 10 });
    const full: number[] = [];
    const output = new ProtocolOutput({
      stdout,
      stderr: new PassThrough(),
      onFull: (bytes) => full.push(bytes),
      ...(mostBytes === undefined ? {} : { mostBytes }),
    });
    afterTest(() => output.release());
    return { stdout, output, full };
  }
  const read = async (stdout: PassThrough, output: ProtocolOutput): Promise<string[]> => {
    let text = "";
    stdout.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    await output.flushed();
    return text.split("\n").filter((line) => line !== "");
  };

  test("wait in order, and pieces of one text come joined and nothing is lost", async () => {
    const { stdout, output } = pipe();
    const piece = (text: string) =>
      output.update(
        {
          key: "text",
          line: { text },
          joined: (earlier: { readonly text: string }) => ({ text: earlier.text + text }),
        },
        (line) => `${JSON.stringify(line)}\n`,
      );
    output.send(`${"first ".repeat(10)}\n`);
    for (const letter of "abc") piece(letter);
    output.send("between\n");
    for (const letter of "def") piece(letter);
    expect(await read(stdout, output)).toEqual(["first ".repeat(10), '{"text":"abc"}', "between", '{"text":"def"}']);
  });

  test("of output so far, only the latest is sent", async () => {
    const { stdout, output } = pipe();
    const soFar = (tool: string, text: string) =>
      output.update({ key: tool, line: { tool, text } }, (line) => `${JSON.stringify(line)}\n`);
    output.send(`${"first ".repeat(10)}\n`);
    for (const text of ["1", "1 2", "1 2 3"]) for (const tool of ["a", "b"]) soFar(tool, text);
    output.send("end\n");
    expect(await read(stdout, output)).toEqual([
      "first ".repeat(10),
      '{"tool":"a","text":"1 2 3"}',
      '{"tool":"b","text":"1 2 3"}',
      "end",
    ]);
  });

  test("are kept up to a limit, which is told once", () => {
    const { output, full } = pipe({ mostBytes: 10_000 });
    for (let n = 0; n < 1_000; n += 1) output.send(`${"x".repeat(99)}\n`);
    expect(full).toHaveLength(1);
    expect(output.waitingBytes).toBeLessThan(11_000);
  });

  test("hold up whoever waits for the client, until it reads or is gone", async () => {
    const { stdout, output } = pipe();
    const states: string[] = [];
    output.send("x".repeat(20 << 20));
    const ready = output.ready().then(() => states.push("ready"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(states).toEqual([]);
    stdout.destroy();
    await ready;
    await output.flushed();
  });
});

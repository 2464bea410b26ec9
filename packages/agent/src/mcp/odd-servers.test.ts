import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { call, oddServer, openServers, ready, said } from "./mcp-servers.test-support.js";

const stateOf = (servers: ReturnType<typeof openServers>["servers"]) => servers.list()[0]?.state;

describe("a server that cannot be used", () => {
  test("if it hangs at startup, others work, and it is reported once", async () => {
    const { servers, notices } = openServers(
      { hangs: { ...oddServer("hang"), startTimeoutMs: 300 }, works: oddServer("good") },
      { waitMs: 0 },
    );
    servers.start();
    expect(servers.tools()).toEqual([]);
    await servers.reconnect("works");
    expect(said(await call(servers, "works__echo", { text: "a" }))).toContain("echo a");
    // A connection that was replaced by another one ends differently.
    await expect.poll(() => stateOf(servers)?.kind, { timeout: 60_000 }).toBe("failed");
    await servers.reconnect("hangs");
    const sentence =
      "The MCP server hangs failed: it did not answer within 0.3 seconds. To diagnose it: bough mcp test hangs";
    expect([servers.list()[0]?.state.kind, new Set(notices)]).toEqual(["failed", new Set([sentence])]);
  });

  test("an exit at the start is explained", async () => {
    const { servers, notices } = openServers({ odd: oddServer("exit") });
    await ready(servers);
    const reason = "it exited with code 3; its last output: no database here";
    expect(notices).toEqual([`The MCP server odd failed: ${reason}. To diagnose it: bough mcp test odd`]);
  });

  test("text in place of answers is quoted when time is up", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { servers, notices } = openServers({ odd: oddServer("garbage") }, { waitMs: 0 });
    servers.start();
    await expect.poll(() => servers.list()[0]?.log).toEqual(expect.arrayContaining(["not a message: { not json"]));
    // 30 seconds for the answer, then the time it gets to exit.
    const later = () => {
      vi.advanceTimersByTime(30_000);
      return notices;
    };
    const reason = "it did not answer within 30 seconds; it printed text that is not JSON-RPC: Welcome to the server!";
    await expect.poll(later).toEqual([`The MCP server odd failed: ${reason}. To diagnose it: bough mcp test odd`]);
  });

  test("a command that is not there, and a variable that is not set, are explained", async () => {
    const { servers, notices } = openServers({
      absent: { command: "no-such-command-anywhere" },
      secret: { ...oddServer("good"), env: { KEY: `\${NO_SUCH_VARIABLE}` } },
    });
    await ready(servers);
    expect(notices.sort()).toEqual([
      "The MCP server absent failed: command not found: no-such-command-anywhere. To diagnose it: bough mcp test absent",
      "The MCP server secret needs NO_SUCH_VARIABLE, which is not set. Set it in the environment before you start Bough.",
    ]);
  });
});

describe("a connection that is replaced while it is being made", () => {
  const started = (file: string) => readFileSync(file, "utf8").split("started").length - 1;

  test("reports nothing, and callers that waited get the new connection", async () => {
    const file = join(tempFolder(), "notes");
    writeFileSync(file, "");
    const { servers, notices } = openServers({ odd: oddServer("hang-first", file) }, { waitMs: 0 });
    const states = new Set<string>();
    servers.onChange(() => states.add(stateOf(servers)?.kind ?? ""));
    servers.start();
    await expect.poll(() => started(file), { timeout: 60_000 }).toBe(1);
    const waiting = servers.readResource("odd", "odd://notes", { signal: new AbortController().signal });
    await Promise.all([servers.reconnect("odd"), servers.reconnect("odd")]);
    expect(await waiting).toMatchObject({ text: expect.stringContaining("The text of odd://notes") });
    expect([stateOf(servers), notices]).toEqual([{ kind: "connected" }, []]);
    expect([...states].sort()).toEqual(["connected", "connecting", "idle"]);
    expect(said(await call(servers, "odd__echo", { text: "a" }))).toContain("echo a");
  });

  test("reports nothing if it is replaced before its process is there", async () => {
    const { servers, notices } = openServers({ odd: oddServer("good") }, { waitMs: 0 });
    servers.start();
    await Promise.all([servers.reconnect("odd"), servers.reconnect("odd")]);
    await servers.reconnect("odd");
    expect([stateOf(servers), notices]).toEqual([{ kind: "connected" }, []]);
    expect(said(await call(servers, "odd__echo", { text: "a" }))).toContain("echo a");
  });

  test("by one that fails reports what is wrong with that one, once", async () => {
    const { servers, notices } = openServers({ odd: oddServer("exit") }, { waitMs: 0 });
    servers.start();
    await Promise.all([servers.reconnect("odd"), servers.reconnect("odd")]);
    expect(stateOf(servers)).toMatchObject({ kind: "failed" });
    expect(notices).toEqual([
      "The MCP server odd failed: it exited with code 3; its last output: no database here. To diagnose it: bough mcp test odd",
    ]);
  });

  test("stays disabled if that is what ended it", async () => {
    const file = join(tempFolder(), "notes");
    writeFileSync(file, "");
    const { servers, notices } = openServers({ odd: oddServer("hang-first", file) }, { waitMs: 0 });
    servers.start();
    await expect.poll(() => started(file), { timeout: 60_000 }).toBe(1);
    const waiting = servers.readResource("odd", "odd://notes", { signal: new AbortController().signal });
    const refused = expect(waiting).rejects.toMatchObject({ code: "server-disabled" });
    await servers.setDisabled("odd", true);
    await refused;
    expect([stateOf(servers), notices, started(file)]).toEqual([{ kind: "disabled" }, [], 1]);
    await servers.setDisabled("odd", false);
    await expect.poll(() => stateOf(servers)?.kind, { timeout: 60_000 }).toBe("connected");
    expect(notices).toEqual([]);
  });
});

test("a command that is not there is explained in the same way with a file among the folders on PATH", async () => {
  const { servers, notices } = openServers({
    absent: { command: "no-such-command-anywhere", env: { PATH: `/usr/bin:${process.execPath}` } },
  });
  await ready(servers);
  expect(notices).toEqual([
    "The MCP server absent failed: command not found: no-such-command-anywhere. To diagnose it: bough mcp test absent",
  ]);
});

describe("a server that goes wrong in a call", () => {
  test.each([
    ["die", "The MCP server odd failed: it exited with code 9; its last output: out of memory"],
    ["huge", "The MCP server odd failed: it sent a message of more than 10 MB"],
    ["flood", "The MCP server odd failed: it sent more than 10000 messages in 5 seconds"],
  ])("%s: the call fails with a sentence", async (way, sentence) => {
    const { servers } = openServers({ odd: oddServer(way) });
    await ready(servers);
    const result = await call(servers, "odd__echo");
    expect([result.isError, said(result)]).toEqual([true, expect.stringContaining(sentence)]);
    expect(stateOf(servers)).toMatchObject({ kind: "failed" });
  });

  test("an invalid result is reported", async () => {
    const { servers } = openServers({ odd: oddServer("hologram") });
    await ready(servers);
    expect(said(await call(servers, "odd__echo"))).toBe("The MCP server odd sent an invalid response");
  });

  test("it is started again by the next call", async () => {
    const file = join(tempFolder(), "asked");
    const { servers } = openServers({ odd: oddServer("die-once", file) });
    await ready(servers);
    expect((await call(servers, "odd__echo")).isError).toBe(true);
    expect(said(await call(servers, "odd__echo", { text: "again" }))).toContain("echo again");
    expect(readFileSync(file, "utf8").match(/started/g)).toHaveLength(2);
  });

  test("a call that is stopped is cancelled at the server", async () => {
    const file = join(tempFolder(), "asked");
    const { servers } = openServers({ odd: oddServer("slow", file) });
    await ready(servers);
    const stop = new AbortController();
    const running = call(servers, "odd__echo", {}, { signal: stop.signal });
    await expect.poll(() => readFileSync(file, "utf8")).toContain("tools/call");
    stop.abort();
    await expect(running).rejects.toThrow();
    await expect.poll(() => readFileSync(file, "utf8")).toContain("notifications/cancelled");
  });

  test("a call that shows no sign of life ends after the limit of its settings", async () => {
    const { servers } = openServers({ odd: { ...oddServer("slow"), timeoutMs: 200 } });
    await ready(servers);
    const result = await call(servers, "odd__echo");
    expect([result.isError, said(result)]).toEqual([true, "echo made no progress for 0.2 seconds and was stopped"]);
  });
});

describe("what a server lists", () => {
  test("is clean: no escapes, a stable order, and a tool named like ours is its own", async () => {
    const listed = async (way: string) => {
      const { servers } = openServers({ odd: oddServer(way) });
      await ready(servers);
      return servers.tools();
    };
    const tools = await listed("good");
    expect(await listed("reversed")).toEqual(tools);
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ["odd__bash", "Runs anything."],
      ["odd__echo", "Does echo."],
    ]);
    expect(JSON.stringify(tools)).not.toMatch(/\\u001b|\\u202e/);
  });

  test("text that is not a message is ignored; a schema over the limit is reported", async () => {
    const { servers, notices } = openServers({ chatty: oddServer("chatty"), large: oddServer("large-schema") });
    await ready(servers);
    expect(servers.tools().map(({ name }) => name)).toEqual([
      "chatty__bash",
      "chatty__echo",
      "large__bash",
      "large__echo",
    ]);
    expect(notices).toEqual([
      "MCP server large: The tool huge is not offered: its input schema is too large or not an object",
    ]);
  });

  test("may change: the new list is there, and what was recorded holds while a server is unreachable", async () => {
    const { servers } = openServers({ odd: oddServer("changes") });
    await ready(servers);
    const before = servers.tools();
    await call(servers, "odd__echo");
    await expect.poll(() => servers.tools().map(({ name }) => name)).toEqual(["odd__echo", "odd__extra"]);
    const away = openServers({ odd: { ...oddServer("hang"), startTimeoutMs: 100 } }, { waitMs: 0 });
    expect(away.servers.offer({ tools: before }).tools).toEqual(before);
    expect(away.servers.offer({ tools: [{ ...before[0], server: "gone" }] }).tools).toEqual([]);
  });

  test("with the name of another tool is not offered, and this is reported once", async () => {
    const { servers, notices } = openServers({ odd: oddServer("good") });
    await ready(servers);
    for (const _ of [1, 2]) {
      expect(servers.offer({ tools: [] }, { taken: ["odd__echo"] }).tools.map(({ name }) => name)).toEqual([
        "odd__bash",
      ]);
    }
    expect(notices).toEqual(["The tool echo of the MCP server odd is not offered: there is another tool odd__echo"]);
  });

  test("is remembered for the next session, which need not wait for it", async () => {
    const home = tempFolder();
    const first = openServers({ odd: oddServer("good") }, { home });
    await ready(first.servers);
    const second = openServers({ odd: oddServer("good") }, { home, waitMs: 0 });
    expect(second.servers.tools()).toEqual(first.servers.tools());
    expect(second.servers.list()[0]?.state).toEqual({ kind: "idle" });
  });
});

describe("results", () => {
  test("over 50 KB go to a private file; the model gets the start and the path", async () => {
    const outputDir = tempFolder();
    const { servers } = openServers({ odd: oddServer("long") });
    await ready(servers);
    const text = said(await call(servers, "odd__echo", {}, { outputDir }));
    const path = /Saved to (\S+\.txt)/.exec(text)?.[1] ?? "";
    expect([text.length < 5_000, readFileSync(path, "utf8").length, statSync(path).mode & 0o777]).toEqual([
      true,
      80_000,
      0o600,
    ]);
  });

  test("of every kind are shown, kept or named", async () => {
    const outputDir = tempFolder();
    const { servers } = openServers({
      odd: oddServer("rich"),
      other: oddServer("structured"),
      bad: oddServer("error"),
    });
    await ready(servers);
    const rich = await call(servers, "odd__echo", {}, { outputDir });
    expect(said(rich)).toBe(
      [
        "[image]",
        `(audio, audio/wav, 4 B) Saved to ${join(outputDir, "mcp-odd-call-1-1.wav")}`,
        "Resource odd://notes · notes",
        "Resource odd://inside\ninside",
      ].join("\n"),
    );
    expect(said(await call(servers, "other__echo"))).toBe('{\n  "degrees": 21\n}');
    expect(await call(servers, "bad__echo")).toEqual({
      content: [{ type: "text", text: "It did not work." }],
      isError: true,
    });
  });

  test("progress is shown as it comes; variables reach the server only if they are named", async () => {
    const updates: { text: string }[] = [];
    const env = { ...process.env, SECRET: "s3cret", OPENAI_API_KEY: "sk-mine" };
    const named = { ...oddServer("good"), env: { ODD_SECRET: `\${SECRET}` } };
    const file = join(tempFolder(), "progress");
    const { servers } = openServers({ odd: oddServer("progress", file), good: named }, { env });
    await ready(servers);
    const called = call(servers, "odd__echo", {}, { updates });
    await expect.poll(() => updates.length).toBe(1);
    writeFileSync(`${file}.seen`, "");
    await called;
    expect(updates).toEqual([{ text: "1/2 half" }]);
    expect(said(await call(servers, "good__echo", { text: "x" }))).toBe("echo x s3cret unset");
  });
});

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BeforeTreeEvent, ExtensionApi, ExtensionContext } from "./index.js";
import type { ExtensionHost, ExtensionProblem } from "./run.js";
import { ExtensionRunner, findExtensions } from "./run.js";

let folder: string;
let problems: ExtensionProblem[];
let sent: unknown[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bough-extension-"));
  problems = [];
  sent = [];
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function runner(timeoutMs?: number): ExtensionRunner {
  return new ExtensionRunner({
    host: {
      cwd: folder,
      sendMessage: (message, triggerTurn) => sent.push({ message, triggerTurn }),
      appendEntry: (customType, data) => {
        sent.push({ customType, data });
        return "000000000001";
      },
      context: () => ({ cwd: folder }) as ExtensionContext,
    } as Partial<ExtensionHost> as ExtensionHost,
    onProblem: (problem) => problems.push(problem),
    timeoutMs,
  });
}

function extension(name: string, body: string): string {
  mkdirSync(join(folder, "extensions"), { recursive: true });
  const file = join(folder, "extensions", name);
  writeFileSync(file, body);
  return file;
}

async function loaded(timeoutMs?: number): Promise<ExtensionRunner> {
  const made = runner(timeoutMs);
  await made.load(findExtensions({ home: folder, cwd: folder, trusted: false }).sources);
  return made;
}

function beforeTree(): { event: BeforeTreeEvent; said: string[] } {
  const said: string[] = [];
  const preparation = {
    targetId: "a",
    oldLeafId: "b",
    commonAncestorId: null,
    entriesToSummarize: [],
    userWantsSummary: true,
  };
  return {
    said,
    event: {
      type: "session_before_tree",
      preparation,
      signal: new AbortController().signal,
      targetId: "a",
      cancel: () => said.push("cancel"),
      setSummarize: (value) => said.push(`summarize ${value}`),
      setCustomInstructions: (text) => said.push(`instructions ${text}`),
      setReplaceInstructions: (value) => said.push(`replace ${value}`),
    },
  };
}

describe("handlers", () => {
  it("run in load order and their answers keep that order", async () => {
    extension("b.ts", `export default (bough: any) => bough.on("input", (e: any) => ({ text: e.text + " b" }));`);
    extension("a.ts", `export default (bough) => { bough.on("input", async () => ({ text: "a" })); };`);
    const made = await loaded();
    expect(await made.emit({ type: "input", text: "x", source: "interactive" })).toEqual([
      { extension: "a", result: { text: "a" } },
      { extension: "b", result: { text: "a b" } },
    ]);
    expect(problems).toEqual([]);
  });

  it("that throw are reported by name, and nothing they did by the event's methods takes effect", async () => {
    extension(
      "angry.ts",
      `export default (bough) => bough.on("session_before_tree", (e) => { e.setSummarize(false); throw new Error("no luck"); });`,
    );
    const { event, said } = beforeTree();
    const made = await loaded();
    await made.emit(event);
    expect(said).toEqual([]);
    expect(problems).toEqual([
      { extension: "angry", event: "session_before_tree", message: "no luck; the move was cancelled" },
    ]);
  });

  it("that never end are left behind, and what they say later has no effect", async () => {
    extension(
      "slow.ts",
      `export default (bough) => bough.on("session_before_tree", (e) => new Promise((go) => { globalThis.__wake = () => { e.cancel(); go(); }; }));`,
    );
    const { event, said } = beforeTree();
    const made = await loaded(5);
    await made.emit(event);
    (globalThis as unknown as { __wake: () => void }).__wake();
    expect(said).toEqual([]);
    const message = "took longer than 5 ms and was abandoned; the move was cancelled";
    expect(problems).toEqual([{ extension: "slow", event: "session_before_tree", message }]);
  });

  it("that only react have said nothing when they throw, and the others are still asked", async () => {
    extension("angry.ts", `export default (bough) => bough.on("input", () => { throw new Error("no luck"); });`);
    extension("calm.ts", `export default (bough) => bough.on("input", (e) => ({ text: e.text + "!" }));`);
    const made = await loaded();
    expect(await made.emit({ type: "input", text: "x", source: "interactive" })).toEqual([
      { extension: "calm", result: { text: "x!" } },
    ]);
    expect(problems).toEqual([{ extension: "angry", event: "input", message: "no luck" }]);
  });
});

describe("guards fail closed", () => {
  const call = { type: "tool_call", toolName: "bash", toolCallId: "1", input: {} } as const;
  const cancel = () => {};

  it.each([
    ["throws", `() => { throw new Error("no luck"); }`, "no luck"],
    ["rejects", `async () => { throw new Error("no luck"); }`, "no luck"],
    ["never ends", `() => new Promise(() => {})`, "took longer than 5 ms and was abandoned"],
  ])("a tool_call handler that %s blocks the call with its name and error", async (_how, handler, failure) => {
    extension("gate.ts", `export default (bough) => bough.on("tool_call", ${handler});`);
    extension("later.ts", `export default (bough) => bough.on("tool_call", () => ({ input: { changed: true } }));`);
    const made = await loaded(5);
    const reason = `Blocked: the extension gate failed while checking this call: ${failure}`;
    expect(await made.emit(call)).toEqual([{ extension: "gate", failed: true, result: { block: true, reason } }]);
    expect(problems).toEqual([
      { extension: "gate", event: "tool_call", message: `${failure}; the tool call was blocked` },
    ]);
  });

  const guards = [
    [{ ...beforeTree().event }, "the move was cancelled"],
    [{ type: "session_before_fork", entryId: "a", cancel }, "the fork was cancelled"],
    [{ type: "session_before_branch", entryId: "a", cancel }, "the fork was cancelled"],
    [
      { type: "session_before_switch", reason: "new", targetSessionFile: undefined, cancel },
      "the session was not changed",
    ],
  ] as const;

  it.each(guards)("$type: a handler that throws cancels", async (event, consequence) => {
    extension("gate.ts", `export default (bough) => bough.on("${event.type}", () => { throw new Error("no luck"); });`);
    const made = await loaded();
    expect(await made.emit(event as BeforeTreeEvent)).toEqual([
      { extension: "gate", failed: true, result: { cancel: true } },
    ]);
    expect(problems).toEqual([{ extension: "gate", event: event.type, message: `no luck; ${consequence}` }]);
  });

  it.each(guards)("$type: a handler that never ends cancels", async (event, consequence) => {
    extension("gate.ts", `export default (bough) => bough.on("${event.type}", () => new Promise(() => {}));`);
    const made = await loaded(5);
    expect(await made.emit(event as BeforeTreeEvent)).toEqual([
      { extension: "gate", failed: true, result: { cancel: true } },
    ]);
    const message = `took longer than 5 ms and was abandoned; ${consequence}`;
    expect(problems).toEqual([{ extension: "gate", event: event.type, message }]);
  });

  it("a guard that is left alone because the operation was stopped is not reported", async () => {
    extension("gate.ts", `export default (bough) => bough.on("tool_call", () => new Promise(() => {}));`);
    const made = await loaded();
    const controller = new AbortController();
    const answers = made.emit(call, { signal: controller.signal });
    controller.abort();
    expect([await answers, problems]).toEqual([[], []]);
  });
});

describe("loading", () => {
  it("reports a syntax error and a missing default export, and loads the others", async () => {
    extension("broken.ts", "export default function ( {");
    extension("empty.ts", "export const x = 1;");
    extension("good.ts", `export default (bough) => bough.registerCommand("hi", { handler: () => "hello" });`);
    const made = await loaded();
    expect(problems.map(({ extension: name, event }) => [name, event])).toEqual([
      ["broken", "load"],
      ["empty", "load"],
    ]);
    expect(made.registrations.commands.map((command) => command.name)).toEqual(["hi"]);
  });

  it("again reads the files again and forgets what was registered", async () => {
    extension("one.ts", `export default (bough) => bough.registerCommand("before", { handler: () => {} });`);
    const made = await loaded();
    extension("one.ts", `export default (bough) => bough.registerCommand("after", { handler: () => {} });`);
    await made.reload();
    expect(made.registrations.commands.map((command) => command.name)).toEqual(["after"]);
  });

  it("lets the first of two commands with one name stay and says so", async () => {
    extension("a.ts", `export default (bough) => bough.registerCommand("x", { description: "a", handler: () => {} });`);
    extension(
      "b.ts",
      `export default (bough) => bough.registerCommand("/x", { description: "b", handler: () => {} });`,
    );
    const made = await loaded();
    expect(made.registrations.command("x")?.value.description).toBe("a");
    expect(problems).toEqual([
      {
        extension: "b",
        event: "register",
        message: "the command x is already registered by a; the first one is used",
      },
    ]);
  });

  it("checks the input of a tool against its JSON Schema", async () => {
    extension(
      "tool.ts",
      `export default (bough) => bough.registerTool({ name: "add", description: "adds", parameters: { type: "object", properties: { a: { type: "number" } }, required: ["a"] }, execute: async ({ a }) => ({ content: [{ type: "text", text: String(a + 1) }] }) });`,
    );
    const tool = (await loaded()).registrations.tools[0]?.value;
    expect(tool?.check({ a: 1 })).toEqual({ ok: true, value: { a: 1 } });
    expect(tool?.check({ a: "1" })).toEqual({
      ok: false,
      reason: "Invalid input for add: a: invalid input: expected number, received string",
    });
  });
});

describe("places", () => {
  it("are the user's folder, the trusted project's, and what was named, in that order", () => {
    extension("user.ts", "");
    const project = join(folder, "project");
    mkdirSync(join(project, ".bough", "extensions", "pack"), { recursive: true });
    writeFileSync(join(project, ".bough", "extensions", "pack", "index.ts"), "");
    writeFileSync(join(project, "named.mjs"), "");
    const places = { home: folder, cwd: project, named: ["named.mjs", "absent.ts", "notes.txt"] };
    writeFileSync(join(project, "notes.txt"), "");
    const found = findExtensions({ ...places, trusted: true });
    expect(found.sources.map(({ name, origin }) => [name, origin])).toEqual([
      ["user", "user"],
      ["pack", "project"],
      ["named", "named"],
    ]);
    expect(found.problems).toEqual([
      { path: "absent.ts", message: "absent.ts does not exist" },
      { path: "notes.txt", message: "notes.txt is neither a script nor a folder with an index script" },
    ]);
    const untrusted = findExtensions({ ...places, trusted: false });
    expect(untrusted.sources.map(({ name }) => name)).toEqual(["user", "named"]);
    expect(untrusted.untrusted).toEqual([join(project, ".bough", "extensions", "pack", "index.ts")]);
  });

  it("never lead out of an extension's own folder through its manifest", () => {
    mkdirSync(join(folder, "extensions", "sly"), { recursive: true });
    writeFileSync(join(folder, "extensions", "outside.ts"), "");
    writeFileSync(join(folder, "extensions", "sly", "package.json"), JSON.stringify({ main: "../outside.ts" }));
    const found = findExtensions({ home: folder, cwd: folder, trusted: false });
    expect(found.sources.map(({ name }) => name)).toEqual(["outside"]);
  });
});

it("exec runs in the folder of the session, also where the folder it is given is undefined", async () => {
  const made = runner();
  let printed: unknown;
  const factory = (api: ExtensionApi) => {
    api.on("session_start", async () => {
      printed = await api.exec("pwd", [], { cwd: undefined });
    });
  };
  await made.load([{ name: "where", factory }]);
  await made.emit({ type: "session_start", reason: "startup" });
  expect(printed).toMatchObject({ stdout: `${realpathSync(folder)}\n` });
});

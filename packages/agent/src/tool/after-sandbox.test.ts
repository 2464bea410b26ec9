import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { BashDetails } from "./bash-tool.js";
import { Jobs } from "./process/jobs.js";
import type { Blocked, Sandbox } from "./sandbox/sandbox.js";
import type { PermissionDecision, PermissionRequest, ToolResult } from "./tool.js";
import { workshop } from "./tool-context.test-support.js";
import { ToolFailure } from "./tool-failure.js";

/** Commands know by a variable that they are inside. What they were kept from is what the test says. */
function sandboxOf(blocked: readonly Blocked[], extra: Partial<Sandbox> = {}) {
  const state = { kind: "on" } as const;
  const printed: (string | undefined)[] = [];
  const sandbox: Sandbox = {
    ...{ state, ready: async () => state, close: async () => undefined },
    wrap: async (command) => ({
      line: `WHERE=inside; ${command}`,
      hasRun: () => true,
      finish: async (output) => {
        printed.push(output);
        return blocked;
      },
    }),
    putBack: async ({ what, movedTo = "" }) => renameSync(movedTo, what),
    ...extra,
  };
  return { sandbox, printed };
}

/** Says where it runs, and succeeds outside. */
const COMMAND = 'echo $WHERE >> runs; echo ran; test -z "$WHERE"';
const WRITE: Blocked = { kind: "write", what: "/etc/hosts", certain: true };
const HOST: Blocked = { kind: "network", what: "example.com:443", certain: true };
const SOCKET: Blocked = { kind: "socket", what: "/run/docker.sock", certain: false };

function place(
  sandbox: Sandbox,
  decide: (request: PermissionRequest) => PermissionDecision = () => ({ allowed: true }),
) {
  const shop = workshop();
  const run = (command: string): Promise<ToolResult> =>
    shop.call("bash", { command }, { permit: async (request) => decide(request), tools: { bash: { sandbox } } });
  const text = (result: ToolResult) =>
    result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  const said = async (command: string) => text(await run(command));
  const runs = () => readFileSync(join(shop.cwd, "runs"), "utf8").split("\n").slice(0, -1);
  return { ...shop, run, said, runs, text };
}

const onlyInside = ({ blocked, movedTo }: PermissionRequest): PermissionDecision =>
  blocked === undefined && movedTo === undefined ? { allowed: true } : { allowed: false, reason: "Not again" };

describe("a command that failed in the sandbox", () => {
  test("runs again outside if that is allowed, and the model gets that run and what was blocked", async () => {
    const { sandbox, printed } = sandboxOf([WRITE, HOST, SOCKET]);
    const { run, runs, asked, text } = place(sandbox);
    const result = await run(COMMAND);
    expect(text(result)).toBe(
      [
        "ran",
        "[The sandbox blocked writing /etc/hosts, connecting to example.com:443, using the socket /run/docker.sock (as printed by the command)]",
        "[It was allowed to run again outside the sandbox, and this is the output of that run]",
      ].join("\n"),
    );
    expect([runs(), printed, result.isError]).toEqual([["inside", ""], ["ran"], false]);
    expect(result.details).toMatchObject({ exitCode: 0, blocked: [WRITE, HOST, SOCKET], ranAgainOutside: true });
    expect(asked).toEqual([
      { tool: "bash", action: "run", target: COMMAND },
      { tool: "bash", action: "run", target: COMMAND, blocked: [WRITE, HOST, SOCKET] },
    ]);
  });

  test("does not run again after a refusal, and the model is told what was blocked and why", async () => {
    const { run, runs, text } = place(sandboxOf([WRITE]).sandbox, onlyInside);
    const result = await run(COMMAND);
    expect([text(result), runs(), result.isError]).toEqual([
      "ran\n[The sandbox blocked writing /etc/hosts]\n[Not again]\n[Exit code 1]",
      ["inside"],
      true,
    ]);
  });

  test("is asked about if it succeeded and something but a host was blocked, and never if nothing was", async () => {
    const questions = async (blocked: readonly Blocked[], command: string) => {
      const { asked, said } = place(sandboxOf(blocked).sandbox, onlyInside);
      const words = await said(command);
      return [asked.length - 1, words.includes("The sandbox blocked")];
    };
    expect({
      "a write, hidden by a pipe": await questions([WRITE], "false | true"),
      "a host it could do without": await questions([HOST], "true"),
      "a host it failed for": await questions([HOST], "false"),
      "nothing, failed": await questions([], "false"),
      "nothing, succeeded": await questions([], "true"),
    }).toEqual({
      "a write, hidden by a pipe": [1, true],
      "a host it could do without": [0, true],
      "a host it failed for": [1, true],
      "nothing, failed": [0, false],
      "nothing, succeeded": [0, false],
    });
  });

  test("is not asked about once the run was stopped", async () => {
    const { sandbox } = sandboxOf([WRITE, { kind: "moved", what: "/a", certain: true, movedTo: "/b" }]);
    const shop = workshop();
    const stop = new AbortController();
    const tools = { bash: { sandbox, killGraceMs: 100 } };
    const onUpdate = () => stop.abort();
    await shop.call("bash", { command: "echo on; while :; do :; done" }, { signal: stop.signal, tools, onUpdate });
    expect(shop.asked).toHaveLength(1);
  });

  test("starts outside if its permission says so", async () => {
    const { run, runs, text } = place(sandboxOf([WRITE]).sandbox, () => ({ allowed: true, outside: true }));
    const result = await run(COMMAND);
    expect([text(result), runs(), (result.details as BashDetails).blocked]).toEqual(["ran", [""], undefined]);
  });
});

describe("an error never lets a command run outside the sandbox", () => {
  const failing: Readonly<Record<string, Partial<Sandbox>>> = {
    "wrapping it fails": { wrap: () => Promise.reject(new ToolFailure("The sandbox could not be set up")) },
    "wrapping it throws": {
      wrap: () => {
        throw new TypeError("bug");
      },
    },
    "it is not known whether the sandbox works": { ready: () => Promise.reject(new Error("not ready")) },
  };
  test.each(Object.entries(failing))("%s", async (_, extra) => {
    const { run, cwd } = place(sandboxOf([], extra).sandbox);
    await run("touch ran").then(
      (result) => expect(result.isError).toBe(true),
      (error: unknown) => expect(error).toBeInstanceOf(Error),
    );
    const jobs = new Jobs();
    const shop = workshop();
    const tools = { bash: { sandbox: sandboxOf([], extra).sandbox, jobs } };
    await shop.call("bash", { command: "touch ran", background: true }, { tools }).catch(() => undefined);
    await jobs.stopAll();
    expect([existsSync(join(cwd, "ran")), existsSync(join(shop.cwd, "ran")), jobs.list]).toEqual([false, false, []]);
  });

  test("and one in finding out what was blocked does not lose the output", async () => {
    const wrap: Sandbox["wrap"] = async (line) => ({
      ...{ line, hasRun: () => true, finish: () => Promise.reject(new Error("proxy died")) },
    });
    const { said } = place(sandboxOf([], { wrap }).sandbox);
    expect(await said("echo out")).toBe("out\n[It is unknown what the sandbox blocked: proxy died]");
  });
});

describe("files that were moved away", () => {
  const world = (decide: (request: PermissionRequest) => PermissionDecision) => {
    const away = join(workshop().cwd, "away");
    mkdirSync(away);
    const moved = (name: string, cwd: string): Blocked => {
      writeFileSync(join(away, name), `content of ${name}\n`);
      return { kind: "moved", what: join(cwd, name), certain: true, movedTo: join(away, name) };
    };
    const blocked: Blocked[] = [];
    const made = place(sandboxOf(blocked).sandbox, decide);
    blocked.push(moved(".envrc", made.cwd), moved(".mcp.json", made.cwd));
    return { ...made, away };
  };

  test("are put back one by one if the user says so, with their content in the question", async () => {
    const { said, asked, cwd, away } = world(({ target }) =>
      target.endsWith(".mcp.json") ? { allowed: false, reason: "no" } : { allowed: true },
    );
    expect(await said("true")).toBe(
      [
        "(no output)",
        `[The command created ${cwd}/.envrc, and the user allowed it]`,
        `[The command created ${cwd}/.mcp.json, which can decide what runs later, so the sandbox moved it to ${away}/.mcp.json]`,
      ].join("\n"),
    );
    expect(asked[1]).toEqual({
      ...{ tool: "bash", action: "write", target: join(cwd, ".envrc"), movedTo: join(away, ".envrc") },
      note: `A sandboxed command created it, and it was moved to ${away}/.envrc.`,
      preview: { kind: "create", text: "content of .envrc\n" },
    });
    expect([existsSync(join(cwd, ".envrc")), existsSync(join(cwd, ".mcp.json"))]).toEqual([true, false]);
  });

  test("stay away if putting them back fails, and the model is told why", async () => {
    const { run, cwd, away, text } = world(() => ({ allowed: true }));
    // The command itself moves the kept file elsewhere: it is gone when it is to be put back.
    const result = await run(`rm ${away}/.envrc`);
    expect(text(result)).toContain(
      `[The command created ${cwd}/.envrc, which can decide what runs later, so the sandbox moved it to ${away}/.envrc, and it could not be put back: No such file or folder`,
    );
  });
});

test("what a background command was blocked from is reported when it ends, without a question", async () => {
  const jobs = new Jobs();
  const shop = workshop();
  const { sandbox } = sandboxOf([WRITE]);
  const told = new Promise<string[]>((resolve) => {
    const onBlocked = (...words: string[]) => resolve(words);
    void shop.call("bash", { command: "true", background: true }, { tools: { bash: { sandbox, jobs, onBlocked } } });
  });
  expect(await told).toEqual(["true", "writing /etc/hosts"]);
  expect(shop.asked.map(({ blocked }) => blocked)).toEqual([undefined]);
});

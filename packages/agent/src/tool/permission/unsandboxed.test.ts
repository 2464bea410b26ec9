import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { packageRegistries } from "../sandbox/package-registries.js";
import type { Blocked, SandboxState } from "../sandbox/sandbox.js";
import type { PermissionAnswer, PermissionMode, PermissionQuestion, PermissionRequest } from "../tool.js";
import { type CreatePermissionsOptions, createPermissions } from "./permissions.js";
import { parseRule, type RuleEffect, type RuleSource } from "./rule/rule.js";

const ON: SandboxState = { kind: "on" };
const UNAVAILABLE: SandboxState = { kind: "unavailable", reason: "no bwrap", fix: "install it" };

interface World extends Pick<CreatePermissionsOptions, "sandboxed"> {
  readonly mode?: PermissionMode;
  readonly answers?: readonly PermissionAnswer[];
  readonly state?: SandboxState | "none";
  readonly alone?: true;
}

function world(rules: Partial<Record<RuleEffect, readonly string[]>>, options: World = {}) {
  const { mode = "ask", answers = [], state = ON, alone, sandboxed } = options;
  const cwd = join(realpathSync(tempFolder()), "project");
  mkdirSync(cwd);
  const left = [...answers];
  const questions: PermissionQuestion[] = [];
  const kept: Record<string, readonly string[]> = {};
  const keeper = (where: string, source: RuleSource) => (texts: readonly string[], words: string) => {
    kept[where] = [...texts, words];
    return source;
  };
  const ask = async (question: PermissionQuestion): Promise<PermissionAnswer> => {
    questions.push(question);
    return left.shift() ?? "no";
  };
  const permissions = createPermissions({
    ...{ mode, cwd, sandboxed },
    rules: Object.entries(rules).flatMap(([effect, texts]) =>
      texts.map((text) => parseRule(text, { effect: effect as RuleEffect, source: { kind: "user" } })),
    ),
    keepRules: keeper("project", { kind: "local" }),
    keepEverywhere: keeper("everywhere", { kind: "user" }),
    ...(state === "none" ? {} : { sandbox: { state, ready: async () => state } }),
    ...(alone === true ? {} : { ask }),
  });
  const outcome = async (request: PermissionRequest): Promise<string> => {
    const before = questions.length;
    const decision = await permissions.permit(request);
    const asked = questions.length > before ? "asked, " : "";
    return `${asked}${decision.allowed ? (decision.outside === true ? "outside" : "inside") : "no"}`;
  };
  const run = (command: string) => outcome({ tool: "bash", action: "run", target: command, callId: "c1" });
  const again = (command: string, blocked: readonly Blocked[] = [HOSTS]) =>
    outcome({ tool: "bash", action: "run", target: command, callId: "c1", blocked });
  return { cwd, questions, kept, permissions, run, again };
}

const HOSTS: Blocked = { kind: "write", what: "/etc/hosts", certain: true };
const HOST: Blocked = { kind: "network", what: "example.com:443", certain: true };

describe("a command that rules let leave the sandbox", () => {
  test("starts outside at once, without a question, and only if they cover all of it", async () => {
    const { run } = world({ allow: ["unsandboxed(git push:*)", "bash(git add:*)"] }, { mode: "ask" });
    expect({
      covered: await run("git push origin main"),
      "with what needs no rule": await run("cd . && git push && echo done"),
      "with one that may only run inside": await run("git add a && git push"),
      "only inside": await run("git add a"),
      "another command": await run("git pull"),
      "options that the tables know as dangerous": await run("git push --receive-pack=./x"),
      "not in the certain language": await run('git push "$(cat a)"'),
      "a file elsewhere": await run("git push > /etc/bough-test"),
    }).toEqual({
      covered: "outside",
      "with what needs no rule": "outside",
      "with one that may only run inside": "inside",
      "only inside": "inside",
      "another command": "asked, no",
      "options that the tables know as dangerous": "asked, no",
      "not in the certain language": "asked, no",
      "a file elsewhere": "asked, no",
    });
  });

  test("also runs inside the sandbox if a rule for bash alone allows it, and in mode auto everything else does", async () => {
    const { run } = world({ allow: ["unsandboxed(git push:*)"] }, { mode: "auto" });
    expect([await run("git push"), await run("make"), await run("git push; make")]).toEqual([
      "outside",
      "inside",
      "inside",
    ]);
  });

  test("deny wins, and ask asks every time; rules about bash that ask do not keep it inside", async () => {
    const allow = ["unsandboxed(git push:*)"];
    const denied = world({ allow, deny: ["unsandboxed(git push --force:*)"] }, { mode: "auto" });
    const never = world({ allow, deny: ["unsandboxed"] }, { mode: "auto" });
    const notAtAll = world({ allow, deny: ["bash(git push:*)"] }, { mode: "auto" });
    const asks = world({ allow, ask: ["unsandboxed(git push:*)"] }, { mode: "auto", answers: ["once"] });
    const asksToRun = world({ allow, ask: ["bash(git push:*)"] }, { mode: "auto", answers: ["once", "no"] });
    expect([
      [await denied.run("git push --force"), await denied.again("git push --force")],
      [await never.run("git push"), await never.again("git push"), await never.again("make")],
      [await notAtAll.run("git push"), await notAtAll.again("git push")],
      [await asks.run("git push"), await asks.again("git push"), asks.questions[0]?.everywhere],
      [await asksToRun.run("git push"), await asksToRun.again("git push")],
    ]).toEqual([
      ["inside", "no"],
      ["inside", "no", "no"],
      ["no", "no"],
      ["inside", "asked, outside", undefined],
      ["asked, outside", "outside"],
    ]);
  });

  test("modes that run nothing run nothing outside either", async () => {
    for (const mode of ["plan", "read-only"] as const) {
      const { run, again } = world({ allow: ["unsandboxed(git push:*)"] }, { mode });
      expect([await run("git push"), await again("git push")]).toEqual(["no", "no"]);
    }
  });

  test("files of a project cannot let commands leave; they can keep them inside", () => {
    for (const text of ["unsandboxed", "unsandboxed(*)", "unsandboxed(git push:*)"]) {
      for (const kind of ["project", "local"] as const) {
        const { target } = parseRule(text, { effect: "allow", source: { kind } });
        expect(target).toMatchObject({ kind: "broken", tool: "unsandboxed" });
        expect(parseRule(text, { effect: "deny", source: { kind } }).target.kind).not.toBe("broken");
      }
    }
  });
});

describe("a command that the sandbox kept from something", () => {
  test("is asked about, with what was blocked and an offer for every project, which then starts outside", async () => {
    const { run, again, questions, kept } = world({}, { mode: "auto", answers: ["everywhere"] });
    expect([
      await run("pytest"),
      await again("pytest", [HOSTS, HOST]),
      await run("pytest -x"),
      await run("make"),
    ]).toEqual(["inside", "asked, outside", "outside", "inside"]);
    const words = 'commands that begin with "pytest", outside the sandbox';
    expect(questions).toEqual([
      {
        ...{ tool: "bash", action: "run", target: "pytest", callId: "c1", shown: "pytest", warnings: [] },
        blocked: [HOSTS, HOST],
        everywhere: words,
      },
    ]);
    expect(kept).toEqual({ everywhere: ["unsandboxed(pytest:*)", words] });
  });

  test("a yes counts once, and what was granted for the session does not cover it", async () => {
    const { run, again, questions } = world({}, { mode: "ask", answers: ["session", "once", "session", "no"] });
    expect([await run("make"), await again("make"), await again("make"), await again("make")]).toEqual([
      "asked, inside",
      "asked, outside",
      "asked, outside",
      "asked, no",
    ]);
    expect(questions.slice(1).map(({ grant, project }) => [grant, project])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  test("is not run again if Bough cannot ask, unless a rule allows it", async () => {
    const { permissions, again } = world({ allow: ["unsandboxed(git push:*)"] }, { mode: "auto", alone: true });
    const blocked = [HOSTS];
    expect(await permissions.permit({ tool: "bash", action: "run", target: "make", blocked })).toEqual({
      allowed: false,
      reason: "It was not run again outside the sandbox, because that needs confirmation, which is not possible here",
    });
    expect(await again("git push")).toBe("outside");
  });

  test("a refused host is also refused outside the sandbox, without asking again", async () => {
    const { permissions, run, again, questions } = world({}, { mode: "auto", answers: ["no", "once"] });
    await run("npm ci && make");
    const connect = { tool: "bash", action: "fetch", target: "https://Example.com/", callId: "c1" } as const;
    expect((await permissions.permit(connect)).allowed).toBe(false);
    expect(questions[0]?.warnings).toEqual(["Wanted by this command: npm ci && make"]);
    expect([await again("npm ci && make", [HOST]), questions.length]).toEqual(["no", 1]);
    expect(await again("npm ci && make", [HOST, HOSTS])).toBe("asked, outside");
    expect(questions[1]?.blocked).toEqual([HOSTS]);
  });

  test("the question names denied files, because outside the sandbox they are not hidden", async () => {
    const { again, questions } = world({ deny: ["read(.env)"] }, { mode: "auto" });
    await again("make");
    expect(questions[0]?.warnings).toEqual([
      "The rule deny read(.env) may apply. It is unknown what this command reads and writes.",
    ]);
  });
});

describe("what the sandbox moved away", () => {
  test("is asked about in every mode, and no rule or grant puts it back", async () => {
    const { cwd, permissions, questions } = world(
      { allow: ["edit(**)"] },
      { mode: "auto", answers: ["session", "no"] },
    );
    const target = join(cwd, ".envrc");
    const request = { tool: "bash", action: "write", target, movedTo: "/tmp/kept/.envrc" } as const;
    const answers = [await permissions.permit(request), await permissions.permit(request)];
    expect(answers.map(({ allowed }) => allowed)).toEqual([true, false]);
    expect(questions[1]).toMatchObject({
      movedTo: "/tmp/kept/.envrc",
      warnings: ["It can decide what runs later. You are asked every time."],
    });
  });
});

describe("one answer for package registries", () => {
  const connect = (host: string): PermissionRequest => ({ tool: "bash", action: "fetch", target: `https://${host}/` });

  test("is offered for a registry alone, keeps a rule for each, and later answers are rules too", async () => {
    const { permissions, questions, kept } = world({}, { mode: "auto", answers: ["everywhere", "no", "no"] });
    const allowed = [];
    for (const host of ["registry.npmjs.org", "pypi.org", "static.crates.io", "registry.npmjs.org.evil.com"]) {
      allowed.push((await permissions.permit(connect(host))).allowed);
    }
    expect(allowed).toEqual([true, true, true, false]);
    const words = "reach package registries: npm, PyPI, crates.io and others";
    expect(questions.map(({ everywhere }) => everywhere)).toEqual([words, undefined]);
    expect(kept).toEqual({ everywhere: [...packageRegistries.map((host) => `web_fetch(${host})`), words] });
  });

  test("is not offered for pages that the model fetches itself", async () => {
    const { permissions, questions } = world({});
    await permissions.permit({ ...connect("pypi.org"), tool: "web_fetch" });
    expect(questions.map(({ everywhere }) => everywhere)).toEqual([undefined]);
  });
});

describe("a sandbox that is only for mode auto", () => {
  const lines = ["make", "npm test && git status", "for f in *; do rm $f; done", "cat a | sh"];
  const outcomes = async (options: World) => {
    const { run } = world({}, { answers: ["once", "once", "once", "once"], ...options });
    return Promise.all(lines.map(run));
  };

  test("works: auto runs everything inside, other modes ask as before and run outside", async () => {
    expect(await outcomes({ sandboxed: "auto", mode: "auto" })).toEqual(["inside", "inside", "inside", "inside"]);
    expect(await outcomes({ sandboxed: "auto", mode: "ask" })).toEqual(Array(4).fill("asked, outside"));
    const { permissions } = world({}, { sandboxed: "auto", mode: "ask" });
    expect(permissions.commandSandbox).toBe("off");
    permissions.setMode("auto");
    expect(permissions.commandSandbox).toBe("on");
  });

  test("does not work: auto asks about what is not in the certain language, and says that it is not sandboxed", async () => {
    const state = UNAVAILABLE;
    expect(await outcomes({ sandboxed: "auto", mode: "auto", state })).toEqual([
      "inside",
      "inside",
      "asked, inside",
      "asked, inside",
    ]);
    expect(await outcomes({ sandboxed: "always", mode: "auto", state })).toEqual(Array(4).fill("asked, inside"));
    expect(await outcomes({ mode: "auto", state: "none" })).toEqual(Array(4).fill("inside"));
    const { run, questions, permissions } = world({}, { sandboxed: "auto", mode: "auto", state });
    await run("cat a | sh");
    expect(questions[0]?.warnings).toEqual([
      "This command was not fully understood, because it contains a shell that runs its input. This command is not sandboxed. Run bough doctor to see why.",
    ]);
    expect(permissions.commandSandbox).toBe("missing");
  });

  test("a switch to auto while a command is checked never runs it outside without asking", async () => {
    let release = (_: SandboxState): void => {};
    const starting = new Promise<SandboxState>((resolve) => {
      release = resolve;
    });
    const cwd = realpathSync(tempFolder());
    const sandbox = { state: undefined, ready: () => starting };
    const permissions = createPermissions({ mode: "ask", cwd, sandboxed: "auto", sandbox, ask: async () => "no" });
    const decision = permissions.permit({ tool: "bash", action: "run", target: "make" });
    permissions.setMode("auto");
    release(ON);
    expect((await decision).allowed && "outside" in (await decision)).toBe(false);
  });
});

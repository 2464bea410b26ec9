import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../test/support/temp-folder.js";
import { PERMISSION_MODES, type PermissionAnswer, type PermissionMode, type PermissionRequest } from "../tool.js";
import { createPermissions } from "./permissions.js";

function places() {
  const base = realpathSync(tempFolder());
  const cwd = join(base, "project");
  mkdirSync(cwd);
  mkdirSync(join(base, "outside/deep"), { recursive: true });
  return { cwd, outside: join(base, "outside") };
}

const read = (target: string): PermissionRequest => ({ tool: "read", action: "read", target });
const write = (target: string): PermissionRequest => ({ tool: "write", action: "write", target });
const run = (target: string): PermissionRequest => ({ tool: "bash", action: "run", target });
const use = (target: string): PermissionRequest => ({ tool: "deploy", action: "use", target });

/** Answers from a list, and remembers what it was asked. */
function person(...answers: PermissionAnswer[]) {
  const asked: string[] = [];
  const ask = async ({ tool, target }: PermissionRequest) => {
    asked.push(`${tool} ${target}`);
    return answers.shift() ?? "no";
  };
  return { asked, ask };
}

describe("the table of modes", () => {
  async function rowsOf(mode: PermissionMode, presence: "somebody" | "nobody"): Promise<readonly string[]> {
    const { cwd, outside } = places();
    const rows: string[] = [];
    const requests: readonly [string, PermissionRequest][] = [
      ["read inside", read("a.txt")],
      ["write inside", write(join(cwd, "a.txt"))],
      ["run", run("make")],
      ["read outside", read(join(outside, "a.txt"))],
      ["write outside", write("../outside/a.txt")],
      ["use a tool", use("{}")],
    ];
    for (const [name, request] of requests) {
      const { ask, asked } = person("once");
      const { permit } = createPermissions({ mode, cwd, ...(presence === "somebody" ? { ask } : {}) });
      const { allowed } = await permit(request);
      rows.push(`${name}: ${asked.length > 0 ? "asks" : allowed ? "yes" : "no"}`);
    }
    return rows;
  }

  test("with a person", async () => {
    const table = Object.fromEntries(
      await Promise.all(PERMISSION_MODES.map(async (mode) => [mode, await rowsOf(mode, "somebody")] as const)),
    );
    expect(table).toEqual({
      ask: [
        "read inside: yes",
        "write inside: asks",
        "run: asks",
        "read outside: asks",
        "write outside: asks",
        "use a tool: asks",
      ],
      auto: [
        "read inside: yes",
        "write inside: yes",
        "run: yes",
        "read outside: asks",
        "write outside: asks",
        "use a tool: yes",
      ],
      "read-only": [
        "read inside: yes",
        "write inside: no",
        "run: no",
        "read outside: no",
        "write outside: no",
        "use a tool: no",
      ],
    });
  });

  test("with nobody", async () => {
    const table = Object.fromEntries(
      await Promise.all(PERMISSION_MODES.map(async (mode) => [mode, await rowsOf(mode, "nobody")] as const)),
    );
    expect(table).toEqual({
      ask: [
        "read inside: yes",
        "write inside: no",
        "run: no",
        "read outside: no",
        "write outside: no",
        "use a tool: no",
      ],
      auto: [
        "read inside: yes",
        "write inside: yes",
        "run: yes",
        "read outside: no",
        "write outside: no",
        "use a tool: yes",
      ],
      "read-only": [
        "read inside: yes",
        "write inside: no",
        "run: no",
        "read outside: no",
        "write outside: no",
        "use a tool: no",
      ],
    });
  });

  test("a refusal says why and how to change it", async () => {
    const { cwd, outside } = places();
    const reasonOf = async (mode: PermissionMode, request: PermissionRequest) =>
      createPermissions({ mode, cwd }).permit(request);
    const { ask } = person("no");
    expect([
      await reasonOf("read-only", run("make test")),
      await reasonOf("read-only", read(outside)),
      await reasonOf("ask", write("a.txt")),
      await reasonOf("auto", write(outside)),
      await createPermissions({ mode: "ask", cwd, ask }).permit(run("rm -r .")),
    ]).toEqual(
      [
        'The permission mode is read-only: nothing may be changed or run. The user can change it with the permission mode "ask" or "auto". Refused: running make test',
        `The permission mode is read-only: only files inside the working directory may be read. The user can change it with the permission mode "ask" or "auto". Refused: reading ${outside}`,
        'The permission mode is ask and nobody is there to ask. The user can allow it with the permission mode "auto". Refused: writing a.txt',
        `The permission mode is auto and nobody is there to ask. Outside the working directory nothing is done without asking. Refused: writing ${outside}`,
        "The user said no to running rm -r .",
      ].map((reason) => ({ allowed: false, reason })),
    );
  });
});

describe("what is inside", () => {
  test("is decided by where a path leads", async () => {
    const { cwd, outside } = places();
    symlinkSync(outside, join(cwd, "link"));
    symlinkSync(cwd, join(outside, "back"));
    const { permit } = createPermissions({ mode: "auto", cwd });
    const targets = ["link/a", "../project/a", join(outside, "back/new/a"), "x/../../outside", `${cwd}-other/a`, "..a"];
    const answers = await Promise.all(targets.map(async (target) => (await permit(write(target))).allowed));
    expect(answers).toEqual([false, true, true, false, false, true]);
  });

  test("a working directory reached through a link counts as the folder it is", async () => {
    const { cwd, outside } = places();
    symlinkSync(cwd, join(outside, "other-name"));
    const { permit } = createPermissions({ mode: "auto", cwd: join(outside, "other-name") });
    expect(await permit(write(join(cwd, "a")))).toEqual({ allowed: true });
  });
});

describe("an answer for the session", () => {
  test("holds for the same tool and action: inside everywhere, for every command, outside below the same folder", async () => {
    const { cwd, outside } = places();
    const { ask, asked } = person("session", "session", "session", "session");
    const { permit } = createPermissions({ mode: "ask", cwd, ask });
    const requests = [
      write("a.txt"),
      write("b/c.txt"),
      { ...write("a.txt"), tool: "edit" },
      run("make"),
      run("make install"),
      read(join(outside, "deep/a")),
      read(join(outside, "deep/x/b")),
      read(join(outside, "c")),
      write(join(outside, "deep/a")),
    ];
    const answers: boolean[] = [];
    for (const request of requests) answers.push((await permit(request)).allowed);
    expect(asked).toEqual([
      "write a.txt",
      "edit a.txt",
      "bash make",
      `read ${join(outside, "deep/a")}`,
      `read ${join(outside, "c")}`,
      `write ${join(outside, "deep/a")}`,
    ]);
    expect(answers).toEqual([true, true, true, true, true, true, true, false, false]);
  });

  test("answers questions that were already waiting; questions come one at a time", async () => {
    const { cwd } = places();
    let open = 0;
    let most = 0;
    const asked: string[] = [];
    const ask = async ({ target }: PermissionRequest): Promise<PermissionAnswer> => {
      asked.push(target);
      most = Math.max(most, ++open);
      await new Promise(setImmediate);
      open--;
      return target === "one" ? "once" : "session";
    };
    const { permit } = createPermissions({ mode: "ask", cwd, ask });
    const answers = await Promise.all(["one", "two", "three", "four"].map((command) => permit(run(command))));
    expect([answers, asked, most]).toEqual([Array.from({ length: 4 }, () => ({ allowed: true })), ["one", "two"], 1]);
  });

  test("ends when it is forgotten, and never outweighs read-only", async () => {
    const { cwd } = places();
    const { ask, asked } = person("session", "no");
    const permissions = createPermissions({ mode: "ask", cwd, ask });
    const answers = [await permissions.permit(run("a"))];
    permissions.setMode("read-only");
    answers.push(await permissions.permit(run("b")));
    permissions.setMode("ask");
    answers.push(await permissions.permit(run("c")));
    permissions.forget();
    answers.push(await permissions.permit(run("d")));
    expect(answers.map(({ allowed }) => allowed)).toEqual([true, false, true, false]);
    expect([asked, permissions.mode]).toEqual([["bash a", "bash d"], "ask"]);
  });

  test("a front end that fails to ask is a refusal, and the next question is put all the same", async () => {
    const { cwd } = places();
    let calls = 0;
    const ask = async (): Promise<PermissionAnswer> => {
      if (++calls === 1) throw new Error("the client went away");
      return "once";
    };
    const { permit } = createPermissions({ mode: "ask", cwd, ask });
    expect([await permit(run("a")), await permit(run("b"))]).toEqual([
      { allowed: false, reason: "Nobody could be asked about running a : the client went away" },
      { allowed: true },
    ]);
  });
});

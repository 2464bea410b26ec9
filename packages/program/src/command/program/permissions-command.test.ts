import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPermissions, parseRule } from "@bough/agent/tool/index.js";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { testContext } from "../command-context.test-support.js";
import { runCommandLine } from "../run-command-line.js";

/** A context in which two things were allowed for the session. */
async function granted() {
  const { context } = testContext();
  const permissions = createPermissions({ mode: "ask", cwd: context.cwd, ask: async () => "session" });
  await permissions.permit({ tool: "bash", action: "run", target: "make" });
  await permissions.permit({ tool: "edit", action: "write", target: "a.txt" });
  return { permissions, context: { ...context, permissions } };
}

async function linesOf(...given: Parameters<typeof runCommandLine>): Promise<readonly string[]> {
  const outcome = await runCommandLine(...given);
  return "message" in outcome ? (outcome.message ?? "").split("\n") : [];
}

describe("/permissions", () => {
  it("lists the mode and what was allowed for the session", async () => {
    const { context, permissions } = await granted();
    expect(await runCommandLine(context, "/permissions")).toEqual({
      kind: "done",
      message: [
        "Mode ask: asks before commands, changes, and reading outside the working directory.",
        "Allowed for this session:",
        "  1  all shell commands",
        "  2  all edits in this folder",
      ].join("\n"),
      hint: "/permissions revoke <number> revokes one; /permissions revoke all revokes all.",
      data: { mode: "ask", grants: permissions.grants },
    });
  });

  it("takes one back, or all", async () => {
    const { context, permissions } = await granted();
    expect(await runCommandLine(context, "/permissions revoke 1")).toMatchObject({
      message: "Revoked: all shell commands. You will be asked again.",
      data: { revoked: [1] },
    });
    expect(permissions.grants.map(({ id }) => id)).toEqual([2]);
    expect(await runCommandLine(context, "/permissions revoke all")).toMatchObject({
      message: "Revoked: all edits in this folder. You will be asked again.",
    });
    expect(await runCommandLine(context, "/permissions revoke all")).toEqual({
      kind: "unchanged",
      message: "You have granted no permissions in this session.",
    });
  });

  it("says what is wrong with a number that is not there, and with other words", async () => {
    const { context } = await granted();
    expect(await runCommandLine(context, "/permissions revoke 7")).toMatchObject({
      kind: "unchanged",
      code: "wrong-arguments",
      message: expect.stringContaining("No grant has the number 7"),
    });
    expect(await runCommandLine(context, "/permissions forget")).toMatchObject({ code: "wrong-arguments" });
  });

  it("marks rules that cover every option", async () => {
    const { context } = testContext();
    const rules = ["bash(ls:*)", "bash(npm test:*)", "bash(deploy:*)", "bash(sort:**)", "bash(make lint)"].map((text) =>
      parseRule(text, { effect: "allow", source: { kind: "flag" } }),
    );
    const permissions = createPermissions({ mode: "ask", cwd: context.cwd, rules });
    const marked = (await linesOf({ ...context, permissions }, "/permissions")).filter((line) =>
      line.includes("every option"),
    );
    expect(marked.map((line) => line.split("  ")[2])).toEqual(["allow bash(deploy:*)", "allow bash(sort:**)"]);
  });

  it("shows the first of a hundred thousand rules, finds others, and says what auto does without a sandbox", async () => {
    const { context } = testContext();
    const rules = Array.from({ length: 100_000 }, (_, at) =>
      parseRule(`bash(tool${at}:*)`, { effect: "allow", source: { kind: "flag" } }),
    );
    const permissions = createPermissions({ mode: "ask", cwd: context.cwd, rules });
    const withRules = { ...context, permissions };
    const listed = await linesOf(withRules, "/permissions");
    expect([listed.length, listed.at(-1)]).toEqual([
      103,
      "  and 99,900 more. /permissions find <text> lists rules that contain it.",
    ]);
    expect(await linesOf(withRules, "/permissions find tool99999")).toEqual([
      "Rules (deny wins over ask, ask over allow):",
      "  r100000  allow bash(tool99999:*)  command line  every option",
    ]);
    expect(await runCommandLine(withRules, "/permissions find nothing")).toMatchObject({ kind: "unchanged" });
    expect(await runCommandLine(withRules, "/permissions auto")).toMatchObject({
      message:
        "Mode auto: commands and changes in the working directory run without asking. Commands are not sandboxed.",
      hint: "To sandbox them, start with --sandbox on.",
    });
  });

  it("lists rules with where they come from, and removes those of your own settings", async () => {
    const { context } = testContext();
    const file = join(realpathSync(tempFolder()), "settings.json");
    writeFileSync(file, '{"permissions":{"allow":["bash(ls:*)"]}}');
    const permissions = createPermissions({
      mode: "ask",
      cwd: context.cwd,
      rules: [
        parseRule("bash(ls:*)", { effect: "allow", source: { kind: "user", file } }),
        parseRule("bash(rm:*)", { effect: "deny", source: { kind: "flag" } }),
      ],
    });
    const ruled = { ...context, permissions };
    expect(await runCommandLine(ruled, "/permissions")).toMatchObject({
      message: [
        "Mode ask: asks before commands, changes, and reading outside the working directory.",
        "Rules (deny wins over ask, ask over allow):",
        `  r1  allow bash(ls:*)  your settings (${file})`,
        "  r2  deny bash(rm:*)  command line",
      ].join("\n"),
      hint: "/permissions remove <rule> takes a rule out of your settings.",
    });
    expect(await runCommandLine(ruled, "/permissions remove r2")).toEqual({
      kind: "unchanged",
      message: "deny bash(rm:*) cannot be removed here: it comes from the command line",
    });
    expect(await runCommandLine(ruled, "/permissions remove r1")).toMatchObject({
      message: "Removed: allow bash(ls:*)",
    });
    expect([permissions.rules.map(({ text }) => text), JSON.parse(readFileSync(file, "utf8"))]).toEqual([
      ["bash(rm:*)"],
      {},
    ]);
    expect(await runCommandLine(ruled, "/permissions remove r9")).toMatchObject({ code: "wrong-arguments" });
  });

  it("says which rules protect only existing files from commands in the sandbox", async () => {
    const { context } = testContext();
    const state = { kind: "on" } as const;
    const source = { kind: "flag" } as const;
    const rules = ["edit(**/*.pem)", "edit(dist/**)", "read(**/*.pem)"].map((text) =>
      parseRule(text, { effect: "deny", source }),
    );
    const sandbox = { state, ready: async () => state };
    const permissions = createPermissions({ mode: "ask", cwd: context.cwd, rules, sandbox });
    const outcome = await runCommandLine({ ...context, permissions }, "/permissions");
    expect(JSON.stringify(outcome).match(/r\d {2}deny [^"\\]*/g)).toEqual([
      "r1  deny edit(**/*.pem)  command line  sandboxed commands: protects files that already exist",
      "r2  deny edit(dist/**)  command line",
      "r3  deny read(**/*.pem)  command line",
    ]);
  });

  it("says that commands ask in auto mode if they should be sandboxed and are not", async () => {
    const { context } = testContext();
    const state = { kind: "unavailable", reason: "no bwrap", fix: "Install it" } as const;
    const sandbox = { state, ready: async () => state };
    const permissions = createPermissions({ mode: "auto", cwd: context.cwd, sandbox });
    expect(await runCommandLine({ ...context, permissions }, "/permissions")).toMatchObject({
      message: [
        "Mode auto: commands and changes in the working directory run without asking.",
        "Not sandboxed: no bwrap.",
        "Install it. To check: bough sandbox install",
        "Until the sandbox works, commands ask in this mode.",
        "You have granted no permissions in this session.",
      ].join("\n"),
    });
  });

  it("says what asks in auto mode if the sandbox is a default and does not work, and nothing in modes without it", async () => {
    const { context } = testContext();
    const state = { kind: "unavailable", reason: "no bwrap", fix: "Install it" } as const;
    const sandbox = { state, ready: async () => state };
    const permissions = createPermissions({ mode: "auto", cwd: context.cwd, sandbox, sandboxed: "auto" });
    const said = async () =>
      (await runCommandLine({ ...context, permissions }, "/permissions")) as { message?: string };
    expect((await said()).message).toContain(
      "Until the sandbox works, commands that Bough does not fully understand ask in this mode.",
    );
    permissions.setMode("ask");
    expect((await said()).message).not.toMatch(/sandbox/i);
  });

  it("sets the mode, and says what it means", async () => {
    const { context, permissions } = await granted();
    expect(await runCommandLine(context, "/permissions edits")).toEqual({
      kind: "done",
      message: "Mode edits: files in the working directory are changed without asking; commands ask.",
      data: { mode: "edits" },
    });
    expect(permissions.mode).toBe("edits");
    expect(await runCommandLine(context, "/permissions auto now")).toMatchObject({ code: "wrong-arguments" });
    expect(permissions.mode).toBe("edits");
  });

  it("completes modes", async () => {
    const { context } = await granted();
    const { PERMISSIONS_COMMAND } = await import("./permissions-command.js");
    const offered = await PERMISSIONS_COMMAND.complete?.(context, "e");
    expect(offered?.[0]?.value).toBe("edits");
  });

  it("completes what can be revoked", async () => {
    const { context } = await granted();
    const { PERMISSIONS_COMMAND } = await import("./permissions-command.js");
    const offered = await PERMISSIONS_COMMAND.complete?.(context, "revoke ");
    expect(offered?.map(({ value }) => value)).toEqual(["revoke all", "revoke 1", "revoke 2"]);
  });

  it("is disabled if a program decides itself", async () => {
    const context = { ...testContext().context, permissions: undefined };
    expect(await runCommandLine(context, "/permissions")).toMatchObject({
      kind: "unchanged",
      message: "This program manages permissions itself.",
    });
  });
});

import { describe, expect, it } from "vitest";
import { createPermissions } from "../../tool/index.js";
import { testContext } from "../command-context.test-support.js";
import { runCommandLine } from "../run-command-line.js";

/** A world in which two things were allowed for the session. */
async function granted() {
  const { world } = testContext();
  const permissions = createPermissions({ mode: "ask", cwd: world.cwd, ask: async () => "session" });
  await permissions.permit({ tool: "bash", action: "run", target: "make" });
  await permissions.permit({ tool: "edit", action: "write", target: "a.txt" });
  return { permissions, world: { ...world, permissions } };
}

describe("A3: /permissions", () => {
  it("A3: lists the mode and what was allowed for the session", async () => {
    const { world, permissions } = await granted();
    expect(await runCommandLine(world, "/permissions")).toEqual({
      kind: "done",
      message: [
        "Mode ask: asks before commands, changes, and reading outside the working directory.",
        "Allowed for this session:",
        "  1  all shell commands",
        "  2  change any file in this folder with edit",
        "/permissions revoke <number> revokes one; /permissions revoke all revokes all.",
      ].join("\n"),
      data: { mode: "ask", grants: permissions.grants },
    });
  });

  it("A3: takes one back, or all", async () => {
    const { world, permissions } = await granted();
    expect(await runCommandLine(world, "/permissions revoke 1")).toMatchObject({
      message: "Revoked: all shell commands. You will be asked again.",
      data: { revoked: [1] },
    });
    expect(permissions.grants.map(({ id }) => id)).toEqual([2]);
    expect(await runCommandLine(world, "/permissions revoke all")).toMatchObject({
      message: "Revoked: change any file in this folder with edit. You will be asked again.",
    });
    expect(await runCommandLine(world, "/permissions revoke all")).toEqual({
      kind: "unchanged",
      message: "Nothing is allowed without asking in this session.",
    });
  });

  it("says what is wrong with a number that is not there, and with other words", async () => {
    const { world } = await granted();
    expect(await runCommandLine(world, "/permissions revoke 7")).toMatchObject({
      kind: "unchanged",
      code: "wrong-arguments",
      message: expect.stringContaining("No grant has the number 7"),
    });
    expect(await runCommandLine(world, "/permissions forget")).toMatchObject({ code: "wrong-arguments" });
  });

  it("completes what can be revoked", async () => {
    const { world } = await granted();
    const { PERMISSIONS_COMMAND } = await import("./permissions-command.js");
    const offered = await PERMISSIONS_COMMAND.complete?.(world, "revoke ");
    expect(offered?.map(({ value }) => value)).toEqual(["revoke all", "revoke 1", "revoke 2"]);
  });

  it("is off where a program decides by itself", async () => {
    const world = { ...testContext().world, permissions: undefined };
    expect(await runCommandLine(world, "/permissions")).toMatchObject({
      kind: "unchanged",
      message: "This program manages permissions itself.",
    });
  });
});

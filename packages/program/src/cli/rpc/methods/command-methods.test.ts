import { describe, expect, test } from "vitest";
import { testContext } from "../../../command/command-context.test-support.js";
import { COMMANDS } from "../../../command/index.js";
import { COMMAND_METHODS } from "./command-methods.js";
import type { RpcContext } from "./rpc-method.js";

function contextOf(options: Parameters<typeof testContext>[0]): RpcContext {
  return { commands: testContext(options).context } as RpcContext;
}

describe("commands of a client", () => {
  test("are listed with what they take and why one is off, in the published shape", () => {
    const { commands } = COMMAND_METHODS;
    const listed = commands.run(contextOf({ drawing: "A-b" }), {});
    expect(commands.result.safeParse(listed).error).toBeUndefined();
    expect(listed).toHaveLength(COMMANDS.length);
    expect(listed).toContainEqual(
      expect.objectContaining({ name: "hints", available: false, reason: "No hints here." }),
    );
    expect(listed).toContainEqual(expect.objectContaining({ name: "undo", usage: "", available: true }));
  });

  test.each([
    ["/switch #2", { kind: "done", data: { leafId: "f", branch: 2 } }],
    ["/branch-here C", { kind: "done", editorText: "C" }],
    ["/branches", { kind: "done", data: { leafId: "d" } }],
    ["/undo", { kind: "done", editorText: "C", data: { leafId: "b" } }],
    ["/redo", { kind: "unchanged", message: "Nothing to redo." }],
    ["/nope", { kind: "unchanged", code: "unknown-command" }],
    ["/quit", { kind: "quit" }],
  ])("%s answers %j", async (line, expected) => {
    const { runCommand } = COMMAND_METHODS;
    const outcome = await runCommand.run(contextOf({ drawing: "A-b-C-d*; b-E-f" }), { line });
    expect(outcome).toMatchObject(expected);
    expect(runCommand.result.safeParse(outcome).error).toBeUndefined();
  });

  test("have to start with a slash", () => {
    const { params } = COMMAND_METHODS.runCommand;
    expect([params.safeParse({ line: "/undo" }).success, params.safeParse({ line: "undo" }).success]).toEqual([
      true,
      false,
    ]);
  });
});

import { expect, test } from "vitest";
import { ToolInputs } from "./tool-inputs.js";

test("the call that asks is the running one of the tool that names the target", () => {
  const inputs = new ToolInputs();
  const start = (toolCallId: string, toolName: string, input: unknown) =>
    inputs.handleEvent({ type: "tool_start", toolCallId, toolName, input });
  start("1", "write", { path: "a.txt", content: "one" });
  start("2", "write", { path: "/project/b.txt", content: "two" });
  start("3", "bash", { command: "make" });
  const of = (tool: string, target: string) => inputs.inputOf({ tool, action: "write", target }, "/project");
  expect([of("write", "/project/a.txt"), of("write", "b.txt"), of("bash", "make"), of("bash", "make test")]).toEqual([
    { path: "a.txt", content: "one" },
    { path: "/project/b.txt", content: "two" },
    { command: "make" },
    undefined,
  ]);
  inputs.handleEvent({ type: "run_end", outcome: { kind: "aborted" } });
  expect(of("bash", "make")).toBeUndefined();
});

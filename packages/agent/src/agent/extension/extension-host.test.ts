import { expect, test } from "vitest";
import { silentUi } from "../../extension/run.js";
import { harness, lines } from "../agent-harness.test-support.js";
import { scriptedModel } from "../scripted-model.test-support.js";
import { extensionHost } from "./extension-host.js";

test("an extension reads, notes, sends and moves through the agent, and cannot prompt", async () => {
  const { agent, session } = harness({ model: scriptedModel(["one", "two"]) });
  const host = extensionHost({ agent: () => agent, cwd: "/", ui: silentUi(() => {}), hasUi: false });
  const context = host.context();
  host.appendEntry("state", { count: 1 });
  host.sendMessage({ customType: "x", content: "hello", display: true }, true);
  expect(context.session.isStreaming).toBe(true);
  await agent.whenIdle();
  expect(lines(session)).toEqual(["custom", "model_change", "custom: hello", "assistant(stop): one"]);
  expect(context.currentPath).toEqual(session.getBranch());
  expect(context.entries).toHaveLength(4);
  const [first] = context.currentPath;
  await context.branchInPlace(first?.id ?? "", "what was tried");
  expect(context.currentPath.map((entry) => entry.type)).toEqual(["custom", "branch_summary"]);
  for (const options of [undefined, { cwd: undefined }])
    expect(await context.exec("pwd", [], options)).toMatchObject({ stdout: "/\n", exitCode: 0 });
  expect(context.sessionManager.getLeafId()).toBe(session.getLeafId());
  expect(context.sessionManager.getEntry(first?.id ?? "")).toEqual(first);
  expect("appendMessage" in context.sessionManager).toBe(false);
  expect("prompt" in context.session).toBe(false);
});

import { extensionHost } from "@bough/agent/agent/index.js";
import { createRunner, silentUi } from "@bough/agent/extension/run.js";
import { createTools } from "@bough/agent/tool/index.js";
import { expect, test } from "vitest";
import { testContext } from "../../../command/command-context.test-support.js";
import type { RpcContext } from "./rpc-method.js";
import { RPC_METHODS } from "./rpc-methods.js";
import { SpawnedAgents } from "./spawned-agents.js";

async function seat(steps: NonNullable<Parameters<typeof testContext>[0]>["steps"], blocks = false) {
  const {
    context: commands,
    agent,
    session,
  } = testContext({ drawing: "A-b", steps: steps ?? [], agent: { tools: createTools() } });
  const heard: string[] = [];
  const runner = await createRunner([
    {
      name: "guard",
      factory: (bough) => {
        bough.on("session_start", () => void heard.push("session_start"));
        if (blocks) bough.on("tool_call", () => ({ block: true, reason: "not on this branch" }));
      },
    },
  ]);
  const host = extensionHost({ cwd: commands.cwd, ui: silentUi(() => {}), hasUi: false });
  host.attach(agent);
  runner.bind(host);
  const agents = new SpawnedAgents((name, { type }) => heard.push(`${name} ${type}`));
  const started = { agent, parts: { runner }, submit: agent.prompt.bind(agent) };
  const context = { commands, started, agents } as unknown as RpcContext;
  const call = async (name: string, params: object) => {
    const method = RPC_METHODS.get(name);
    if (method === undefined) throw new Error(`bug: no method ${name}`);
    const answer = (await method.run(context, method.params.parse(params))) ?? null;
    expect(method.result.safeParse(answer).error).toBeUndefined();
    return answer;
  };
  return { session, call, heard };
}

test("an agent on another branch grows its own branch while the first one stays where it is", async () => {
  const { session, call, heard } = await seat([{ text: "other way" }, { text: "this way" }]);
  const [root] = session.getPath();
  const leaf = session.getLeafId();
  expect(await call("spawnBranch", { entryId: root?.id ?? null })).toEqual({ agent: "agent-1" });
  expect(await call("prompt", { text: "try the other", agent: "agent-1" })).toMatchObject({ kind: "done" });
  await call("whenIdle", { agent: "agent-1" });
  expect(session.getLeafId()).toBe(leaf);
  expect(heard).toEqual(expect.arrayContaining(["agent-1 run_start", "agent-1 message_end", "agent-1 run_end"]));
  expect(heard).not.toContain("session_start");
  expect(await call("prompt", { text: "go on" })).toMatchObject({ kind: "done" });
  session.refresh();
  expect(session.getChildIds(root?.id ?? null)).toHaveLength(2);
  await call("closeAgent", { agent: "agent-1" });
  await expect(call("abort", { agent: "agent-1" })).rejects.toMatchObject({ code: "unknown-agent" });
});

test("guards of extensions guard its tools too, and there is a limit to how many there are", async () => {
  const { session, call } = await seat([{ calls: [{ name: "ls", input: {} }] }, { text: "I see" }] as never, true);
  await call("spawnBranch", { entryId: null });
  await call("prompt", { text: "look", agent: "agent-1" });
  session.refresh();
  expect(JSON.stringify(session.getEntries())).toContain("not on this branch");
  for (let n = 2; n <= 16; n++) expect(await call("spawnBranch", { entryId: null })).toEqual({ agent: `agent-${n}` });
  await expect(call("spawnBranch", { entryId: null })).rejects.toMatchObject({ code: "too-many-agents" });
  for (let n = 1; n <= 16; n++) await call("closeAgent", { agent: `agent-${n}` });
});

import type { SubAgent } from "@bough/agent/agent/index.js";
import { expect, it } from "vitest";
import { testContext } from "../command-context.test-support.js";
import { runCommandLine } from "../run-command-line.js";

function working(...descriptions: readonly string[]) {
  const stopped: string[] = [];
  const subAgents = descriptions.map(
    (description, at): SubAgent => ({
      ...{ id: `entry-${at}` as SubAgent["id"], toolCallId: "call", name: "agent", description, background: at > 0 },
      ...{ state: "running", depth: 1, step: 'grep "TODO"', steps: 3, tokens: 12_000, dollars: 0 },
    }),
  );
  const stopSubAgent = async (id: string) => stopped.push(id) > 0;
  const { context } = testContext();
  Object.defineProperties(context.agent, { subAgents: { value: subAgents }, stopSubAgent: { value: stopSubAgent } });
  return { context, stopped };
}

it("/children lists sub-agents with what they do, and stops one or all of them", async () => {
  const { context, stopped } = working("Find the tests", "Read the docs");
  expect(await runCommandLine(context, "/children")).toMatchObject({
    message: [
      "Sub-agents:",
      '  1  grep "TODO", 3 steps, 12k tokens  Find the tests',
      '  2  grep "TODO", 3 steps, 12k tokens, in the background  Read the docs',
    ].join("\n"),
    hint: "/children stop <number> stops one.",
  });
  expect(await runCommandLine(context, "/children stop 2")).toMatchObject({ message: "Stopped: Read the docs" });
  expect(await runCommandLine(context, "/children stop all")).toMatchObject({ message: "Stopped 2 sub-agents." });
  expect(stopped).toEqual(["entry-1", "entry-0", "entry-1"]);
});

it("/children says that none is working, and refuses what it does not know", async () => {
  expect(await runCommandLine(working().context, "/children")).toMatchObject({ message: "No sub-agent is working." });
  const { context, stopped } = working("Find the tests");
  for (const line of ["/children stop", "/children stop 2", "/children kill 1"]) {
    expect((await runCommandLine(context, line)).kind).toBe("unchanged");
  }
  expect(stopped).toEqual([]);
});

import { testContext } from "@bough/program/command/command-context.test-support.js";
import { sessionMemory } from "@bough/session/session/memory/memory-budget.js";
import { performHandoff, planHandoff } from "@bough/workbench/interop/internal.js";
import { expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.js";

const MEGABYTE = 1 << 20;

it("a path that was handed over inside the agent does not stay in memory", async () => {
  const { context, session } = testContext({ drawing: "A-b" });
  for (let i = 0; i < 100; i++)
    session.appendMessage({ role: "user", content: `${i} ${"word ".repeat(40_000)}`, timestamp: 1 });
  for (const entry of session.readBranch()) expect(entry.type).not.toBe("unreadable");
  // What a path of 20 MB takes when it is only read.
  expect(sessionMemory.used).toBeGreaterThan(15 * MEGABYTE);
  const { limit } = sessionMemory;
  const { agentPlaces: places, now } = context;
  const planned = await planHandoff({ session, agent: "codex", folder: tempFolder(), places, now });
  expect(sessionMemory.used).toBeLessThanOrEqual(4 * MEGABYTE);
  await performHandoff(planned, { agreed: true });
  expect(sessionMemory.used).toBeLessThanOrEqual(4 * MEGABYTE);
  expect(sessionMemory.limit).toBe(limit);
});

import { hooksOf, registryOf } from "@bough/agent/agent/agent-harness.test-support.js";
import { answer, says } from "@bough/agent/agent/operation-parts.test-support.js";
import { SCRIPTED_INFO } from "@bough/agent/agent/scripted-model.test-support.js";
import { oddServer, openServers } from "@bough/agent/mcp/mcp-servers.test-support.js";
import type { LanguageModel, ModelRegistry } from "@bough/agent/model/index.js";
import { describe, expect, test } from "vitest";
import { LONG, testContext } from "../command-context.test-support.js";
import { runCommandLine } from "../run-command-line.js";

const settings = {
  compaction: { enabled: false, reserveTokens: 100, keepRecentTokens: 10 },
  retry: { maxRetries: 0, baseDelayMs: 0, maxDelayMs: 0 },
};
const turns = {
  drawing: "A-b-C-d-E-f*",
  contents: { b: says(answer(LONG)), d: says(answer(LONG)) },
  agent: { settings },
} as const;

describe("/compact", () => {
  test("puts a summary in place of the older part, and undo takes it back", async () => {
    const { context, session, model } = testContext({ ...turns, steps: ["what happened"] });
    expect(await runCommandLine(context, "/compact the failing cases")).toMatchObject({
      kind: "done",
      message: expect.stringMatching(/^Summarized \S+ tokens into \S+\./),
      hint: "/compact undo reverts it.",
      data: { entryId: expect.any(String), tokensBefore: expect.any(Number), loss: expect.any(Object) },
    });
    expect(JSON.stringify(model.requests)).toContain("the failing cases");
    expect(session.getBranch().some(({ type }) => type === "compaction")).toBe(true);
    expect(await runCommandLine(context, "/compact undo")).toMatchObject({
      message: "Compaction undone; the model sees everything again.",
      hint: "/redo compacts again.",
    });
    expect(session.getLeafId()).toBe("f");
  });

  test("says so where there is nothing to do, no model, or an extension does not want it", async () => {
    const { context } = testContext({ drawing: "A-b", agent: { settings } });
    expect(await runCommandLine(context, "/compact")).toEqual({
      kind: "unchanged",
      message: "Nothing to compact yet: it needs at least two turns.",
      code: "nothing-to-compact",
    });
    expect(await runCommandLine(context, "/compact undo")).toEqual({
      kind: "unchanged",
      message: "No compaction on this path to undo.",
    });
    const registry: ModelRegistry = {
      ...registryOf(),
      preferred: () => SCRIPTED_INFO,
    };
    // A model by its name that cannot be opened, and nothing else there.
    const model = { ...SCRIPTED_INFO, info: SCRIPTED_INFO } as unknown as LanguageModel;
    const without = testContext({ ...turns, agent: { settings, registry, model } });
    expect(await runCommandLine(without.context, "/compact")).toEqual({
      kind: "unchanged",
      message: "No model is selected.",
      hint: "Choose one with /model.",
      code: "no-model",
    });
    const hooks = hooksOf({ session_before_compact: () => ({ cancel: true }) });
    const stopped = testContext({ ...turns, agent: { settings, hooks } });
    expect(await runCommandLine(stopped.context, "/compact")).toMatchObject({
      message: "Compaction cancelled by test. Nothing changed.",
    });
  });

  test("opens its screen with what to keep", async () => {
    const { context, opened } = testContext({ ...turns, screens: ["compact"] });
    await runCommandLine(context, "/compact");
    await runCommandLine(context, "/compact the cases");
    expect(opened).toEqual([{ screen: "compact" }, { screen: "compact", instructions: "the cases" }]);
  });
});

describe("/context", () => {
  test("shows sizes, hides an entry and restores it", async () => {
    const { context, session } = testContext(turns);
    expect(await runCommandLine(context, "/context")).toMatchObject({
      message: expect.stringMatching(
        /^About \S+ of 100k tokens\n {2}system prompt {2}\S+\n[\s\S]* {2}3 answers {2}\S+\n {2}3 prompts {2}\S+$/,
      ),
      data: {
        window: 100_000,
        roles: [
          { role: "assistant", count: 3 },
          { role: "user", count: 3 },
        ],
      },
    });
    expect(await runCommandLine(context, "/context drop A")).toMatchObject({
      message: '"A" is now hidden from the model.',
    });
    expect(JSON.stringify(session.buildSessionContext().messages)).not.toContain('"A"');
    expect(await runCommandLine(context, "/context restore A")).toMatchObject({
      message: '"A" is shown to the model again.',
    });
    expect(JSON.stringify(session.buildSessionContext().messages)).toContain('"A"');
    expect(await runCommandLine(context, "/context restore C")).toEqual({
      kind: "unchanged",
      message: "No change: the model already sees it that way.",
    });
  });

  test("shows what each MCP server adds to a request, and what search keeps out of it", async () => {
    const { servers } = openServers({ some: oddServer("good"), more: { ...oddServer("good"), expose: "search" } });
    const { context, agent } = testContext({ steps: ["done"], agent: { servers } });
    await agent.prompt("go");
    const told = await runCommandLine(context, "/context");
    expect(told).toMatchObject({
      message: expect.stringContaining("    more: 2 tools found by search  0 (53 not sent)\n    some: 2 tools  53\n"),
      data: {
        servers: [
          { name: "more", sent: { tools: 0, tokens: 0 }, searched: { tools: 2, tokens: 53 } },
          { name: "some", sent: { tools: 2, tokens: 53 }, searched: { tools: 0, tokens: 0 } },
        ],
      },
    });
    await agent.dispose();
  });

  test("opens its screen, and refuses what it does not know", async () => {
    const { context } = testContext({ ...turns, screens: ["context"] });
    expect(await runCommandLine(context, "/context")).toEqual({ kind: "shown" });
    expect(await runCommandLine(context, "/context forget A")).toMatchObject({ code: "wrong-arguments" });
    expect(await runCommandLine(context, "/context drop")).toMatchObject({ code: "wrong-arguments" });
    expect(await runCommandLine(context, "/context drop zz")).toMatchObject({ code: "unknown-reference" });
  });
});

describe("/pin and /unpin", () => {
  test("pin an entry of this path, list it, and take it back", async () => {
    const { context, agent } = testContext(turns);
    expect(await runCommandLine(context, "/pin")).toMatchObject({
      message: "Nothing is pinned on this path.",
      hint: "/pin with an id pins an entry.",
    });
    expect(await runCommandLine(context, "/pin A")).toMatchObject({
      message: 'Pinned "A". Every compaction keeps its text.',
    });
    expect(agent.getPins()).toEqual([{ id: "A", text: "A" }]);
    expect(await runCommandLine(context, "/pin A")).toEqual({ kind: "unchanged", message: "Already pinned." });
    expect(await runCommandLine(context, "/pin")).toMatchObject({ message: '  "A"  A' });
    expect(await runCommandLine(context, "/unpin A")).toMatchObject({ message: 'Unpinned "A".' });
    expect(await runCommandLine(context, "/unpin A")).toMatchObject({ message: "Not pinned on this path." });
  });

  test("refuse what is on another branch and what is missing", async () => {
    const { context } = testContext({ drawing: "A-b*; A-c" });
    expect(await runCommandLine(context, "/pin c")).toMatchObject({ code: "not-on-this-path" });
    expect(await runCommandLine(context, "/unpin")).toMatchObject({ code: "wrong-arguments" });
  });
});

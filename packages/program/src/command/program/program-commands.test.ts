import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { registryOf } from "@bough/agent/agent/agent-harness.test-support.js";
import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { ModelError } from "@bough/agent/model/index.js";
import { describe, expect, test } from "vitest";
import type { Command } from "../command.js";
import { testContext } from "../command-context.test-support.js";
import { COMMANDS } from "../commands.js";
import { runCommandLine } from "../run-command-line.js";

describe("/model and /thinking", () => {
  function twoModels(screens: readonly "model"[] = []) {
    const [first, second] = [scriptedModel([]), scriptedModel([], { id: "other", reasoning: false })];
    const registry = registryOf(first, second);
    const resolve = (reference: string) => {
      if (reference === "script")
        throw new ModelError("ambiguous-model", "Several models match script", { hint: "Say which." });
      return registry.resolve(reference);
    };
    return testContext({ screens, agent: { model: first, registry: { ...registry, resolve } } });
  }

  test("choose, list, and say what is in use", async () => {
    const { context, agent } = twoModels();
    expect(await runCommandLine(context, "/model")).toMatchObject({
      message: "@ scripted/script\n  scripted/other",
      data: { model: "scripted/script", models: ["scripted/script", "scripted/other"] },
    });
    expect(await runCommandLine(context, "/model scripted/other")).toEqual({
      kind: "done",
      message: "Model: scripted/other",
      data: { model: "scripted/other" },
    });
    expect(agent.model?.info.id).toBe("other");
    expect(await runCommandLine(context, "/model scripted/other")).toMatchObject({
      message: "This model is already in use.",
    });
    expect(await runCommandLine(context, "/thinking HIGH")).toMatchObject({
      message: "Thinking: high. The current model does not support thinking; it applies after you switch.",
    });
    expect(agent.thinkingLevel).toBe("high");
    expect(await runCommandLine(context, "/thinking high")).toMatchObject({ message: "This level is already in use." });
    expect(await runCommandLine(context, "/thinking")).toMatchObject({ data: { level: "high" } });
    expect(await runCommandLine(context, "/thinking hard")).toMatchObject({ code: "wrong-arguments" });
  });

  test("several matches open the list, or are reported", async () => {
    const { context, opened } = twoModels(["model"]);
    await runCommandLine(context, "/model script");
    await runCommandLine(context, "/model");
    expect(opened).toEqual([{ screen: "model", search: "script" }, { screen: "model" }]);
    expect(await runCommandLine(twoModels().context, "/model script")).toEqual({
      kind: "unchanged",
      message: "Several models match script",
      hint: "Say which.",
      code: "ambiguous-model",
    });
  });
});

describe("/settings", () => {
  test("shows one, changes it in the person's own file, and keeps it in use", async () => {
    const { context } = testContext();
    expect(await runCommandLine(context, "/settings summary never")).toEqual({
      kind: "done",
      message: 'branchSummary set to "never".',
      data: { name: "branchSummary", value: "never" },
    });
    expect(await runCommandLine(context, "/settings files.onMove stay")).toMatchObject({
      message: 'files.onMove set to "stay".',
      data: { name: "files.onMove", value: "stay" },
    });
    expect(await runCommandLine(context, "/settings files.include .env,*.local")).toMatchObject({
      hint: "Restart to apply.",
    });
    expect(context.settings.current.files).toEqual({ onMove: "stay", include: [".env", "*.local"] });
    expect(await runCommandLine(context, "/settings compaction.enabled off")).toMatchObject({
      message: "compaction.enabled set to false.",
      hint: "Restart to apply.",
    });
    expect(JSON.parse(readFileSync(join(context.home, "settings.json"), "utf8"))).toEqual({
      branchSummary: "never",
      files: { onMove: "stay", include: [".env", "*.local"] },
      compaction: { enabled: false },
    });
    expect(context.settings.current).toMatchObject({ branchSummary: "never", compaction: { enabled: false } });
    expect(context.settings.current.compaction.keepRecentTokens).toBeGreaterThan(0);
    expect(await runCommandLine(context, "/settings summary")).toMatchObject({
      data: { settings: [{ name: "branchSummary", value: "never" }] },
    });
  });

  test("refuses a name or a value that does not fit, and leaves a broken file alone", async () => {
    const { context } = testContext();
    expect(await runCommandLine(context, "/settings branchSumary never")).toEqual({
      kind: "unchanged",
      message: "Unknown setting branchSumary",
      hint: "Closest: branchSummary",
      code: "wrong-arguments",
    });
    expect(await runCommandLine(context, "/settings branchSummary maybe")).toMatchObject({ code: "bad-settings" });
    writeFileSync(join(context.home, "settings.json"), "{ broken");
    expect(await runCommandLine(context, "/settings branchSummary never")).toMatchObject({ code: "bad-settings" });
    expect(readFileSync(join(context.home, "settings.json"), "utf8")).toBe("{ broken");
    expect(context.settings.current.branchSummary).toBeUndefined();
  });

  test("opens its screen on a setting", async () => {
    const { context, opened } = testContext({ screens: ["settings"] });
    await runCommandLine(context, "/settings");
    await runCommandLine(context, "/settings summary");
    expect(opened).toEqual([{ screen: "settings" }, { screen: "settings", name: "branchSummary" }]);
  });
});

describe("/help, /hints and /quit", () => {
  test("help names every command, those of extensions too, with the reason for those that are off", async () => {
    const greet: Command = {
      name: "greet",
      group: "program",
      usage: "",
      summary: "Greets",
      details: "From the extension polite.",
      run: async () => ({ kind: "shown" }),
    };
    const { context } = testContext({ extra: [greet] });
    const outcome = await runCommandLine(context, "/help");
    if (outcome.kind !== "done") throw new Error("no help");
    for (const { name, summary } of [...COMMANDS, greet]) {
      expect(outcome.message).toContain(`/${name}`);
      expect(outcome.message).toContain(summary);
    }
    const { commands } = outcome.data as { readonly commands: readonly object[] };
    expect(commands).toHaveLength(COMMANDS.length + 1);
    expect(commands).toContainEqual(
      expect.objectContaining({ name: "hints", available: false, reason: "No hints here." }),
    );
  });

  test("help explains one command, and does not know others", async () => {
    const { context } = testContext();
    expect(await runCommandLine(context, "/help /exit")).toMatchObject({
      message: expect.stringMatching(/^\/quit\nLeave Bough\. .*\nAlso: \/exit$/),
    });
    expect(await runCommandLine(context, "/help hints")).toMatchObject({
      message: expect.stringContaining("Unavailable: No hints here."),
    });
    expect(await runCommandLine(context, "/help swich")).toMatchObject({ code: "unknown-command" });
    const shown = testContext({ screens: ["help"] });
    await runCommandLine(shown.context, "/help exit");
    expect(shown.opened).toEqual([{ screen: "help", topic: "quit" }]);
  });

  test("hints are shown again where there are some, and quit is for the front end", async () => {
    let again = 0;
    const { context } = testContext({ hints: { showAgain: () => void again++ } });
    expect(await runCommandLine(context, "/hints")).toEqual({ kind: "done", message: "Hints are shown again." });
    expect(again).toBe(1);
    expect(await runCommandLine(testContext().context, "/hints")).toMatchObject({ code: "unavailable" });
    expect(await runCommandLine(context, "/quit")).toEqual({ kind: "quit" });
    expect(await runCommandLine(context, "/exit")).toEqual({ kind: "quit" });
  });
});

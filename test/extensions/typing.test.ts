import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { lines } from "@bough/agent/agent/agent-harness.test-support.js";
import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { example, extendedAgent } from "./extended-agent.js";

describe("the example 06-review-command", () => {
  const extensions = [example("06-review-command.ts")];
  const project = () => {
    const cwd = tempFolder();
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@test", ...args], { cwd, stdio: "pipe" });
    git("init", "-q");
    writeFileSync(join(cwd, "a.txt"), "one\n");
    git("add", ".");
    git("commit", "-qm", "first");
    writeFileSync(join(cwd, "a.txt"), "two\n");
    return cwd;
  };

  test("returns a prompt with the change a person chose, and the front end sends it", async () => {
    const model = scriptedModel(["looks right"]);
    const made = await extendedAgent({ model, extensions, cwd: project(), answers: ["everything not committed"] });
    const outcome = await made.command("review");
    if (outcome.kind !== "done" || outcome.prompt === undefined) throw new Error(JSON.stringify(outcome));
    expect(outcome.prompt).toContain("-one\n+two\n```");
    await made.agent.prompt(outcome.prompt);
    expect(made.session.buildSessionContext().messages[0]).toMatchObject({ role: "user", content: outcome.prompt });
    expect(made.said).toEqual([
      "select: Review what? everything not committed | only what is staged | the last commit",
    ]);
    expect(made.problems).toEqual([]);
  });

  test("uses what was typed, and never as an option", async () => {
    const made = await extendedAgent({ model: scriptedModel([]), extensions, cwd: project() });
    expect(await made.command("review", "HEAD")).toMatchObject({ prompt: expect.stringContaining("-one\n+two") });
    expect(await made.command("review", "--output=stolen")).toEqual({ kind: "done", prompt: undefined });
    expect(made.said).toEqual([expect.stringMatching(/^error: .*--output=stolen/s)]);
  });

  test("sends nothing where nothing was chosen, nothing changed, or there is no repository", async () => {
    const chose = await extendedAgent({ model: scriptedModel([]), extensions, cwd: project(), answers: [undefined] });
    expect(await chose.command("review")).toEqual({ kind: "done", prompt: undefined });
    const staged = await extendedAgent({
      model: scriptedModel([]),
      extensions,
      cwd: project(),
      answers: ["only what is staged"],
    });
    expect(await staged.command("review")).toEqual({ kind: "done", prompt: undefined });
    expect(staged.said.at(-1)).toBe("info: There is nothing to review");
    const bare = await extendedAgent({ model: scriptedModel([]), extensions });
    expect(await bare.command("review")).toEqual({ kind: "done", prompt: undefined });
    expect(bare.said).toEqual([expect.stringMatching(/^error: /)]);
  });
});

describe("the example 08-shorthand", () => {
  const extensions = [example("08-shorthand.ts")];

  test.each([
    ["!!tests parser", "Run the tests of parser, and fix what fails without changing the tests."],
    ["!!rename a b", "Rename a to b everywhere, comments and documentation included."],
    ["!!explain", "Explain this project to somebody who has not seen this project before."],
    ["!!nothing of ours", "!!nothing of ours"],
    ["plain words", "plain words"],
  ])("sends %s as a person meant it", async (typed, sent) => {
    const made = await extendedAgent({ model: scriptedModel(["done"]), extensions });
    await made.agent.prompt(typed);
    expect(lines(made.session)[1]).toBe(`user: ${sent}`);
  });

  test("answers ?? by itself: nothing is sent and nothing stored", async () => {
    const model = scriptedModel([]);
    const made = await extendedAgent({ model, extensions });
    expect(await made.agent.prompt("??")).toEqual({ kind: "cancelled", by: "08-shorthand" });
    expect(made.said).toEqual([expect.stringContaining("info: !!tests  Run the tests of $1")]);
    expect([model.requests.length, made.session.getLeafId()]).toEqual([0, null]);
  });

  test("has a shortcut that asks and gives a prompt", async () => {
    const made = await extendedAgent({ model: scriptedModel([]), extensions, answers: ["parser", undefined] });
    const prompt = "Run the tests of parser, and fix what fails without changing the tests.";
    expect(await made.shortcut("ctrl+t")).toEqual({ kind: "done", prompt });
    expect(await made.shortcut("ctrl+t")).toEqual({ kind: "done", prompt: undefined });
    expect(made.said).toEqual(["input: Tests of what? everything", "input: Tests of what? everything"]);
  });
});

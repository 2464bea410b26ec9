import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { createAgentSession } from "../create-agent-session.js";
import { scriptedModel } from "../scripted-model.test-support.js";

describe("the folder of an attempt", () => {
  test("stays until what it holds is recorded", async () => {
    const at = tempFolder();
    const cwd = join(at, "work");
    mkdirSync(cwd);
    vi.stubEnv("BOUGH_HOME", join(at, "home"));
    onTestFinished(() => void vi.unstubAllEnvs());
    const agent = await createAgentSession({ cwd, model: scriptedModel([]), files: {} });
    const file = agent.session.getSessionFile() ?? "";
    const script = join(at, "break.mjs");
    writeFileSync(
      script,
      `import { mkdirSync, renameSync } from "node:fs";
renameSync(${JSON.stringify(file)}, ${JSON.stringify(`${file}.away`)});
mkdirSync(${JSON.stringify(file)});`,
    );
    const run = await agent.startAttempts("do it", { count: 1, program: [process.execPath, script] });
    await run.done.catch(() => undefined);
    run.removeFolders();
    const [one] = run.attempts;
    expect([one?.state, existsSync(one?.folder ?? "")]).toEqual(["failed", true]);
    rmdirSync(file);
    renameSync(`${file}.away`, file);
    await agent.dispose();
  });
});

describe("the process of an attempt", () => {
  test("is given the rules that the session was given, before those of the try", async () => {
    const at = tempFolder();
    const cwd = join(at, "work");
    mkdirSync(cwd);
    vi.stubEnv("BOUGH_HOME", join(at, "home"));
    onTestFinished(() => void vi.unstubAllEnvs());
    const [script, told] = [join(at, "tell.mjs"), join(at, "arguments.json")];
    writeFileSync(
      script,
      `import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(told)}, JSON.stringify(process.argv.slice(2)));`,
    );
    const agent = await createAgentSession({
      cwd,
      model: scriptedModel([]),
      files: {},
      permissions: { allow: ["bash(npm test:*)"], ask: ["write(migrations/**)"], deny: ["bash(curl:*)"] },
    });
    onTestFinished(() => agent.dispose());
    const run = await agent.startAttempts("do it", {
      ...{ count: 1, program: [process.execPath, script], programArgs: ["--deny", "bash(wget:*)"] },
    });
    await run.done;
    const given = JSON.parse(readFileSync(told, "utf8")) as readonly string[];
    expect(given.slice(given.indexOf("--permission"))).toEqual([
      ...["--permission", "edits", "--model", "scripted/script"],
      ...["--allow", "bash(npm test:*)", "--deny", "write(migrations/**)", "--deny", "bash(curl:*)"],
      ...["--deny", "bash(wget:*)"],
    ]);
  });
});

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { modelsSettingsSchema } from "../catalogue/models-settings-schema.js";
import { createModelRegistry } from "../create-registry.js";
import { ModelError } from "../model-error.js";
import { KeyCommands } from "./key-commands.js";

async function thrown(action: Promise<unknown>): Promise<ModelError> {
  const error = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ModelError) return error;
  throw new Error(`bug: no ModelError but ${String(error)}`);
}

/** False also for a process that ended and that nothing has waited for. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.trim().startsWith("Z");
}

describe("a command that prints a key", () => {
  test("runs once for callers that come together, and not again after it succeeded", async () => {
    const folder = tempFolder();
    const command = `echo ran >> ${join(folder, "runs")}; echo sk-1`;
    const commands = new KeyCommands();
    expect(await Promise.all([commands.key("a", command), commands.key("b", command)])).toEqual(["sk-1", "sk-1"]);
    expect([await commands.key("a", command), commands.keyAtOnce(command)]).toEqual(["sk-1", "sk-1"]);
    expect(readFileSync(join(folder, "runs"), "utf8")).toBe("ran\n");
  });

  test.each([
    ["exits with an error", "echo sk-hidden; exit 3", "it exited with 3"],
    ["prints two lines", "printf 'sk-hidden\\nuser: me\\n'", "it printed 2 lines"],
    ["prints nothing", "true", "it printed nothing"],
    ["prints in color", "printf '\\033[31msk-hidden\\n'", "it printed control characters"],
    ["prints without end", "yes sk-hidden", "it printed too much"],
    ["does not end", "echo sk-hidden; exec sleep 600", "it did not end within 0.2 seconds"],
    ["refuses to end", "trap '' TERM; echo sk-hidden; while :; do read x; done", "it did not end within 0.2 seconds"],
    ["leaves a program behind that holds its output", "echo sk-hidden; sleep 5", "it did not end within 0.2 seconds"],
  ])("that %s is an error that shows nothing of what it printed", async (_what, command, reason) => {
    const error = await thrown(new KeyCommands({ patienceMs: 200 }).key("openai", command));
    expect([error.code, error.message]).toEqual([
      "key-command-failed",
      `The command for the key of openai failed: ${reason}`,
    ]);
    expect(JSON.stringify([error.message, error.hint, error.data, String(error.cause)])).not.toContain("sk-hidden");
  });

  test.each([
    ["that does not end", (folder: string) => `(echo $$; exec sleep 600) > ${folder}/began & sleep 600`],
    ["that fails", (folder: string) => `sleep 600 & echo $! > ${folder}/began; exit 1`],
  ])("%s takes the programs that it started with it, also where nothing can wait", async (_what, commandIn) => {
    for (const ask of ["key", "keyAtOnce"] as const) {
      const folder = tempFolder();
      const commands = new KeyCommands({ patienceMs: 300 });
      if (ask === "key") await thrown(commands.key("openai", commandIn(folder)));
      else expect(commands.keyAtOnce(commandIn(folder))).toBeUndefined();
      const pid = Number(readFileSync(join(folder, "began"), "utf8"));
      expect(pid).toBeGreaterThan(1);
      await expect.poll(() => isRunning(pid)).toBe(false);
    }
  });

  test("is asked again after a failure", async () => {
    const file = join(tempFolder(), "key");
    const commands = new KeyCommands();
    await thrown(commands.key("openai", `cat ${file}`));
    writeFileSync(file, "sk-2\n");
    expect(await commands.key("openai", `cat ${file}`)).toBe("sk-2");
  });

  test("has no input to wait for", async () => {
    expect(await new KeyCommands().key("openai", "cat; echo sk-3")).toBe("sk-3");
  });
});

describe("a key command in the settings", () => {
  const withKey = (key: string, env = {}) =>
    createModelRegistry({ home: tempFolder(), env, servers: [], overrides: { providers: { openai: { key } } } });

  test("makes models usable without running, and wins over a variable", async () => {
    const ran = join(tempFolder(), "ran");
    const registry = withKey(`!touch ${ran}; echo sk-own`, { OPENAI_API_KEY: "sk-variable" });
    expect(registry.available().map(({ provider }) => provider)).toContain("openai");
    expect(registry.keySource("openai")).toEqual({ kind: "command", name: "models.providers.openai.key" });
    expect(existsSync(ran)).toBe(false);
    expect(await registry.freshKey?.("openai")).toBe("sk-own");
  });

  test("that fails ends a step and a check with its reason, and nothing is sent", async () => {
    const registry = withKey("!exit 1");
    const model = registry.open(registry.resolve("openai/gpt-5.2"));
    const request = { system: "", messages: [], tools: [], thinkingLevel: "off" } as const;
    const events = [];
    for await (const event of model.stream(request, { now: () => 0 })) events.push(event);
    const message = "The command for the key of openai failed: it exited with 1";
    expect(events).toMatchObject([{ type: "end", failure: { kind: "no-key", message, retryable: false } }]);
    expect(await registry.check("openai")).toMatchObject({ kind: "fails", failure: { kind: "no-key", message } });
  });

  test("that hangs does not keep a step from being stopped", async () => {
    const registry = withKey("!sleep 600");
    const model = registry.open(registry.resolve("openai/gpt-5.2"));
    const request = { system: "", messages: [], tools: [], thinkingLevel: "off" } as const;
    const stopping = new AbortController();
    const events = [];
    setImmediate(() => stopping.abort());
    for await (const event of model.stream(request, { now: () => 0, signal: stopping.signal })) events.push(event);
    expect(events).toMatchObject([{ type: "end", message: { stopReason: "aborted", content: [] } }]);
  });

  test("has to begin with an exclamation mark, so that no key is kept in a settings file", () => {
    const parsed = modelsSettingsSchema.safeParse({ providers: { openai: { key: "sk-plain" } } });
    expect(JSON.stringify(parsed.error?.issues)).toContain("must be ! and a command that prints the key");
    expect(JSON.stringify(parsed.error?.issues)).not.toContain("sk-plain");
  });
});

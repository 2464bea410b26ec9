import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, it, vi } from "vitest";
import { afterTest } from "../../../../../../test/support/after-test.js";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import { runCommand } from "../import/run-command.test-support.js";

/** Machines with a folder each for the project "trees". */
function machines() {
  const base = tempFolder();
  afterTest(() => vi.unstubAllEnvs());
  return (name: string) => {
    const cwd = join(base, name);
    mkdirSync(cwd);
    const home = join(base, `${name}-home`);
    const bough = async (variables: Record<string, string>, ...args: string[]) => {
      vi.stubEnv("BOUGH_HOME", home);
      for (const key of ["BOUGH_STORE_PASSPHRASE", "BOUGH_STORE_NEW_PASSPHRASE"]) vi.stubEnv(key, variables[key]);
      const end = await runCommand({ cwd }, args);
      for (const secret of ["correct horse", "battery staple"]) expect(end.stdout + end.stderr).not.toContain(secret);
      return end;
    };
    const prompt = (text: string) => {
      vi.stubEnv("BOUGH_HOME", home);
      const session = SessionManager.create(cwd);
      session.appendMessage({ role: "user", content: text, timestamp: 1 });
      session.close();
    };
    return { home, bough, prompt, store: join(base, "store") };
  };
}
const OLD = { BOUGH_STORE_PASSPHRASE: "correct horse" };
const NEW = { BOUGH_STORE_NEW_PASSPHRASE: "battery staple" };

it("changes the passphrase on one machine, and says on the others what to do", async () => {
  const machine = machines();
  const [laptop, desktop] = [machine("laptop"), machine("desktop")];
  for (const { bough, store } of [laptop, desktop])
    expect(await bough(OLD, "store", "add", "home", store, "--encrypt")).toMatchObject({ code: 0 });
  laptop.prompt("the birch");
  await laptop.bough({}, "sync", "--project", "trees");
  await desktop.bough({}, "sync", "--project", "trees");
  const changed = await laptop.bough(NEW, "store", "passphrase");
  expect(changed).toMatchObject({ code: 0, stdout: expect.stringContaining("Changed the passphrase of home.") });
  expect(JSON.parse((await laptop.bough(NEW, "store", "passphrase", "--json")).stdout)).toEqual({
    store: "home",
    outcome: "same",
  });
  laptop.prompt("the oak");
  expect((await laptop.bough({}, "sync")).stdout).toContain("Synced 1 session");
  desktop.prompt("the elm");
  const refused = await desktop.bough({}, "sync");
  expect(refused.code).toBe(1);
  expect(refused.stdout + refused.stderr).toMatch(/The passphrase of .* was changed/);
  expect(await desktop.bough({ BOUGH_STORE_NEW_PASSPHRASE: "neither" }, "store", "passphrase")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("was changed"),
  });
  expect((await desktop.bough(NEW, "store", "passphrase")).stdout).toContain("uses the new passphrase of home");
  expect((await desktop.bough({}, "sync")).stdout).toMatch(/pulled|pushed/);
  expect((await desktop.bough({}, "search", "--store", "oak")).stdout).toContain("the oak");
  expect((await laptop.bough({}, "sync")).stdout).toContain("the elm");
  const file = join(desktop.home, "stores.json");
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(readFileSync(file, "utf8")).toContain("battery staple");
  expect(readFileSync(file, "utf8")).not.toContain("correct horse");
});

it("changes nothing without a passphrase, for a store that is not encrypted, or with one as an argument", async () => {
  const { bough, store } = machines()("laptop");
  await bough({}, "store", "add", "plain", store);
  expect((await bough(NEW, "store", "passphrase")).stderr).toContain("plain is not encrypted");
  await bough({}, "store", "forget", "plain");
  await bough(OLD, "store", "add", "home", `${store}-2`, "--encrypt");
  const asArgument = await bough({}, "store", "passphrase", "battery-staple-2");
  expect(asArgument).toMatchObject({ code: 2, stderr: expect.stringContaining("never an argument") });
  expect(asArgument.stderr).not.toContain("staple-2");
});

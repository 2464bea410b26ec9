/** `bough install` and `bough extensions` as typed on the command line. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTrust } from "@bough/agent/tool/index.js";
import { expect, test } from "vitest";
import { agentsPlace, runCommand } from "../import/run-command.test-support.js";

const SCRIPT = "export default function () {}\n";

function place() {
  const { home, cwd } = agentsPlace();
  const run = (...args: string[]) => runCommand({ cwd }, args);
  writeFileSync(join(cwd, "notes.ts"), SCRIPT);
  return { home, cwd, run };
}

test("install, list, switch off and on, remove", async () => {
  const { cwd, run } = place();
  expect((await run("extensions")).stdout).toBe(
    "No extensions. To install one: bough install <package | git repository | path>\n",
  );
  const installed = await run("install", "./notes.ts");
  expect([installed.code, installed.stdout]).toEqual([0, "Installed notes\n  ~/project/notes.ts\n"]);
  expect(installed.stderr).toContain("full permissions");
  expect((await run("extensions")).stdout).toBe("notes  enabled, user  ~/project/notes.ts\n");
  expect((await run("extensions", "disable", "notes")).stdout).toBe(
    "Disabled notes. To undo: bough extensions enable notes\n",
  );
  expect((await run("extensions", "disable", "notes")).stdout).toBe("notes is already disabled\n");
  expect((await run("extensions", "list")).stdout).toContain("disabled, user");
  expect((await run("extensions", "enable", "notes")).stdout).toBe("Enabled notes\n");
  expect((await run("install", "./notes.ts")).stdout).toContain("Updated notes");
  expect((await run("extensions", "remove", "notes")).stdout).toBe("Removed notes\n");
  expect(existsSync(join(cwd, "notes.ts"))).toBe(true);
});

test("the same as JSON", async () => {
  const { cwd, run } = place();
  const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).stdout);
  const file = join(cwd, "notes.ts");
  expect(await json("install", "notes.ts")).toEqual({
    installed: [{ kind: "installed", name: "notes", path: file, source: file, files: [file] }],
  });
  expect(await json("extensions", "disable", "notes")).toEqual({ changed: ["notes"] });
  expect(await json("extensions")).toEqual({
    extensions: [{ name: "notes", scope: "user", state: "disabled", source: file, files: [file] }],
    problems: [],
  });
  expect(await json("extensions", "remove", "notes")).toEqual({ changed: ["notes"] });
});

test("a project's own extensions wait for trust", async () => {
  const { home, cwd, run } = place();
  const refused = await run("install", "./notes.ts", "--project");
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("This project is not trusted")]);
  mkdirSync(join(cwd, ".bough", "extensions"), { recursive: true });
  writeFileSync(join(cwd, ".bough", "extensions", "hello.ts"), SCRIPT);
  expect((await run("extensions")).stdout).toContain("hello  not trusted, project");
  createTrust(join(home, "bough")).setTrust(cwd, "yes");
  expect((await run("install", "./notes.ts", "--project")).code).toBe(0);
  expect((await run("extensions", "--project")).stdout).toBe(
    "hello  enabled, project  ~/project/.bough/extensions/hello.ts\nnotes  enabled, project  ../notes.ts\n",
  );
  const kept = await run("extensions", "remove", "hello", "--project");
  expect([kept.code, kept.stderr]).toEqual([
    2,
    expect.stringContaining("hello was not installed, so it is not removed"),
  ]);
});

test("mistakes are named with what to do next, and change nothing", async () => {
  const { run } = place();
  await run("install", "./notes.ts");
  const said = async (...args: string[]) => {
    const { code, stderr } = await run(...args);
    return [code, stderr.trim().split("\n")];
  };
  expect(await said("extensions", "disabel", "notes")).toEqual([
    2,
    ["bough: Unknown action disabel", "  Use list, enable, disable, remove. Did you mean disable?"],
  ]);
  expect(await said("extensions", "remove", "notes", "ntoes")).toEqual([
    2,
    ["bough: Unknown extension: ntoes", "  Did you mean notes?"],
  ]);
  expect((await said("extensions", "remove"))[0]).toBe(2);
  expect((await said("install", "./none"))[1]).toContainEqual(expect.stringContaining("File or folder not found"));
  expect((await run("extensions")).stdout).toContain("notes  enabled");
});

test("one that is listed and gone is reported, and the exit code says so", async () => {
  const { home, cwd, run } = place();
  mkdirSync(join(home, "bough"), { recursive: true });
  const list = { installed: [{ name: "gone", source: "npm:gone", path: "packages/gone/node_modules/gone" }] };
  writeFileSync(join(home, "bough", "extensions.json"), JSON.stringify(list));
  const { code, stdout, stderr } = await runCommand({ cwd }, ["extensions"]);
  expect([code, stdout]).toEqual([1, "gone  missing, user  npm:gone\n"]);
  expect(stderr).toContain("The extension gone is missing. To install it again: bough install");
  expect((await run("extensions", "remove", "gone")).code).toBe(0);
});

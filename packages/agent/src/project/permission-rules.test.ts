import { mkdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { addLocalRules, localSettingsFile, removeRule } from "./permission-rules.js";
import { readSettings } from "./settings.js";

function places() {
  const base = realpathSync(tempFolder());
  const cwd = join(base, "project");
  const home = join(base, "home");
  for (const folder of [join(cwd, ".bough"), home]) mkdirSync(folder, { recursive: true });
  const write = (file: string, value: unknown) =>
    writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
  return { base, cwd, home, write };
}

describe("permission rules in settings", () => {
  test("come from all three files once the project is trusted, and before that only from your own", () => {
    const { cwd, home, write } = places();
    write(join(home, "settings.json"), { permissions: { allow: ["bash(ls:*)"], deny: ["bash(rm:*)"] } });
    write(join(cwd, ".bough/settings.json"), { permissions: { allow: ["bash"] } });
    write(localSettingsFile(cwd), { permissions: { ask: ["bash(git push:*)"] } });
    const said = (projectTrusted: boolean) =>
      readSettings({ cwd, home, projectTrusted }).rules.map(
        ({ effect, text, source }) => `${source.kind} ${effect} ${text}`,
      );
    expect(said(false)).toEqual(["user allow bash(ls:*)", "user deny bash(rm:*)"]);
    expect(said(true)).toEqual([
      "user allow bash(ls:*)",
      "user deny bash(rm:*)",
      "project allow bash",
      "local ask bash(git push:*)",
    ]);
    const refused = readSettings({ cwd, home, projectTrusted: false }).problems;
    expect(refused.map(({ file, field }) => `${file} ${field}`)).toEqual([
      `${join(cwd, ".bough/settings.json")} permissions`,
      `${localSettingsFile(cwd)} permissions`,
    ]);
  });

  test("kept by an answer of the user count without trust, until something else changes the file", () => {
    const { cwd, home, write } = places();
    const file = localSettingsFile(cwd);
    const texts = () => readSettings({ cwd, home, projectTrusted: false }).rules.map(({ text }) => text);
    addLocalRules(cwd, ["bash(npm test:*)"], home);
    addLocalRules(cwd, ["edit(src/**)"], home);
    expect(texts()).toEqual(["bash(npm test:*)", "edit(src/**)"]);
    const [rule] = readSettings({ cwd, home, projectTrusted: false }).rules;
    removeRule(rule as NonNullable<typeof rule>, cwd, home);
    expect(texts()).toEqual(["edit(src/**)"]);
    write(file, { permissions: { allow: ["edit(src/**)", "bash"] } });
    expect(texts()).toEqual([]);
    // Adding a rule to a file from elsewhere does not make the rest of it the user's own.
    addLocalRules(cwd, ["bash(ls)"], home);
    expect(texts()).toEqual([]);
    write(join(home, "local-settings.json"), "{ damaged");
    expect(texts()).toEqual([]);
  });

  test("of this checkout are kept from git, unless the project has a .gitignore there", () => {
    const { cwd, home } = places();
    const git = join(cwd, ".bough", ".gitignore");
    addLocalRules(cwd, ["bash(ls)"], home);
    // It names itself too: otherwise git would show the new file instead.
    expect(readFileSync(git, "utf8")).toBe("settings.local.json\n.gitignore\n");
    writeFileSync(git, "mine\n");
    addLocalRules(cwd, ["bash(pwd)"], home);
    expect(readFileSync(git, "utf8")).toBe("mine\n");
  });

  test("that cannot be parsed are reported with file and position, and stay in the list as broken", () => {
    const { cwd, home, write } = places();
    const file = join(home, "settings.json");
    write(file, { permissions: { allow: ["bash(a; b)"], deny: ["edit(src/[a])", "bash(rm:*)"] } });
    const { rules, problems } = readSettings({ cwd, home, projectTrusted: false });
    expect(problems.map(({ file: where, field, message }) => [where, field, message])).toEqual([
      [
        file,
        "permissions.allow.0",
        "Cannot parse the rule bash(a; b): A rule names one command, without ; & | < > and parentheses. It allows nothing.",
      ],
      [
        file,
        "permissions.deny.0",
        "Cannot parse the rule edit(src/[a]): A path takes only the wildcards *, ** and ?; put a backslash before [ ] { } and !. Until it is fixed, edit is denied.",
      ],
    ]);
    expect(rules.map(({ target }) => target.kind)).toEqual(["broken", "broken", "command"]);
  });

  test.each([
    ["a list that is text", { permissions: { deny: "bash(rm:*)" } }],
    ["an item that is not text", { permissions: { deny: [7] } }],
    ["not an object", { permissions: ["bash(rm:*)"] }],
    ["a file that is not JSON", '{"permissions":{"deny":["bash(rm:*)"]}'],
  ])("%s fails closed", (_, value) => {
    const { cwd, home, write } = places();
    write(join(home, "settings.json"), value);
    const { rules, problems } = readSettings({ cwd, home, projectTrusted: false });
    expect(problems.length).toBeGreaterThan(0);
    expect(rules.map(({ effect, target }) => [effect !== "allow", target.kind])).toEqual([[true, "broken"]]);
  });
});

describe("rules of this checkout", () => {
  test("are added to a private file, keep what else is in it, and can be removed", () => {
    const { cwd, home, write } = places();
    write(localSettingsFile(cwd), { theme: "dark" });
    addLocalRules(cwd, ["bash(npm test:*)"]);
    addLocalRules(cwd, ["bash(npm test:*)", "edit(src/**)"]);
    const read = () => JSON.parse(readFileSync(localSettingsFile(cwd), "utf8"));
    expect(read()).toEqual({ theme: "dark", permissions: { allow: ["bash(npm test:*)", "edit(src/**)"] } });
    expect(statSync(localSettingsFile(cwd)).mode & 0o777).toBe(0o600);
    for (const rule of readSettings({ cwd, home, projectTrusted: true }).rules) removeRule(rule, cwd);
    expect(read()).toEqual({ theme: "dark" });
  });

  test("are not written through a link to outside, or into a damaged file", () => {
    const { base, cwd, write } = places();
    write(join(base, "other.json"), {});
    symlinkSync(join(base, "other.json"), localSettingsFile(cwd));
    expect(() => addLocalRules(cwd, ["bash(a)"])).toThrow("leads outside of this folder");
    expect(readFileSync(join(base, "other.json"), "utf8")).toBe("{}");
    const second = places();
    second.write(localSettingsFile(second.cwd), "{");
    expect(() => addLocalRules(second.cwd, ["bash(a)"])).toThrow("not valid JSON");
    expect(readFileSync(localSettingsFile(second.cwd), "utf8")).toBe("{");
  });
});

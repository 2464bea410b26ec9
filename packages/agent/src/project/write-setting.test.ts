import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addressInTest } from "../../../../test/support/address-in-test.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import {
  isValidSetting,
  readSettingValue,
  type SettingField,
  settingField,
  settingFields,
  settingSources,
} from "./setting-fields.js";
import { readSettings } from "./settings.js";
import { writeSetting } from "./write-setting.js";

function homeWith(text?: string): { readonly home: string; readonly file: string } {
  const home = tempFolder();
  const file = join(home, "settings.json");
  if (text !== undefined) writeFileSync(file, text);
  return { home, file };
}

function field(name: string): SettingField {
  return settingField(name) as SettingField;
}

describe("writeSetting", () => {
  it("makes a private file where there is none, and nothing else stays behind", () => {
    const home = join(tempFolder(), "new");
    const { file } = writeSetting({ home, name: "theme", value: "light" });
    expect(readFileSync(file, "utf8")).toBe('{\n  "theme": "light"\n}\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(home)).toEqual(["settings.json"]);
  });

  it("keeps unknown fields, the order, and the person's indentation", () => {
    const { home, file } = homeWith('{\n\t"mine": [1, 2],\n\t"theme": "dark",\n\t"compaction": {"own": 1}\n}\n');
    writeSetting({ home, name: "compaction.enabled", value: false });
    writeSetting({ home, name: "theme", value: "light" });
    const text = readFileSync(file, "utf8");
    expect(JSON.parse(text)).toEqual({ mine: [1, 2], theme: "light", compaction: { own: 1, enabled: false } });
    expect(Object.keys(JSON.parse(text))).toEqual(["mine", "theme", "compaction"]);
    expect(text).toContain('\n\t"theme"');
  });

  it("takes a setting out, with its section where that is empty then", () => {
    const { home, file } = homeWith('{"theme":"dark","retry":{"maxRetries":2}}');
    writeSetting({ home, name: "retry.maxRetries", value: undefined });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ theme: "dark" });
    const before = readFileSync(file, "utf8");
    writeSetting({ home, name: "retry.maxRetries", value: undefined });
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it.each(["{ broken", "[1]", '"text"', '{"compaction": 3}'])("does not change a file that contains %s", (text) => {
    const { home, file } = homeWith(text);
    expect(() => writeSetting({ home, name: "compaction.enabled", value: true })).toThrow(/was not changed/);
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(readdirSync(home)).toEqual(["settings.json"]);
  });

  it("takes an empty file for one without settings", () => {
    const { home, file } = homeWith("\n");
    writeSetting({ home, name: "theme", value: "light" });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ theme: "light" });
  });

  it("refuses what the reader would refuse, and says what it expects", () => {
    const { home } = homeWith();
    expect(() => writeSetting({ home, name: "retry.maxRetries", value: 99 })).toThrow(
      expect.objectContaining({ code: "bad-settings", hint: "Expected a whole number from 0 to 20." }),
    );
    expect(() => writeSetting({ home, name: "tehme", value: "x" })).toThrow(/Unknown setting tehme/);
    expect(readdirSync(home)).toEqual([]);
  });

  it("takes the name of a store and never its address, which may hold a password", () => {
    const { home, file } = homeWith();
    const bad = [addressInTest("postgres://me:hush§host/db"), "git@host:hush.git", "/srv/hush"];
    for (const typed of bad) {
      const uses = [
        () => writeSetting({ home, name: "store", value: typed }),
        () => readSettingValue(field("store"), typed),
      ];
      for (const use of uses)
        expect(use).toThrow(
          expect.objectContaining({
            message: expect.not.stringContaining("hush"),
            hint: expect.stringContaining("bough store add <name> <address>"),
          }),
        );
    }
    writeSetting({ home, name: "store", value: "home" });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ store: "home" });
  });

  it("follows a link to where the file really is, and leaves the link", () => {
    const { home, file } = homeWith();
    const elsewhere = join(tempFolder(), "dotfile.json");
    writeFileSync(elsewhere, "{}");
    symlinkSync(elsewhere, file);
    writeSetting({ home, name: "theme", value: "light" });
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(elsewhere, "utf8"))).toEqual({ theme: "light" });
  });

  it("writes what readSettings reads", () => {
    const { home } = homeWith();
    writeSetting({ home, name: "compaction.reserveTokens", value: 5000 });
    const { settings, problems } = readSettings({ cwd: tempFolder(), home, projectTrusted: false });
    expect(problems).toEqual([]);
    expect(settings.compaction.reserveTokens).toBe(5000);
  });
});

describe("settingFields", () => {
  it("has the sections field by field and says what each takes", () => {
    const names = settingFields().map(({ name }) => name);
    expect(names).toContain("compaction.enabled");
    expect(names).not.toContain("compaction");
    expect(names).toContain("models");
    expect(field("compaction.enabled")).toMatchObject({ kind: "boolean", standard: true, counts: "any" });
    expect(field("permissionMode")).toMatchObject({ kind: "choice", counts: "trusted" });
    expect(field("models")).toMatchObject({ kind: "object", counts: "yours" });
    expect(settingFields().every(({ description }) => description !== "")).toBe(true);
  });

  it("has defaults that could be written", () => {
    for (const { name, standard } of settingFields())
      if (standard !== undefined) expect(isValidSetting(name, standard)).toBe(true);
  });

  it("reads what a person types", () => {
    expect(readSettingValue(field("compaction.enabled"), "off")).toBe(false);
    expect(readSettingValue(field("compaction.reserveTokens"), "16k")).toBe(16_000);
    expect(readSettingValue(field("compaction.reserveTokens"), "16,384")).toBe(16_384);
    expect(readSettingValue(field("thinkingLevel"), "HIGH")).toBe("high");
    expect(readSettingValue(field("tools"), "read, ls")).toEqual(["read", "ls"]);
    expect(readSettingValue(field("model"), " a/b ")).toBe("a/b");
  });

  it.each([
    ["compaction.enabled", "perhaps", "Expected true or false."],
    ["retry.maxRetries", "99", "Expected a whole number from 0 to 20."],
    ["retry.maxRetries", "1.5", "Expected a whole number from 0 to 20."],
    ["thinkingLevel", "lots", "Expected one of off, minimal, low, medium, high."],
    ["model", "", "Expected text."],
    ["models", "{}", "Expected an object; edit the file."],
  ])("refuses %s %s", (name, typed, hint) => {
    expect(() => readSettingValue(field(name), typed)).toThrow(expect.objectContaining({ code: "bad-settings", hint }));
  });

  it("says where each value comes from", () => {
    const { home } = homeWith('{"theme":"dark","model":"a/b"}');
    const cwd = tempFolder();
    mkdirSync(join(cwd, ".bough"));
    writeFileSync(join(cwd, ".bough", "settings.json"), '{"theme":"light","permissionMode":"auto"}');
    const sources = settingSources({ home, cwd, projectTrusted: false });
    expect(sources.get("theme")).toMatchObject({ value: "light", from: "project" });
    expect(sources.get("model")).toMatchObject({ value: "a/b", from: "user", file: join(home, "settings.json") });
    expect(sources.get("compaction.enabled")).toEqual({ value: true, from: "default" });
    expect(sources.get("permissionMode")).toEqual({ value: "ask", from: "default" });
    expect(sources.get("tools")).toEqual({ value: undefined, from: "default" });
  });

  it("says of settings that files add to which file has the last part", () => {
    const { home } = homeWith(
      '{"permissions":{"allow":["bash(ls:*)"]},"files":{"include":["a"],"onMove":"stay"},"mcpServers":{"notes":{"command":"x"}}}',
    );
    const cwd = tempFolder();
    const yours = { from: "user", file: join(home, "settings.json") };
    mkdirSync(join(cwd, ".bough"));
    const rules = { allow: ["bash(ls:*)"], ask: [], deny: [] };
    const look = (projectTrusted = true) => settingSources({ home, cwd, projectTrusted });
    expect(look().get("permissions")).toEqual({ value: rules, ...yours });
    expect(look().get("mcpServers")).toEqual({ value: ["notes"], ...yours });
    const file = join(cwd, ".bough", "settings.json");
    writeFileSync(file, '{"permissions":{"deny":["read(.env)"]},"files":{"include":["b"]}}');
    expect(look().get("permissions")).toEqual({ value: { ...rules, deny: ["read(.env)"] }, from: "project", file });
    expect(look().get("files.include")).toEqual({ value: ["b"], from: "project", file });
    expect(look().get("files.onMove")).toEqual({ value: "stay", ...yours });
    // What is not used sets nothing.
    expect(look(false).get("permissions")).toEqual({ value: rules, ...yours });
    writeFileSync(join(cwd, ".mcp.json"), '{"mcpServers":{"shared":{"command":"y"}}}');
    expect(look().get("mcpServers")).toEqual({ value: ["notes", "shared"], ...yours });
  });
});

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { type ListApp, type ListAppOptions, listApp } from "../list/screen-app.test-support.js";
import { openSettings } from "./open-settings.js";

interface TestOptions extends ListAppOptions {
  readonly own?: unknown;
  readonly project?: unknown;
  readonly name?: string;
}

function settingsApp({ own, project, name, ...options }: TestOptions = {}): ListApp & { readonly file: string } {
  const home = tempFolder();
  const cwd = tempFolder();
  const file = join(home, "settings.json");
  if (own !== undefined) writeFileSync(file, typeof own === "string" ? own : JSON.stringify(own));
  if (project !== undefined) {
    mkdirSync(join(cwd, ".bough"));
    writeFileSync(join(cwd, ".bough", "settings.json"), JSON.stringify(project));
  }
  const made = listApp({ home, cwd, ...options });
  void openSettings(made.app, { screen: "settings", name });
  return { ...made, file };
}

const fileText = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

describe("the list of settings", () => {
  it("says what counts and who said so", () => {
    const { host } = settingsApp({ own: { retry: { maxRetries: 1 } }, project: { thinkingLevel: "low" } });
    host.type("ret");
    const at = (width: number): string => {
      host.resize({ width, height: 12 });
      // The name of a test's folder varies.
      return `\n${host.screen.replace(/[~/]\S+settings\.json/, "…/settings.json").replace(/ +…/, " …")}\n`;
    };
    expect(at(40)).toMatchInlineSnapshot(`
      "
       Settings · 4 found
       > ret
       ───────────────────────────────────────
       ❯ retry.maxRetries    1
         retry.baseDelayMs   2000
         retry.maxDelayMs    60000
         retry.idleTimeoutMs 120000
       ───────────────────────────────────────
       Maximum retries.
       Enter change  Ctrl+X take out
      "
    `);
    expect(at(80)).toMatchInlineSnapshot(`
      "
       Settings · 4 found …/settings.json
       > ret
       ───────────────────────────────────────────────────────────────────────────────
       ❯ retry.maxRetries                1                                       yours
         retry.baseDelayMs               2000                                  default
         retry.maxDelayMs                60000                                 default
         retry.idleTimeoutMs             120000                                default
       ───────────────────────────────────────────────────────────────────────────────
       Maximum retries.
       Enter change   Ctrl+X take out   Esc close                               1 of 4
      "
    `);
    expect(at(120)).toMatchInlineSnapshot(`
      "
       Settings · 4 found …/settings.json
       > ret
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       ❯ retry.maxRetries                1                                                                               yours
         retry.baseDelayMs               2000                                                                          default
         retry.maxDelayMs                60000                                                                         default
         retry.idleTimeoutMs             120000                                                                        default
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       Maximum retries.
       Enter change   Ctrl+X take out   Esc close                                                                       1 of 4
      "
    `);
  });

  it("changes what files do on a move, and keeps the other file settings", async () => {
    const { host, file, context } = settingsApp({ own: { files: { include: [".env"] } }, name: "files.onMove" });
    host.press("enter");
    host.type("follow");
    host.press("enter");
    await host.settle();
    expect(fileText(file)).toEqual({ files: { include: [".env"], onMove: "follow" } });
    expect(context.settings.current.files).toMatchObject({ onMove: "follow" });
    expect(host.statusLine?.message).toContain("files.onMove is follow now.");
  });

  it("jumps to the setting that was named", () => {
    const { host } = settingsApp({ name: "compaction.reserveTokens" });
    expect(host.lines.find((line) => line.startsWith(" ❯"))).toContain("compaction.reserveTokens");
  });

  it("changes a choice, writes it to the person's own file, and keeps the rest of the file", async () => {
    const { host, file, context } = settingsApp({ own: { mine: 1 }, name: "compaction.enabled" });
    host.press("enter");
    host.type("false");
    host.press("enter");
    await host.settle();
    expect(fileText(file)).toEqual({ mine: 1, compaction: { enabled: false } });
    expect(context.settings.current.compaction.enabled).toBe(false);
    expect(host.statusLine?.message).toContain("compaction.enabled is false now.");
    expect(host.lines.find((line) => line.startsWith(" ❯"))).toMatch(/false +yours/);
  });

  it("asks again where a value does not fit, and takes an empty one for none", async () => {
    const { host, file } = settingsApp({ own: { retry: { maxRetries: 3 } }, name: "retry.maxRetries" });
    host.press("enter", "ctrl+u");
    host.type("99");
    host.press("enter");
    expect(host.screen).toContain("Expected a whole number from 0 to 20.");
    host.press("ctrl+u");
    host.type("7");
    host.press("enter");
    await host.settle();
    expect(fileText(file)).toEqual({ retry: { maxRetries: 7 } });
    host.press("enter", "ctrl+u", "enter");
    await host.settle();
    expect(fileText(file)).toEqual({});
  });

  it("takes a setting out of the file again", () => {
    const { host, file } = settingsApp({ own: { theme: "light" }, name: "theme" });
    host.press("ctrl+x");
    expect(fileText(file)).toEqual({});
    host.press("ctrl+x");
    expect(host.statusLine?.message).toBe("Not set in your settings file.");
  });

  it("says that a project's setting wins over what was changed", async () => {
    const { host } = settingsApp({ project: { thinkingLevel: "low" }, name: "thinkingLevel" });
    expect(host.screen).toContain("Set by this project");
    host.press("enter");
    host.type("high");
    host.press("enter");
    await host.settle();
    expect(host.statusLine).toMatchObject({ level: "warning", message: expect.stringContaining("override yours") });
  });

  it("does not change an invalid file, and says so", async () => {
    const { host, file } = settingsApp({ own: "{ broken", name: "compaction.enabled" });
    host.press("enter");
    host.type("false");
    host.press("enter");
    await host.settle();
    expect(readFileSync(file, "utf8")).toBe("{ broken");
    expect(host.statusLine).toMatchObject({ level: "error", message: expect.stringContaining("was not changed") });
  });

  it("points to the file for what is not a single value", () => {
    const { host, file } = settingsApp({ name: "models" });
    host.press("enter");
    expect(host.statusLine?.message).toBe(`models can only be changed in the file: ${file}`);
  });
});

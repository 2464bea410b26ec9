import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { readSettings } from "./settings.js";

function project() {
  const cwd = tempFolder();
  const home = tempFolder();
  mkdirSync(join(cwd, ".bough"));
  const write = (file: string, servers: unknown) => writeFileSync(file, JSON.stringify({ mcpServers: servers }));
  return { cwd, home, write };
}

test("a project brings no server before it is trusted, from none of its files", () => {
  const { cwd, home, write } = project();
  write(join(home, "settings.json"), { mine: { command: "mine" } });
  write(join(cwd, ".mcp.json"), { theirs: { command: "theirs" } });
  write(join(cwd, ".bough", "settings.json"), { own: { command: "own" }, mine: { command: "stolen" } });
  write(join(cwd, ".bough", "settings.local.json"), { mine: { disabled: true } });
  const before = readSettings({ cwd, home, projectTrusted: false });
  expect(before.servers).toEqual([
    { name: "mine", settings: { command: "mine" }, source: { kind: "user", file: join(home, "settings.json") } },
  ]);
  expect(before.problems.map(({ field, message }) => `${field}: ${message}`)).toEqual(
    Array.from({ length: 3 }, () => "mcpServers: Not used, because this project is not trusted"),
  );
  const after = readSettings({ cwd, home, projectTrusted: true }).servers;
  expect(after.map(({ name, settings, source }) => [name, settings, source.kind])).toEqual([
    ["mine", { command: "stolen", disabled: true }, "project"],
    ["own", { command: "own" }, "project"],
    ["theirs", { command: "theirs" }, "project"],
  ]);
});

test("a server that is not described well is reported alone; fields of other agents are ignored", () => {
  const { cwd, home, write } = project();
  write(join(cwd, ".mcp.json"), {
    good: { command: "good", alwaysAllow: ["x"] },
    "bad name": { command: "x" },
    both: { command: "x", url: "https://example.com" },
    none: {},
    wrong: { command: 1 },
    __proto__: { command: "x" },
  });
  const { servers, problems } = readSettings({ cwd, home, projectTrusted: true });
  expect(servers.map(({ name, settings }) => [name, settings])).toEqual([["good", { command: "good" }]]);
  expect(problems.map(({ field }) => field)).toEqual([
    "mcpServers.wrong",
    "mcpServers.bad name",
    "mcpServers.both",
    "mcpServers.none",
  ]);
});

test("which tools are offered may be said in every file, also in the one that other agents read", () => {
  const { cwd, home, write } = project();
  write(join(cwd, ".mcp.json"), {
    office: { command: "office", expose: { "get_*": "all", drop: "none" }, tools: ["*"] },
    files: { command: "files", expose: "search" },
    odd: { command: "odd", expose: "sometimes" },
  });
  write(join(cwd, ".bough", "settings.local.json"), { files: { expose: "none" } });
  const { servers, problems } = readSettings({ cwd, home, projectTrusted: true });
  expect(servers.map(({ name, settings }) => [name, settings.expose])).toEqual([
    ["files", "none"],
    ["office", { "get_*": "all", drop: "none" }],
  ]);
  expect(problems.map(({ field, message }) => [field, message])).toEqual([
    ["mcpServers.odd", expect.stringContaining('Expected "all", "search" or "none"')],
  ]);
});

test("the budget for tools is merged field by field", () => {
  const { cwd, home } = project();
  writeFileSync(join(home, "settings.json"), JSON.stringify({ toolSearch: { maxTools: 5, maxPercent: 1 } }));
  writeFileSync(join(cwd, ".bough", "settings.json"), JSON.stringify({ toolSearch: { maxTools: 7 } }));
  const { settings } = readSettings({ cwd, home, projectTrusted: true });
  expect(settings.toolSearch).toEqual({ maxTools: 7, maxPercent: 1 });
});

/** A new user finds other agents' sessions, and continues a branch of one in Codex. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AGENT_IDS } from "../../../../../../test/support/agents-home.js";
import { subcommandHelp } from "../help-text.js";
import { findSubcommand } from "../subcommands.js";
import { agentsPlace, runCommand } from "./run-command.test-support.js";

describe("a folder in which other agents were used", () => {
  test("bough ls says how many sessions of whom there are, and how to list them", async () => {
    const place = agentsPlace();
    const { code, stdout, stderr } = await runCommand(place, ["ls"]);
    expect([code, stdout.split("\n").slice(1)]).toEqual([0, [""]]);
    expect(stderr).toMatch(
      /^\d sessions from other agents are in this folder: .*\. To list them: bough ls --all-agents\n$/,
    );
    for (const agent of ["Claude Code", "Codex", "opencode", "Gemini CLI", "pi"])
      expect(stderr).toContain(`of ${agent}`);
    const elsewhere = await runCommand({ cwd: place.home }, ["ls"]);
    expect(elsewhere.stderr).toMatch(/^\d sessions from other agents are in other folders\. To list them: /);
  });

  test("nothing is printed if there are none, or in JSON", async () => {
    const place = agentsPlace();
    expect((await runCommand(place, ["ls", "--json"])).stderr).toBe("");
    for (const name of [".claude", ".codex", ".gemini", ".local", ".pi"]) {
      rmSync(join(place.home, name), { recursive: true });
    }
    expect((await runCommand(place, ["ls"])).stderr).toBe("");
  });

  test("two commands continue an old branch in Codex", async () => {
    const place = agentsPlace();
    const session = `claude-code:${AGENT_IDS.claude}`;
    const tree = await runCommand(place, ["tree", session]);
    expect([tree.stdout.includes("#1"), tree.stdout.includes("#2")]).toEqual([true, true]);
    const made = await runCommand(place, ["handoff", "codex", `${session}#1`, "--json", "--yes"]);
    const { file, resume } = JSON.parse(made.stdout);
    expect(resume.shell).toMatch(/^cd .* && codex resume [0-9a-f-]+$/);
    const text = readFileSync(file, "utf8");
    expect([text.includes("Double it."), text.includes("Triple it instead.")]).toEqual([true, false]);
  });

  test("the help of handoff shows how to name a branch", () => {
    const command = findSubcommand("handoff");
    expect(command === undefined ? "" : subcommandHelp(command)).toContain("bough handoff codex 4f2a#2");
  });

  test("the README links to the page about other agents, which names a branch too", () => {
    const root = new URL("../../../../../..", import.meta.url);
    expect(readFileSync(new URL("README.md", root), "utf8")).toContain("(docs/interop.md)");
    expect(readFileSync(new URL("docs/interop.md", root), "utf8")).toMatch(/^bough handoff codex claude-code:\w+#2/m);
  });
});

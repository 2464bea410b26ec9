import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { agentsPlace, runCommand } from "../import/run-command.test-support.js";

const SCRIPTED = fileURLToPath(new URL("../../../../../../test/support/scripted-agent.mjs", import.meta.url));

function place(habits = "") {
  const made = agentsPlace();
  const bin = join(made.home, "my bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "pi-acp"), `#!/bin/sh\nexec "${process.execPath}" "${SCRIPTED}"\n`, { mode: 0o755 });
  // On PATH, but not a program.
  writeFileSync(join(bin, "gemini"), "text", { mode: 0o644 });
  mkdirSync(join(bin, "opencode"));
  vi.stubEnv("PATH", bin);
  vi.stubEnv("SCRIPTED_AGENT", habits);
  return { made, bin };
}

test("says what is installed, and how to get the rest, without starting anything", async () => {
  const { made, bin } = place("dies-at-start");
  const { code, stdout } = await runCommand(made, ["agents"]);
  expect([code, stdout.split("\n").filter((line) => !line.startsWith(" "))]).toEqual([
    0,
    [
      "claude    not installed",
      "codex     not installed",
      "opencode  not installed",
      "gemini    not installed",
      `pi        ${bin}/pi-acp`,
      "",
    ],
  ]);
  expect(stdout).toContain("          npm install -g @google/gemini-cli\n");
});

test.each([
  ["", { state: "ready", version: "1.2.3" }],
  ["login", { state: "login", version: "1.2.3" }],
  ["dies-at-start", { state: "failed", reason: "pi exited with code 3" }],
])("--check starts what is installed: %s", async (habits, expected) => {
  const { made } = place(habits);
  const { stdout } = await runCommand(made, ["agents", "--check", "--json"]);
  const { agents } = JSON.parse(stdout) as { agents: readonly { readonly agent: string; readonly state: string }[] };
  expect(agents.find(({ agent }) => agent === "pi")).toMatchObject(expected);
  expect(agents.filter(({ state }) => state === "missing")).toHaveLength(4);
});

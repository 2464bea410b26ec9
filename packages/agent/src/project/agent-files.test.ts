import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { projectAgentFiles, readAgentFiles } from "./agent-files.js";

function place(files: Readonly<Record<string, string>>) {
  const root = tempFolder();
  const [cwd, home] = [join(root, "project"), join(root, "home")];
  mkdirSync(cwd, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return { root, cwd, home };
}

const REVIEWER = "---\ndescription: Reviews changes.\ntools: read, grep\n---\nBe strict.";

test("agents come from the user's folder, and from a project only if it is trusted; later ones replace earlier ones", () => {
  const { cwd, home } = place({
    "home/agents/reviewer.md": REVIEWER,
    "project/.claude/agents/reviewer.md": "---\ndescription: Claude's.\n---\nx",
    "project/.claude/agents/tester.md":
      "---\nname: test-runner\ndescription: Runs tests.\ntools: Bash, Glob, mcp__ci__logs\nmodel: sonnet\n---\n",
    "project/.bough/agents/reviewer.md": "---\ndescription: The project's.\n---\nx",
  });
  const names = (trusted: boolean) =>
    readAgentFiles({ cwd, home, trusted }).agents.map(({ name, description }) => `${name}: ${description}`);
  expect(names(false)).toEqual(["reviewer: Reviews changes."]);
  expect(names(true)).toEqual(["reviewer: The project's.", "test-runner: Runs tests."]);
  const { agents } = readAgentFiles({ cwd, home, trusted: true });
  expect(agents[1]).toMatchObject({ tools: ["bash", "find", "ci__logs"] });
  expect(agents[1]).not.toHaveProperty("model");
  expect(projectAgentFiles(cwd)).toHaveLength(3);
});

test("lists are read in every form, and fields that would give more rights are reported and not used", () => {
  const { cwd, home, root } = place({
    "home/agents/a.md":
      '---\ndescription: >\n  Two\n  lines.\ntools:\n  - read\n  - "grep"\ndisallowedTools: [bash]\npermissionMode: bypassPermissions\nhooks:\n  Stop: x\ndriver: claude\n---\nDo it.',
    "home/agents/b.md": "---\ndescription: Plans.\npermissionMode: plan\ntools: Bash(git:*), read\n---\nPlan.",
    "home/agents/none.md": "no front matter",
    "home/agents/bad name!.md": REVIEWER,
  });
  const { agents, problems } = readAgentFiles({ cwd, home, trusted: false });
  const path = (name: string) => join(root, "home", "agents", name);
  expect(agents).toEqual([
    {
      ...{ name: "a", description: "Two lines.", tools: ["read", "grep"], withoutTools: ["bash"], driver: "claude" },
      ...{ text: "Do it.", path: path("a.md") },
    },
    { name: "b", description: "Plans.", tools: ["read"], readOnly: true, text: "Plan.", path: path("b.md") },
  ]);
  expect(problems).toEqual([
    {
      file: path("a.md"),
      message: "permissionMode and hooks not used: an agent has at most the rights of the one that starts it",
    },
    { file: path("b.md"), message: "Tool not used: Bash(git:*). Only names of tools are read here" },
    { file: path("bad name!.md"), message: "Not used: an agent's name has letters, digits, dots and dashes" },
    { file: path("none.md"), message: "An agent needs a description between two --- lines at the top" },
  ]);
});

test("hostile front matter is data: it cannot name a tool, break a line or grow without a limit", () => {
  const { cwd, home } = place({
    "home/agents/x.md": `---\ndescription: "a\u001b[31m${"b".repeat(100_000)}"\nname: __proto__\ntools: ../../etc, \${HOME}, *\n---\n${"y".repeat(200_000)}`,
  });
  const { agents, problems } = readAgentFiles({ cwd, home, trusted: false });
  expect(agents).toEqual([]);
  expect(problems).toHaveLength(1);
  const named = place({
    "home/agents/x.md": `---\ndescription: "a\u001b[31m${"b".repeat(100_000)}"\ntools: ../../etc, \${HOME}\n---\n${"y".repeat(200_000)}`,
  });
  const [agent] = readAgentFiles({ ...named, trusted: false }).agents;
  expect([agent?.tools, agent?.text.length, agent?.description.includes("\u001b")]).toEqual([[], 50_000, false]);
  expect(agent?.description.length).toBeLessThanOrEqual(2_000);
});

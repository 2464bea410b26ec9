import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/support/temp-folder.js";
import { readSkills } from "./skills.js";
import { systemPrompt } from "./system-prompt.js";

function put(folder: string, name: string, text: string): string {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, "SKILL.md"), text);
  return join(folder, name, "SKILL.md");
}

test("folders with a SKILL.md are skills, sorted by name; the project's win; one without a description is reported", () => {
  const root = tempFolder();
  const home = join(root, "home");
  put(join(home, "skills"), "deploy", "---\nname: deploy\ndescription: old\n---\n");
  const folded = put(join(home, "skills"), "b", "---\nname: charts\ndescription: >\n  Draws\n  charts\n---\nbody");
  const silent = put(join(home, "skills"), "silent", "# no front matter");
  mkdirSync(join(home, "skills/empty"));
  const deploy = put(join(root, ".bough/skills"), "deploy", "---\ndescription: new\n---\n");
  expect(readSkills({ home, cwd: root, trusted: false })).toEqual({
    skills: [
      { name: "charts", description: "Draws charts", path: folded },
      { name: "deploy", description: "new", path: deploy },
    ],
    problems: [{ file: silent, message: "A skill needs a description between two --- lines at its top" }],
  });
});

test("skills are listed to a model that can read them, by name, description and path, and their text is not sent", () => {
  const skills = [{ name: "charts", description: "Draws charts", path: "/s/SKILL.md" }];
  const parts = { cwd: "/work", contextFiles: [], skills };
  expect(systemPrompt({ ...parts, tools: [{ name: "read" }] })).toContain("\n- charts: Draws charts (/s/SKILL.md)");
  expect(systemPrompt({ ...parts, tools: [] })).not.toContain("charts");
});

test("the system prompt holds the instructions in order, and no day, time or other passing thing", () => {
  const parts = {
    cwd: "/work",
    tools: [{ name: "read" }, { name: "bash" }],
    contextFiles: [
      { path: "/a/AGENTS.md", text: "first" },
      { path: "/b/AGENTS.md", text: "second" },
    ],
    skills: [],
  };
  const text = systemPrompt(parts);
  expect(text).toContain(
    '<instructions path="/a/AGENTS.md">\nfirst\n</instructions>\n\n<instructions path="/b/AGENTS.md">',
  );
  expect(text).not.toMatch(/\b20\d\d\b|\d\d:\d\d/);
  expect(systemPrompt(structuredClone(parts))).toBe(text);
});

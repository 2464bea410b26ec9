import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { expandPromptTemplate } from "./prompt-templates.js";
import { readSkills, skillTemplates } from "./skills.js";
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
      { name: "charts", description: "Draws charts", path: folded, text: "body" },
      { name: "deploy", description: "new", path: deploy, text: "" },
    ],
    problems: [{ file: silent, message: "A skill needs a description between two --- lines at the top" }],
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

test("skills are found at any depth, but not inside of another skill", () => {
  const root = tempFolder();
  const deep = put(join(root, ".bough/skills/group/more"), "deep", "---\ndescription: deep\n---\n");
  const outer = put(join(root, ".bough/skills"), "outer", "---\ndescription: outer\n---\n");
  put(join(root, ".bough/skills/outer"), "inner", "---\ndescription: an example\n---\n");
  put(join(root, ".bough/skills/group/node_modules"), "package", "---\ndescription: not ours\n---\n");
  const { skills, problems } = readSkills({ home: join(root, "home"), cwd: root, trusted: false });
  expect([skills.map(({ path }) => path), problems]).toEqual([[deep, outer], []]);
});

test.each([
  ['---\ndescription: "never closed\n---\n', "Line 2 has a quote or bracket that is not closed"],
  ["---\ndescription: fine\nallowed-tools: [read, bash\n---\n", "Line 3 has a quote or bracket that is not closed"],
  ["---\ndescription: fine\nnot a field\n---\n", "Line 3 is not a field"],
])("a skill with front matter that is not valid is not used: %j", (text, why) => {
  const root = tempFolder();
  const file = put(join(root, ".bough/skills"), "broken", text);
  expect(readSkills({ home: join(root, "home"), cwd: root, trusted: false })).toEqual({
    skills: [],
    problems: [{ file, message: `Not used: the front matter is not valid. ${why}` }],
  });
});

test("front matter with lists, nested fields and comments is valid", () => {
  const root = tempFolder();
  const head =
    "# made by hand\nname: ok\ndescription: 'It''s fine' # really\ntools:\n  - read\n- bash\nmetadata:\n  a: b\n";
  put(join(root, ".bough/skills"), "ok", `---\n${head}---\n`);
  expect(readSkills({ home: join(root, "home"), cwd: root, trusted: false }).problems).toEqual([]);
});

test("a skill that is for people only is not listed to the model, and /skill:name sends what it says", () => {
  const root = tempFolder();
  const text = "---\ndescription: d\ndisable-model-invocation: true\n---\nCosts $1, see a.md.";
  const path = put(join(root, ".bough/skills"), "own", text);
  const { skills } = readSkills({ home: join(root, "home"), cwd: root, trusted: false });
  expect(systemPrompt({ cwd: "/work", contextFiles: [], skills, tools: [{ name: "read" }] })).not.toContain("own");
  const block = `<skill name="own" location="${path}">\nReferences are relative to ${dirname(path)}.\n\nCosts $1, see a.md.\n</skill>`;
  const templates = skillTemplates(skills);
  expect(expandPromptTemplate("/skill:own", templates)).toBe(block);
  expect(expandPromptTemplate("/skill:own for this one", templates)).toBe(`${block}\n\nfor this one`);
});

import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { asJavaScript, sdkPrograms } from "../support/sdk-programs.js";
import { makePlace, sessionFiles, theOnly } from "./cli-support.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** The others have tests of their own. */
const SECTIONS = [
  "An agent",
  "An answer in a form",
  "A run as a loop",
  "Two branches at once",
  "Files",
  "Events and outcomes",
  "The tree",
  "Many sessions in one process",
];
const samples = SECTIONS.flatMap((section) => sdkPrograms(section)).map(asJavaScript);

/** Samples that make an agent are programs; the others go on with the agent of the first one. */
const programs = samples.filter((sample) => sample.includes("createAgentSession("));
const parts = samples.filter((sample) => !sample.includes("createAgentSession("));

function run(program: string, env: Readonly<Record<string, string>> = {}) {
  const place = makePlace();
  mkdirSync(join(place.cwd, "node_modules"));
  symlinkSync(root, join(place.cwd, "node_modules", "bough"), "dir");
  symlinkSync(join(root, "node_modules", "zod"), join(place.cwd, "node_modules", "zod"), "dir");
  writeFileSync(join(place.cwd, "program.mjs"), program);
  const options = { cwd: place.cwd, env: { ...place.env, ...env }, encoding: "utf8" } as const;
  return { place, printed: execFileSync(process.execPath, ["program.mjs"], options) };
}

describe("the samples of docs/sdk.md", () => {
  test.each([
    ["the smallest agent", "", /^$/],
    ["one that asks", "ask: async", /^done\n$/],
    ["an answer in a form", "output: z.object", /program\.mjs/],
    ["a run as a loop", "agent.run(", /program\.mjs[\s\S]*done\n$/],
    ["files that follow a move", "diffFiles", /^notes\.txt 1 1\nfollowed \[ 'notes\.txt' \]\n$/],
  ])("%s runs as a program", (_what, part, expected) => {
    const found = programs.filter((sample) => sample.includes(part));
    expect(run(found[0] ?? "").printed).toMatch(expected);
  });

  test("files that follow a move end at once where git is not installed", () => {
    const program = programs.find((sample) => sample.includes("diffFiles")) ?? "";
    // What is left of the process when the program is done is what keeps it: nothing but its own output may.
    const said = run(`${program}console.log(process.getActiveResourcesInfo().includes("Timeout"));`, {
      PATH: "/nowhere",
    });
    expect(said.printed).toBe("notes.txt 1 1\nfollowed [ 'notes.txt' ]\nfalse\n");
  });

  test("every program is among them", () => {
    expect(programs).toHaveLength(6);
  });

  test("two branches at once run as a program, and are in one file", () => {
    const { place, printed } = run(programs.find((sample) => sample.includes("spawnBranch")) ?? "");
    expect(printed).toBe("");
    const session = SessionManager.open(theOnly(sessionFiles(place)), undefined, { readOnly: true });
    expect(session.getCounts().branches).toBe(2);
    session.close();
  });

  test("the others run one after the other on the agent of the first", () => {
    const [first] = programs;
    const end = "await agent.dispose();\n";
    expect([first?.endsWith(end), parts.length]).toEqual([true, 3]);
    const inBlock = (sample: string) =>
      `{\n${sample.replace(/^import (\{.*\}) from (".*");$/gm, "const $1 = await import($2);")}}\n`;
    const { place, printed } = run([first?.slice(0, -end.length), ...parts.map(inBlock), end].join(""));
    expect(printed).toBe("2 1\n");
    const session = SessionManager.open(theOnly(sessionFiles(place)), undefined, { readOnly: true });
    expect(session.getCounts().branches).toBe(2);
    expect(session.getLeafEntry()?.type).toMatch(/branch_summary|usage/);
    session.close();
  });
});

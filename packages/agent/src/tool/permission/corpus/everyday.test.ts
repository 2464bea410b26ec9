import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import { askedRequest, verdictOn } from "../asked-request.js";
import { parseRule } from "../rule/rule.js";
import { digestOf, EVERYDAY_RULES, everydayLines, HERE } from "./everyday-lines.test-support.js";

const RULES = EVERYDAY_RULES.map((text) => parseRule(text, { effect: "allow", source: { kind: "user" } }));
const lines = everydayLines();
const here = lines === undefined ? "samples are not here: set BOUGH_FIXTURES" : "samples are here";

/** The lines that need a question, in a folder that has the folders they change to. */
async function askedAbout(): Promise<readonly string[]> {
  const cwd = realpathSync(tempFolder());
  const asked: string[] = [];
  for (const line of lines ?? []) {
    for (const [, folder = ""] of line.matchAll(/\bcd \/here\/?(\S*)/g))
      mkdirSync(join(cwd, folder), { recursive: true });
    const request = await askedRequest({ tool: "bash", action: "run", target: line.replaceAll(HERE, cwd) }, cwd);
    if (verdictOn(request, { mode: "ask", rules: RULES }).kind !== "allow") asked.push(line);
  }
  return asked;
}

test.skipIf(lines === undefined)(`300 lines of everyday work are the ones that were chosen (${here})`, () => {
  expect([lines?.length, digestOf(lines ?? [])]).toEqual([300, "9ea6bab80f3daf3b"]);
  expect(RULES.filter(({ target }) => target.kind === "broken")).toEqual([]);
});

test.skipIf(lines === undefined)(`at most 8 % of the lines of everyday work ask (${here})`, async () => {
  expect((await askedAbout()).slice(24)).toEqual([]);
});

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { SessionManager } from "../../src/session/index.js";
import { makePlace, sessionFiles, theOnly } from "./cli-support.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(join(root, "docs", "sdk.md"), "utf8");
const samples = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map((match) => match[1] as string);

describe("the samples of docs/sdk.md", () => {
  test("run one after the other in a program that has the package installed", () => {
    const place = makePlace();
    mkdirSync(join(place.cwd, "node_modules"));
    symlinkSync(root, join(place.cwd, "node_modules", "bough"), "dir");
    const [first, ...others] = samples;
    const end = "await agent.dispose();\n";
    expect([first?.endsWith(end), others.length]).toEqual([true, 3]);
    // Each of the others stands for itself, in a block of its own, on the agent the first one made.
    const inBlock = (sample: string) =>
      `{\n${sample.replace(/^import (\{.*\}) from (".*");$/gm, "const $1 = await import($2);")}}\n`;
    const program = [first?.slice(0, -end.length), ...others.map(inBlock), end].join("");
    writeFileSync(join(place.cwd, "program.mjs"), program);
    const printed = execFileSync(process.execPath, ["program.mjs"], {
      ...{ cwd: place.cwd, env: place.env, encoding: "utf8" },
    });
    expect(printed).toBe("done\n2 1\n");
    const session = SessionManager.open(theOnly(sessionFiles(place)), undefined, { readOnly: true });
    expect(session.getCounts().branches).toBe(2);
    expect(session.getLeafEntry()?.type).toMatch(/branch_summary|usage/);
    session.close();
  });
});

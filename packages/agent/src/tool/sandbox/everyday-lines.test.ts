import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { isOnPath } from "../../../../../test/support/missing-tools.js";
import { EVERYDAY_LINES } from "./everyday-lines.test-support.js";
import { type EverydayProject, everydayProject, programsOf } from "./everyday-project.test-support.js";
import { closedFolder, type Ran, runLine, testSandbox, whyNot } from "./sandbox-place.test-support.js";

const why = await whyNot();

test("there are at least 200 everyday lines, without duplicates", () => {
  expect(EVERYDAY_LINES.length).toBeGreaterThanOrEqual(200);
  expect(new Set(EVERYDAY_LINES).size).toBe(EVERYDAY_LINES.length);
});

test.skipIf(!existsSync("/bin/bash"))("bash can parse each everyday line (skipped if there is no /bin/bash)", () => {
  const broken = EVERYDAY_LINES.filter((line) => spawnSync("/bin/bash", ["-n", "-c", line]).status !== 0);
  expect(broken).toEqual([]);
});

const missing = [...new Set(EVERYDAY_LINES.flatMap(programsOf))].filter((name) => !isOnPath(name));
const lines = EVERYDAY_LINES.filter((line) => !programsOf(line).some((name) => missing.includes(name)));
const left = EVERYDAY_LINES.length - lines.length;
const skipped = left === 0 ? "" : `, without ${left} that need ${missing.join(", ")}`;

test.skipIf(why !== "")(
  `${lines.length} everyday lines end with the same code and output inside and outside${skipped}${why}`,
  { timeout: 300_000 },
  async () => {
    vi.stubEnv("TMPDIR", "/tmp");
    const base = closedFolder();
    const [out, within] = ["out", "in"].map((name) => {
      mkdirSync(join(base, name));
      return everydayProject(join(base, name));
    }) as [EverydayProject, EverydayProject];
    vi.stubEnv("HOME", within.env.HOME ?? "");
    const sandbox = testSandbox({ cwd: within.cwd, home: join(base, "bough"), allowHost: async () => false });
    const plain = ({ code, output }: Ran, { cwd }: EverydayProject) => ({
      code,
      // Names of jobs and of temporary files differ from run to run.
      output: output.replaceAll(join(cwd, ".."), "").replace(/\bline \d+: +\d+ /g, "line: "),
    });
    const ends = { out: [] as unknown[], in: [] as unknown[] };
    for (const line of lines) {
      const [outside, inside] = await Promise.all([
        runLine(line, { ...out, env: { ...out.env, TMPDIR: "/tmp" } }),
        runLine(line, { ...within, sandbox }),
      ]);
      ends.out.push({ line, ...plain(outside, out) });
      ends.in.push({
        line,
        ...plain(inside, within),
        ...(inside.blocked.length > 0 ? { blocked: inside.blocked } : {}),
      });
    }
    expect(ends.in).toEqual(ends.out);
    expect(ends.out.length).toBeGreaterThan(150);
  },
);

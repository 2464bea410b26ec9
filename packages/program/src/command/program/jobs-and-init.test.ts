import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Jobs } from "@bough/agent/tool/index.js";
import { afterEach, describe, expect, it } from "vitest";
import { testContext } from "../command-context.test-support.js";
import { runCommandLine } from "../run-command-line.js";

const made: Jobs[] = [];
afterEach(async () => {
  for (const jobs of made.splice(0)) await jobs.stopAll();
});

function withJobs() {
  const jobs = new Jobs({ now: () => Date.UTC(2025, 0, 2) - 5000 });
  made.push(jobs);
  const { context } = testContext({ agent: { jobs } });
  const folder = join(context.cwd, "out");
  const start = (command: string) =>
    jobs.start({
      ...{ command, folder, name: "job", program: "/bin/sh", args: ["-c", command], cwd: context.cwd },
      ...{ env: process.env, killGraceMs: 200 },
    });
  return { jobs, context, start };
}

describe("/jobs", () => {
  it("lists what runs in the background with its output, and stops it", async () => {
    const { context, start } = withJobs();
    expect(await runCommandLine(context, "/jobs")).toMatchObject({ message: "Nothing runs in the background." });
    const { outputPath } = start("sleep 1000");
    expect(await runCommandLine(context, "/jobs")).toMatchObject({
      message: ["Jobs:", "  1  running 5 s  sleep 1000", `       ${outputPath}`].join("\n"),
      hint: "/jobs stop <number> stops one.",
    });
    expect(await runCommandLine(context, "/jobs stop 1")).toMatchObject({
      kind: "done",
      message: "Stopped: sleep 1000",
    });
    expect(await runCommandLine(context, "/jobs")).toMatchObject({ data: { jobs: [{ id: 1, state: "stopped" }] } });
  });

  it("stops all of them, and says when there is none", async () => {
    const { context, start, jobs } = withJobs();
    start("sleep 1000");
    start("sleep 2000");
    expect(await runCommandLine(context, "/jobs stop all")).toMatchObject({ message: "Stopped 2 jobs." });
    expect(jobs.list.map(({ state }) => state)).toEqual(["stopped", "stopped"]);
    expect((await runCommandLine(context, "/jobs stop all")).kind).toBe("unchanged");
  });

  it.each(["/jobs stop", "/jobs stop 7", "/jobs kill 1", "/jobs stop 1 2"])("refuses %s", async (line) => {
    expect((await runCommandLine(withJobs().context, line)).kind).toBe("unchanged");
  });

  it("is not available where nothing can run in the background", async () => {
    expect((await runCommandLine(testContext().context, "/jobs")).kind).toBe("unchanged");
  });
});

describe("/init", () => {
  const promptOf = ({ model }: ReturnType<typeof testContext>) => JSON.stringify(model.requests[0]?.messages.at(-1));

  it("asks the model for a new file, with what the user adds", async () => {
    const made = testContext({ steps: ["done"] });
    expect(await runCommandLine(made.context, "/init mention the fixtures")).toMatchObject({ kind: "done" });
    expect(promptOf(made)).toMatch(/write AGENTS\.md .*mention the fixtures/);
  });

  it("leaves a file that exists alone unless the user agrees, and then has it edited", async () => {
    for (const confirm of [undefined, async () => false]) {
      const made = testContext({ steps: ["done"], confirm });
      writeFileSync(join(made.context.cwd, "AGENTS.md"), "mine");
      expect(await runCommandLine(made.context, "/init")).toEqual({
        kind: "unchanged",
        message: "AGENTS.md already exists and was not changed.",
      });
      expect(made.model.requests).toEqual([]);
    }
    const made = testContext({ steps: ["done"], confirm: async () => true });
    writeFileSync(join(made.context.cwd, "AGENTS.md"), "mine");
    await runCommandLine(made.context, "/init");
    expect(promptOf(made)).toContain("bring it up to date with the edit tool");
  });
});

import { existsSync, readFileSync, statSync } from "node:fs";
import { setImmediate as nextRound } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { workshop } from "../tool-context.test-support.js";
import { type Job, Jobs } from "./jobs.js";

const made: Jobs[] = [];
afterEach(async () => {
  for (const jobs of made.splice(0)) await jobs.stopAll();
});

function place() {
  const ended: Job[] = [];
  const jobs = new Jobs({ onEnd: (job) => void ended.push(job), now: () => 5 });
  made.push(jobs);
  const shop = workshop();
  const tools = { bash: { jobs, killGraceMs: 200 } };
  const start = async (command: string) => {
    const { details } = await shop.call("bash", { command, background: true }, { tools });
    return details as Job;
  };
  return { jobs, shop, tools, start, ended };
}

/** Waits until the condition is true; the timeout of the test is the limit. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await nextRound();
}

test("a command in the background answers at once, and its output grows in a private file", async () => {
  const { jobs, shop, start, ended } = place();
  const { id, outputPath = "" } = await start("echo one; while [ ! -e go ]; do :; done; echo two; exit 3");
  await until(() => readFileSync(outputPath, "utf8").includes("one"));
  expect([jobs.list.map(({ state }) => state), statSync(outputPath).mode & 0o777]).toEqual([["running"], 0o600]);
  shop.put("go", "");
  await until(() => ended.length > 0);
  expect(readFileSync(outputPath, "utf8")).toBe("one\ntwo\n\n[exit code 3]\n");
  expect(jobs.list).toMatchObject([{ id, state: "ended", outcome: "exit code 3", startedAt: 5 }]);
  expect(shop.asked).toMatchObject([{ action: "run", note: expect.stringContaining("in the background") }]);
});

test("stopping one ends its whole group, and says so once", async () => {
  const { jobs, shop, start, ended } = place();
  const { id, outputPath = "" } = await start("sleep 1000 & echo pid $!; wait");
  await until(() => readFileSync(outputPath, "utf8").includes("pid "));
  const pid = Number(/pid (\d+)/.exec(readFileSync(outputPath, "utf8"))?.[1]);
  expect(await jobs.stop(id)).toBe(true);
  expect(existsSync(`/proc/${pid}`) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))).toBe(false);
  expect([await jobs.stop(id), await jobs.stop(99), ended.length, jobs.list[0]?.state]).toEqual([
    false,
    false,
    1,
    "stopped",
  ]);
  expect(shop.asked.length).toBe(1);
});

test("what a command leaves running is listed and can be stopped", async () => {
  const { jobs, shop, tools } = place();
  await shop.call("bash", { command: "sleep 1000 >/dev/null & echo left" }, { tools });
  expect(jobs.list).toMatchObject([{ id: 1, state: "running", command: "sleep 1000 >/dev/null & echo left" }]);
  await jobs.stopAll();
  expect(jobs.list).toMatchObject([{ state: "stopped" }]);
});

test("a command that cannot be started, or is refused, is not a running job", async () => {
  const { jobs, shop, tools } = place();
  const decision = { allowed: false, reason: "The user said no." } as const;
  expect(await shop.failure("bash", { command: "sleep 9", background: true }, { tools, decision })).toBe(
    "The user said no.",
  );
  expect(jobs.list).toEqual([]);
});

test("without a job store there is no such option", async () => {
  const shop = workshop();
  expect(await shop.failure("bash", { command: "true", background: true })).toContain("Invalid input for bash");
});

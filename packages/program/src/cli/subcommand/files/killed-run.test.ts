/** `bough restore-files` after Bough was killed while a command ran, without opening the session in between. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { boughHome } from "@bough/session/session/index.js";
import { expect, test, vi } from "vitest";
import { afterTest } from "../../../../../../test/support/after-test.js";
import { projectPlace } from "./files-command.test-support.js";

const CHILD = fileURLToPath(new URL("../../../../../../test/support/killed-tool.mjs", import.meta.url));

test("an untracked file that a killed command deleted comes back", async () => {
  const { cwd, session, bough, say } = await projectPlace();
  writeFileSync(join(cwd, "mine.txt"), "mine\n");
  const prompt = say("start");
  session.close();
  const flag = join(boughHome(), "flag");
  const command = `rm mine.txt; echo $$ > ${flag}; exec sleep 1000`;
  const steps = JSON.stringify([[{ name: "bash", arguments: { command } }]]);
  const child = spawn(process.execPath, [CHILD, session.getSessionFile() as string, cwd, boughHome(), steps]);
  afterTest(() => child.kill("SIGKILL"));
  await vi.waitFor(() => expect(readFileSync(flag, "utf8")).toMatch(/\d\n/), { timeout: 60_000 });
  const group = readFileSync(flag, "utf8").trim();
  afterTest(() => void process.kill(-Number(group), "SIGKILL"));
  child.kill("SIGKILL");
  await once(child, "exit");

  const { code, stdout, stderr } = await bough("restore-files", `#${prompt}`);
  expect(stderr).toContain("bough: Recorded 1 changed file of a run that was killed (bash).");
  expect(stderr).toContain(`Stop it with: kill -- -${group}`);
  expect([code, stdout]).toEqual([0, expect.stringContaining("A mine.txt")]);
  expect(existsSync(join(cwd, "mine.txt"))).toBe(true);
});

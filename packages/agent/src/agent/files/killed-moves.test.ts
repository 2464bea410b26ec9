/** Moves and restores that are killed, and what others change before the session is opened again. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type EntryId, FILES_TYPE } from "@bough/session/entry/index.js";
import { filesRecord } from "@bough/session/entry/internal.js";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { createTools } from "../../tool/index.js";
import { harness } from "../agent-harness.test-support.js";
import { scriptedModel } from "../scripted-model.test-support.js";

const CHILD = fileURLToPath(new URL("../../../../../test/support/killed-move.mjs", import.meta.url));

/** A session whose steps made `a.txt` 0, 1, 2 and 3; at the end of each of them is an entry. */
async function place() {
  const [root, home, sessions] = [tempFolder(), tempFolder(), tempFolder()];
  const at = join(root, "a.txt");
  const made = SessionManager.create(root, sessions);
  const file = made.getSessionFile() as string;
  const open = (session = SessionManager.open(file), steps: Parameters<typeof scriptedModel>[0] = []) =>
    harness({
      model: scriptedModel(steps),
      session,
      cwd: root,
      tools: createTools(),
      outputDir: home,
      files: { home },
    });
  const steps = [0, 1, 2, 3].flatMap((n) => [
    { calls: [{ name: "bash", arguments: { command: `echo ${n} > a.txt` } }] },
    `done ${n}`,
  ]);
  const { agent, session } = open(made, steps);
  const ends: EntryId[] = [];
  for (const n of [0, 1, 2, 3]) {
    await agent.prompt(`make it ${n}`);
    ends.push(session.getLeafId() as EntryId);
  }
  await agent.dispose();
  const read = () => readFileSync(at, "utf8").trim();
  const write = (text: string) => writeFileSync(at, `${text}\n`);
  const killed = (what: "move" | "restore", to: EntryId, moment: string) => {
    const { signal, stderr } = spawnSync(process.execPath, [CHILD, file, root, home, to, what, moment]);
    expect([signal, stderr.toString()]).toEqual(["SIGKILL", ""]);
  };
  return { open, read, write, killed, ends };
}

function records(session: SessionManager) {
  return session.getBranch().flatMap((entry) => {
    if (entry.type !== "custom" || entry.customType !== FILES_TYPE) return [];
    return [filesRecord(entry.data)?.by];
  });
}

test("a file that someone changed back while the session was closed is a conflict", async () => {
  const { open, read, write, ends } = await place();
  write("1");
  const { agent } = open();
  const moved = await agent.switchTo(ends[0] as EntryId, { files: "follow", conflicts: "keep" });
  expect([moved.files, read()]).toMatchObject([{ kind: "followed", kept: ["a.txt"] }, "1"]);
});

test.each([
  ["prepared", "3"],
  ["committed", "0"],
  ["placed", "0"],
])("after a kill in a move (%s) a file that someone changed since is a conflict", async (moment, now) => {
  const { open, read, write, killed, ends } = await place();
  killed("move", ends[0] as EntryId, moment);
  const first = open();
  await first.agent.start();
  expect([first.session.getLeafId(), read()]).toEqual([ends[0], now]);
  await first.agent.dispose();
  write("1");
  const { agent } = open();
  const moved = await agent.switchTo(ends[2] as EntryId, { files: "follow", conflicts: "keep" });
  expect([moved.files, read()]).toMatchObject([{ kind: "followed", kept: ["a.txt"] }, "1"]);
});

test.each(["prepared", "committed", "placed"])(
  "after a kill in a move (%s) files that were left alone are restored by the next one",
  async (moment) => {
    const { open, read, killed, ends } = await place();
    killed("move", ends[0] as EntryId, moment);
    const { agent, session } = open();
    await agent.switchTo(ends[2] as EntryId, { files: "follow", conflicts: "keep" });
    expect([read(), records(session)]).toEqual(["2", ["tool", "tool", "tool"]]);
  },
);

test.each(["committed", "placed"])("a restore that was killed (%s) is recorded as one", async (moment) => {
  const { open, read, killed, ends } = await place();
  killed("restore", ends[1] as EntryId, moment);
  const { agent, session } = open(undefined, ["ok"]);
  await agent.prompt("go on");
  expect([read(), records(session)]).toEqual(["1", ["tool", "tool", "tool", "tool", "restore"]]);
  await agent.switchTo(ends[3] as EntryId, { files: "follow", conflicts: "keep" });
  expect(read()).toBe("3");
});

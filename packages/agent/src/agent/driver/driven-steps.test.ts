/** Finished steps of a turn are in the session while the agent works on. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EntryId } from "@bough/session/entry/index.js";
import { FILES_TYPE } from "@bough/session/entry/index.js";
import { filesRecord } from "@bough/session/entry/internal.js";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { sampledRuns } from "../../../../../test/support/sampled.js";
import type { AgentSession } from "../agent-session.js";
import { drivenPlace, steps, told } from "./driven-place.test-support.js";

/** Resolves with the leaf once the session has so many results. */
function results(agent: AgentSession, count: number): Promise<EntryId> {
  return new Promise((resolve) => {
    const stop = agent.subscribe(() => {
      const path = agent.session.getBranch();
      const found = path.filter((entry) => entry.type === "message" && entry.message.role === "toolResult");
      const [last] = path.slice(-1);
      if (found.length < count || last === undefined || last.type === "message") return;
      stop();
      resolve(last.id);
    });
  });
}

function callsOfRecords({ session }: Pick<AgentSession, "session">) {
  return session.getBranch().flatMap((entry) => {
    const record = entry.type === "custom" && entry.customType === FILES_TYPE ? filesRecord(entry.data) : undefined;
    return record === undefined
      ? []
      : [{ calls: record.callIds?.length, paths: record.changes.map(({ path }) => path) }];
  });
}

test("another window sees finished steps, and can branch from them, while the agent works on", async () => {
  const { open, read, sessions, agentHome, requests, events } = drivenPlace();
  const agent = await open();
  const prompt = steps(
    ["say", "I will."],
    ["write", "a.txt", "one\n"],
    ["whisper", "Next"],
    ["hold", "go"],
    ["write", "a.txt", "two\n"],
    ["say", "Done."],
  );
  const turn = agent.prompt(prompt);
  const step = await results(agent, 1);
  const settled = [
    `user: ${prompt}`.slice(0, 60),
    "assistant: I will.",
    "assistant: toolCall",
    "toolResult: written",
    "files by tool: a.txt",
  ];
  const file = agent.session.getSessionFile() as string;
  const window = await open({ files: false }, SessionManager.open(file, sessions));
  expect([told(window), window.session.getLeafId()]).toEqual([settled, step]);
  expect(await window.prompt("Another way")).toMatchObject({ kind: "done" });
  expect(
    requests()
      .at(-1)
      ?.map(([role]) => role),
  ).toEqual(["user", "assistant", "assistant", "toolResult", "user"]);
  expect(told(window)).toEqual([...settled, "user: Another way", "assistant: You said: Another way"]);

  writeFileSync(join(agentHome, "go"), "");
  expect(await turn).toMatchObject({ kind: "done" });
  expect(told(agent)).toEqual([
    ...settled,
    "assistant: toolCall",
    "toolResult: written",
    "files by tool: a.txt",
    "assistant: Done.",
  ]);
  expect(read()).toBe("two\n");
  // What was shown of the next step stays on the screen.
  const kinds = events.flatMap((event) =>
    event.type === "message_start" && event.role === "assistant"
      ? ["start"]
      : event.type === "message_update"
        ? [event.delta]
        : [],
  );
  expect(kinds.slice(0, 3)).toEqual(["start", "I will.", "Next"]);
});

test("overlapping calls become one record of files, with the IDs of all", async () => {
  const { open, agentHome } = drivenPlace();
  const agent = await open();
  const files = ["parallel", ["a.txt", "one\n"], ["b.txt", "b\n"]];
  const turn = agent.prompt(steps(files, ["hold", "go"], ["write", "a.txt", "two\n"], ["say", "Done."]));
  await results(agent, 2);
  writeFileSync(join(agentHome, "go"), "");
  await turn;
  expect(callsOfRecords(agent)).toEqual([
    { calls: 2, paths: ["a.txt", "b.txt"] },
    { calls: 1, paths: ["a.txt"] },
  ]);
});

test("steps are added after calls that are reported badly, or whose results come late", async () => {
  const { open, agentHome } = drivenPlace();
  const agent = await open();
  const bad = [
    ["late", "late.txt", "x\n", 120],
    ["hidden", "hidden.txt", "x\n"],
    ["endless", "endless.txt", "x\n"],
    ["backwards", "backwards.txt", "x\n"],
  ] as const;
  const turn = agent.prompt(steps(...bad.flatMap((step) => [step, ["hold", step[0]]])));
  for (const [number, [name]] of bad.entries()) {
    await results(agent, number + 1);
    writeFileSync(join(agentHome, name), "");
  }
  expect(await turn).toMatchObject({ kind: "done" });
  expect(told(agent).slice(1)).toEqual(
    bad.flatMap(([name]) => ["assistant: toolCall", "toolResult: written", `files by tool: ${name}.txt`]),
  );
});

const KILLED = fileURLToPath(new URL("../../../../../test/support/killed-driver.mjs", import.meta.url));
const POINTS = sampledRuns({ all: 40, some: 3 });

test("Bough killed at any moment of a turn with several steps: nothing is missing or twice", async () => {
  for (let point = 0; point < POINTS; point++) {
    const { root, home, agentHome, sessions, open, transcript } = drivenPlace();
    const session = SessionManager.create(root, sessions);
    const file = session.getSessionFile() as string;
    session.close();
    const prompt = steps(
      ["say", "I will."],
      ...["a.txt", "b.txt", "c.txt"].map((name) => ["write", name, `${name}\n`]),
      ["say", "Done."],
    );
    const when = `event${5 + Math.round((point * 25) / POINTS)}`;
    const killed = spawnSync(process.execPath, [KILLED, file, root, agentHome, home, when, prompt], {
      cwd: root,
      encoding: "utf8",
      timeout: 60_000,
    });
    expect({ when, signal: killed.signal, stderr: killed.stderr }).toEqual({ when, signal: "SIGKILL", stderr: "" });
    const again = await open({}, SessionManager.open(file, sessions));
    const lines = readFileSync(transcript(), "utf8").trim().split("\n");
    const inTranscript = lines.flatMap((line) => {
      const { message } = JSON.parse(line) as { message?: { role: string } };
      return message === undefined ? [] : [message.role];
    });
    const roles = told(again).map((line) => line.split(/[: ]/)[0] as string);
    expect([when, roles.filter((role) => role !== "files")]).toEqual([when, inTranscript]);
    const paths = callsOfRecords(again).flatMap((record) => record.paths);
    expect([...paths].sort()).toEqual(
      ["a.txt", "b.txt", "c.txt"].slice(0, inTranscript.filter((one) => one === "toolResult").length),
    );
    const settled = told(again);
    await again.dispose();
    const later = await open({}, SessionManager.open(file, sessions));
    expect(told(later)).toEqual(settled);
  }
});

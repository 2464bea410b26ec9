/** Agents of workflows are attached to the call that started the run, and agents whose session is gone are found. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { drawEntries } from "../../../../../test/support/draw-entries.js";
import { convertFile, writeRecords } from "../../../../../test/support/interop-source.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { isNote, SUBAGENT_TYPE, type SubagentData } from "../foreign-entry.js";
import { claudeReader } from "./claude-reader.js";
import { answer, result, text, user } from "./claude-records.test-support.js";

const SESSION = "11111111-2222-4333-8444-555555555555";
const CHAIN = { sessionId: SESSION, timestamp: "2026-01-01T00:00:00.000Z" };

function write(path: string, records: readonly object[]): string {
  mkdirSync(dirname(path), { recursive: true });
  writeRecords(
    path,
    records.map((record) => JSON.stringify({ ...CHAIN, ...record })),
  );
  return path;
}

const agentRecords = (agentId: string, prompt: string) => [
  { ...user(prompt), uuid: `${agentId}0`, parentUuid: null, isSidechain: true, agentId },
  { ...answer(agentId, text(`${prompt}: done`)), uuid: `${agentId}1`, parentUuid: `${agentId}0`, isSidechain: true },
];

const workflow = (id: string) => ({ type: "tool_use", id, name: "Workflow", input: { script: "…" } });

/** A session with two workflows; `told` is what the result of the second one says about its run. */
function sessionWithRuns(told: object, folder = join(tempFolder(), ".claude/projects/-work")): string {
  const runs = join(folder, SESSION, "subagents/workflows");
  const launched = { status: "async_launched", taskId: "t", runId: "wf_one" };
  const path = write(join(folder, `${SESSION}.jsonl`), [
    { ...user("go"), uuid: "u0", parentUuid: null },
    { ...answer("m1", workflow("w1")), uuid: "u1", parentUuid: "u0" },
    { ...result("w1"), uuid: "u2", parentUuid: "u1", toolUseResult: launched },
    { ...answer("m2", workflow("w2")), uuid: "u3", parentUuid: "u2" },
    { ...result("w2"), uuid: "u4", parentUuid: "u3", ...told },
    { ...answer("m3", text("Both run.")), uuid: "u5", parentUuid: "u4" },
  ]);
  write(join(runs, "wf_one/agent-a.jsonl"), agentRecords("a", "first half"));
  write(join(runs, "wf_one/agent-b.jsonl"), agentRecords("b", "second half"));
  write(join(runs, "wf_two/agent-c.jsonl"), agentRecords("c", "the rest"));
  write(join(runs, "wf_one/journal.jsonl"), [
    { type: "started", key: "k", agentId: "a" },
    { type: "result", key: "k", agentId: "a", result: "done" },
  ]);
  return path;
}

describe("the agents of a workflow", () => {
  it.each<[string, object]>([
    ["its id", { toolUseResult: { status: "async_launched", taskId: "u", runId: "wf_two" } }],
    ["its folder", { toolUseResult: { taskId: "u", transcriptDir: `/home/x/${SESSION}/subagents/workflows/wf_two` } }],
    [
      "its folder, in words",
      {
        toolUseResult: { status: "async_launched", taskId: "u" },
        message: {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "w2",
              content: `Transcripts: /x/${SESSION}/subagents/workflows/wf_two`,
            },
          ],
        },
      },
    ],
  ])("hang below the call whose result names the run by %s", async (_how, told) => {
    const { entries } = await convertFile(claudeReader, sessionWithRuns(told));
    const agents = entries.flatMap((entry) =>
      entry.type === "custom" && entry.customType === SUBAGENT_TYPE ? [entry.data as SubagentData] : [],
    );
    expect(agents.map(({ agentId, toolCallId }) => [agentId, toolCallId])).toEqual([
      ["a", "w1"],
      ["b", "w1"],
      ["c", "w2"],
    ]);
    const callers = agents.map(({ callEntryId }) => entries.find(({ id }) => id === callEntryId));
    expect(callers.map((entry) => JSON.stringify(entry).includes('"Workflow"'))).toEqual([true, true, true]);
  });

  it("are branches next to the result of their call, with the journal of the run", async () => {
    const told = { toolUseResult: { taskId: "u", runId: "wf_two" } };
    const { entries, report } = await convertFile(claudeReader, sessionWithRuns(told));
    expect(drawEntries(entries).split("\n")).toEqual([
      ...["user: go", "assistant: [Workflow]", "  result of Workflow: of w1", "  assistant: [Workflow]"],
      ...["    result of Workflow: of w2", "    assistant: Both run."],
      ...["    sub-agent", "    subagent.prompt: the rest", "    assistant: the rest: done"],
      ...["  sub-agent", "  subagent.prompt: first half", "  assistant: first half: done"],
      ...["  sub-agent", "  subagent.prompt: second half", "  assistant: second half: done"],
    ]);
    expect(entries.filter(({ parentId }) => parentId === null)).toHaveLength(1);
    expect(entries.filter(isNote).map(({ data }) => data.type)).toEqual(["started", "result"]);
    expect(report.unknown).toEqual([]);
  });

  it("are not attached to another call whose output mentions the run", async () => {
    const folder = join(tempFolder(), ".claude/projects/-work");
    const listing = `/x/${SESSION}/subagents/workflows/wf_one`;
    write(join(folder, SESSION, "subagents/workflows/wf_one/agent-a.jsonl"), agentRecords("a", "half"));
    const path = write(join(folder, `${SESSION}.jsonl`), [
      { ...user("go"), uuid: "u0", parentUuid: null },
      { ...answer("m1", { ...workflow("b1"), name: "Bash" }), uuid: "u1", parentUuid: "u0" },
      {
        type: "user",
        toolUseResult: { taskId: "b", runId: "wf_one" },
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: "b1", content: listing }] },
        ...{ uuid: "u2", parentUuid: "u1" },
      },
    ]);
    const { entries } = await convertFile(claudeReader, path);
    const agent = entries.find((entry) => entry.type === "custom" && entry.customType === SUBAGENT_TYPE);
    expect((agent as { data?: SubagentData } | undefined)?.data?.toolCallId).toBeUndefined();
  });
});

describe("sub-agents whose session is gone", () => {
  it("are listed and read as sessions of their own; others are not listed", async () => {
    const home = tempFolder();
    const folder = join(home, ".claude/projects/-work");
    sessionWithRuns({ toolUseResult: { runId: "wf_two" } }, folder);
    const gone = "99999999-2222-4333-8444-555555555555";
    const older = { sessionId: gone };
    const records = (id: string, prompt: string) => agentRecords(id, prompt).map((record) => ({ ...record, ...older }));
    const alone = [
      write(join(folder, gone, "subagents/agent-n.jsonl"), records("n", "newer")),
      write(join(folder, gone, "subagents/workflows/wf_x/agent-w.jsonl"), records("w", "of a run")),
      write(join(folder, "agent-o.jsonl"), records("o", "older")),
    ];
    writeFileSync(join(folder, gone, "subagents/agent-n.meta.json"), '{"description":"Look around"}');
    const found = new Map<string, string | undefined>();
    for await (const { path, title } of claudeReader.find({ home })) found.set(path, title);
    expect([...found].sort()).toEqual(
      [
        [join(folder, `${SESSION}.jsonl`), "go"],
        [alone[0], "Look around"],
        [alone[1], "of a run"],
        [alone[2], "older"],
      ].sort(),
    );
    const { entries } = await convertFile(claudeReader, alone[0] as string);
    expect(drawEntries(entries).split("\n").slice(-2)).toEqual(["user: newer", "assistant: newer: done"]);
  });
});

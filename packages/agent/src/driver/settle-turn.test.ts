/** Turns become entries: at once, or step by step while the transcript grows, also across kills. */
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SessionManager } from "@bough/session/session/index.js";
import { foreignSessionAt } from "@bough/workbench/interop/index.js";
import { readGrown } from "@bough/workbench/interop/internal.js";
import { expect, test } from "vitest";
import { recordsIn } from "../../../../test/support/interop-source.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { finishedStep, replyIn, settleTurn, TurnSettling } from "./settle-turn.js";
import { TURN_VERSION, type TurnHead, TurnRecord } from "./turn-record.js";

const FIXTURES = fileURLToPath(new URL("../../../../test/fixtures/interop", import.meta.url));

const HEAD: TurnHead = {
  version: TURN_VERSION,
  ...{ sessionId: "s", leaf: null, driver: "x", nativeId: "n", model: "m", cwd: "/", prompt: "p", timestamp: 1 },
};

/** Everything said on the path to the leaf, block by block. */
function saidIn(session: SessionManager): unknown[] {
  return session.getBranch().flatMap((entry): unknown[] => {
    if (entry.type !== "message") return entry.type === "compaction" ? [entry.summary] : [];
    const { role, content } = entry.message as { role: string; content: unknown };
    return (Array.isArray(content) ? content : [content]).map((block) => [role, block]);
  });
}

function nativesIn(session: SessionManager): string[] {
  return session.getEntries().flatMap((entry) => ("native" in entry ? [String(entry.native)] : []));
}

function partsOf(session: SessionManager) {
  return { session, recordScans: async () => {} };
}

test.each([
  ["claude-code/parallel-tools.jsonl", 5],
  ["claude-code/compaction.jsonl", 5],
  ["codex/rollout-2026-11-15T08-50-01-01a1de66-2f95-7361-a035-2c1db9b1d6c0.jsonl", 2],
  ["codex/rollout-2026-11-15T08-50-22-01a1de66-80ff-71b0-83ef-c69d0ac060ef.jsonl", 2],
])("a turn settled step by step has what it has when settled at once: %s", async (name, leastSteps) => {
  const lines = recordsIn(join(FIXTURES, name));
  // Where each agent keeps them, so that they are recognized.
  const folder = join(tempFolder(), ".pi");
  mkdirSync(folder);
  const path = join(folder, basename(name));
  const grown = async (record: TurnRecord) => readGrown(await foreignSessionAt(path), { cuts: record.cuts });

  writeFileSync(path, `${lines.join("\n")}\n`);
  const once = SessionManager.inMemory("/");
  const record = new TurnRecord(HEAD);
  record.end = "done";
  await settleTurn(partsOf(once), record, await grown(record));

  const session = SessionManager.inMemory("/");
  let growing = new TurnRecord(HEAD);
  let settling = new TurnSettling(partsOf(session), growing);
  let steps = 0;
  for (let count = 1; count <= lines.length; count++) {
    writeFileSync(path, `${lines.slice(0, count).join("\n")}\n`);
    const now = await grown(growing);
    if (finishedStep(now) === undefined) continue;
    steps += 1;
    growing.take({ kind: "cut", records: now.mark.records });
    await settling.addSteps(now);
    if (steps % 2 === 1) continue;
    // As another process continues after a kill.
    const kept = growing.cuts;
    growing = new TurnRecord(HEAD);
    for (const records of kept) growing.take({ kind: "cut", records });
    settling = new TurnSettling(partsOf(session), growing);
  }
  growing.end = "done";
  await settling.finish(await grown(growing));
  expect(saidIn(session)).toEqual(saidIn(once));
  expect(new Set(nativesIn(session)).size).toBe(nativesIn(session).length);
  expect(steps).toBeGreaterThanOrEqual(leastSteps);
});

test("an answer that the agent notes before the prompt hides nothing of the turn", async () => {
  const folder = join(tempFolder(), ".pi");
  mkdirSync(folder);
  const path = join(folder, "11111111-1111-4111-8111-111111111111.jsonl");
  const lines = [
    claudeLine("u1", null, { role: "user", content: "Earlier." }),
    // As Claude Code does when a turn was cut off before: it shows nothing of that.
    claudeLine("a1", "u1", claudeAnswer("m1", "<synthetic>", "No response requested.")),
    claudeLine("u2", "a1", { role: "user", content: "Go on, please." }),
    claudeLine("a2", "u2", claudeAnswer("m2", "claude-x", "Done.")),
  ];
  writeFileSync(path, `${lines[0]}\n`);
  const { mark } = await readGrown(await foreignSessionAt(path), {});
  writeFileSync(path, `${lines.join("\n")}\n`);
  const grown = await readGrown(await foreignSessionAt(path), { since: mark });

  const session = SessionManager.inMemory("/");
  const record = new TurnRecord({ ...HEAD, mark, prompt: "Go on, please." });
  record.take({ kind: "text", text: "Done." });
  await settleTurn(partsOf(session), record, grown);
  expect(saidIn(session)).toEqual([
    ["assistant", { type: "text", text: "No response requested." }],
    ["user", "Go on, please."],
    ["assistant", { type: "text", text: "Done." }],
  ]);
  expect(replyIn(record.head, grown.entries)).toEqual(grown.entries.slice(-1));
});

function claudeLine(uuid: string, parentUuid: string | null, message: { readonly role: string; content: unknown }) {
  const made = { sessionId: "11111111-1111-4111-8111-111111111111", cwd: "/", version: "2.1.312", isSidechain: false };
  const timestamp = "2026-01-01T00:00:00.000Z";
  return JSON.stringify({ ...made, type: message.role, uuid, parentUuid, timestamp, message });
}

function claudeAnswer(id: string, model: string, text: string) {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const content = [{ type: "text", text }];
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: "end_turn",
    stop_sequence: null,
    usage,
  };
}

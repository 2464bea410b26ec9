/** Random trees and random operations: whatever happens, the session stays valid and nothing is lost. */

import type { SessionEntry } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sampledRuns } from "../../../../test/support/sampled.js";
import { fastFolder } from "../../../../test/support/temp-folder.js";
import { AgentError } from "./agent-error.js";
import { compact } from "./compaction/compact.js";
import { editContext } from "./compaction/edit-context.js";
import { pinEntry } from "./compaction/pins.js";
import { undoCompaction } from "./compaction/undo-compaction.js";
import { cherryPick } from "./merge/cherry-pick.js";
import { compareBranches } from "./merge/compare.js";
import { mergeBranch } from "./merge/merge-branch.js";
import { navigate } from "./move/navigate.js";
import { pop } from "./move/pop.js";
import { switchTo } from "./move/switch-to.js";
import { redoMove, undoMove } from "./move/undo-move.js";
import { answer, drawSession, operationParts, result, type TestParts, user } from "./operation-parts.test-support.js";
import { type ScriptStep, scriptedModel } from "./scripted-model.test-support.js";

const OPERATIONS = [
  "ask",
  "ask with a tool",
  "navigate",
  "navigate with a summary",
  "switch",
  "pop",
  "undo",
  "redo",
  "compact",
  "undo compaction",
  "cherry-pick",
  "merge",
  "merge turns",
  "pin",
  "edit",
  "compare",
] as const;

const step = fc.record({ operation: fc.constantFrom(...OPERATIONS), at: fc.nat(1000), model: fc.nat(9) });

async function run(on: TestParts, operation: (typeof OPERATIONS)[number], target: SessionEntry): Promise<unknown> {
  const { session, signal } = on;
  const targetId = target.id;
  switch (operation) {
    case "ask":
      session.appendMessage(user(`ask ${session.getCounts().entries}`));
      return session.appendMessage(answer("You must know: TODO more"));
    case "ask with a tool": {
      const id = `call-${session.getCounts().entries}`;
      session.appendMessage(user("use it"));
      session.appendMessage(answer("", { calls: [{ id, name: "read", path: "a.ts" }] }));
      return session.appendMessage(result(id));
    }
    case "navigate":
      return navigate(on, { targetId, label: "here", signal });
    case "navigate with a summary":
      return navigate(on, { targetId, summarize: true, signal });
    case "switch":
      return switchTo(on, { entryId: targetId, to: "end", signal });
    case "pop":
      return pop(on, { signal });
    case "undo":
      return undoMove(on, on);
    case "redo":
      return redoMove(on, on);
    case "compact":
      return compact(on, on);
    case "undo compaction":
      return undoCompaction(on, on);
    case "cherry-pick":
      return cherryPick(on, { ids: [targetId], signal });
    case "merge":
      return mergeBranch(on, { tipId: targetId, signal });
    case "merge turns":
      return mergeBranch(on, { tipId: targetId, summarize: false, signal });
    case "pin":
      return pinEntry(on, { entryId: targetId });
    case "edit":
      return editContext(on, { targetId, edit: { kind: "leave-out" } });
    case "compare":
      return compareBranches(session, { a: targetId, b: session.getLeafId() ?? targetId });
  }
}

/** Now and then the model fails. */
function modelStep(chance: number): ScriptStep {
  if (chance === 0) return { failure: { message: "down" } };
  return chance === 1 ? { text: "cut", stopReason: "length" } : "## Goal\nGo on";
}

test("random operations never lose or change an entry, the leaf exists, and reopening gives the same session", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const session = drawSession("A-b-C-d*; b-E-f", {}, { folder: fastFolder() });
      const model = scriptedModel(steps.flatMap(({ model }) => [modelStep(model), modelStep(model)]));
      const on = operationParts({ session, model, keepRecentTokens: 20 });
      for (const { operation, at } of steps) {
        const before = session.getEntries();
        const leafBefore = session.getLeafId();
        const target = before[at % before.length] as SessionEntry;
        try {
          await run(on, operation, target);
        } catch (error) {
          // A refusal is fine; it must leave everything as it was.
          if (!(error instanceof AgentError)) throw error;
          expect([session.getEntries(), session.getLeafId()]).toEqual([before, leafBefore]);
        }
        expect(session.getEntries().slice(0, before.length)).toEqual(before);
        const leafId = session.getLeafId();
        if (leafId !== null) expect(session.getEntry(leafId)).toBeDefined();
      }
      const context = session.buildSessionContext();
      const again = SessionManager.open(session.getSessionFile() as string, undefined, { readOnly: true });
      expect(again.getProblems()).toEqual([]);
      expect([again.getLeafId(), again.getEntries(), again.buildSessionContext()]).toEqual([
        session.getLeafId(),
        session.getEntries(),
        context,
      ]);
      again.close();
      session.close();
    }),
    { numRuns: sampledRuns({ all: 150, some: 50 }) },
  );
});

test("cherry-pick and merge are idempotent from any position", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.nat(1000), async (steps, at) => {
      const session = drawSession("A-b-C-d*; b-E-f");
      const on = operationParts({ session, model: scriptedModel(Array(40).fill("s")), keepRecentTokens: 20 });
      for (const { operation, at: where } of steps) {
        const entries = session.getEntries();
        await run(on, operation, entries[where % entries.length] as SessionEntry).catch((error: unknown) => {
          if (!(error instanceof AgentError)) throw error;
        });
      }
      const entries = session.getEntries();
      const target = entries[at % entries.length] as SessionEntry;
      for (const operation of ["cherry-pick", "merge turns", "merge"] as const) {
        const once = await run(on, operation, target).catch((error: unknown) => error);
        if (once instanceof AgentError) continue;
        const count = session.getCounts().entries;
        expect(await run(on, operation, target)).toMatchObject({ kind: "unchanged" });
        expect(session.getCounts().entries).toBe(count);
      }
    }),
    { numRuns: sampledRuns({ all: 150, some: 50 }) },
  );
});

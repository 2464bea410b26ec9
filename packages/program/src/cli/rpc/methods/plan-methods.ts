/** What an operation would do, computed without doing it. */

import { planCompactionInSlices } from "@bough/agent/agent/internal.js";
import {
  type NavigatePlan,
  type PinPlan,
  planBranchHere,
  planCherryPick,
  planClone,
  planContextEdit,
  planFork,
  planMerge,
  planNavigate,
  planPin,
  planPop,
  planSwitchTo,
  planUndoCompaction,
  planUnpin,
} from "@bough/agent/agent/plan.js";
import { readSettings } from "@bough/agent/project/index.js";
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { defined } from "@bough/session/text/index.js";
import { z } from "zod";
import { entryRef, none } from "../shape/common-shapes.js";
import { entryId } from "../shape/entry-shapes.js";
import { moveOptions, skippedPick, undoneCompaction } from "../shape/outcome-shapes.js";
import { contextEdit } from "./branch-methods.js";
import { method, type RpcContext } from "./rpc-method.js";

/** This many IDs easily fit on one line. */
const MOST_IDS = 1000;

const plannedEntries = z
  .object({ total: z.int(), ids: z.array(entryId).describe(`The first ${MOST_IDS}.`) })
  .meta({ id: "PlannedEntries", description: "Entries an operation would touch, oldest first." });

const navigatePlan = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("stay").describe("The target is already the leaf.") }),
    z.object({
      kind: z.literal("move"),
      targetId: entryId.nullable(),
      oldLeafId: entryId.nullable(),
      newLeafId: entryId.nullable(),
      commonAncestorId: entryId.nullable(),
      leaves: plannedEntries.describe("What a summary would cover."),
      summarize: z.boolean(),
      editorText: z.string().optional(),
      cause: z.string(),
    }),
  ])
  .meta({ id: "NavigatePlan" });

const pinPlan = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("pin"), entryId, pinned: z.boolean() }),
    z.object({ kind: z.literal("unchanged") }),
  ])
  .meta({ id: "PinPlan" });

export const PLAN_METHODS = {
  "plan.navigateTree": method({
    summary: "What `navigateTree` would do.",
    params: z.strictObject({ targetId: entryRef, ...moveOptions }),
    result: navigatePlan,
    run: (context, { targetId, ...options }) =>
      moveFacts(planNavigate(sessionOf(context), { targetId: idOf(context, targetId), ...options })),
  }),
  "plan.switchTo": method({
    summary: "What `switchTo` would do.",
    params: z.strictObject({ entryId: entryRef, to: z.enum(["entry", "end"]).optional(), ...moveOptions }),
    result: navigatePlan,
    run: (context, { entryId: reference, ...options }) =>
      moveFacts(planSwitchTo(sessionOf(context), { entryId: idOf(context, reference), ...options })),
  }),
  "plan.pop": method({
    summary: "What `pop` would do.",
    params: z.strictObject({ entryId: entryRef.optional(), ...moveOptions }),
    result: navigatePlan,
    run: (context, { entryId: reference, ...options }) =>
      moveFacts(
        planPop(sessionOf(context), {
          entryId: reference === undefined ? undefined : idOf(context, reference),
          ...options,
        }),
      ),
  }),
  "plan.branchHere": method({
    summary: "What `branchHere` would do.",
    params: z.strictObject({ entryId: entryRef, ...moveOptions }),
    result: navigatePlan,
    run: (context, { entryId: reference, ...options }) =>
      moveFacts(planBranchHere(sessionOf(context), { entryId: idOf(context, reference), ...options })),
  }),
  "plan.fork": method({
    summary: "What `fork` would copy.",
    params: z.strictObject({ entryId: entryRef }),
    result: z.object({
      entryId,
      selectedText: z.string(),
      leafId: entryId.nullable().describe("Where the new session ends; null if it starts empty."),
    }),
    run: (context, { entryId: reference }) => planFork(sessionOf(context), idOf(context, reference)),
  }),
  "plan.clone": method({
    summary: "What `clone` would copy: the path to this leaf.",
    params: none,
    result: z.object({ leafId: entryId }),
    run: (context) => planClone(sessionOf(context)),
  }),
  "plan.compact": method({
    summary: "What `compact` would summarize and keep.",
    params: none,
    result: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("nothing") }),
      z.object({
        kind: z.literal("compact"),
        summarizes: plannedEntries,
        firstKeptEntryId: entryId,
        tokensBefore: z.number(),
        previousSummary: z.string().optional(),
        splitTurn: z.boolean().describe("The cut goes through a turn."),
        readFiles: z.array(z.string()),
        modifiedFiles: z.array(z.string()),
        pins: z.array(z.string()).describe("Texts that stay verbatim."),
      }),
    ]),
    async run(context) {
      const { cwd, trusted } = context.started.parts;
      const { settings } = readSettings({ home: boughHome(), cwd, projectTrusted: trusted });
      const plan = await planCompactionInSlices(sessionOf(context), settings.compaction);
      if (plan.kind === "nothing") return plan;
      const { entriesToSummarize, ...facts } = plan.preparation;
      return { kind: "compact", summarizes: planned(entriesToSummarize), ...defined(facts) };
    },
  }),
  "plan.undoCompaction": method({
    summary: "What `undoCompaction` would do.",
    params: none,
    result: undoneCompaction,
    run: (context) => planUndoCompaction(sessionOf(context)),
  }),
  "plan.merge": method({
    summary: "What `merge` would add here.",
    params: z.strictObject({ tipId: entryRef }),
    result: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("unchanged") }),
      z.object({ kind: z.literal("merge"), tipId: entryId, splitId: entryId.nullable(), brings: plannedEntries }),
    ]),
    run(context, { tipId }) {
      const plan = planMerge(sessionOf(context), idOf(context, tipId));
      if (plan.kind === "unchanged") return plan;
      const { entries, ...facts } = plan;
      return { ...facts, brings: planned(entries) };
    },
  }),
  "plan.cherryPick": method({
    summary: "What `cherryPick` would copy; tool calls and their results stay together.",
    params: z.strictObject({ ids: z.array(entryRef).min(1) }),
    result: z.object({ copies: plannedEntries, skipped: z.array(skippedPick) }),
    run(context, { ids }) {
      const { groups, skipped } = planCherryPick(
        sessionOf(context),
        ids.map((id) => idOf(context, id)),
      );
      return { copies: planned(groups.flat()), skipped };
    },
  }),
  "plan.editContext": method({
    summary: "Whether `editContext` would change anything.",
    params: z.strictObject({ targetId: entryRef, edit: contextEdit }),
    result: z.object({ kind: z.enum(["edit", "unchanged"]) }),
    run(context, { targetId, edit }) {
      const { kind } = planContextEdit(sessionOf(context), { targetId: idOf(context, targetId), edit });
      return { kind };
    },
  }),
  "plan.pin": method({
    summary: "Whether `pin` would change anything.",
    params: z.strictObject({ entryId: entryRef }),
    result: pinPlan,
    run: (context, { entryId: reference }): PinPlan =>
      planPin(sessionOf(context), { entryId: idOf(context, reference) }),
  }),
  "plan.unpin": method({
    summary: "Whether `unpin` would change anything.",
    params: z.strictObject({ entryId: entryRef }),
    result: pinPlan,
    run: (context, { entryId: reference }): PinPlan =>
      planUnpin(sessionOf(context), { entryId: idOf(context, reference) }),
  }),
};

function sessionOf({ started }: RpcContext) {
  return started.agent.session;
}

function idOf(context: RpcContext, reference: string): EntryId {
  return sessionOf(context).resolveEntry(reference);
}

function planned(entries: readonly SessionEntry[]) {
  return { total: entries.length, ids: entries.slice(0, MOST_IDS).map(({ id }) => id) };
}

function moveFacts(plan: NavigatePlan) {
  if (plan.kind === "stay") return plan;
  const { preparation, newLeafId, editorText, cause } = plan;
  const { targetId, oldLeafId, commonAncestorId, entriesToSummarize, userWantsSummary } = preparation;
  return {
    ...{ kind: "move", targetId, oldLeafId, newLeafId, commonAncestorId },
    ...{ leaves: planned(entriesToSummarize), summarize: userWantsSummary, cause },
    ...defined({ editorText }),
  };
}

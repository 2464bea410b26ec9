/** Moving, branching, merging and cherry-picking. */

import type { EntryId } from "@bough/session/entry/index.js";
import { z } from "zod";
import { entryRef, none, userContent, written } from "../shape/common-shapes.js";
import { entryId } from "../shape/entry-shapes.js";
import { subAgent } from "../shape/event-shapes.js";
import {
  bringFiles,
  cherryPickOutcome,
  compactOutcome,
  forkResult,
  mergeOutcome,
  moveFiles,
  moveOptions,
  navigateResult,
  undoneCompaction,
} from "../shape/outcome-shapes.js";
import { method, type RpcContext } from "./rpc-method.js";

export const contextEdit = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("leave-out") }),
    z.strictObject({ kind: z.literal("original") }),
    z.strictObject({ kind: z.literal("replace"), content: userContent }),
  ])
  .meta({ id: "ContextEdit" });

function idOf({ started }: RpcContext, reference: string): EntryId {
  return started.agent.session.resolveEntry(reference);
}

export const BRANCH_METHODS = {
  navigateTree: method({
    summary: "Moves in the session, like selecting an entry in the tree.",
    params: z.strictObject({ targetId: entryRef, ...moveOptions }),
    result: navigateResult,
    run: (context, { targetId, ...options }) => context.started.agent.navigateTree(idOf(context, targetId), options),
  }),
  switchTo: method({
    summary: "Goes to exactly that entry, or to the end of the branch it is on.",
    params: z.strictObject({ entryId: entryRef, to: z.enum(["entry", "end"]).optional(), ...moveOptions }),
    result: navigateResult,
    run: (context, { entryId: reference, ...options }) =>
      context.started.agent.switchTo(idOf(context, reference), options),
  }),
  pop: method({
    summary: "Goes back to the previous user message, or to an entry, with a summary of what you leave.",
    params: z.strictObject({ entryId: entryRef.optional(), ...moveOptions }),
    result: navigateResult,
    run: (context, { entryId: reference, ...options }) =>
      context.started.agent.pop(reference === undefined ? undefined : idOf(context, reference), options),
  }),
  spawnBranch: method({
    summary:
      "Starts a second agent at an entry, or at the very start (null). Its prompts grow a branch of their own while the first agent continues. Give its name as `agent` to `prompt`, `steer`, `followUp`, `abort` and `whenIdle`; its events come as `agent_event`.",
    params: z.strictObject({ entryId: entryRef.nullable() }),
    result: z.object({ agent: z.string() }),
    run: async (context, { entryId: reference }) => ({
      agent: await context.agents.spawn(context.started, reference === null ? null : idOf(context, reference)),
    }),
  }),
  closeAgent: method({
    summary: "Stops an agent that `spawnBranch` started. Its branch stays in the session.",
    params: z.strictObject({ agent: z.string().min(1) }),
    result: z.null(),
    run: ({ agents }, { agent }) => agents.close(agent),
  }),
  getSubAgents: method({
    summary: "Lists the sub-agents that work now; the model starts them with the tool `spawn`.",
    params: none,
    result: z.array(subAgent),
    run: ({ started }) => [...started.agent.subAgents],
  }),
  stopSubAgent: method({
    summary: "Stops a sub-agent. The agent that started it gets what it had. `stopped` is false if it had ended.",
    params: z.strictObject({ id: entryRef }),
    result: z.object({ stopped: z.boolean() }),
    run: async ({ started }, { id }) => ({ stopped: await started.agent.stopSubAgent(id as EntryId) }),
  }),
  undoMove: method({
    summary: "Undoes the last run, shell command or move; again, one more.",
    params: z.strictObject(moveFiles),
    result: navigateResult,
    run: ({ started }, options) => started.agent.undoMove(options),
  }),
  redoMove: method({
    summary: "Redoes what was undone last.",
    params: z.strictObject(moveFiles),
    result: navigateResult,
    run: ({ started }, options) => started.agent.redoMove(options),
  }),
  fork: method({
    summary: "Creates a session file from the path before a user message and switches to it.",
    params: z.strictObject({ entryId: entryRef, ...moveFiles }),
    result: forkResult,
    run: (context, { entryId: reference, ...options }) => context.started.agent.fork(idOf(context, reference), options),
  }),
  branchHere: method({
    summary: "Starts a new branch in this session, before a user message or after any other entry.",
    params: z.strictObject({ entryId: entryRef, ...moveOptions }),
    result: forkResult,
    run: (context, { entryId: reference, ...options }) =>
      context.started.agent.branchHere(idOf(context, reference), options),
  }),
  branchInPlace: method({
    summary: "Goes to an exact entry, or before the first one, with a summary written by the client.",
    params: z.strictObject({ parentId: entryRef.nullable(), summary: z.string().min(1).optional() }),
    result: z.null(),
    run: (context, { parentId, summary }) =>
      context.started.agent.branchInPlace(parentId === null ? null : idOf(context, parentId), summary),
  }),
  clone: method({
    summary: "Creates a session file with the whole path and switches to it.",
    params: none,
    result: forkResult,
    run: ({ started }) => started.agent.clone(),
  }),
  compact: method({
    summary: "Replaces the older part of the path with a summary.",
    params: z.strictObject({ customInstructions: z.string().min(1).optional() }),
    result: compactOutcome,
    run: ({ started }, { customInstructions }) => started.agent.compact(customInstructions),
  }),
  undoCompaction: method({
    summary: "Goes to just before the last compaction of the path.",
    params: none,
    result: undoneCompaction,
    run: ({ started }) => started.agent.undoCompaction(),
  }),
  cherryPick: method({
    summary: "Copies entries from other branches to the leaf; tool calls and their results stay together.",
    params: z.strictObject({ ids: z.array(entryRef).min(1), ...bringFiles }),
    result: cherryPickOutcome,
    run: (context, { ids, ...options }) =>
      context.started.agent.cherryPick(
        ids.map((id) => idOf(context, id)),
        options,
      ),
  }),
  merge: method({
    summary: "Merges what came after the split on another branch, as a summary or as turns.",
    params: z.strictObject({
      tipId: entryRef,
      summarize: z.boolean().optional().describe("Default true; false copies the turns themselves."),
      customInstructions: z.string().min(1).optional(),
      ...bringFiles,
    }),
    result: mergeOutcome,
    run: (context, { tipId, ...options }) => context.started.agent.merge(idOf(context, tipId), options),
  }),
  editContext: method({
    summary: "Changes what the model sees of an entry on the path; the file keeps the original.",
    params: z.strictObject({
      targetId: entryRef,
      edit: contextEdit,
    }),
    result: written,
    run: async (context, { targetId, edit }) => {
      const id = await context.started.agent.editContext(idOf(context, targetId), edit);
      return { entryId: id ?? null };
    },
  }),
  pin: method({
    summary: "Pins an entry, so that every compaction keeps its text.",
    params: z.strictObject({ entryId: entryRef }),
    result: written,
    run: (context, { entryId: reference }) => ({
      entryId: context.started.agent.pin(idOf(context, reference)) ?? null,
    }),
  }),
  unpin: method({
    summary: "Unpins an entry.",
    params: z.strictObject({ entryId: entryRef }),
    result: written,
    run: (context, { entryId: reference }) => ({
      entryId: context.started.agent.unpin(idOf(context, reference)) ?? null,
    }),
  }),
  getPins: method({
    summary: "Lists the pinned entries of the path.",
    params: none,
    result: z.array(z.object({ id: entryId, text: z.string() })),
    run: ({ started }) => [...started.agent.getPins()],
  }),
  label: method({
    summary: "Labels an entry; without a label, removes its label.",
    params: z.strictObject({ targetId: entryRef, label: z.string().optional() }),
    result: written,
    run: (context, { targetId, label }) => ({ entryId: context.started.agent.label(idOf(context, targetId), label) }),
  }),
  appendEntry: method({
    summary: "Stores client state on the branch; the model never sees it.",
    params: z.strictObject({ customType: z.string().min(1), data: z.unknown().optional() }),
    result: written,
    run: ({ started }, { customType, data }) => ({ entryId: started.agent.appendEntry(customType, data) }),
  }),
};

/** How operations of the agent end. */
import { z } from "zod";
import { branchSummaryEntry, compactionEntry, entryId } from "./entry-shapes.js";
import { assistantMessage } from "./message-shapes.js";

const cancelled = z.object({
  kind: z.literal("cancelled"),
  by: z.string().describe("The extension that cancelled it."),
});
const aborted = z.object({ kind: z.literal("aborted") });
const unchanged = z.object({ kind: z.literal("unchanged") });

export const modelFailure = z
  .looseObject({
    kind: z.enum([
      "no-key",
      "auth",
      "rate-limit",
      "overloaded",
      "server",
      "network",
      "context-overflow",
      "bad-request",
      "no-output",
      "unknown",
    ]),
    message: z.string(),
    hint: z.string().optional(),
    retryable: z.boolean(),
    retryAfterMs: z.number().optional(),
    status: z.number().optional(),
  })
  .meta({ id: "ModelFailure" });

export const runOutcome = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("done"),
      message: assistantMessage.optional(),
      output: z.unknown().optional().describe("In the form requested with `output`."),
    }),
    z.object({
      kind: z.literal("aborted"),
      limit: z.enum(["steps", "tokens", "dollars", "milliseconds"]).optional().describe("The limit that was reached."),
    }),
    z.object({ kind: z.literal("failed"), failure: modelFailure, by: z.string().optional() }),
    z.object({ kind: z.literal("cancelled"), by: z.string().describe("The extension that handled the prompt.") }),
  ])
  .meta({ id: "RunOutcome", description: "How a run ended." });

export const delivery = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("queued") }),
    z.object({ kind: z.literal("appended"), entryId }),
    z.object({ kind: z.literal("run"), outcome: runOutcome }),
  ])
  .meta({ id: "Delivery", description: "What happened to a message." });

/** What happens to files in a move. */
export const moveFiles = {
  files: z
    .enum(["follow", "stay"])
    .optional()
    .describe("Whether to restore files too. Default: the setting `files.onMove`."),
  conflicts: z
    .union([z.enum(["keep", "take"]), z.record(z.string(), z.enum(["keep", "take"]))])
    .optional()
    .describe(
      "Files changed outside the session: keep them (default), or take those of the new position. For all, or by path.",
    ),
  protected: z
    .enum(["keep", "take"])
    .optional()
    .describe(
      "Files that decide what runs, such as `.vscode`: keep them (default), or take those of the new position.",
    ),
};

/** What becomes of the files in a merge or a cherry-pick. */
export const bringFiles = {
  files: z
    .enum(["follow", "stay"])
    .optional()
    .describe("Whether to bring file changes too. Default: the setting `files.onMerge`."),
  conflicts: z
    .union([z.enum(["keep", "take", "markers"]), z.record(z.string(), z.enum(["keep", "take", "markers"]))])
    .optional()
    .describe(
      "Files whose changes cannot be combined: keep the one on disk, take the other one, or write both with conflict markers, if it is text. For all, or by path. Without an answer for each, the outcome is `conflicts` and nothing is brought.",
    ),
  protected: z
    .enum(["keep", "take"])
    .optional()
    .describe(
      "Files that decide what runs, such as `.vscode`: keep them (default), or take those of the other branch.",
    ),
};

export const movedFiles = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("followed"),
      written: z.array(z.string()),
      deleted: z.array(z.string()),
      kept: z.array(z.string()).describe("Conflicts that were kept."),
      missing: z.array(z.string()).describe("Left alone: their contents are not on this machine."),
      protected: z.array(z.string()).optional().describe("Left alone: they decide what runs."),
      unrecorded: z
        .array(z.string())
        .optional()
        .describe("Requested by name, but no step of the session changed them."),
    }),
    z.object({
      kind: z.literal("stayed"),
      differing: z.int().describe("How many files differ from that position."),
      recordedOn: z
        .array(z.string())
        .optional()
        .describe("Other machines that recorded them: `files.onMove` does not restore those; a request can."),
    }),
    z.object({ kind: z.literal("cancelled") }),
    z.object({ kind: z.literal("failed"), message: z.string(), hint: z.string().optional() }),
  ])
  .meta({ id: "MovedFiles", description: "What happened to the files." });

export const moveOptions = {
  ...moveFiles,
  summarize: z.boolean().optional().describe("Summarize what you leave."),
  customInstructions: z.string().optional().describe("What the summary should focus on."),
  replaceInstructions: z.boolean().optional().describe("Replace the default instructions."),
  label: z.string().optional().describe("Label for the summary, or for the target."),
};

export const navigateResult = z
  .looseObject({
    kind: z.enum(["done", "unchanged", "cancelled", "aborted"]),
    cancelled: z.boolean(),
    cancelledBy: z.string().optional().describe("The extension that cancelled it."),
    aborted: z.boolean().optional(),
    editorText: z.string().optional().describe("Text of the selected message, to edit and send again."),
    summaryEntry: branchSummaryEntry.optional(),
    files: movedFiles.optional(),
  })
  .meta({ id: "NavigateResult" });

export const forkResult = z
  .looseObject({
    kind: z.enum(["done", "cancelled", "aborted"]),
    selectedText: z.string(),
    cancelled: z.boolean(),
    cancelledBy: z.string().optional().describe("The extension that cancelled it."),
    inPlace: z.boolean(),
    newSessionFile: z.string().optional(),
    files: movedFiles.optional(),
  })
  .meta({ id: "ForkResult" });

export const switchResult = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("done"),
      previousSessionFile: z.string().optional(),
      file: z.string().optional(),
    }),
    cancelled,
    aborted,
  ])
  .meta({ id: "SwitchResult" });

const lossReport = z
  .object({
    checked: z.int().describe("How many constraints, decisions and open tasks were checked."),
    lost: z.array(
      z.object({ kind: z.enum(["constraint", "decision", "task"]), text: z.string(), entryId: entryId.nullable() }),
    ),
  })
  .meta({ id: "LossReport", description: "Statements the summary may have lost." });

export const compactOutcome = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("done"),
      entry: compactionEntry,
      tokensBefore: z.number(),
      tokensAfter: z.number().describe("An estimate."),
      fromHook: z.boolean(),
      loss: lossReport,
    }),
    cancelled,
    aborted,
  ])
  .meta({ id: "CompactOutcome" });

export const undoneCompaction = z
  .object({
    compactionId: entryId,
    oldLeafId: entryId.nullable(),
    newLeafId: entryId.nullable(),
    leftBehind: z.int().describe("Messages after the compaction; they stay on the branch you leave."),
  })
  .meta({ id: "UndoneCompaction" });

export const skippedPick = z
  .object({ id: entryId, reason: z.enum(["on-this-path", "copied-before", "no-content"]) })
  .meta({ id: "SkippedPick" });

export const conflictsOutcome = z.object({
  kind: z.literal("conflicts").describe("Nothing was brought: these files need an answer in `conflicts`."),
  conflicts: z.array(
    z.object({
      path: z.string(),
      clash: z
        .enum(["lines", "binary", "large", "deleted", "mode", "link", "missing"])
        .optional()
        .describe("Why the changes cannot be combined."),
    }),
  ),
});

export const cherryPickOutcome = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("done"),
      ids: z.array(entryId),
      skipped: z.array(skippedPick),
      files: movedFiles.optional(),
    }),
    conflictsOutcome,
    z.object({ kind: z.literal("unchanged"), skipped: z.array(skippedPick) }),
    aborted,
  ])
  .meta({ id: "CherryPickOutcome" });

export const mergeOutcome = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("done"),
      ids: z.array(entryId).describe("Empty if everything was merged before and only files were brought."),
      summaryEntry: branchSummaryEntry.optional(),
      files: movedFiles.optional(),
    }),
    conflictsOutcome,
    unchanged,
    aborted,
  ])
  .meta({ id: "MergeOutcome" });

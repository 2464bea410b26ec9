/** Entries as they are in the session file: docs/format.md describes each. */
import { z } from "zod";
import { content, cut, message, usage } from "./message-shapes.js";

export const entryId = z.string().describe("Entry ID.");

/** Fields of every entry. */
export const entryBase = {
  id: entryId,
  parentId: z.string().nullable().describe("null for a root."),
  timestamp: z.string().describe("ISO time."),
  cut: cut.optional(),
};

const messageEntry = z.looseObject({ type: z.literal("message"), ...entryBase, message }).meta({ id: "MessageEntry" });

const modelChangeEntry = z
  .looseObject({
    type: z.literal("model_change"),
    ...entryBase,
    provider: z.string().optional(),
    modelId: z.string().optional(),
    model: z.string().optional().describe("provider/model, in files of other programs."),
    role: z.string().optional(),
  })
  .meta({ id: "ModelChangeEntry" });

const thinkingLevelChangeEntry = z
  .looseObject({ type: z.literal("thinking_level_change"), ...entryBase, thinkingLevel: z.string().nullable() })
  .meta({ id: "ThinkingLevelChangeEntry" });

const modeChangeEntry = z
  .looseObject({ type: z.literal("mode_change"), ...entryBase, mode: z.string(), data: z.unknown().optional() })
  .meta({ id: "ModeChangeEntry" });

const ruleInjectionEntry = z
  .looseObject({ type: z.literal("ttsr_injection"), ...entryBase, injectedRules: z.array(z.string()) })
  .meta({ id: "RuleInjectionEntry" });

const summary = {
  summary: z.string(),
  details: z.unknown().optional().describe("Usually readFiles and modifiedFiles."),
  fromHook: z.boolean().optional().describe("Written by an extension."),
  fromExtension: z.boolean().optional(),
  usage: usage.optional(),
};

export const compactionEntry = z
  .looseObject({
    type: z.literal("compaction"),
    ...entryBase,
    ...summary,
    firstKeptEntryId: entryId.optional().describe("First entry kept verbatim."),
    tokensBefore: z.number(),
    tokensAfter: z.number().optional(),
  })
  .meta({ id: "CompactionEntry" });

export const branchSummaryEntry = z
  .looseObject({
    type: z.literal("branch_summary"),
    ...entryBase,
    ...summary,
    fromId: z.string().describe("The leaf that was left, or root."),
    abandonedLeafId: entryId.optional(),
    cause: z.string().optional().describe("Why the move was made."),
  })
  .meta({ id: "BranchSummaryEntry" });

const customEntry = z
  .looseObject({
    type: z.literal("custom"),
    ...entryBase,
    customType: z.string(),
    data: z.unknown().optional().describe("Depends on who wrote it."),
  })
  .meta({ id: "CustomEntry", description: "State of an extension or of Bough; the model never sees it." });

const customMessageEntry = z
  .looseObject({
    type: z.literal("custom_message"),
    ...entryBase,
    customType: z.string(),
    content,
    display: z.boolean(),
    details: z.unknown().optional().describe("Depends on the extension."),
  })
  .meta({ id: "CustomMessageEntry" });

const labelEntry = z
  .looseObject({
    type: z.literal("label"),
    ...entryBase,
    targetId: entryId,
    label: z.string().optional().describe("Absent or empty: the label was removed."),
  })
  .meta({ id: "LabelEntry" });

const sessionInfoEntry = z
  .looseObject({ type: z.literal("session_info"), ...entryBase, name: z.string().optional() })
  .meta({ id: "SessionInfoEntry" });

const contextEditEntry = z
  .looseObject({
    type: z.literal("context_edit"),
    ...entryBase,
    targetId: entryId,
    replacement: z
      .union([
        z.null(),
        z.string(),
        z.array(z.unknown()),
        z.looseObject({ content: z.union([z.string(), z.array(z.unknown())]) }),
      ])
      .describe("null omits the entry; anything else replaces its content. pi writes an object that holds it."),
  })
  .meta({ id: "ContextEditEntry" });

const resetBoundaryEntry = z
  .looseObject({ type: z.literal("reset_boundary"), ...entryBase })
  .meta({ id: "ResetBoundaryEntry", description: "The context starts after it. From oh-my-pi's /clear." });

const usageEntry = z
  .looseObject({
    type: z.literal("usage"),
    ...entryBase,
    kind: z.string(),
    provider: z.string(),
    model: z.string(),
    usage,
  })
  .meta({ id: "UsageEntry", description: "Tokens spent outside the conversation." });

const unreadableEntry = z
  .looseObject({ type: z.literal("unreadable"), ...entryBase, reason: z.string() })
  .meta({ id: "UnreadableEntry", description: "Represents a damaged line; never in the file." });

const otherEntry = z
  .looseObject({ type: z.string(), id: entryId, parentId: z.string().nullable().optional() })
  .meta({ id: "OtherEntry", description: "An entry that Bough did not write: an unknown type, or unusual fields." });

const ENTRIES = [
  messageEntry,
  modelChangeEntry,
  thinkingLevelChangeEntry,
  modeChangeEntry,
  ruleInjectionEntry,
  compactionEntry,
  branchSummaryEntry,
  customEntry,
  customMessageEntry,
  labelEntry,
  sessionInfoEntry,
  contextEditEntry,
  resetBoundaryEntry,
  usageEntry,
  unreadableEntry,
] as const;

export const entry = z
  .union([...ENTRIES, otherEntry])
  .meta({ id: "Entry", description: "An entry as it is in the session file." });

export const header = z
  .looseObject({
    type: z.literal("session"),
    version: z.int().optional(),
    id: z.string(),
    timestamp: z.string(),
    cwd: z.string(),
    parentSession: z.string().optional().describe("Path of the session this one was forked from."),
  })
  .meta({ id: "SessionHeader", description: "First line of a session file." });

/** Shapes that several methods share. Results are described as far as clients may rely on them; more may come. */
import { z } from "zod";

/** Where an entry is asked for: its id, the start of it, or its label. */
export const entryRef = z.string().min(1).describe("An entry: its ID, the start of its ID, or its label.");
export const entryId = z.string().describe("Entry ID.");
export const none = z.strictObject({});

export const entry = z
  .looseObject({ type: z.string(), id: entryId, parentId: z.string().nullable(), timestamp: z.string() })
  .meta({ id: "Entry", description: "An entry as it is in the session file." });

export const image = z
  .strictObject({
    type: z.literal("image").default("image"),
    data: z.string().min(1).describe("Base64."),
    mimeType: z.string().min(1),
  })
  .meta({ id: "Image" });

export const userContent = z
  .union([z.string(), z.array(z.union([z.strictObject({ type: z.literal("text"), text: z.string() }), image]))])
  .meta({ id: "UserContent" });

export const page = {
  offset: z.int().min(0).default(0).describe("How many to skip."),
  limit: z.int().min(1).max(1000).default(100).describe("How many at most."),
};

const failure = z.looseObject({ kind: z.string(), message: z.string(), hint: z.string().optional() });

export const runOutcome = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("done"),
      message: z.looseObject({ role: z.string() }).optional(),
      output: z.unknown().optional(),
    }),
    z.object({
      kind: z.literal("aborted"),
      limit: z.enum(["steps", "tokens", "dollars", "milliseconds"]).optional().describe("What the run had used up."),
    }),
    z.object({ kind: z.literal("failed"), failure }),
    z.object({ kind: z.literal("cancelled"), by: z.string().describe("The extension that took the prompt.") }),
  ])
  .meta({ id: "RunOutcome", description: "How a run ended." });

export const delivery = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("queued") }),
    z.object({ kind: z.literal("appended"), entryId }),
    z.object({ kind: z.literal("run"), outcome: runOutcome }),
  ])
  .meta({ id: "Delivery", description: "What happened to a message." });

export const moveOptions = {
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
    summaryEntry: entry.optional(),
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
  })
  .meta({ id: "ForkResult" });

export const switchResult = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("done"),
      previousSessionFile: z.string().optional(),
      file: z.string().optional(),
    }),
    z.object({ kind: z.literal("cancelled"), by: z.string().describe("The extension that cancelled it.") }),
    z.object({ kind: z.literal("aborted") }),
  ])
  .meta({ id: "SwitchResult" });

export const written = z
  .object({ entryId: entryId.nullable() })
  .meta({ id: "Written", description: "The entry that was written, if any." });

export const modelInUse = z.object({ model: z.string().nullable(), thinkingLevel: z.string() });

/** Parameters and results that many methods share: references to entries, pages, faults. */
import { z } from "zod";
import { entryId } from "./entry-shapes.js";

/** A reference to an entry: its id, a unique prefix, or its label. */
export const entryRef = z.string().min(1).describe("An entry: its ID, the start of its ID, or its label.");
export const sessionRef = z.string().min(1).describe("A session: its path, ID, start of ID, or name.");
export const none = z.strictObject({});

export const image = z
  .strictObject({
    type: z.literal("image").default("image"),
    data: z.string().min(1).describe("Base64."),
    mimeType: z.string().min(1),
  })
  .meta({ id: "ImageInput" });

export const userContent = z
  .union([z.string(), z.array(z.union([z.strictObject({ type: z.literal("text"), text: z.string() }), image]))])
  .meta({ id: "ContentInput" });

export const page = {
  offset: z.int().min(0).default(0).describe("How many to skip."),
  limit: z.int().min(1).max(1000).default(100).describe("At most this many; fewer if they are long."),
};

/** What every page contains besides its items. */
export const paged = {
  total: z.int(),
  offset: z.int(),
  next: z.int().nullable().describe("The offset of the next page; null on the last one."),
};

export const part = {
  offset: z.int().min(0).default(0).describe("Characters to skip: 0, then `next` of the part before."),
};

export const textPart = z
  .object({
    total: z.int().describe("Length of the whole JSON text, in characters."),
    offset: z.int(),
    next: z.int().nullable().describe("The offset of the next part; null in the last one."),
    text: z.string(),
  })
  .meta({ id: "TextPart", description: "A part of a JSON text. All parts joined are the whole." });

export const written = z
  .object({ entryId: entryId.nullable() })
  .meta({ id: "Written", description: "The entry that was written, if any." });

export const modelInUse = z
  .object({ model: z.string().nullable().describe("provider/model."), thinkingLevel: z.string() })
  .meta({ id: "ModelInUse" });

export const queuedTexts = z
  .object({ steering: z.array(z.string()), followUp: z.array(z.string()) })
  .meta({ id: "QueuedTexts" });

export const fault = z
  .object({
    code: z.string().describe("Stable; docs/reference/errors.md lists them."),
    message: z.string().describe("A sentence for people."),
    hint: z.string().optional().describe("What to do next."),
    data: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: "Fault", description: "Why a request failed." });

/** Files that follow the tree: states, plans, differences, and who wrote a line. */
import { z } from "zod";
import { entryId } from "./entry-shapes.js";

const fileState = z
  .union([
    z.object({
      hash: z.string().describe("SHA-256 of the content, in hex."),
      mode: z.enum(["644", "755"]),
      size: z.int(),
      access: z.string().optional().describe("Its permissions in octal, if they were stricter than 644."),
    }),
    z.object({ link: z.string().describe("The target of a symbolic link.") }),
    z.null(),
  ])
  .meta({ id: "FileState", description: "What is at a path: a file, a symbolic link, or nothing." });

export const plannedFile = z
  .object({
    path: z.string(),
    action: z
      .enum(["write", "delete", "conflict", "missing", "protected"])
      .describe(
        "`conflict`: changed outside of the session. `missing`: the content is not on this machine. `protected`: left alone unless the request says otherwise.",
      ),
    why: z
      .string()
      .optional()
      .describe(
        "For conflicts: `changed`, or what blocks the path. For protected paths: `runs`, or `git`, which is never written.",
      ),
    conflict: z.string().optional().describe("For protected paths that are conflicts too: why."),
    clash: z
      .enum(["lines", "binary", "large", "deleted", "mode", "link", "missing"])
      .optional()
      .describe("In a merge: why the changes of both sides cannot be combined."),
    marked: fileState.optional().describe("In a merge: both versions of the lines, with conflict markers."),
    merged: z.literal(true).optional().describe("In a merge: the changes of both sides are combined."),
    from: z.string().optional().describe("The machine that recorded it, if it is not this one."),
    present: fileState.optional().describe("Absent if what is there is not a file."),
    wanted: fileState,
    byPerson: z.boolean().describe("You changed it between turns, in the steps on the way."),
  })
  .meta({ id: "PlannedFile" });

export const fileDifference = z
  .object({
    path: z.string(),
    change: z.enum(["added", "deleted", "changed", "renamed", "mode"]),
    from: z.string().optional().describe("Its name before it was renamed."),
    before: fileState,
    after: fileState,
    added: z.int().optional().describe("Lines."),
    removed: z.int().optional(),
    noDiff: z
      .string()
      .optional()
      .describe("Why there is no diff: `binary`, `missing`, `damaged`, or what blocks the path."),
    patch: z.string().optional().describe("In the format of `git diff`."),
  })
  .meta({ id: "FileDifference", description: "How one file differs. `cut` is set if it was too long for a line." });

export const skippedFile = z
  .object({ path: z.string(), why: z.string(), size: z.int().optional() })
  .meta({ id: "SkippedFile", description: "A file that changed and is not recorded." });

const writtenBy = z
  .object({
    session: z.object({ id: z.string(), path: z.string(), name: z.string().nullable() }),
    entryId,
    recordId: entryId.describe("The checkpoint."),
    branch: z.object({ number: z.int(), name: z.string() }),
    prompt: z.object({ entryId, text: z.string() }).nullable(),
    by: z.enum(["tool", "person", "restore", "attempt"]),
    tool: z.string().nullable(),
    time: z.string(),
  })
  .meta({ id: "WrittenBy", description: "The step that wrote a line." });

export const blamedLine = z
  .object({
    line: z.int().describe("Starts at 1."),
    text: z.string(),
    kind: z
      .enum(["step", "unknown", "outside", "older"])
      .describe(
        "`unknown`: written by this step or earlier. `outside`: not recorded by any session. `older`: there before any session.",
      ),
    step: writtenBy.nullable(),
  })
  .meta({ id: "BlamedLine" });

/** Attempts, as methods answer and events carry them. */
import { z } from "zod";
import { entryId } from "./entry-shapes.js";
import { conflictsOutcome, movedFiles } from "./outcome-shapes.js";

const check = z
  .object({
    command: z.string(),
    exitCode: z.int().nullable().describe("Null if it was stopped, or could not be started."),
    passed: z.boolean(),
    durationMs: z.number(),
    last: z.array(z.string()).describe("Its last lines."),
    tests: z.object({ passed: z.int(), failed: z.int() }).optional().describe("For runners whose output is known."),
    problem: z.string().optional(),
    state: z.string().describe("Names the state of the files that it saw."),
  })
  .meta({ id: "AttemptCheck" });

export const attempt = z
  .object({
    name: z.string(),
    entryId: entryId.describe("Where its branch begins."),
    tipId: entryId.describe("Where its branch ends."),
    tryId: entryId.describe("The entry that all attempts of one try branch from."),
    driver: z.string().describe("`bough`, or another agent."),
    model: z.string().optional(),
    state: z.enum([
      "waiting",
      "preparing",
      "running",
      "asking",
      "checking",
      "elsewhere",
      "done",
      "failed",
      "stopped",
      "limit",
      "interrupted",
    ]),
    step: z.string().optional().describe("The tool that runs, or what was said last."),
    tokens: z.number(),
    dollars: z.number(),
    unpriced: z.int().describe("Model calls without a known price."),
    durationMs: z.number(),
    files: z.object({ files: z.int(), added: z.int(), removed: z.int() }).optional(),
    check: check.optional(),
    reason: z.string().optional().describe("Why it failed or was stopped."),
    folder: z.string().optional().describe("Its folder, while it exists."),
  })
  .meta({ id: "Attempt" });

export const keepOutcome = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("done"),
      attempt: z.string(),
      files: movedFiles.optional(),
      installs: z.array(z.string()).describe("Commands to run, because what they install is not kept."),
    }),
    conflictsOutcome,
    z.object({ kind: z.literal("cancelled") }),
  ])
  .meta({ id: "KeepOutcome" });

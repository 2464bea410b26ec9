/** Data about whole sessions: lists, statistics, comparisons, checks, exports. */

import { PROBLEM_CODES } from "@bough/session/entry/index.js";
import { z } from "zod";
import { entryId, header } from "./entry-shapes.js";

const date = z.string().describe("ISO time.");

export const sessionInfo = z
  .looseObject({
    path: z.string(),
    id: z.string(),
    cwd: z.string(),
    parentSession: z.string().optional(),
    name: z.string().optional(),
    created: date,
    modified: date,
    size: z.int().describe("Bytes."),
    firstMessage: z.string(),
    messageCount: z.int().optional().describe("Absent until counted, like the next three."),
    turnCount: z.int().optional(),
    branchCount: z.int().optional(),
    cost: z.object({ dollars: z.number(), unpriced: z.int() }).optional(),
    exact: z.boolean().describe("Whether name, counts and cost are certain."),
    importedFrom: z.object({ agent: z.string(), id: z.string(), path: z.string() }).optional(),
    archivedAt: date.optional(),
  })
  .meta({ id: "SessionInfo" });

const totals = z
  .looseObject({
    entries: z.int(),
    userMessages: z.int(),
    answers: z.int(),
    toolCalls: z.int(),
    errors: z.int(),
    compactions: z.int(),
    usage: z.looseObject({
      input: z.number(),
      output: z.number(),
      cacheRead: z.number(),
      cacheWrite: z.number(),
      tokens: z.number(),
      dollars: z.number().describe("The known cost."),
      unpriced: z.int().describe("Model calls without a known price."),
    }),
  })
  .meta({ id: "Totals" });

export const sessionStats = z
  .looseObject({
    sessionId: z.string(),
    file: z.string().optional(),
    name: z.string().optional(),
    branches: z.int(),
    path: totals,
    session: totals,
    subAgents: totals.optional().describe("What sub-agents did, which `session` includes."),
    context: z.object({
      tokens: z.number(),
      counted: z.number().describe("The part a provider counted; 0 if it is all an estimate."),
    }),
  })
  .meta({ id: "SessionStats" });

const files = z.object({ readFiles: z.array(z.string()), modifiedFiles: z.array(z.string()) });

const branchSide = z
  .looseObject({
    tipId: entryId,
    label: z.string().optional(),
    steps: z.array(
      z.object({
        entryId,
        prompt: z.string(),
        toolCalls: z.int(),
        errors: z.int(),
        answer: z.string(),
      }),
    ),
    totals,
    contextTokens: z.int().describe("Its estimated size for a model."),
    files,
    end: z.object({ kind: z.enum(["answer", "failed", "prompt", "tool", "summary", "empty"]), text: z.string() }),
  })
  .meta({ id: "BranchSide" });

export const comparison = z
  .object({
    sharedId: entryId.nullable().describe("The deepest entry both have."),
    a: branchSide,
    b: branchSide,
    changed: z.object({ onlyA: z.array(z.string()), both: z.array(z.string()), onlyB: z.array(z.string()) }),
  })
  .meta({ id: "BranchComparison" });

export const problem = z
  .object({
    code: z.enum(Object.keys(PROBLEM_CODES) as (keyof typeof PROBLEM_CODES)[]),
    line: z.int().describe("First line is 1; 0 for the whole file."),
    offset: z.int(),
    bytes: z.int(),
    cause: z.string(),
    effect: z.string(),
    entryId: entryId.optional(),
  })
  .meta({ id: "Problem", description: "Damage or an oddity found in a file." });

const counts = z.object({ damage: z.int(), odd: z.int(), note: z.int() });

export const verifyReport = z.object({
  path: z.string(),
  header: header.optional(),
  version: z.unknown().optional().describe("As stated in the header."),
  lines: z.int(),
  entries: z.int(),
  readable: z.int(),
  ok: z.boolean().describe("Whether no damage was found."),
  counts,
});

export const finding = problem
  .extend({ level: z.enum(["damage", "odd", "note"]) })
  .meta({ id: "Finding", description: "What a check found, and how bad it is." });

const repairChange = z
  .object({
    line: z.int(),
    id: entryId,
    reasons: z.array(
      z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("upgraded") }),
        z.object({ kind: z.literal("new-id"), from: entryId }),
        z.object({ kind: z.literal("new-parent"), from: entryId.nullable(), to: entryId.nullable() }),
        z.object({ kind: z.literal("encoding") }),
      ]),
    ),
  })
  .meta({ id: "RepairChange" });

const droppedBytes = z
  .object({ line: z.int(), offset: z.int(), bytes: z.int(), reason: z.string() })
  .meta({ id: "DroppedBytes" });

const before = z.object({ ok: z.boolean(), counts });

export const repairReport = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("clean"), path: z.string(), before }),
    z.object({
      kind: z.literal("repaired"),
      path: z.string(),
      out: z.string().describe("The new file."),
      sessionId: z.string().describe("ID of the new session."),
      kept: z.int().describe("Entries copied byte for byte."),
      changed: z.array(repairChange),
      dropped: z.array(droppedBytes),
      fileChanges: z.array(z.string()),
      proof: z.object({ readable: z.int(), found: z.int() }),
      before,
      remaining: z.array(problem),
    }),
  ])
  .meta({ id: "RepairReport" });

const moved = { path: z.string(), leftBehind: z.array(z.string()) };
const failed = z.object({ kind: z.literal("failed"), reason: z.string() });
const missing = z.object({ kind: z.literal("missing") });

export const archiveOutcome = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("archived"), ...moved }),
    z.object({
      kind: z.literal("in-use"),
      by: z.array(z.looseObject({ program: z.string(), pid: z.int(), host: z.string() })),
    }),
    missing,
    failed,
  ])
  .meta({ id: "ArchiveOutcome" });

export const restoreOutcome = z
  .discriminatedUnion("kind", [z.object({ kind: z.literal("restored"), ...moved }), missing, failed])
  .meta({ id: "RestoreOutcome" });

export const searchHit = z
  .looseObject({
    agent: z.string().optional().describe("Set for another agent's session."),
    path: z.string(),
    sessionId: z.string(),
    sessionName: z.string().optional(),
    entryId,
    entryType: z.string(),
    role: z.string().optional(),
    timestamp: z.string(),
    excerpt: z.string(),
    matches: z.array(z.array(z.int())).describe("Start and end of each match in the excerpt, in UTF-16 units."),
    state: z.enum(["active", "abandoned", "compacted"]),
    address: z.string().describe("session#entry."),
  })
  .meta({ id: "SearchHit" });

export const searchProgress = z
  .object({
    filesDone: z.int(),
    filesTotal: z.int(),
    bytesDone: z.int(),
    bytesTotal: z.int(),
    problems: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
  })
  .meta({ id: "SearchProgress" });

const secretFinding = z
  .looseObject({
    number: z.int(),
    rule: z.string(),
    title: z.string(),
    entryId: entryId.optional(),
    place: z.string(),
    line: z.int(),
    excerpt: z.string().describe("The surrounding text, with the value masked."),
    count: z.int(),
    kept: z.boolean(),
  })
  .meta({ id: "SecretFinding" });

export const exported = z
  .object({ file: z.string(), bytes: z.int(), entries: z.int(), findings: z.array(secretFinding) })
  .meta({ id: "ExportedSession" });

/** Sessions of other agents: find, import, and write them. */

import { AGENT_NAMES, SessionError } from "@bough/session/entry/index.js";
import { defined } from "@bough/session/text/index.js";
import { matchForeign } from "@bough/workbench/find/index.js";
import type { ForeignSession } from "@bough/workbench/interop/index.js";
import {
  foreignFacts,
  handoffFacts,
  isAbout,
  listForeign,
  performHandoff,
  planHandoff,
} from "@bough/workbench/interop/internal.js";
import { z } from "zod";
import { type CommandContext, importForeign, openImported, ownSession } from "../../../command/index.js";
import { entryRef, page, paged } from "../shape/common-shapes.js";
import { answerPage } from "./answer-page.js";
import { method } from "./rpc-method.js";

const agentName = z.enum(AGENT_NAMES);

const foreignSession = z
  .looseObject({
    agent: agentName,
    id: z.string(),
    path: z.string(),
    cwd: z.string().describe("Empty if unknown."),
    title: z.string().nullable().describe("Its name, or its first prompt."),
    created: z.string(),
    modified: z.string(),
    size: z.int().describe("Bytes."),
  })
  .meta({ id: "ForeignSession", description: "Another agent's session." });

const writeLoss = z.object({ entryId: z.string(), what: z.string(), effect: z.string() });

const MOST_CANDIDATES = 10;

export const FOREIGN_METHODS = {
  listForeignSessions: method({
    summary: "A page of other agents' sessions in their default folders, newest first.",
    params: z.strictObject({
      agents: z.array(agentName).optional().describe("Default: every agent."),
      scope: z.enum(["folder", "all"]).default("all").describe("`folder`: only those in this working directory."),
      ...page,
    }),
    result: z.object({ ...paged, sessions: z.array(foreignSession) }),
    async run({ commands }, { agents, scope, ...request }) {
      const all = await listForeign({ places: commands.agentPlaces, agents });
      const found = scope === "all" ? all : all.filter(isAbout(commands.cwd));
      const { items, ...place } = await answerPage(found, foreignFacts, request);
      return { ...place, sessions: items };
    },
  }),
  importSession: method({
    summary:
      "Imports another agent's session, or what is new in it, and switches to it. `abort` stops the import; the transcript is not modified.",
    params: z.strictObject({
      session: z.string().min(1).describe("Its file, file#id, ID, start of ID, agent:id, or title."),
      open: z.boolean().default(true).describe("Switch to it after the import."),
    }),
    result: z.looseObject({
      kind: z.enum(["imported", "extended", "unchanged", "stopped"]),
      file: z.string().optional(),
      added: z.int().optional().describe("Entries."),
      turns: z.int().optional(),
      branches: z.int().optional(),
      report: z
        .looseObject({
          records: z.int(),
          kept: z.int(),
          converted: z.int(),
          notes: z.int(),
          reported: z.int(),
          unknown: z.array(z.string()),
          missing: z.array(z.string()),
        })
        .optional()
        .describe("What happened to the records of the transcript."),
      opened: z.boolean(),
      message: z.string().optional().describe("For people."),
      hint: z.string().optional().describe("For people: what to do next."),
    }),
    async run({ commands }, { session, open }) {
      const imported = await importForeign(commands, await theForeign(commands, session));
      if (imported.kind === "stopped") return { kind: "stopped", opened: false };
      const { kind, path, added, counts, report } = imported.value.outcome;
      const { counts: _lines, ...sums } = report;
      const facts = { kind, file: path, added, turns: counts.turns, branches: counts.branches, report: sums };
      if (!open) return { ...facts, opened: false };
      const opened = await openImported(commands, imported.value);
      const { message, hint } = "message" in opened ? opened : {};
      return { ...facts, opened: opened.kind === "done", ...defined({ message, hint }) };
    },
  }),
  handoff: method({
    summary:
      "Writes a path as another agent's transcript, and answers how to resume it and what that agent cannot store. Overwrites nothing.",
    params: z.strictObject({
      agent: agentName,
      entryId: entryRef.optional().describe("The end of the path (default: the leaf)."),
      folder: z.string().min(1).optional().describe("Folder to resume in (default: the session's)."),
      write: z.boolean().default(true).describe("`false` only plans."),
      agreed: z
        .boolean()
        .default(false)
        .describe("Write even if the agent cannot store everything; otherwise this fails with `needs-agreement`."),
    }),
    result: z.looseObject({
      session: z.object({
        id: z.string(),
        path: z.string().nullable(),
        name: z.string().nullable(),
        leafId: z.string().nullable(),
      }),
      entryId: z.string().nullable().describe("The end of the path."),
      lastPrompt: z.object({ entryId: z.string(), text: z.string() }).optional().describe("The prompt it ends on."),
      agent: agentName,
      file: z.string(),
      sessionId: z.string(),
      records: z.int(),
      losses: z.array(writeLoss).describe("What the agent cannot store unchanged."),
      leftOut: z.array(writeLoss).describe("Instructions of another agent to its own model; not written."),
      resume: z.object({
        command: z.array(z.string()),
        cwd: z.string(),
        before: z.array(z.string()).optional().describe("A command to run once before that."),
        shell: z.string().describe("For a shell."),
        line: z.string().describe("The same as `shell`."),
      }),
      written: z.boolean(),
    }),
    async run({ started, commands }, { agent, entryId: reference, folder, write, agreed }) {
      const { session } = started.agent;
      const entryId = reference === undefined ? undefined : session.resolveEntry(reference);
      const { agentPlaces: places, now } = commands;
      const planned = await planHandoff({ session, agent, entryId, folder, places, now });
      const state = write ? await performHandoff(planned, { agreed }) : "planned";
      return handoffFacts(planned, state === "written" ? "written" : "planned");
    },
  }),
};

async function theForeign(commands: CommandContext, reference: string): Promise<ForeignSession> {
  const match = await matchForeign(reference, commands);
  if (match.kind === "one") return match.session;
  if (match.kind === "own") throw ownSession(match.path);
  const hint = "listForeignSessions lists them.";
  if (match.kind === "several") {
    const candidates = match.sessions.slice(0, MOST_CANDIDATES).map(foreignFacts);
    const message = `Several sessions from other agents match ${reference}`;
    throw new SessionError("ambiguous-session", message, { data: { reference, candidates }, hint });
  }
  throw new SessionError("session-not-found", `No session from another agent matches ${reference}`, {
    data: { reference },
    hint,
  });
}

/** Sessions, and the current state. */

import { resolve } from "node:path";
import type { AgentSession } from "@bough/agent/agent/index.js";
import { sessionStatsInSlices, todoOnPath } from "@bough/agent/agent/internal.js";
import { PERMISSION_MODES } from "@bough/agent/tool/index.js";
import { TODO_STATES } from "@bough/session/entry/index.js";
import { boughHome, type SessionManager } from "@bough/session/session/index.js";
import { EXPORT_FORMATS } from "@bough/workbench/export/index.js";
import { findSession } from "@bough/workbench/find/index.js";
import { continueAfter } from "@bough/workbench/store/internal.js";
import { z } from "zod";
import { entryIn } from "../../start/open-session.js";
import { PROTOCOL_VERSION } from "../protocol.js";
import { entryRef, modelInUse, none, page, paged, queuedTexts, sessionRef, written } from "../shape/common-shapes.js";
import { entryId, header } from "../shape/entry-shapes.js";
import { switchResult } from "../shape/outcome-shapes.js";
import { exported, problem, sessionStats } from "../shape/session-shapes.js";
import { answerPage } from "./answer-page.js";
import { method } from "./rpc-method.js";

export const SESSION_METHODS = {
  getState: method({
    summary: "The current state: session, position, model, tools, what is running and what is queued.",
    params: none,
    result: z.object({
      version: z.string().describe("The program's version."),
      protocol: z.int(),
      sessionId: z.string(),
      sessionFile: z.string().nullable(),
      name: z.string().nullable(),
      cwd: z.string(),
      leafId: entryId.nullable(),
      ...modelInUse.shape,
      driver: z
        .object({ name: z.string(), title: z.string(), asks: z.enum(["always", "sometimes", "never", "unknown"]) })
        .nullable()
        .describe("The other agent that does the turns, and whether it asks before it acts; null for Bough's own."),
      tools: z.array(z.string()),
      permissionMode: z.enum(PERMISSION_MODES),
      operation: z.string().nullable(),
      stopping: z.boolean(),
      queued: queuedTexts,
      trusted: z.boolean().describe("Whether the project may load its own extensions and permissions."),
      readOnly: z
        .object({ message: z.string(), hint: z.string() })
        .nullable()
        .describe("Why nothing can be written; reopenForWriting may help."),
    }),
    run({ started }) {
      const { agent, parts } = started;
      const { type: _type, driver: _driver, ...facts } = started.header;
      return {
        ...facts,
        protocol: PROTOCOL_VERSION,
        name: agent.session.getSessionName() ?? null,
        leafId: agent.session.getLeafId(),
        driver: driverOf(agent),
        tools: agent.tools.map(({ name }) => name),
        permissionMode: parts.permissions.mode,
        operation: agent.operation ?? null,
        stopping: agent.isStopping,
        queued: agent.queued,
        trusted: parts.trusted,
        readOnly: agent.session.getReadOnlyReason() ?? null,
      };
    },
  }),
  getTodo: method({
    summary: "The todo list the model keeps, at the current position; empty if there is none.",
    params: none,
    result: z.object({
      items: z.array(z.object({ text: z.string(), status: z.enum(TODO_STATES) })),
    }),
    run: ({ started }) => ({ items: todoOnPath(started.agent.session) }),
  }),
  getStats: method({
    summary: "Counts, tokens and cost of the path and of the whole session.",
    params: none,
    result: sessionStats,
    run: ({ started }) => sessionStatsInSlices(started.agent.session),
  }),
  rename: method({
    summary: "Names the session.",
    params: z.strictObject({ name: z.string() }),
    result: written,
    run: ({ started }, { name }) => ({ entryId: started.agent.rename(name) }),
  }),
  newSession: method({
    summary: "Creates a session and switches to it.",
    params: z.strictObject({
      id: z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/)
        .optional(),
      parentSession: z.string().min(1).optional(),
    }),
    result: switchResult,
    run: ({ started }, { id, parentSession }) => started.agent.newSession({ id, parentSession }),
  }),
  openSession: method({
    summary:
      "Switches to another session: by path, ID, start of ID, or name, each with an optional #entry. A session that is only in the store is fetched.",
    params: z.strictObject({ session: sessionRef }),
    result: switchResult,
    async run({ started }, { session: reference }) {
      const { agent, parts } = started;
      const places = { cwd: parts.cwd, dir: parts.sessionDir };
      const { file, entry } = await findSession(reference, { places, stores: {}, agents: "refuse" });
      // Checked before anything moves: the client did not mean a session that lacks this entry.
      const id = entry === undefined ? undefined : await entryIn(file, entry);
      const onOpen = (session: SessionManager) => {
        const continued = continueAfter(session, boughHome());
        if (continued !== undefined) parts.relay.notice("info", continued);
      };
      const result = await agent.openSession(file, id === undefined ? onOpen : undefined);
      if (id !== undefined && result.kind === "done") await agent.switchTo(id);
      return result;
    },
  }),
  reopenForWriting: method({
    summary: "Opens the current session for writing if it was opened read-only; the next prompt starts its own branch.",
    params: none,
    result: z.null(),
    run: ({ started }) => started.agent.reopenForWriting(),
  }),
  getHeader: method({
    summary: "The first line of the session file: its ID, version, folder, and the session it was forked from.",
    params: none,
    result: header,
    run: ({ started }) => started.agent.session.getHeader(),
  }),
  getProblems: method({
    summary: "A page of damage and oddities found in the session file so far; `verify` reads all of it.",
    params: z.strictObject(page),
    result: z.object({ ...paged, problems: z.array(problem) }),
    async run({ started }, request) {
      const { items, ...place } = await answerPage(started.agent.session.getProblems(), (one) => one, request);
      return { ...place, problems: items };
    },
  }),
  exportSession: method({
    summary: "Writes all or part of the session as HTML, Markdown or JSONL, with secrets masked.",
    params: z.strictObject({
      format: z.enum(EXPORT_FORMATS),
      scope: z.enum(["path", "branch", "all"]).optional().describe("Default: all for html, path for the others."),
      file: z.string().min(1),
      existing: z.enum(["refuse", "replace"]).default("refuse"),
      secrets: z.enum(["mask", "keep"]).default("mask"),
    }),
    result: exported,
    run({ started }, { file, ...request }) {
      return started.agent.exportSession({ ...request, file: resolve(started.parts.cwd, file) });
    },
  }),
  exportBranch: method({
    summary: "Writes part of the session to a new session file, with secrets masked.",
    params: z.strictObject({
      entryId: entryRef,
      scope: z.enum(["subtree", "path"]).optional(),
      file: z.string().min(1).describe("Must not exist yet."),
      secrets: z.enum(["mask", "keep"]).default("mask"),
    }),
    result: exported,
    run({ started }, { entryId: reference, scope, file, secrets }) {
      const id = started.agent.session.resolveEntry(reference);
      const target = resolve(started.parts.cwd, file);
      return started.agent.exportBranch(id, { file: target, secrets, scope });
    },
  }),
};

function driverOf({ driver }: AgentSession) {
  if (driver === undefined) return null;
  const { name, title, asks } = driver;
  return { name, title, asks };
}

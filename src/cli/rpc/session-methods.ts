/** Sessions, and the current state. */

import { resolve } from "node:path";
import { z } from "zod";
import { sessionStatsInSlices } from "../../agent/internal.js";
import { EXPORT_FORMATS } from "../../export/index.js";
import { listAllSessions, listSessions, sessionFolder } from "../../session/index.js";
import { defined } from "../../text/index.js";
import { PERMISSION_MODES } from "../../tool/index.js";
import { findSession } from "../start/find-session.js";
import { entryIn } from "../start/open-session.js";
import { method } from "./rpc-method.js";
import { entryId, entryRef, modelInUse, none, page, switchResult, written } from "./rpc-shapes.js";

/** A file that was written for others. */
const exported = z.object({
  file: z.string(),
  bytes: z.int(),
  entries: z.int(),
  findings: z.array(z.looseObject({ rule: z.string(), count: z.int(), kept: z.boolean() })),
});

export const SESSION_METHODS = {
  getState: method({
    summary: "The current state: session, position, model, tools, what is running and what is queued.",
    params: none,
    result: z.looseObject({
      sessionId: z.string(),
      sessionFile: z.string().nullable(),
      name: z.string().nullable(),
      cwd: z.string(),
      leafId: entryId.nullable(),
      ...modelInUse.shape,
      tools: z.array(z.string()),
      permissionMode: z.enum(PERMISSION_MODES),
      operation: z.string().nullable(),
      stopping: z.boolean(),
      queued: z.object({ steering: z.array(z.string()), followUp: z.array(z.string()) }),
    }),
    run({ started }) {
      const { agent, parts } = started;
      const { type: _type, ...header } = started.header;
      return {
        ...header,
        name: agent.session.getSessionName() ?? null,
        leafId: agent.session.getLeafId(),
        tools: agent.tools.map(({ name }) => name),
        permissionMode: parts.permissions.mode,
        operation: agent.operation ?? null,
        stopping: agent.isStopping,
        queued: agent.queued,
      };
    },
  }),
  getStats: method({
    summary: "Counts, tokens and cost of the path and of the whole session.",
    params: none,
    result: z.looseObject({
      sessionId: z.string(),
      branches: z.int(),
      path: z.looseObject({ entries: z.int() }),
      session: z.looseObject({ entries: z.int() }),
    }),
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
    run: ({ started }, { id, parentSession }) =>
      started.agent.newSession({
        ...defined({ id, parentSession }),
      }),
  }),
  openSession: method({
    summary: "Switches to another session: by path, ID, start of ID, or name, each with an optional #entry.",
    params: z.strictObject({ session: z.string().min(1) }),
    result: switchResult,
    async run({ started }, { session: reference }) {
      const { agent, parts } = started;
      const { file, entry } = await findSession(reference, { cwd: parts.cwd, dir: parts.sessionDir });
      // Before anything moves: a session in which the place is missing is not where the client wanted to go.
      const id = entry === undefined ? undefined : entryIn(file, entry);
      const result = await agent.openSession(file);
      if (id !== undefined && result.kind === "done") await agent.switchTo(id);
      return result;
    },
  }),
  listSessions: method({
    summary: "A page of the sessions in this folder, or in all folders, newest first.",
    params: z.strictObject({ scope: z.enum(["folder", "all"]).default("folder"), ...page }),
    result: z.object({
      total: z.int(),
      offset: z.int(),
      sessions: z.array(z.looseObject({ path: z.string(), id: z.string(), name: z.string().optional() })),
    }),
    async run({ started }, { scope, offset, limit }) {
      const { cwd, sessionDir } = started.parts;
      const found = scope === "all" ? await listAllSessions() : await listSessions(sessionDir ?? sessionFolder(cwd));
      return { total: found.length, offset, sessions: found.slice(offset, offset + limit) };
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
    run({ started }, { scope, file, ...request }) {
      const target = resolve(started.parts.cwd, file);
      return started.agent.exportSession({ ...request, file: target, ...(scope === undefined ? {} : { scope }) });
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
      return started.agent.exportBranch(id, { file: target, secrets, ...(scope === undefined ? {} : { scope }) });
    },
  }),
};

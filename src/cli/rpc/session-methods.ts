/** Sessions, models, tools, and how things stand. */
import { z } from "zod";
import type { ModelInfo } from "../../model/index.js";
import { THINKING_LEVELS } from "../../model/index.js";
import { listAllSessions, listSessions, sessionFolder } from "../../session/index.js";
import { PERMISSION_MODES } from "../../tool/index.js";
import { resolveModel } from "../choose-model.js";
import { chooseTools } from "../choose-tools.js";
import { findSession } from "../find-session.js";
import { method, type RpcContext } from "./rpc-method.js";
import { entryId, entryRef, modelInUse, none, page, switchResult, written } from "./rpc-shapes.js";

const modelInfo = z.looseObject({ provider: z.string(), id: z.string(), name: z.string(), available: z.boolean() });

export const SESSION_METHODS = {
  getState: method({
    summary: "Where things stand: session, position, model, tools, what runs and what waits.",
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
    run: ({ started }) => started.agent.getStats(),
  }),
  rename: method({
    summary: "Names the session.",
    params: z.strictObject({ name: z.string() }),
    result: written,
    run: ({ started }, { name }) => ({ entryId: started.agent.rename(name) }),
  }),
  newSession: method({
    summary: "Begins a new session and goes there.",
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
        ...(id === undefined ? {} : { id }),
        ...(parentSession === undefined ? {} : { parentSession }),
      }),
  }),
  openSession: method({
    summary: "Goes to another session: by path, id, start of its id, or name, each with an optional #entry.",
    params: z.strictObject({ session: z.string().min(1) }),
    result: switchResult,
    async run({ started }, { session: reference }) {
      const { agent, parts } = started;
      const { file, entry } = await findSession(reference, { cwd: parts.cwd, dir: parts.sessionDir });
      const result = await agent.openSession(file);
      if (entry !== undefined && result.kind === "switched") await agent.switchTo(agent.session.resolveEntry(entry));
      return result;
    },
  }),
  listSessions: method({
    summary: "A page of the sessions of this folder, or of all folders, newest first.",
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
  exportBranch: method({
    summary: "Writes a part of the session to a new session file.",
    params: z.strictObject({
      entryId: entryRef,
      scope: z.enum(["subtree", "path"]).optional(),
      file: z.string().min(1).describe("Must not exist yet."),
    }),
    result: z.object({ file: z.string(), entries: z.int() }),
    run({ started }, { entryId: reference, scope, file }) {
      const id = started.agent.session.resolveEntry(reference);
      return started.agent.exportBranch(id, { file, ...(scope === undefined ? {} : { scope }) });
    },
  }),
  setModel: method({
    summary: "Chooses the model for the next step: provider/model, or a part of a name that only one model has.",
    params: z.strictObject({ model: z.string().min(1) }),
    result: modelInUse,
    async run(context, { model }) {
      const { agent, parts } = context.started;
      agent.setModel(await resolveModel(parts.registry, model));
      return inUse(context);
    },
  }),
  setThinkingLevel: method({
    summary: "Chooses how much the model thinks, from the next step on.",
    params: z.strictObject({ level: z.enum(THINKING_LEVELS) }),
    result: modelInUse,
    run(context, { level }) {
      context.started.agent.setThinkingLevel(level);
      return inUse(context);
    },
  }),
  listModels: method({
    summary:
      "Every model that is known, and whether it can be used now. `discover` looks for servers on this machine first.",
    params: z.strictObject({ discover: z.boolean().default(false) }),
    result: z.array(modelInfo),
    async run({ started }, { discover }) {
      const { registry } = started.parts;
      if (discover) await registry.discover();
      const key = ({ provider, id }: ModelInfo) => `${provider}/${id}`;
      const available = new Set(registry.available().map(key));
      return registry.all().map((info) => ({ ...info, available: available.has(key(info)) }));
    },
  }),
  setTools: method({
    summary: "Chooses the tools the model may use from its next step on.",
    params: z.strictObject({ tools: z.array(z.string()) }),
    result: z.object({ tools: z.array(z.string()) }),
    run({ started }, { tools }) {
      started.agent.setTools(chooseTools(started.tools, tools));
      return { tools: started.agent.tools.map(({ name }) => name) };
    },
  }),
  listTools: method({
    summary: "Every tool there is, and whether the model may use it.",
    params: none,
    result: z.array(
      z.object({ name: z.string(), description: z.string(), readOnly: z.boolean(), enabled: z.boolean() }),
    ),
    run({ started }) {
      const enabled = new Set(started.agent.tools.map(({ name }) => name));
      return started.tools.map(({ name, description, readOnly }) => ({
        name,
        description,
        readOnly,
        enabled: enabled.has(name),
      }));
    },
  }),
  setPermissionMode: method({
    summary: "Chooses what tools may do: ask first, everything in the folder, or only read.",
    params: z.strictObject({ mode: z.enum(PERMISSION_MODES) }),
    result: z.object({ mode: z.enum(PERMISSION_MODES) }),
    run({ started }, { mode }) {
      started.parts.permissions.setMode(mode);
      return { mode: started.parts.permissions.mode };
    },
  }),
  listCommands: method({
    summary: "What can be typed after a slash: commands of extensions and prompt templates.",
    params: none,
    result: z.array(
      z.object({ name: z.string(), kind: z.enum(["extension", "template"]), description: z.string().optional() }),
    ),
    run({ started }) {
      const commands = started.parts.runner.registrations.commands.map(({ name, value }) => ({
        name,
        kind: "extension",
        description: value.description,
      }));
      const templates = started.agent.templates.map(({ name, description }) => ({
        name,
        kind: "template",
        description,
      }));
      return [...commands, ...templates];
    },
  }),
};

function inUse({ started }: RpcContext) {
  const { model, thinkingLevel } = started.header;
  return { model, thinkingLevel };
}

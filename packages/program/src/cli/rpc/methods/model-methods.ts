/** Models, tools, permissions and commands. */

import { type ModelInfo, THINKING_LEVELS } from "@bough/agent/model/index.js";
import { PERMISSION_MODES } from "@bough/agent/tool/index.js";
import { defined } from "@bough/session/text/index.js";
import { z } from "zod";
import { resolveModel } from "../../start/choose-model.js";
import { chooseTools } from "../../start/choose-tools.js";
import { modelInUse, none } from "../shape/common-shapes.js";
import { method, type RpcContext } from "./rpc-method.js";

const modelInfo = z
  .looseObject({
    provider: z.string(),
    id: z.string(),
    name: z.string(),
    api: z.string(),
    contextWindow: z.number().describe("Tokens."),
    maxOutput: z.number(),
    reasoning: z.boolean(),
    images: z.boolean(),
    prices: z
      .looseObject({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() })
      .optional()
      .describe("Dollars for a million tokens; absent if unknown."),
    pricesFrom: z.string().optional().describe("The list that the prices were fetched from, such as models.dev."),
    baseUrl: z.string().optional(),
    available: z.boolean(),
  })
  .meta({ id: "ModelInfo" });

export const MODEL_METHODS = {
  setModel: method({
    summary: "Sets the model for the next step: provider/model, or any unambiguous part of a model name.",
    params: z.strictObject({ model: z.string().min(1) }),
    result: modelInUse,
    async run(context, { model }) {
      const { agent, parts } = context.started;
      agent.setModel(await resolveModel(parts.registry, model));
      return inUse(context);
    },
  }),
  setThinkingLevel: method({
    summary: "Sets the thinking level, from the next step on.",
    params: z.strictObject({ level: z.enum(THINKING_LEVELS) }),
    result: modelInUse,
    run(context, { level }) {
      context.started.agent.setThinkingLevel(level);
      return inUse(context);
    },
  }),
  listModels: method({
    summary: "Every known model, and whether it can be used now. `discover` looks for local servers first.",
    params: z.strictObject({ discover: z.boolean().default(false) }),
    result: z.array(modelInfo),
    async run({ started }, { discover }) {
      const { registry } = started.parts;
      if (discover) await registry.discover();
      const key = ({ provider, id }: ModelInfo) => `${provider}/${id}`;
      const available = new Set(registry.available().map(key));
      return registry.all().map((info) => ({ ...defined(info), available: available.has(key(info)) }));
    },
  }),
  setTools: method({
    summary: "Sets the tools the model may use, from its next step on.",
    params: z.strictObject({ tools: z.array(z.string()) }),
    result: z.object({ tools: z.array(z.string()) }),
    run({ started }, { tools }) {
      started.agent.setTools(chooseTools(started.tools, tools));
      return { tools: started.agent.tools.map(({ name }) => name) };
    },
  }),
  listTools: method({
    summary: "Every tool, and whether the model may use it.",
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
    summary:
      "Sets what tools may do: only read and plan, ask first, edit files in the folder, or anything in the folder.",
    params: z.strictObject({ mode: z.enum(PERMISSION_MODES) }),
    result: z.object({ mode: z.enum(PERMISSION_MODES) }),
    run({ started }, { mode }) {
      started.parts.permissions.setMode(mode);
      return { mode: started.parts.permissions.mode };
    },
  }),
  listCommands: method({
    summary: "Extension commands and prompt templates that can be typed after a slash.",
    params: none,
    result: z.array(
      z.object({ name: z.string(), kind: z.enum(["extension", "template"]), description: z.string().optional() }),
    ),
    run({ started }) {
      const commands = started.parts.runner.registrations.commands.map(({ name, value }) => ({
        name,
        kind: "extension",
        ...defined({ description: value.description }),
      }));
      const templates = started.agent.templates.map(({ name, description }) => ({
        name,
        kind: "template",
        ...defined({ description }),
      }));
      return [...commands, ...templates];
    },
  }),
};

function inUse({ started }: RpcContext) {
  const { model, thinkingLevel } = started.header;
  return { model, thinkingLevel };
}

/** Models, tools, permissions and commands. */

import type { DriverOptionName } from "@bough/agent/driver/index.js";
import { type ModelInfo, THINKING_LEVELS } from "@bough/agent/model/index.js";
import { PERMISSION_MODES } from "@bough/agent/tool/index.js";
import { defined } from "@bough/session/text/index.js";
import { z } from "zod";
import { AGENT_NAMES, agentFacts, agentRow, asOutcome, OWN_AGENT, useDriver } from "../../../command/internal.js";
import { resolveModel } from "../../start/choose-model.js";
import { chooseTools } from "../../start/choose-tools.js";
import { modelInUse, none } from "../shape/common-shapes.js";
import { commandOutcome } from "./command-methods.js";
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

const driverOption = z.enum(["model", "effort", "mode"] satisfies DriverOptionName[]);

const agentFactsShape = z
  .object({
    agent: z.string(),
    title: z.string(),
    command: z.array(z.string()),
    state: z.enum(["missing", "installed", "ready", "login", "failed"]),
    path: z.string().optional(),
    version: z.string().optional(),
    reason: z.string().optional(),
    install: z.string().optional(),
    login: z.string().optional(),
    asks: z.enum(["always", "sometimes", "never", "unknown"]),
    bills: z.array(z.string()).describe("Variables with a key that it may bill."),
  })
  .meta({ id: "AgentFacts" });

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
  setDriver: method({
    summary:
      "Sets who does the turns from the next prompt on: another agent, or with null Bough's own. Asks first (`ui.confirm`) what a user has to agree to; after a no, or if its program is not installed, `kind` is `unchanged`.",
    params: z.strictObject({
      driver: z.enum(AGENT_NAMES).nullable(),
      model: z.string().min(1).optional().describe("One of its own models."),
      effort: z.string().min(1).optional().describe("One of its own thinking levels."),
    }),
    result: commandOutcome,
    run: ({ commands }, { driver, ...choices }) => asOutcome(() => useDriver(commands, driver ?? OWN_AGENT, choices)),
  }),
  listDrivers: method({
    summary:
      "Agents that can do the turns here. `start` starts each one that is installed, to see its version and whether it needs a login.",
    params: z.strictObject({ start: z.boolean().default(false) }),
    result: z.array(agentFactsShape),
    async run({ started }, { start }) {
      const { version } = started.parts;
      const { signal } = new AbortController();
      return (await agentFacts({ env: process.env, version, start, signal })).map((facts) => defined(agentRow(facts)));
    },
  }),
  driverOptions: method({
    summary:
      "The models, efforts and modes that the agent which does the turns offers, and which are in use. Starts it if needed. Empty for Bough's own.",
    params: none,
    result: z.array(
      z
        .object({
          option: driverOption,
          value: z.string().optional(),
          values: z.array(z.object({ id: z.string(), name: z.string(), about: z.string().optional() })),
        })
        .meta({ id: "DriverOption" }),
    ),
    run: ({ started }) => started.agent.driverOptions(),
  }),
  setDriverOption: method({
    summary: "Chooses one of them by ID, name, or an unambiguous part of either, from the next prompt on.",
    params: z.strictObject({ option: driverOption, value: z.string().min(1) }),
    result: z.object({ id: z.string(), name: z.string(), about: z.string().optional() }),
    run: ({ started }, choice) => started.agent.setDriverOption(choice),
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

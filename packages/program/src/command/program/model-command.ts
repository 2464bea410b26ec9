/** /model: which model answers. */

import type { ModelInfo, ModelRegistry } from "@bough/agent/model/index.js";
import { CodedError } from "@bough/session/entry/index.js";
import { driverOption } from "../agent/driver-option.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { matching } from "../completions.js";
import { shown, unchanged } from "../outcome.js";
import { SENTENCES } from "../sentences.js";

export const MODEL_COMMAND: Command = {
  name: "model",
  group: "model",
  usage: "[provider/model]",
  summary: "Choose the model",
  details:
    "Takes provider/model, or any unambiguous part of a model name. Applies from the next step and is saved on this branch. Without an argument, lists the models. While another agent does the turns, these are its own.",
  complete: ({ agent }, typed) =>
    agent.driver !== undefined
      ? []
      : matching(
          agent.registry.available().map((info) => ({ value: nameOf(info), description: info.name })),
          typed,
        ),
  async run(context, args) {
    const { driver } = context.agent;
    if (driver !== undefined) return driverOption(context, driver, { option: "model", wanted: args.trim() });
    const screen = context.front.screens.has("model");
    if (args === "") {
      if (!screen) return modelListing(context);
      return shown(context.front, { screen: "model" });
    }
    try {
      return chosen(context, await resolved(context.agent.registry, args));
    } catch (error) {
      const several = error instanceof CodedError && error.code === "ambiguous-model";
      if (!several || !screen) throw error;
      return shown(context.front, { screen: "model", search: args });
    }
  },
};

function chosen({ agent }: CommandContext, info: ModelInfo): CommandOutcome {
  const name = nameOf(info);
  if (agent.model !== undefined && nameOf(agent.model.info) === name) return unchanged(SENTENCES.sameModel);
  agent.setModel(info);
  return { kind: "done", message: SENTENCES.model(name), data: { model: name } };
}

/** An unknown name may be a model of a local server; probing takes time, so it comes second. */
async function resolved(registry: ModelRegistry, reference: string): Promise<ModelInfo> {
  try {
    return registry.resolve(reference);
  } catch (error) {
    if (error instanceof CodedError && error.code === "ambiguous-model") throw error;
  }
  await registry.discover();
  return registry.resolve(reference);
}

function modelListing({ agent }: CommandContext): CommandOutcome {
  const current = agent.model === undefined ? null : nameOf(agent.model.info);
  const models = agent.registry.available().map(nameOf);
  const lines = models.map((name) => `${name === current ? "@" : " "} ${name}`);
  const hint = "/model <name> chooses one.";
  return { kind: "done", message: lines.join("\n"), hint, data: { model: current, models } };
}

function nameOf({ provider, id }: ModelInfo): string {
  return `${provider}/${id}`;
}

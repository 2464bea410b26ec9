/**
 * What can be chosen in a session over ACP: its model, how much it thinks, its mode. Agents offer these as options of the
 * session, or as its modes and models; options come first, because some list as modes how much they think.
 */
import { isRecord } from "@bough/session/text/index.js";
import type { DriverChoice, DriverOption, DriverOptionName, DriverValue } from "./driver.js";

export interface AcpOption extends DriverOption {
  /** The name of the option; absent if it is the session's mode or model. */
  readonly configId?: string;
}

const CATEGORIES: Readonly<Record<string, DriverOptionName>> = {
  model: "model",
  mode: "mode",
  thought_level: "effort",
};

/** In an answer that describes a session. Nothing in it is trusted. */
export function sessionOptions(answer: unknown): readonly AcpOption[] {
  if (!isRecord(answer)) return [];
  const { configOptions, modes, models } = answer;
  if (Array.isArray(configOptions) && configOptions.length > 0) return configOptionsIn(configOptions);
  return [
    ...listed("mode", modes, { items: "availableModes", id: "id", current: "currentModeId" }),
    ...listed("model", models, { items: "availableModels", id: "modelId", current: "currentModelId" }),
  ];
}

/** After a report about the session. */
export function updatedOptions(options: readonly AcpOption[], update: unknown): readonly AcpOption[] {
  if (!isRecord(update)) return options;
  if (update.sessionUpdate === "config_option_update") {
    const { configOptions } = update;
    return Array.isArray(configOptions) ? configOptionsIn(configOptions) : options;
  }
  const { currentModeId: value } = update;
  const isMode = update.sessionUpdate === "current_mode_update" && typeof value === "string";
  return isMode ? withValue(options, { option: "mode", value }) : options;
}

export function withValue(options: readonly AcpOption[], { option, value }: DriverChoice): readonly AcpOption[] {
  return options.map((one) =>
    one.option === option && one.values.some(({ id }) => id === value) ? { ...one, value } : one,
  );
}

interface Choosing extends DriverChoice {
  readonly configId: string | undefined;
}

/** The method that chooses it, and its parameters besides the session. */
export function choiceRequest({ option, value, configId }: Choosing): readonly [method: string, params: object] {
  if (configId !== undefined) return ["session/set_config_option", { configId, value }];
  return option === "model" ? ["session/set_model", { modelId: value }] : ["session/set_mode", { modeId: value }];
}

function configOptionsIn(given: readonly unknown[]): readonly AcpOption[] {
  const found = new Map<DriverOptionName, AcpOption>();
  for (const one of given) {
    if (!isRecord(one) || typeof one.id !== "string" || !Array.isArray(one.options)) continue;
    const option = typeof one.category === "string" ? CATEGORIES[one.category] : undefined;
    // Options can be grouped.
    const items = one.options.flatMap((item) =>
      isRecord(item) && Array.isArray(item.options) ? item.options : [item],
    );
    const values = valuesIn(items, "value");
    if (option === undefined || found.has(option) || values.length === 0) continue;
    const value = typeof one.currentValue === "string" ? { value: one.currentValue } : {};
    found.set(option, { option, configId: one.id, ...value, values });
  }
  return [...found.values()];
}

interface Fields {
  readonly items: string;
  readonly id: string;
  readonly current: string;
}

function listed(option: DriverOptionName, given: unknown, fields: Fields): readonly AcpOption[] {
  if (!isRecord(given)) return [];
  const items = given[fields.items];
  const current = given[fields.current];
  const values = Array.isArray(items) ? valuesIn(items, fields.id) : [];
  if (values.length === 0 && typeof current !== "string") return [];
  return [{ option, ...(typeof current === "string" ? { value: current } : {}), values }];
}

function valuesIn(items: readonly unknown[], idField: string): DriverValue[] {
  return items.flatMap((item) => {
    const id = isRecord(item) ? item[idField] : undefined;
    if (!isRecord(item) || typeof id !== "string") return [];
    const { name, description } = item;
    return [
      {
        id,
        name: typeof name === "string" && name !== "" ? name : id,
        ...(typeof description === "string" && description !== "" ? { about: description } : {}),
      },
    ];
  });
}

/**
 * The model, effort and mode of a turn that another agent does: what was chosen here, else what the path was driven with,
 * else what the agent itself chooses. What it does not offer any more is never replaced by something else.
 */
import { DRIVER_TYPE } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { upwards } from "@bough/session/session/internal.js";
import { defined, isRecord } from "@bough/session/text/index.js";
import {
  type Driver,
  type DriverChoices,
  DriverError,
  type DriverOption,
  type DriverOptionName,
  type DriverValue,
  type NativeFacts,
  type OpenDriver,
} from "../../driver/index.js";
import type { PermissionMode } from "../../tool/index.js";
import type { RunParts } from "../run-parts.js";

/** What a turn was given, for the entry that says who does it. */
export interface AppliedChoices {
  readonly model?: string;
  readonly effort?: string;
}

interface Applying {
  readonly driver: Driver;
  readonly open: OpenDriver;
  readonly native: NativeFacts;
  readonly chosen: DriverChoices;
  readonly signal: AbortSignal;
}

/** Throws a DriverError if something is not offered; then nothing was sent. */
export async function applyChoices(
  { session, permissions }: Pick<RunParts, "session" | "permissions">,
  {
    chosenIn,
    ...applying
  }: Applying & {
    /** The permission mode in which `chosen.mode` was chosen. */
    readonly chosenIn: PermissionMode | undefined;
  },
): Promise<AppliedChoices> {
  const { driver, open, native, chosen, signal } = applying;
  const applied = await applyModel(session, applying);
  const mode = permissions?.mode;
  const own = chosenIn === mode ? chosen.mode : undefined;
  const modeToUse = ownMode(driver, { native, mode, own });
  if (modeToUse !== undefined) await open.setMode(native.id, modeToUse, { signal });
  return applied;
}

/** The same without the mode. */
export async function applyModel(
  session: SessionManager,
  { driver, open, native, chosen, signal }: Applying,
): Promise<AppliedChoices> {
  const onPath = choicesOnPath(session, driver.name);
  const isSameModel = chosen.model === undefined || chosen.model === onPath.model;
  const wanted = {
    model: chosen.model ?? onPath.model,
    // Efforts belong to a model.
    effort: chosen.effort ?? (isSameModel ? onPath.effort : undefined),
  };
  const choose = async (option: DriverOptionName, value: string | undefined) => {
    if (value === undefined) return undefined;
    const offered = open.options(native.id).find((one) => one.option === option);
    const { id } = offeredValue(driver, { option, offered, wanted: value });
    if (offered?.value !== id) await open.choose(native.id, { option, value: id }, { signal });
    return id;
  };
  const model = await choose("model", wanted.model);
  const effort = await choose("effort", wanted.effort);
  return defined({ model, effort });
}

interface ModeWanted {
  readonly native: NativeFacts;
  readonly mode: PermissionMode | undefined;
  readonly own: string | undefined;
}

/** Throws `agent-cannot` if the agent has no mode in which it changes nothing. */
function ownMode(driver: Driver, { native, mode, own }: ModeWanted): string | undefined {
  if (mode === undefined) return undefined;
  const isRestricted = mode === "plan" || mode === "read-only";
  if (own !== undefined && !isRestricted) {
    const offered = { option: "mode" as const, values: native.modes.map(({ id, name }) => ({ id, name })) };
    return offeredValue(driver, { option: "mode", offered, wanted: own }).id;
  }
  const wanted = driver.modes?.[mode] ?? native.mode;
  const isOffered = wanted !== undefined && native.modes.some(({ id }) => id === wanted);
  if (isRestricted && (driver.modes?.[mode] === undefined || !isOffered)) {
    throw new DriverError(
      "agent-cannot",
      `${driver.title} cannot be kept from changing files, so mode ${mode} would not hold`,
      {
        data: { mode },
        hint: "Choose another mode with --permission, such as ask.",
      },
    );
  }
  return isOffered ? wanted : undefined;
}

interface Wanted {
  readonly option: DriverOptionName;
  readonly offered: DriverOption | undefined;
  readonly wanted: string;
}

const WORDS: Readonly<Record<DriverOptionName, string>> = { model: "model", effort: "effort", mode: "mode" };
const MOST_NAMED = 12;

/** The value that was meant. Throws `agent-option` if there is none, or several. */
export function offeredValue({ name, title }: Pick<Driver, "name" | "title">, request: Wanted): DriverValue {
  const { option, offered, wanted } = request;
  const values = offered?.values ?? [];
  const word = WORDS[option];
  const data = { agent: name, option, wanted };
  if (values.length === 0) {
    throw new DriverError("agent-option", `${title} offers no choice of ${word}, so ${wanted} cannot be used`, {
      data,
      hint: "Set it in the agent's own program.",
    });
  }
  const said = wanted.toLowerCase();
  const textsOf = (value: DriverValue) => [value.id.toLowerCase(), value.name.toLowerCase()];
  const exact = values.find(({ id }) => id === wanted) ?? values.find((value) => textsOf(value).includes(said));
  const near = exact === undefined ? values.filter((value) => textsOf(value).some((one) => one.includes(said))) : [];
  const found = exact ?? (near.length === 1 ? near[0] : undefined);
  if (found !== undefined) return found;
  const shown = (near.length > 0 ? near : values).map(({ id }) => id);
  const rest = shown.length > MOST_NAMED ? ` and ${shown.length - MOST_NAMED} more` : "";
  const what = near.length > 0 ? `has several ${word}s that match ${wanted}` : `does not offer the ${word} ${wanted}`;
  throw new DriverError("agent-option", `${title} ${what}`, {
    data,
    hint: `Choose one of: ${shown.slice(0, MOST_NAMED).join(", ")}${rest}`,
  });
}

/** What this agent was given at its last turn on the path. */
function choicesOnPath(session: SessionManager, agent: string): AppliedChoices {
  for (const entry of upwards(session, session.getLeafId())) {
    if (entry.type !== "custom" || entry.customType !== DRIVER_TYPE || !isRecord(entry.data)) continue;
    if (entry.data.agent !== agent) continue;
    const { model, effort } = entry.data;
    return {
      ...(typeof model === "string" ? { model } : {}),
      ...(typeof effort === "string" ? { effort } : {}),
    };
  }
  return {};
}

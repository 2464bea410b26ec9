/** What the agent that drives a session offers to choose from, and a choice. */
import { errorText } from "@bough/session/text/index.js";
import { type DriverChoice, DriverError, type DriverOption, type DriverValue } from "../../driver/index.js";
import type { AgentState } from "../agent-state.js";
import { applyModel, offeredValue } from "./driver-choices.js";

/** Starts the agent in the session that the next prompt uses. None without a driver. */
export async function driverOptions(state: AgentState, signal: AbortSignal): Promise<readonly DriverOption[]> {
  const { driver } = state;
  if (driver === undefined) return [];
  const driven = await state.openDriven(driver);
  const open = await driven.start(state, signal);
  const native = await driven.native(state, open, signal);
  try {
    await applyModel(state.session, { driver, open, native, chosen: driven.chosen, signal });
  } catch (error) {
    // What was chosen is not offered any more: now something else can be.
    if (!(error instanceof DriverError) || error.code !== "agent-option") throw error;
    state.emit({ type: "notice", level: "warning", message: errorText(error) });
  }
  return driven.options;
}

/** Throws `agent-option` if the agent does not offer it, or there is no driver. */
export async function setDriverOption(
  state: AgentState,
  choice: DriverChoice,
  { signal, isRunning }: { readonly signal: AbortSignal; readonly isRunning: boolean },
): Promise<DriverValue> {
  const { driver } = state;
  if (driver === undefined) throw new DriverError("agent-option", "No other agent does the turns");
  const driven = await state.openDriven(driver);
  const { option } = choice;
  const options = isRunning ? driven.options : await driverOptions(state, signal);
  const offered = options.find((one) => one.option === option);
  const value = offeredValue(driver, { option, offered, wanted: choice.value });
  driven.choose({ option, value: value.id }, state.permissions?.mode);
  // What else can be chosen depends on it.
  if (!isRunning && option !== "mode") await driverOptions(state, signal);
  state.tellDriver();
  return value;
}

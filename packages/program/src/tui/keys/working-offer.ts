/** "Agent is working. Esc stops it, then you can move.": while a panel shows this, Esc stops the agent. */
import { workingNotice } from "../../command/index.js";
import type { StopOffering } from "./off-reason.js";

export function workingOffer(...[wanted, front]: Parameters<typeof workingNotice>): StopOffering {
  return { ...workingNotice(wanted, front), offers: "stop" };
}

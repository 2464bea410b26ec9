/** "Agent is working. Esc stops it, then you can move.": while a panel shows it, Esc does it. */
import { workingSentence } from "../../command/index.js";
import type { StopOffering } from "./off-reason.js";

export function workingOffer(...[wanted, front]: Parameters<typeof workingSentence>): StopOffering {
  return { text: workingSentence(wanted, front), offers: "stop" };
}

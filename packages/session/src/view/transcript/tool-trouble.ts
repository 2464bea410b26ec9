/** What happened to a tool call whose result is an error. */
import { isRecord } from "../../text/index.js";

/** `refused`: it was not allowed. `stopped`: the user stopped it. Otherwise the tool failed. */
export function toolTrouble(details: unknown): "refused" | "stopped" | "failed" {
  if (!isRecord(details)) return "failed";
  if (details.denied === true) return "refused";
  return details.end === "aborted" ? "stopped" : "failed";
}

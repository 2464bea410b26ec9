import type { PrintOutput } from "./print-output.js";
import { safeJson } from "./safe-json.js";

/** One JSON object on each line: the header, every event, and an error where something was thrown. */
export function jsonOutput(write: (text: string) => void): PrintOutput {
  const line = (value: object) => write(`${safeJson(value)}\n`);
  return {
    begin: line,
    event: line,
    end: () => {},
    fault: (fault) => line({ type: "error", ...fault }),
  };
}

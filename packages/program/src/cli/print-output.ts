import type { AgentEvent, RunOutcome } from "@bough/agent/agent/index.js";
import type { ErrorReport } from "./error-report.js";
import type { StartedAgent } from "./start/started-agent.js";

/** How print mode shows what happens. */
export interface PrintOutput {
  /** Before everything else, once. */
  begin(header: StartedAgent["header"]): void;
  event(event: AgentEvent): void;
  /** After the last event. */
  end(outcome: RunOutcome): void;
  /** In place of the end, where something was thrown; it is reported on standard error as well. */
  errorReport(errorReport: ErrorReport): void;
}

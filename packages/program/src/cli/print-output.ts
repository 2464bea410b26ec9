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
  /** Replaces the end if something was thrown; also reported on standard error. */
  errorReport(errorReport: ErrorReport): void;
}

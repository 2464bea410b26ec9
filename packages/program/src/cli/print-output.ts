import type { AgentEvent, RunOutcome } from "@bough/agent/agent/index.js";
import type { ErrorReport } from "./error-report.js";
import type { RunResult } from "./run-result.js";
import type { StartedAgent } from "./start/started-agent.js";

/** How print mode shows events. */
export interface PrintOutput {
  /** Called once, before everything else. */
  begin(header: StartedAgent["header"]): void;
  event(event: AgentEvent): void;
  /** Called after the last event. */
  end(outcome: RunOutcome): void;
  /** Called instead if something was thrown, which is also reported on standard error. */
  errorReport(errorReport: ErrorReport): void;
  /** Called last, exactly once, also after an error or a signal. */
  result(result: RunResult): void;
}

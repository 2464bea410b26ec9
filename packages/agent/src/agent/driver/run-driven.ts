/** A run that another agent does: a prompt, and the texts that were queued meanwhile, each as a prompt of its own. */
import type { EntryId, ToolResultMessage } from "@bough/session/entry/index.js";
import { upwards } from "@bough/session/session/internal.js";
import { errorText } from "@bough/session/text/index.js";
import { DriverError } from "../../driver/index.js";
import type { RunOutcome } from "../agent-events.js";
import type { RunParts } from "../run-parts.js";
import { tellEnd } from "../turn/run-agent.js";
import type { RunMeter } from "../turn/run-limits.js";
import type { DrivenAgent } from "./driven-agent.js";
import { type DrivenPrompt, driveTurn } from "./driven-turn.js";

export async function runDriven(
  parts: RunParts,
  driven: DrivenAgent,
  {
    meter,
    hasSchema,
    ...first
  }: Omit<DrivenPrompt, "signal"> & { readonly meter: RunMeter; readonly hasSchema: boolean },
): Promise<RunOutcome> {
  if (hasSchema) {
    throw new DriverError("agent-cannot", `${driven.driver.title} cannot be held to a schema`, {
      hint: "Ask for the form of the answer in the prompt.",
    });
  }
  const { hooks, queue } = parts;
  const { signal } = meter;
  parts.denials.length = 0;
  parts.emit({ type: "run_start" });
  let outcome: RunOutcome = { kind: "aborted" };
  const start = parts.session.getLeafId();
  try {
    if (hooks.has("agent_start")) await hooks.emit<"agent_start">({ type: "agent_start" }, { signal });
    let next: Omit<DrivenPrompt, "signal"> | undefined = first;
    for (let turn = 1; next !== undefined; turn++) {
      parts.emit({ type: "turn_start", turn });
      if (hooks.has("turn_start")) {
        const timestamp = parts.now().getTime();
        await hooks.emit<"turn_start">({ type: "turn_start", turn, turnIndex: turn - 1, timestamp }, { signal });
      }
      const before = parts.session.getLeafId();
      outcome = await driveTurn(parts, driven, { ...next, signal });
      parts.emit({ type: "turn_end", turn });
      if (outcome.kind === "done" && hooks.has("turn_end")) {
        const { message } = outcome;
        const toolResults = resultsSince(parts, before);
        await hooks.emit<"turn_end">({ type: "turn_end", turn, turnIndex: turn - 1, message, toolResults }, { signal });
      }
      next = undefined;
      if (outcome.kind !== "done" || signal.aborted) break;
      // Another agent takes no messages during a turn.
      const [steered, ...others] = queue.takeSteering();
      if (others.length > 0) queue.putBack({ steering: others });
      const queued = steered ?? queue.takeFollowUp();
      if (queued === undefined) break;
      if (meter.reached !== undefined) {
        queue.putBack({ steering: [queued] });
        outcome = { kind: "aborted" };
        break;
      }
      next = { text: queued.text, images: queued.images ?? [] };
    }
    if (outcome.kind === "aborted" && meter.reached !== undefined) {
      const limit = meter.reached;
      parts.emit({ type: "notice", level: "warning", message: meter.told(limit), hint: "Send a prompt to continue." });
      outcome = { kind: "aborted", limit };
    }
    await tellEnd(parts, start);
  } catch (error) {
    await tellEnd(parts, start);
    const failure = { kind: "unknown", message: errorText(error), retryable: false } as const;
    parts.emit({ type: "run_end", outcome: { kind: "failed", failure }, ...denied(parts) });
    throw error;
  }
  parts.emit({ type: "run_end", outcome, ...denied(parts) });
  return outcome;
}

function resultsSince({ session }: RunParts, start: EntryId | null): ToolResultMessage[] {
  const results: ToolResultMessage[] = [];
  for (const entry of upwards(session, session.getLeafId())) {
    if (entry.id === start) break;
    if (entry.type === "message" && entry.message.role === "toolResult") results.push(entry.message);
  }
  return results.reverse();
}

function denied({ denials }: RunParts) {
  return denials.length === 0 ? {} : { denials: [...denials] };
}

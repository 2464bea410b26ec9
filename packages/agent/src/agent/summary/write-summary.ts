import { type AssistantMessage, contentText, type Usage } from "@bough/session/entry/index.js";
import { defined, errorText } from "@bough/session/text/index.js";
import { knownPrices, type ModelFailure, pricedUsage } from "../../model/index.js";
import { AgentError } from "../agent-error.js";
import type { AgentParts } from "../agent-parts.js";
import { requireModel, withCost } from "../turn/stream-step.js";
import { SUMMARY_SYSTEM_PROMPT } from "./summary-prompt.js";

interface SummaryRequest {
  readonly purpose: "branch" | "compaction";
  readonly prompt: string;
  readonly signal: AbortSignal;
}

/** What a summary cost, and which model wrote it. */
export interface SummarySpend {
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
}

type WrittenSummary =
  | { readonly kind: "done"; readonly text: string; readonly spend: SummarySpend }
  | { readonly kind: "aborted" };

/**
 * Has the model write a summary and reports progress to front ends. Stores nothing.
 *
 * Throws `no-model`; `summary-failed` where the model fails or says nothing; `summary-cut-off` where it ran into its
 * output limit, because half a summary silently loses the other half.
 */
export async function writeSummary(parts: AgentParts, request: SummaryRequest): Promise<WrittenSummary> {
  requireModel(parts);
  const { purpose } = request;
  parts.emit({ type: "summary_start", purpose });
  let outcome: "done" | "failed" | "aborted" = "failed";
  try {
    const written = await askModel(parts, request);
    outcome = written.kind;
    return written;
  } catch (error) {
    throw error instanceof AgentError ? error : failed(errorText(error), { cause: error });
  } finally {
    parts.emit({ type: "summary_end", purpose, outcome });
  }
}

async function askModel(parts: AgentParts, { prompt, signal }: SummaryRequest): Promise<WrittenSummary> {
  const model = requireModel(parts);
  const now = (): number => parts.now().getTime();
  const request = {
    system: SUMMARY_SYSTEM_PROMPT,
    messages: [{ role: "user", content: prompt, timestamp: now() } as const],
    tools: [],
    thinkingLevel: "off",
  } as const;
  for await (const event of untilAborted(model.stream(request, { signal, now }), signal)) {
    if (event.type === "text") parts.emit({ type: "summary_update", delta: event.delta });
    if (event.type !== "end") continue;
    const message = withCost(event.message, model.info);
    parts.meter?.spend(pricedUsage(message.usage, knownPrices(model.info)));
    return signal.aborted ? { kind: "aborted" } : finished(message, event.failure);
  }
  if (signal.aborted) return { kind: "aborted" };
  throw failed("The model ended without an answer");
}

/** Ends when the signal aborts, even if the model ignores it. */
async function* untilAborted<Event>(events: AsyncIterable<Event>, signal: AbortSignal): AsyncGenerator<Event> {
  const iterator = events[Symbol.asyncIterator]();
  let stop = (): void => {};
  const stopped = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    while (!signal.aborted) {
      const step = await Promise.race([iterator.next(), stopped]);
      if (step === undefined || step.done === true) return;
      yield step.value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    // Not awaited: a hanging model would delay the user who stopped it. Its late failure is ignored.
    void iterator.return?.()?.then(undefined, () => undefined);
  }
}

function finished(message: AssistantMessage, failure: ModelFailure | undefined): WrittenSummary {
  if (message.stopReason === "aborted") return { kind: "aborted" };
  if (failure !== undefined || message.stopReason === "error") {
    throw failed(failure?.message ?? message.errorMessage ?? "The model failed", { failure });
  }
  if (message.stopReason === "length") {
    throw new AgentError("summary-cut-off", "The summary hit the model's output limit", {
      data: { model: `${message.provider}/${message.model}` },
      hint: "Nothing was changed. Ask for a shorter summary, or choose a model with a larger output limit.",
    });
  }
  const text = contentText(message.content).trim();
  if (text === "") throw failed("The model wrote an empty summary");
  return { kind: "done", text, spend: { provider: message.provider, model: message.model, usage: message.usage } };
}

function failed(reason: string, why: { failure?: ModelFailure; cause?: unknown } = {}): AgentError {
  return new AgentError("summary-failed", `Could not write the summary: ${reason}`, {
    data: { reason, ...defined({ failure: why.failure }) },
    hint: why.failure?.hint ?? "Nothing was changed. Try again, or continue without a summary.",
    cause: why.cause,
  });
}

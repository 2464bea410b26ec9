/** The model calls of another agent's session. */
import type { SessionEntry } from "@bough/session/entry/index.js";
import { callInEntry } from "@bough/session/session/internal.js";
import { readerFor } from "./agents.js";
import { claudeModelCalls } from "./claude-code/claude-model-calls.js";
import { codexModelCalls } from "./codex/codex-model-calls.js";
import type { ForeignSession } from "./contract.js";
import { SUBAGENT_TYPE } from "./foreign-entry.js";
import { LossCollector } from "./loss-report.js";
import { type ModelCall, shortName, timeIn, usageCounts, usedSomething } from "./model-call.js";

/** Each call once, also if the transcript states it several times. Throws if the session cannot be read. */
export function modelCalls(
  source: ForeignSession,
  signal?: AbortSignal,
): AsyncIterable<ModelCall> | Iterable<ModelCall> {
  if (source.agent === "claude-code") return claudeModelCalls(source);
  if (source.agent === "codex") return codexModelCalls(source);
  return convertedModelCalls(source, signal);
}

/** Reads the whole session. For agents whose sessions are small. */
export async function* convertedModelCalls(source: ForeignSession, signal?: AbortSignal): AsyncGenerator<ModelCall> {
  let isSubagent = false;
  for await (const entry of readerFor(source.agent).read(source, { report: new LossCollector(), signal })) {
    // Readers give the main conversation first.
    isSubagent ||= entry.type === "custom" && entry.customType === SUBAGENT_TYPE;
    const call = callOf(entry, isSubagent);
    if (call !== undefined && usedSomething(call)) yield call;
  }
}

function callOf(entry: SessionEntry, isSubagent: boolean): ModelCall | undefined {
  const stated = callInEntry(entry);
  if (stated === undefined) return undefined;
  return {
    ...usageCounts(stated.usage),
    time: timeIn(stated.timestamp),
    provider: shortName(stated.provider, ""),
    model: shortName(stated.model, "unknown"),
    responseId: typeof stated.responseId === "string" ? stated.responseId : undefined,
    branch: 0,
    place: isSubagent ? "subagent" : "path",
    spared: 0,
  };
}

/**
 * Runs one tool call: looks up the tool, validates the input, asks extensions, executes. Any failure becomes a result
 * for the model.
 */
import { setMaxListeners } from "node:events";
import type { ToolCallBlock } from "@bough/session/entry/index.js";
import { defined, errorText, isRecord } from "@bough/session/text/index.js";
import { createClock } from "../../extension/internal.js";
import { unreadableInput } from "../../model/index.js";
import {
  askPermission,
  SPAWN_TOOL,
  type SpawnRequest,
  soundResult,
  type Tool,
  type ToolContext,
  ToolFailure,
  type ToolResult,
} from "../../tool/index.js";
import { InvalidInput } from "../../tool/internal.js";
import type { ToolDenial } from "../agent-events.js";
import type { ToolUse } from "../agent-options.js";
import type { OperationOptions } from "../agent-parts.js";
import { ToldEvents } from "../extension/told-to-extensions.js";
import type { RunParts } from "../run-parts.js";
import { searchWeb } from "./search-web.js";
import { settleOrAbandon } from "./settle-or-abandon.js";

export type PreparedCall =
  | { readonly kind: "ready"; readonly tool: Tool; readonly input: unknown; readonly shown: CallInput }
  /** Not run; the result says why. */
  | { readonly kind: "refused"; readonly result: ToolResult; readonly shown: CallInput };

type CallInput = ToolCallBlock["arguments"];

export const STOPPED_RESULT =
  "This tool call was stopped while it was running. What it had done by then is not undone and may be incomplete.";
export const NOT_ALLOWED_RESULT =
  "This tool call was not run: the run was stopped before the permission question was answered.";
export const NOT_STARTED_RESULT = "This tool call was not run: the run was stopped before it started.";

/** Node timers above this fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Finds the tool, checks the input, and asks extensions, who may block the call or change its input. Never throws. */
export async function prepareCall(
  parts: RunParts,
  call: ToolCallBlock,
  { signal }: OperationOptions,
): Promise<PreparedCall> {
  const sent = call.arguments;
  const tool = parts.toolNamed(call.name);
  if (tool === undefined) {
    const names = parts.tools.map((known) => known.name).join(", ");
    return refused(`Unknown tool: ${call.name}. Available tools: ${names === "" ? "none" : names}.`, sent);
  }
  const unreadable = unreadableInput(call);
  if (unreadable !== undefined) {
    return refused(`The input of ${call.name} was not a JSON object: ${unreadable.slice(0, 200)}`, sent);
  }
  const repaired = repairedInput(tool, sent);
  if (!repaired.ok) return refused(repaired.reason, sent);
  // What guards and permissions see is exactly what runs.
  const shown = repaired.value as CallInput;
  const first = checkInput(tool, shown);
  if (!first.ok) return refused(first.reason, sent);
  if (!parts.hooks.has("tool_call")) return { kind: "ready", tool, input: first.value, shown };

  // A copy they may change: the session keeps what the model sent.
  const input = structuredClone(shown) as Record<string, unknown>;
  const before = JSON.stringify(input);
  const answers = await parts.hooks.emit<"tool_call">(
    { type: "tool_call", toolName: call.name, toolCallId: call.id, input },
    { signal },
  );
  const block = answers.find((answer) => answer.result.block === true);
  if (block !== undefined) {
    const reason = block.result.reason ?? `The extension ${block.extension} does not allow this call.`;
    noteDenial(parts, { toolCallId: call.id, toolName: call.name, reason });
    return refused(reason, sent, block.result.terminate === true);
  }
  const answered = answers.findLast((answer) => answer.result.input !== undefined)?.result.input;
  const changed = answered ?? (JSON.stringify(input) === before ? undefined : input);
  if (changed === undefined) return { kind: "ready", tool, input: first.value, shown };
  const second = checkInput(tool, changed);
  return second.ok
    ? { kind: "ready", tool, input: second.value, shown: changed }
    : refused(`An extension changed the input of this call so that it is not valid: ${second.reason}`, changed);
}

/**
 * Runs a prepared call. If agents work on other branches in the same folder, a call that may change something waits
 * until theirs have ended.
 */
export async function runCall(
  parts: RunParts,
  prepared: Extract<PreparedCall, { kind: "ready" }>,
  options: OperationOptions & { readonly callId: string; readonly call?: ToolCallBlock },
): Promise<ToolResult> {
  const { tool } = prepared;
  if (parts.takeTurn === undefined || tool.readOnly === true || tool.name === SPAWN_TOOL) {
    return runInTurn(parts, prepared, options);
  }
  let end: () => void;
  try {
    end = await parts.takeTurn(options.signal);
  } catch {
    return stoppedResult(NOT_STARTED_RESULT);
  }
  try {
    const { call } = options;
    if (parts.isSubAgent !== true || call === undefined) return await runInTurn(parts, prepared, options);
    await parts.files?.recordOthers();
    const result = await runInTurn(parts, prepared, options);
    // Before another agent's turn, so that the change is this call's.
    parts.files?.afterTools([call]);
    await parts.files?.settled();
    return result;
  } finally {
    end();
  }
}

/**
 * Runs a prepared call. A tool that is not read-only needs permission: asked here, so that no tool can forget it, or by
 * the tool itself (`permission: "own"`). A tool that throws gives an error; one that is silent for too long is told to
 * stop; one that does not stop is abandoned and reported.
 */
async function runInTurn(
  parts: RunParts,
  prepared: Extract<PreparedCall, { kind: "ready" }>,
  { callId, signal }: OperationOptions & { readonly callId: string },
): Promise<ToolResult> {
  if (signal.aborted) return stoppedResult(NOT_STARTED_RESULT);
  const { tool, input, shown } = prepared;
  const followed = await parts.files?.openCall({ id: callId, tool, input, signal });
  if (signal.aborted) {
    followed?.close({ ran: false });
    return stoppedResult(NOT_STARTED_RESULT);
  }
  const slow = new AbortController();
  const isLimited = tool.timeLimit !== "own" && parts.toolTimeoutMs <= LONGEST_TIMER_MS;
  const clock = createClock(isLimited ? parts.toolTimeoutMs : undefined, () => slow.abort());
  const signs = AbortSignal.any([signal, slow.signal]);
  setMaxListeners(0, signs);
  let open = true;
  /** Open questions; whether one was ever allowed; whether it was stopped while waiting for the first. */
  const asked = { open: 0, allowed: false, refused: false, stopped: false };
  const stopAsking = () => {
    asked.stopped = asked.open > 0 && !asked.allowed;
  };
  signal.addEventListener("abort", stopAsking, { once: true });
  const told = new ToldEvents(parts.hooks);
  const context: ToolContext = {
    cwd: parts.cwd,
    callId,
    signal: signs,
    outputDir: parts.outputDir,
    permit: async (request) => {
      const goOn = clock.hold();
      asked.open += 1;
      try {
        const decision = await permitOrRefuse(parts, { ...request, callId });
        // An answer after the run was stopped starts nothing.
        if (signs.aborted) return { allowed: false, reason: NOT_ALLOWED_RESULT };
        if (decision.allowed && !asked.allowed) followed?.allowed();
        asked.allowed ||= decision.allowed;
        asked.refused ||= !decision.allowed;
        if (!decision.allowed) {
          noteDenial(parts, { toolCallId: callId, toolName: tool.name, reason: decision.reason ?? NOT_ALLOWED_RESULT });
        }
        return decision;
      } finally {
        asked.open -= 1;
        goOn();
      }
    },
    onUpdate: (update) => {
      if (!open) return;
      // A sign of life: the limit starts over.
      clock.hold()();
      parts.emit({ type: "tool_update", toolCallId: callId, toolName: tool.name, update: defined(update) });
      told.tell<"tool_execution_update">({
        type: "tool_execution_update",
        toolCallId: callId,
        toolName: tool.name,
        args: shown,
        partialResult: { content: [{ type: "text", text: update.text }], details: update.details },
      });
    },
    hold: clock.hold,
    search: (query, stop) => searchWeb(parts, { query, signal: stop }),
    ...(parts.spawn === undefined ? {} : { spawn: (request) => startSubAgent(parts, request, context) }),
    beforeWrite: parts.files?.beforeWrite,
    onGroup: followed?.group,
    mark: followed?.mark,
  };
  let isRefused = false;
  const work = async (): Promise<ToolResult> => {
    const goOn = clock.hold();
    const notAllowed = await programRefusal(parts, tool, { input: shown, callId, signal: signs });
    goOn();
    if (notAllowed !== undefined) noteDenial(parts, { toolCallId: callId, toolName: tool.name, reason: notAllowed });
    const refusal = notAllowed ?? (await refusalOf(tool, shown, context));
    isRefused = refusal !== undefined;
    return refusal === undefined ? tool.execute(input, context) : errorResult(refusal);
  };
  const settled = await settleOrAbandon(work(), { signal: signs, sleep: parts.sleep });
  open = false;
  // A call that was never allowed did nothing.
  followed?.close({ ran: !isRefused && !(asked.refused && !asked.allowed) && !asked.stopped });
  signal.removeEventListener("abort", stopAsking);
  clock.end();
  await told.done();
  if (asked.stopped) return stoppedResult(NOT_ALLOWED_RESULT);
  const stop = slow.signal.aborted && !signal.aborted ? tooSlow(parts.toolTimeoutMs) : STOPPED_RESULT;
  if (settled.kind === "abandoned") {
    const message = `The tool ${tool.name} did not stop and was abandoned. It may still be running.`;
    parts.emit({ type: "notice", level: "warning", message });
    return errorResult(`${stop}\n${message}`);
  }
  if (settled.kind === "threw") {
    return errorResult(signs.aborted ? stop : `${tool.name} failed: ${errorText(settled.error)}`);
  }
  const result = soundResult(tool.name, settled.value);
  if (!signs.aborted) return result;
  // Keep the partial output, although it may be incomplete.
  return { ...result, content: [...result.content, { type: "text", text: stop }], isError: true };
}

function startSubAgent(parts: RunParts, request: SpawnRequest, context: ToolContext): Promise<ToolResult> {
  if (parts.spawn === undefined) throw new ToolFailure("Sub-agents are not available here.");
  const { callId, signal, onUpdate, permit } = context;
  return parts.spawn(request, { callId, signal, onUpdate, permit });
}

function tooSlow(limitMs: number): string {
  return `This tool call was stopped: it reported nothing for ${limitMs / 1000} seconds. What it had done by then is not undone.`;
}

export function errorResult(text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** The result of a call that the user stopped before it ran, shown as stopped instead of failed. */
function stoppedResult(text: string): ToolResult {
  return { ...errorResult(text), details: { end: "aborted" } };
}

function refused(text: string, shown: CallInput, terminate = false): PreparedCall {
  return { kind: "refused", result: { ...errorResult(text), terminate }, shown };
}

/** Once for each call, however often it asks. */
function noteDenial({ denials }: RunParts, denial: ToolDenial): void {
  if (!denials.some(({ toolCallId }) => toolCallId === denial.toolCallId)) denials.push(denial);
}

/** What the model sent, as repaired by the tool. A copy, because the session keeps the original. */
function repairedInput(tool: Tool, sent: CallInput): ReturnType<Tool["check"]> {
  if (tool.prepareArguments === undefined) return { ok: true, value: sent };
  try {
    const value = tool.prepareArguments(structuredClone(sent));
    return isRecord(value) ? { ok: true, value } : { ok: false, reason: `The input of ${tool.name} is not an object` };
  } catch (error) {
    return { ok: false, reason: `The input of ${tool.name} could not be prepared: ${errorText(error)}` };
  }
}

function checkInput(tool: Tool, input: unknown): ReturnType<Tool["check"]> {
  try {
    const checked = tool.check(input);
    if (checked.ok || checked instanceof InvalidInput) return checked;
    return { ok: false, reason: `Invalid input for ${tool.name}: ${checked.reason}` };
  } catch (error) {
    return { ok: false, reason: `The input of ${tool.name} could not be checked: ${errorText(error)}` };
  }
}

/** Why the embedding program refuses a call. It is asked about every call, and errors count as no. */
async function programRefusal(
  { allowTool }: RunParts,
  { name, readOnly }: Tool,
  use: Pick<ToolUse, "input" | "callId" | "signal">,
): Promise<string | undefined> {
  if (allowTool === undefined) return undefined;
  try {
    const answer: unknown = await allowTool({ tool: name, readOnly: readOnly === true, ...use });
    if (answer === true || (isRecord(answer) && answer.allowed === true)) return undefined;
    return isRecord(answer) && typeof answer.reason === "string"
      ? answer.reason
      : `The use of ${name} was not allowed.`;
  } catch (error) {
    return `Could not ask whether ${name} is allowed: ${errorText(error)}`;
  }
}

/** Why a call may not run; undefined if it may, or if the tool asks on its own. */
async function refusalOf(tool: Tool, input: CallInput, context: ToolContext): Promise<string | undefined> {
  // Tools of programs and extensions are not checked by a compiler: anything but `true` is not read-only.
  if (tool.readOnly === true || tool.permission === "own") return undefined;
  try {
    const { name, server } = tool;
    await askPermission({ tool: name, action: "use", target: JSON.stringify(input), server }, context);
    return undefined;
  } catch (error) {
    if (error instanceof ToolFailure) return error.message;
    throw error;
  }
}

/** A failed question counts as no: an error never lets something run. */
async function permitOrRefuse(parts: RunParts, request: Parameters<RunParts["permit"]>[0]) {
  try {
    return await parts.permit(request);
  } catch (error) {
    return { allowed: false, reason: `Could not ask for permission: ${errorText(error)}` } as const;
  }
}

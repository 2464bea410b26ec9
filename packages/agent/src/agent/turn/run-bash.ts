/** A shell command that the user runs from the editor. */
import type { BashExecutionMessage, EntryId } from "@bough/session/entry/index.js";
import { defined } from "@bough/session/text/index.js";
import { type BashDetails, createTools, type ToolResult } from "../../tool/index.js";
import type { OperationOptions } from "../agent-parts.js";
import { askBeforeBash } from "../extension/ask-before-bash.js";
import type { RunParts } from "../run-parts.js";
import { appendMessage } from "./append-message.js";

/** The longest timeout that tools allow; a waiting user can stop it. */
const TIME_LIMIT_SECONDS = 24 * 60 * 60;

/** A user's command as stored in the session. */
export interface RecordedBash {
  readonly entryId: EntryId;
  readonly message: BashExecutionMessage;
}

/**
 * Runs a command as the `bash` tool would and records it, even if it failed or was stopped. It does not ask: the
 * user typed it. Output is reported as it comes, by `tool_update`. Throws if the command cannot be started at all.
 */
export async function runBash(
  parts: RunParts,
  request: OperationOptions & { readonly command: string; readonly excludeFromContext?: boolean },
): Promise<RecordedBash> {
  const { command, signal, excludeFromContext } = request;
  const taken = await askBeforeBash(parts, request);
  if (taken !== undefined) return appendMessage(parts, taken);
  const bash = createTools({ bash: { jobs: parts.jobs } }).find((tool) => tool.name === "bash");
  if (bash === undefined) throw new Error("bug: there is no bash tool");
  const timestamp = parts.now().getTime();
  const callId = `user-${timestamp}`;
  const input = bash.check({ command, timeout: TIME_LIMIT_SECONDS });
  if (!input.ok) throw new Error(input.reason);
  const followed = await parts.files?.openCall({ id: callId, tool: bash, input: input.value, signal, byPerson: true });
  parts.emit({ type: "tool_start", toolCallId: callId, toolName: bash.name, input: { command } });
  const result = await bash.execute(input.value, {
    cwd: parts.cwd,
    callId,
    signal,
    outputDir: parts.outputDir,
    permit: async () => ({ allowed: true }),
    onUpdate: (update) => parts.emit({ type: "tool_update", toolCallId: callId, toolName: bash.name, update }),
    onGroup: followed?.group,
    mark: followed?.mark,
  });
  followed?.close({ ran: true });
  const details = result.details as BashDetails | undefined;
  const message: BashExecutionMessage = {
    role: "bashExecution",
    command,
    output: plainOutput(result, details),
    exitCode: details?.exitCode ?? null,
    cancelled: details?.end === "aborted",
    truncated: details?.truncated === true,
    ...defined({ fullOutputPath: details?.fullOutputPath, excludeFromContext: excludeFromContext || undefined }),
    timestamp,
  };
  const appended = await appendMessage(parts, message);
  // A read-only command, or one stopped before it started, changed nothing.
  if (followed !== undefined) await parts.files?.afterShell();
  return appended;
}

/** The command's output, without the notes that the tool adds for a model; the message has fields for those. */
function plainOutput(result: ToolResult, details: BashDetails | undefined): string {
  const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  // Without details it did not run, and the text says why.
  if (details === undefined) return text;
  const remarks = [details.truncated, details.leftRunning !== undefined, result.isError === true].filter(
    Boolean,
  ).length;
  const output = text
    .split("\n")
    .slice(0, -remarks || undefined)
    .join("\n");
  return output === "(no output)" ? "" : output;
}

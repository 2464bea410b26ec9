/** Lets extensions run a user's shell command. */
import type { BashExecutionMessage } from "@bough/session/entry/index.js";
import { defined, errorText, isRecord } from "@bough/session/text/index.js";
import type { BashOperations, ExtensionEvents } from "../../extension/index.js";
import { CommandOutput } from "../../tool/internal.js";
import { AgentError } from "../agent-error.js";
import type { OperationOptions } from "../agent-parts.js";
import type { RunParts } from "../run-parts.js";
import { settleOrAbandon } from "../turn/settle-or-abandon.js";

type UserBashResult = NonNullable<ExtensionEvents["user_bash"]["result"]["result"]>;

interface UserCommand extends OperationOptions {
  readonly command: string;
  readonly excludeFromContext?: boolean;
}

/** An extension's result; undefined if it runs here. Throws `blocked` if an extension fails. */
export async function askBeforeBash(parts: RunParts, request: UserCommand): Promise<BashExecutionMessage | undefined> {
  if (!parts.hooks.has("user_bash")) return undefined;
  const { command, signal, excludeFromContext = false } = request;
  const event = { type: "user_bash", command, excludeFromContext, cwd: parts.cwd } as const;
  const answer = (await parts.hooks.emit<"user_bash">(event, { signal })).at(-1);
  if (answer?.failed === true) {
    throw new AgentError("blocked", `Command not run: the extension ${answer.extension} failed while checking it`, {
      data: { command, extension: answer.extension },
    });
  }
  const { result, operations } = isRecord(answer?.result) ? answer.result : {};
  if (isRecord(result)) return messageOf(parts, request, result as unknown as UserBashResult);
  if (isRecord(operations)) return runElsewhere(parts, request, operations as unknown as BashOperations);
  return undefined;
}

/** Long output is truncated like that of our own shell. A command that ignores the stop signal is abandoned. */
async function runElsewhere(
  parts: RunParts,
  request: UserCommand,
  operations: BashOperations,
): Promise<BashExecutionMessage> {
  const { command, signal } = request;
  const toolCallId = `user-${parts.now().getTime()}`;
  const output = new CommandOutput({
    outputDir: parts.outputDir,
    callId: toolCallId,
    onUpdate: (update) => parts.emit({ type: "tool_update", toolCallId, toolName: "bash", update }),
  });
  let heard = true;
  parts.emit({ type: "tool_start", toolCallId, toolName: "bash", input: { command } });
  const onData = (data: Uint8Array | string) => {
    if (heard) output.add(Buffer.from(data as Uint8Array));
  };
  const work = async () => (await operations.exec(command, parts.cwd, { onData, signal })).exitCode;
  const settled = await settleOrAbandon(work(), { signal, sleep: parts.sleep });
  heard = false;
  if (settled.kind === "abandoned") {
    const message = "The shell command did not stop and was abandoned. It may still be running.";
    parts.emit({ type: "notice", level: "warning", message });
  }
  const { text, truncated, fullOutputPath } = output.finish();
  const problem = settled.kind === "threw" ? errorText(settled.error) : "";
  return messageOf(parts, request, {
    output: [text, problem].filter((part) => part !== "").join("\n"),
    exitCode: settled.kind === "done" ? settled.value : null,
    cancelled: signal.aborted,
    truncated,
    fullOutputPath,
  });
}

function messageOf(
  parts: RunParts,
  { command, excludeFromContext }: UserCommand,
  { output, exitCode, cancelled = false, truncated = false, fullOutputPath }: UserBashResult,
): BashExecutionMessage {
  return {
    role: "bashExecution",
    command,
    output: String(output ?? ""),
    exitCode: exitCode ?? null,
    cancelled,
    truncated,
    ...defined({ fullOutputPath, excludeFromContext: excludeFromContext || undefined }),
    timestamp: parts.now().getTime(),
  };
}

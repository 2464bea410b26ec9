/** A shell command of the user, as extensions may run it. */
import type { BashExecutionMessage } from "../../entry/index.js";
import type { BashOperations, ExtensionEvents } from "../../extension/index.js";
import { errorText, isRecord } from "../../text/index.js";
import { AgentError } from "../agent-error.js";
import type { OperationOptions } from "../agent-parts.js";
import type { RunParts } from "../run-parts.js";

type UserBashResult = NonNullable<ExtensionEvents["user_bash"]["result"]["result"]>;

interface UserCommand extends OperationOptions {
  readonly command: string;
  readonly excludeFromContext?: boolean;
}

/** What an extension made of it; undefined if it is to run here. Throws `blocked` where an extension fails. */
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

async function runElsewhere(
  parts: RunParts,
  request: UserCommand,
  operations: BashOperations,
): Promise<BashExecutionMessage> {
  const { command, signal } = request;
  const toolCallId = `user-${parts.now().getTime()}`;
  const decoder = new TextDecoder();
  let output = "";
  parts.emit({ type: "tool_start", toolCallId, toolName: "bash", input: { command } });
  const onData = (data: Uint8Array | string) => {
    output += typeof data === "string" ? data : decoder.decode(data, { stream: true });
    parts.emit({ type: "tool_update", toolCallId, toolName: "bash", update: { text: output } });
  };
  try {
    const { exitCode } = await operations.exec(command, parts.cwd, { onData, signal });
    return messageOf(parts, request, { output, exitCode, cancelled: signal.aborted });
  } catch (error) {
    output += `${output === "" ? "" : "\n"}${errorText(error)}`;
    return messageOf(parts, request, { output, exitCode: null, cancelled: signal.aborted });
  }
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
    ...(fullOutputPath === undefined ? {} : { fullOutputPath }),
    ...(excludeFromContext === true ? { excludeFromContext } : {}),
    timestamp: parts.now().getTime(),
  };
}

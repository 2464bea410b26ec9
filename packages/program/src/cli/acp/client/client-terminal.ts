/** Runs commands in a terminal of the client, so that its user sees the output. */
import type { TerminalHandle } from "@agentclientprotocol/sdk/unstable";
import { type BashOptions, type ProcessEnd, ToolFailure } from "@bough/agent/tool/index.js";
import { errorText } from "@bough/session/text/index.js";
import type { ClientLink } from "./client-link.js";

type RunProcess = NonNullable<BashOptions["runProcess"]>;
type ProcessOptions = Parameters<RunProcess>[0];

/** No tool keeps more than this; the end of the output matters. */
const MOST_OUTPUT = 4 * 1024 * 1024;

/** Undefined if the client has no terminals. `onTerminal` is told which call uses one. */
export function clientTerminals(link: ClientLink, onTerminal: (callId: string) => void): RunProcess | undefined {
  if (!link.facts.terminals) return undefined;
  return async (options) => {
    const terminal = await create(link, options);
    try {
      onTerminal(options.callId);
      link.update({
        sessionUpdate: "tool_call_update",
        toolCallId: options.callId,
        content: [{ type: "terminal", terminalId: terminal.id }],
      });
      return await untilEnd(terminal, options);
    } finally {
      // The client keeps showing its content.
      await terminal.release().catch(() => {});
    }
  };
}

async function create(link: ClientLink, { program, args, cwd, env }: ProcessOptions): Promise<TerminalHandle> {
  try {
    return await link.client.createTerminal({
      sessionId: link.sessionId,
      command: program,
      args: [...args],
      cwd,
      env: changedVariables(env, process.env),
      outputByteLimit: MOST_OUTPUT,
    });
  } catch (error) {
    throw new ToolFailure(`The client did not open a terminal: ${errorText(error)}`);
  }
}

/** The terminal has the client's environment, so clear the variables that a command must not see, such as keys. */
export function changedVariables(wanted: NodeJS.ProcessEnv, own: NodeJS.ProcessEnv): { name: string; value: string }[] {
  const names = new Set([...Object.keys(wanted), ...Object.keys(own)]);
  return [...names].flatMap((name) => (wanted[name] === own[name] ? [] : [{ name, value: wanted[name] ?? "" }]));
}

async function untilEnd(terminal: TerminalHandle, options: ProcessOptions): Promise<ProcessEnd> {
  const { signal, timeoutMs, onData } = options;
  let stopped: "timeout" | "aborted" | undefined;
  let clock: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const stop = new Promise<"stop">((resolve) => {
    const end = (why: "timeout" | "aborted") => {
      stopped ??= why;
      resolve("stop");
    };
    clock = setTimeout(() => end("timeout"), timeoutMs);
    onAbort = () => end("aborted");
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    const exit = terminal.waitForExit();
    // Awaited below; until then, a disconnected client must not cause an unhandled rejection.
    exit.catch(() => {});
    const first = await Promise.race([exit, stop]);
    if (first === "stop") await terminal.kill();
    const { output } = await terminal.currentOutput();
    if (output !== "") onData(Buffer.from(output, "utf8"));
    if (first === "stop") return { kind: stopped ?? "aborted", exitCode: null, signal: null };
    return {
      kind: "exited",
      exitCode: first.exitCode ?? null,
      signal: (first.signal ?? null) as NodeJS.Signals | null,
    };
  } catch (error) {
    if (signal.aborted) return { kind: "aborted", exitCode: null, signal: null };
    throw new ToolFailure(`The client's terminal failed: ${errorText(error)}`);
  } finally {
    clearTimeout(clock);
    signal.removeEventListener("abort", onAbort);
  }
}

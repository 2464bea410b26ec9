/** `bough acp`: the Agent Client Protocol on standard input and output. */
import { withoutControls } from "@bough/session/text/index.js";
import type { AgentRequest } from "../cli-options.js";
import type { ProtocolOutput } from "../output/protocol-output.js";
import { serveAcp } from "./agent-app.js";
import { frameStream } from "./frame-stream.js";

interface AcpParts {
  readonly version: string;
  /** Aborts when the process is to end. */
  readonly signal: AbortSignal;
  /** Standard output, used only for frames. */
  readonly output: ProtocolOutput;
}

/**
 * Serves until the client closes its end; then stops what is running and closes every session. That is not a failure.
 */
export async function runAcp(
  request: Omit<AgentRequest, "session" | "cwd">,
  { version, signal, output }: AcpParts,
): Promise<number> {
  const log = (line: string) => void process.stderr.write(withoutControls(`bough acp: ${line}\n`));
  const serving = serveAcp({
    stream: frameStream({ input: process.stdin, output }),
    ready: () => output.ready(),
    request,
    version,
    log,
  });
  const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  await Promise.race([serving.closed, stopped]);
  await serving.close();
  return 0;
}

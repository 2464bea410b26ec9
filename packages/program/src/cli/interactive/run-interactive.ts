/** `bough`: the full terminal, or plain lines if a screen cannot be used. */
import { resolve } from "node:path";
import { temporaryFolder } from "@bough/session/log/index.js";
import type { AgentRequest, InteractiveRequest } from "../cli-options.js";
import { makeDemo } from "../demo/make-demo.js";
import type { ModeParts } from "../run-print.js";

/** Returns the exit code. Each mode is loaded only if it is used. */
export async function runInteractive(request: InteractiveRequest, parts: ModeParts): Promise<number> {
  const demo = request.demo ? openDemo(request.agent, new Date()) : undefined;
  const wanted = demo === undefined ? request : { ...request, agent: demo.agent };
  try {
    if (demo !== undefined && !request.screen.plain && process.stdout.isTTY !== true) {
      const { printDemo } = await import("../demo/print-demo.js");
      return printDemo(demo.file);
    }
    if (isPlain(request)) {
      const { runPlain } = await import("../plain/run-plain.js");
      return await runPlain(wanted, parts);
    }
    const { runTerminal } = await import("./run-terminal.js");
    return await runTerminal(wanted, parts);
  } finally {
    demo?.remove();
  }
}

function isPlain({ screen }: InteractiveRequest): boolean {
  return screen.plain || process.env.TERM === "dumb" || process.stdin.isTTY !== true || process.stdout.isTTY !== true;
}

/** Nothing is saved, neither the file nor the conversation. */
function openDemo(
  agent: AgentRequest,
  now: Date,
): { readonly agent: AgentRequest; readonly file: string; readonly remove: () => void } {
  const { path: dir, remove } = temporaryFolder("demo");
  try {
    const file = makeDemo({ dir, cwd: resolve(agent.cwd ?? "."), end: new Date(now.getTime() - 60_000) });
    return {
      agent: {
        ...agent,
        model: agent.model ?? "offline/rules",
        session: { kind: "open", reference: file },
        sessionDir: dir,
      },
      file,
      remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

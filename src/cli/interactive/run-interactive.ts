/** `bough`: the terminal, or plain lines where a user cannot use a screen. */
import type { InteractiveRequest } from "../cli-options.js";
import { openDemo } from "../demo/open-demo.js";
import type { ModeParts } from "../run-print.js";

/** Answers the exit code. Each way is loaded only when it is taken. */
export async function runInteractive(request: InteractiveRequest, parts: ModeParts): Promise<number> {
  const demo = request.demo ? openDemo(request.wish, new Date()) : undefined;
  const wanted = demo === undefined ? request : { ...request, wish: demo.wish };
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

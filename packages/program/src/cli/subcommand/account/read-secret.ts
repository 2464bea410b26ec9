/** Reads a key that a user types or pipes in. It is never an argument, because those end up in the shell's history. */
import { withoutControls } from "@bough/session/text/index.js";
import { usageError } from "../../cli-error.js";
import type { SubcommandCall } from "../subcommand.js";

/** Longer than any key: a larger file was passed by mistake. */
const MOST = 64 << 10;

/** From a terminal without echo; otherwise from standard input. */
export function readSecret(question: string, call: Pick<SubcommandCall, "signal">): Promise<string> {
  return process.stdin.isTTY === true ? typedSecret(question, call) : pipedSecret();
}

async function pipedSecret(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    text += String(chunk);
    if (text.length > MOST) throw usageError("Standard input is too long for a key");
  }
  return text.trim();
}

async function typedSecret(question: string, { signal }: Pick<SubcommandCall, "signal">): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(`${withoutControls(question)} (not shown) `);
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  stdin.resume();
  let listener: (typed: string) => void = () => {};
  let text = "";
  try {
    return await new Promise<string>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      listener = (typed) => {
        for (const sign of typed.replace(/\u001b\[20[01]~/g, "")) {
          // In raw mode, the terminal does not turn Ctrl+C into a signal.
          if (sign === "\u0003") process.kill(process.pid, "SIGINT");
          else if (sign === "\r" || sign === "\n") resolve(text.trim());
          else if (sign === "\u0004" || sign === "\u001b") resolve("");
          else if (sign === "\u007f" || sign === "\b") text = text.slice(0, -1);
          else if (sign === "\u0015") text = "";
          else if (text.length < MOST) text += sign;
        }
      };
      stdin.on("data", listener);
    });
  } finally {
    stdin.off("data", listener);
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write("\n");
  }
}

/** A question on the terminal, answered with Enter or Esc. */
import { withoutControls } from "@bough/session/text/index.js";
import type { SubcommandCall } from "../subcommand.js";

interface EnterQuestion {
  readonly question: string;
  /** What Enter does, in a word: "imports". */
  readonly enter: string;
  /** What Esc does. */
  readonly esc: string;
}

/** Arrows and similar keys start with Esc but are not Esc. */
const KEY_SEQUENCES = /\u001b(\[[0-9;?]*[@-~]|O.)/g;
const YES: ReadonlySet<string> = new Set(["\r", "\n", "y"]);
/** Esc, Ctrl+D and words for no. */
const NO: ReadonlySet<string> = new Set(["\u001b", "\u0004", "n", "q"]);

/** An Enter from before the question was readable was meant for something else. */
const PAUSE_MS = 400;

/** Whether there is a user to ask. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks on standard error to keep the output clean. Other keys are ignored. */
export async function askEnter(
  { question, enter, esc }: EnterQuestion,
  { signal }: Pick<SubcommandCall, "signal">,
): Promise<boolean> {
  const { stdin, stderr } = process;
  stderr.write(`${withoutControls(question)}\n${withoutControls(`Enter ${enter} · Esc ${esc}`)} `);
  const askedAt = performance.now();
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  stdin.resume();
  let listener: (keys: string) => void = () => {};
  const stop = new Promise<never>((_, reject) => {
    const fail = () => reject(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener("abort", fail, { once: true });
  });
  try {
    const answer = new Promise<boolean>((resolve) => {
      listener = (typed) => {
        const key = typed.replace(KEY_SEQUENCES, "").charAt(0).toLowerCase();
        // In raw mode, the terminal does not turn Ctrl+C into a signal.
        if (key === "\u0003") process.kill(process.pid, "SIGINT");
        else if (YES.has(key) && performance.now() - askedAt > PAUSE_MS) resolve(true);
        else if (NO.has(key)) resolve(false);
      };
      stdin.on("data", listener);
    });
    return await Promise.race([answer, stop]);
  } finally {
    stdin.off("data", listener);
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write("\n");
  }
}

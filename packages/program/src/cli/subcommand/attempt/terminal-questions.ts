/** Questions of attempts in the terminal that started them: one at a time. */
import type { AskPermission } from "@bough/agent/tool/index.js";
import { LineInput } from "../../plain/line-input.js";
import { askPermission } from "../../plain/plain-questions.js";

export interface TerminalQuestions {
  readonly ask: AskPermission;
  readonly confirm: (question: string) => Promise<boolean>;
  readonly close: () => void;
}

/** Undefined without a terminal: then everything that needs an answer is refused. */
export function terminalQuestions({
  onAsk,
  signal,
}: {
  readonly onAsk: () => void;
  readonly signal: AbortSignal;
}): TerminalQuestions | undefined {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return undefined;
  let input: LineInput | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const lines = () => {
    input ??= new LineInput({ input: process.stdin, output: process.stderr });
    return input;
  };
  const inTurn = <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    const answer = last.then(() => {
      onAsk();
      return work();
    });
    last = answer.catch(() => undefined);
    return answer;
  };
  const voice = {
    ask: (question: string) => lines().ask(question, signal),
    say: (text: string) => void process.stderr.write(`${text}\n`),
  };
  return {
    ask: (question) => inTurn(() => askPermission(voice, question)),
    confirm: (question) => inTurn(async () => /^y(es)?$/i.test(((await voice.ask(`${question} [y/N] `)) ?? "").trim())),
    close: () => input?.close(),
  };
}

/** The inside of `bash(...)`: the words of one simple command, and whether more may follow. */
import { visibleText } from "../../../text/index.js";
import { readWord, type WordReader } from "../shell/read-word.js";
import { NotUnderstood } from "../shell/shell-line.js";
import { isWrapper } from "../shell/unwrap-command.js";

interface CommandPattern {
  readonly words: readonly string[];
  /** It ends in `:*`: any words may follow. */
  readonly more: boolean;
}

const NOTHING: WordReader = {
  untilParenthesis: () => {
    throw new NotUnderstood("A rule names one command, without substitutions");
  },
  commandsIn: () => {
    throw new NotUnderstood("A rule names one command, without substitutions");
  },
};

export function readCommandPattern(
  text: string,
  effect: "allow" | "ask" | "deny",
): CommandPattern | { readonly problem: string } {
  const trimmed = text.trim();
  if (trimmed === "*" || trimmed === ":*") return { words: [], more: true };
  const more = trimmed.endsWith(":*");
  const source = { text: more ? trimmed.slice(0, -2) : trimmed, at: 0 };
  if (visibleText(source.text, { newlines: "escape" }).hidden.length > 0) {
    return { problem: "The command contains hidden characters" };
  }
  const words: string[] = [];
  try {
    while (source.at < source.text.length) {
      if (source.text[source.at] === " ") {
        source.at++;
        continue;
      }
      const word = readWord(source, NOTHING);
      if (word === undefined) return { problem: "A rule names one command, without ; & | < > and parentheses" };
      if (!word.literal) return { problem: "Write the words of the command out; only :* at the end stands for more" };
      words.push(word.text);
    }
  } catch (error) {
    if (error instanceof NotUnderstood) return { problem: error.message };
    throw error;
  }
  const [name] = words;
  if (name === undefined) return { problem: "The command is empty" };
  if (effect === "allow" && isWrapper(name)) {
    return { problem: `${name} runs another command: write the rule for that one` };
  }
  return { words, more };
}

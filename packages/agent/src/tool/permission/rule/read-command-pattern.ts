/** Parses the inside of `bash(...)`: the words of one simple command, and whether more may follow. */
import { homedir } from "node:os";
import { visibleText } from "@bough/session/text/index.js";
import { WRAPPERS } from "../shell/known-commands.js";
import { readWord } from "../shell/read-word.js";
import { NotCertain } from "../shell/shell-line.js";

export interface CommandPattern {
  readonly words: readonly string[];
  /** It ends in `:*`: arguments that the tables know may follow, or any for a program without a table. */
  readonly more: boolean;
  /** It ends in `:**`: anything may follow. */
  readonly every?: boolean;
}

export function readCommandPattern(
  text: string,
  effect: "allow" | "ask" | "deny",
): CommandPattern | { readonly problem: string } {
  const trimmed = text.trim();
  if (/^:?\*\*?$/.test(trimmed)) return { words: [], more: true };
  const [, signs] = /:(\*\*?)$/.exec(trimmed) ?? [];
  const source = { text: trimmed.replace(/:\*\*?$/, ""), at: 0 };
  if (visibleText(source.text, { newlines: "escape" }).hidden.length > 0) {
    return { problem: "The command contains hidden characters" };
  }
  const words: string[] = [];
  const facts = { isBash: false, version: 0, cwd: "", userHome: homedir() };
  try {
    while (source.at < source.text.length) {
      if (source.text[source.at] === " ") {
        source.at++;
        continue;
      }
      const word = readWord(source, { facts });
      if (word === undefined) return { problem: "A rule names one command, without ; & | < > and parentheses" };
      if (!word.literal || /\$/.test(word.raw.replace(/'[^']*'|\\./g, ""))) {
        return { problem: "Spell out all words of the command; only :* at the end matches more" };
      }
      words.push(word.text);
    }
  } catch (error) {
    if (error instanceof NotCertain) {
      return { problem: `Spell out all words of the command and quote unusual characters: ${error.message}` };
    }
    throw error;
  }
  const [name] = words;
  if (name === undefined) return { problem: "The command is empty" };
  if (effect === "allow" && WRAPPERS.has(name)) {
    return { problem: `${name} runs another command: write the rule for that one` };
  }
  return { words, more: signs !== undefined, every: signs === "**" };
}

/** Quotes a word for a rule; undefined if that is not possible. */
export function quotedWord(text: string): string | undefined {
  if (/^[\w./:@%+,=^-]+$/.test(text)) return text;
  if (visibleText(text, { newlines: "escape" }).hidden.length > 0) return undefined;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

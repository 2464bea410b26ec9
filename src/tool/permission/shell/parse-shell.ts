/** From a command line to its simple commands. Whatever is not understood is said, and then the line asks. */
import { visibleText } from "../../../text/index.js";
import { readExpandedText, readWord, type Source, type WordReader } from "./read-word.js";
import { FoundInLine, NotUnderstood, type ShellCommand, type ShellLine, type ShellWord } from "./shell-line.js";
import { addCommand, checkVariable } from "./unwrap-command.js";

const LONGEST_LINE = 20_000;
const DEEPEST = 30;
/** Longest first. */
const OPERATORS = [";;&", ";;", ";&", "&&", "||", "|&", ";", "&", "|", "(", ")"] as const;
const REDIRECTIONS = ["&>>", "&>", "<<<", "<<-", "<<", "<>", "<&", ">>", ">|", ">&", "<", ">"] as const;
const BLANK = /(?:[ \t]|\\\n)*/y;
/** Spaces of other alphabets look like ones that separate words, and are not. */
const STRANGE_SPACE = /[^\S \t\n]/u;
const DEFINES = "it defines a function";
/** Words that end a part of a compound command. */
const CLOSING = ["then", "elif", "else", "fi", "do", "done", "esac", "}"];

/** Reads a whole command line. Never throws, starts nothing, and looks nothing up. */
export function parseShell(line: string): ShellLine {
  const found = new FoundInLine();
  if (line.length > LONGEST_LINE) found.unknown.push("it is very long");
  else if (visibleText(line).hidden.length > 0 || STRANGE_SPACE.test(line)) {
    found.unknown.push("it contains hidden characters");
  }
  if (line.length <= LONGEST_LINE) parseInto(line, { found, depth: 0 });
  return found.finished();
}

interface ParseOptions {
  readonly found: FoundInLine;
  readonly depth: number;
}

function parseInto(line: string, { found, depth }: ParseOptions): void {
  try {
    new LineParser({ text: line, at: 0 }, found, depth).commands([]);
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    found.unknown.push(error.message);
  }
}

class LineParser {
  readonly #source: Source;
  readonly #found: FoundInLine;
  #depth: number;
  /** Here-documents whose text begins after this line. */
  #documents: { readonly end: string; readonly expands: boolean; readonly tabs: boolean }[] = [];
  readonly #reader: WordReader;

  constructor(source: Source, found: FoundInLine, depth: number) {
    this.#source = source;
    this.#found = found;
    this.#depth = depth;
    this.#reader = {
      untilParenthesis: () => {
        const waiting = this.#documents;
        this.#documents = [];
        this.commands([")"]);
        if (this.#documents.length > 0) throw new NotUnderstood("a here-document is not closed");
        this.#documents = waiting;
      },
      commandsIn: (text) => parseInto(text, { found, depth: this.#depth + 1 }),
    };
  }

  /** Reads commands up to one of these words or operators and says which; without any, to the end of the text. */
  commands(ends: readonly string[]): string {
    this.#depth++;
    if (this.#depth > DEEPEST) throw new NotUnderstood("it is nested too deeply");
    for (;;) {
      this.#skipBlanks();
      const { text, at } = this.#source;
      if (at >= text.length) {
        if (ends.length > 0) throw new NotUnderstood("it is not complete");
        if (this.#documents.length > 0) throw new NotUnderstood("a here-document is not closed");
        break;
      }
      const operator = this.#operator();
      if (operator === "\n") continue;
      if (operator !== undefined && ends.includes(operator)) {
        this.#depth--;
        return operator;
      }
      if (operator === "(") this.#group([")"]);
      else if (operator === ")" || operator?.startsWith(";;") === true || operator === ";&") {
        throw new NotUnderstood("it is not complete");
      } else if (operator === undefined) {
        const end = this.#one(ends);
        if (end !== undefined) {
          this.#depth--;
          return end;
        }
      }
    }
    this.#depth--;
    return "";
  }

  #group(ends: readonly string[]): void {
    if (ends[0] === ")" && this.#source.text[this.#source.at] === "(") {
      throw new NotUnderstood("it calculates with variables");
    }
    this.commands(ends);
    this.#redirections();
  }

  /** One command, simple or compound. The word, if it was one of `ends`. */
  #one(ends: readonly string[]): string | undefined {
    const redirected = this.#redirections();
    const word = this.#word();
    if (word === undefined) {
      if (redirected) return undefined;
      throw new NotUnderstood("it is not complete");
    }
    const keyword = word.literal && word.plain === word.text.length ? word.text : "";
    if (redirected) this.#simple(word);
    else if (ends.includes(keyword)) return keyword;
    else if (CLOSING.includes(keyword)) throw new NotUnderstood("it is not complete");
    else this.#compound(keyword, word);
    return undefined;
  }

  #compound(keyword: string, word: ShellWord): void {
    switch (keyword) {
      case "!":
      case "time":
        return;
      case "{":
        this.#group(["}"]);
        return;
      case "if": {
        this.commands(["then"]);
        for (let end = "then"; end !== "fi"; ) {
          end = this.commands(end === "else" ? ["fi"] : ["elif", "else", "fi"]);
          if (end === "elif") this.commands(["then"]);
        }
        this.#redirections();
        return;
      }
      case "while":
      case "until":
        this.commands(["do"]);
        this.#group(["done"]);
        return;
      case "for":
        this.#for();
        return;
      case "case":
        this.#case();
        return;
      case "function":
        if (this.#word()?.literal !== true) throw new NotUnderstood("it is not complete");
        this.#found.unknown.push(DEFINES);
        this.#skipBlanks();
        if (this.#source.text.startsWith("()", this.#source.at)) this.#source.at += 2;
        return;
      case "[[":
      case "select":
      case "coproc":
        throw new NotUnderstood(`it uses ${keyword}`);
      default:
        this.#simple(word);
        return;
    }
  }

  #for(): void {
    const name = this.#word();
    if (name === undefined) throw new NotUnderstood("it calculates with variables");
    checkVariable(name);
    this.#skipLines();
    let next = this.#word();
    if (next?.text === "in") {
      while (this.#word() !== undefined);
      this.#skipLines();
      next = this.#word();
    }
    if (next?.text !== "do") throw new NotUnderstood("it is not complete");
    this.#group(["done"]);
  }

  #case(): void {
    if (this.#word() === undefined) throw new NotUnderstood("it is not complete");
    this.#skipLines();
    if (this.#word()?.text !== "in") throw new NotUnderstood("it is not complete");
    for (;;) {
      this.#skipLines();
      if (this.#source.text[this.#source.at] === "(") this.#source.at++;
      let first = this.#word();
      if (first?.text === "esac" && first.plain === 4) break;
      for (;;) {
        if (first === undefined) throw new NotUnderstood("it is not complete");
        this.#skipBlanks();
        const operator = this.#operator();
        if (operator === ")") break;
        if (operator !== "|") throw new NotUnderstood("it is not complete");
        this.#skipBlanks();
        first = this.#word();
      }
      if (this.commands([";;", ";&", ";;&", "esac"]) === "esac") break;
    }
    this.#redirections();
  }

  #simple(first: ShellWord): void {
    const words: ShellWord[] = [first];
    for (;;) {
      this.#redirections();
      const { text, at } = this.#source;
      if (text[at] === "(") {
        // What it does counts, but a command of that name is no longer what a rule for it is about.
        const isFunction = words.length === 1 && first.literal && /^\([ \t]*\)/.test(text.slice(at, at + 20));
        if (!isFunction) throw new NotUnderstood("it contains an unexpected parenthesis");
        this.#found.unknown.push(DEFINES);
        this.#source.at = text.indexOf(")", at) + 1;
        return;
      }
      const word = this.#word();
      if (word === undefined) break;
      words.push(word);
    }
    this.#add(words);
  }

  #add(words: ShellCommand): void {
    addCommand(words, {
      found: this.#found,
      depth: 0,
      parse: (line) => parseInto(line, { found: this.#found, depth: this.#depth + 1 }),
      glance: (line) => {
        const inner = new FoundInLine();
        parseInto(line, { found: inner, depth: this.#depth + 1 });
        this.#found.wrappers.push(...inner.commands, ...inner.wrappers);
      },
    });
  }

  /** Takes the redirections here, and notes the files; true if there were any. */
  #redirections(): boolean {
    let any = false;
    for (;;) {
      this.#skipBlanks();
      const { text, at } = this.#source;
      const digits = /^\d*/.exec(text.slice(at, at + 10))?.[0].length ?? 0;
      const operator = REDIRECTIONS.find((one) => text.startsWith(one, at + digits));
      const isSubstitution = digits === 0 && (operator === "<" || operator === ">") && text[at + 1] === "(";
      if (operator === undefined || isSubstitution || (digits > 0 && operator.startsWith("&"))) return any;
      this.#source.at += digits + operator.length;
      this.#skipBlanks();
      const target = this.#word();
      if (target === undefined) throw new NotUnderstood("it is not complete");
      this.#redirect(operator, target);
      any = true;
    }
  }

  #redirect(operator: (typeof REDIRECTIONS)[number], target: ShellWord): void {
    if (operator === "<<" || operator === "<<-") {
      if (!target.literal || /[\\\n]/.test(target.text)) throw new NotUnderstood("a here-document has an unusual end");
      const expands = target.plain === target.text.length;
      this.#documents.push({ end: target.text, expands, tabs: operator === "<<-" });
      return;
    }
    if (operator === "<<<") return;
    if (target.start.startsWith("/dev/tcp") || target.start.startsWith("/dev/udp")) {
      throw new NotUnderstood("it opens a network connection");
    }
    const isCopy = operator === ">&" || operator === "<&";
    if (isCopy && target.literal && /^(\d+-?|-)$/.test(target.text)) return;
    if (operator === "<&") throw new NotUnderstood("it copies an input that is not known");
    if (target.literal && /^\/dev\/(null|stdout|stderr|stdin|tty)$/.test(target.text)) return;
    if (operator === "<") this.#found.reads.push(target);
    else this.#found.writes.push(target);
  }

  #operator(): (typeof OPERATORS)[number] | "\n" | undefined {
    const { text, at } = this.#source;
    if (text[at] === "\n") {
      this.#source.at++;
      this.#readDocuments();
      return "\n";
    }
    if (text[at] === "&" && text[at + 1] === ">") return undefined;
    const operator = OPERATORS.find((one) => text.startsWith(one, at));
    if (operator !== undefined) this.#source.at += operator.length;
    return operator;
  }

  #readDocuments(): void {
    const source = this.#source;
    for (const { end, expands, tabs } of this.#documents.splice(0)) {
      const lines: string[] = [];
      for (;;) {
        if (source.at >= source.text.length) throw new NotUnderstood("a here-document is not closed");
        const stop = source.text.indexOf("\n", source.at);
        const line = source.text.slice(source.at, stop < 0 ? undefined : stop);
        source.at = stop < 0 ? source.text.length : stop + 1;
        if ((tabs ? line.replace(/^\t+/, "") : line) === end) break;
        // The shell joins such lines before it looks for the end.
        if (expands && line.endsWith("\\")) throw new NotUnderstood("a here-document has continued lines");
        lines.push(line);
      }
      if (expands) readExpandedText(lines.join("\n"), this.#readerFor(lines.join("\n")));
    }
  }

  /** Substitutions in another text are read there. */
  #readerFor(text: string): WordReader {
    const { commandsIn } = this.#reader;
    return {
      commandsIn,
      isDocument: true,
      untilParenthesis: (source) => {
        if (source.text !== text) throw new Error("bug: a substitution of another text");
        new LineParser(source, this.#found, this.#depth + 1).commands([")"]);
      },
    };
  }

  #word(): ShellWord | undefined {
    this.#skipBlanks();
    const { text, at } = this.#source;
    const word = readWord(this.#source, this.#reader);
    if (this.#documents.length > 0 && text.slice(at, this.#source.at).includes("\n")) {
      throw new NotUnderstood("a here-document begins in the middle of a word");
    }
    return word;
  }

  #skipBlanks(): void {
    const source = this.#source;
    BLANK.lastIndex = source.at;
    source.at += BLANK.exec(source.text)?.[0].length ?? 0;
    if (source.text[source.at] !== "#") return;
    const end = source.text.indexOf("\n", source.at);
    source.at = end < 0 ? source.text.length : end;
  }

  #skipLines(): void {
    for (;;) {
      this.#skipBlanks();
      const next = this.#source.text[this.#source.at];
      if (next !== "\n" && next !== ";") return;
      this.#source.at++;
      if (next === "\n") this.#readDocuments();
    }
  }
}

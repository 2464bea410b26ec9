/** Programs that change files named in their arguments, and which arguments those are. Errs on the side of too many. */
import { baseName, type ShellWord } from "../shell/shell-line.js";
import type { Reader } from "./reader.js";
import { filesRead, readerFor } from "./readers.js";

export interface TouchedFiles {
  readonly writes: readonly ShellWord[];
  readonly reads: readonly ShellWord[];
  /** It also changes everything below the files. */
  readonly isDeep?: boolean;
  /** It may change more files than its arguments name. */
  readonly isPart?: boolean;
}

/** They change every operand. */
const EACH = new Set(
  "rm rmdir unlink shred mkdir touch truncate tee mkfifo mknod chmod chown chgrp chattr setfacl patch".split(" "),
);
/** They change the last operand, or the folder of `-t`, and read the others. */
const LAST = new Set("cp mv ln install rsync scp".split(" "));
/** Git commands that change the files they name. */
const GIT_EACH = new Set("mv rm restore init clone".split(" "));

const GIT_CONFIG = readerFor("git config") as Reader;

/** Undefined for programs not known to change files. */
export function filesWritten(words: readonly ShellWord[]): TouchedFiles | undefined {
  const name = baseName(words[0]?.text ?? "");
  const args = words.slice(1);
  const end = args.findIndex(({ text }) => text === "--");
  const operands = args.filter(
    ({ text }, at) =>
      (!text.startsWith("-") || text === "-" || (end >= 0 && at > end)) &&
      // The end of `find -exec cp a b \;`.
      !(at === args.length - 1 && /^[;+]$/.test(text)) &&
      !/^--(?:exclude|include)$/.test(args[at - 1]?.text ?? ""),
  );
  // Such as `--target-directory=x` and `-tx`.
  const values = args.flatMap((word) => valueIn(word));
  if (EACH.has(name)) return { writes: [...operands, ...values], reads: [], isDeep: isRecursive(args) };
  if (LAST.has(name)) {
    const named = args.flatMap(({ text }, at) =>
      /^-\w*t$|^--target-directory$/.test(text) ? (args[at + 1] ?? []) : [],
    );
    const folders = [...operands.slice(-1), ...named, ...values];
    const writes = [...folders, ...folders.flatMap((folder) => operands.map((file) => inFolder(folder, file)))];
    // `mv` removes its sources, and the target of a link can be changed through the link.
    if (name === "mv" || name === "ln")
      return { writes: [...operands, ...writes], reads: operands, isDeep: name === "mv" };
    return { writes, reads: operands, isDeep: name === "rsync" };
  }
  if (name === "sed" || name === "gsed") {
    const changes = args.some(({ text }) => /^-[nErsuz]*i|^--in-place/.test(text));
    return changes ? { writes: operands, reads: operands } : undefined;
  }
  if (name === "dd") return { writes: afterSign(args, /^of=/), reads: afterSign(args, /^if=/) };
  if (name === "find" && args.some(({ text }) => text === "-delete" || /^-f(?:print0?|printf|ls)$/.test(text))) {
    return { writes: operands, reads: [], isDeep: true };
  }
  if (name === "git") return gitFiles(args);
  if (name === "curl" || name === "wget" || name === "tar" || name === "unzip") {
    const letters = name === "tar" ? "C" : name === "unzip" ? "d" : "oOP";
    const isNext = new RegExp(`^-?\\w*[${letters}]$|^--(?:output(?:-document|-dir)?|directory(?:-prefix)?)$`);
    const named = args.flatMap(({ text }, at) => (isNext.test(text) ? (args[at + 1] ?? []) : []));
    const joined = afterSign(args, new RegExp(`^-[${letters}](?=.)`));
    const writes = [...named, ...joined, ...values];
    return writes.length === 0 ? undefined : { writes, reads: [], isPart: true };
  }
  return undefined;
}

/** Such as `rm -rf` and `chmod -R`. */
function isRecursive(args: readonly ShellWord[]): boolean {
  return args.some(({ text }) => /^-\w*[rR]|^--recursive$/.test(text));
}

/** The file that `cp a/b c` creates if `c` is a folder. */
function inFolder(folder: ShellWord, file: ShellWord): ShellWord {
  const name = baseName(file.text.replace(/\/+$/, ""));
  return { text: `${folder.text}/${name}`, literal: folder.literal && file.literal };
}

/** Includes `git config a b`, which can change what git runs. */
function gitFiles(args: readonly ShellWord[]): TouchedFiles | undefined {
  const [command, ...named] = args;
  if (GIT_EACH.has(command?.text ?? "")) {
    const operands = named.filter(({ text }) => !text.startsWith("-"));
    return { writes: command?.text === "clone" ? operands.slice(1) : operands, reads: [], isPart: true };
  }
  const at = args.findIndex(({ text }) => text === "config");
  if (at < 0 || args.slice(0, at).some(({ text }) => !text.startsWith("-"))) return undefined;
  const rest = args.slice(at + 1);
  const options = rest.filter(({ text }) => text.startsWith("-"));
  // `git config user.name` only prints.
  const isOne =
    rest.length - options.length === 1 && options.every(({ text }) => /^--(?:global|local|system)$/.test(text));
  if (isOne || filesRead(GIT_CONFIG, rest) !== undefined) return undefined;
  const isOwn = rest.some(({ text }) => text === "--global" || text === "--system");
  return { writes: [{ text: isOwn ? "~/.gitconfig" : ".git/config", literal: true }], reads: [] };
}

function valueIn({ text, literal }: ShellWord): readonly ShellWord[] {
  const [, name, value] = /^(--[\w-]+=|-t)(.+)$/s.exec(text) ?? [];
  if (value === undefined || name === undefined) return [];
  return /^-t|dir|target|output|reference/.test(name) ? [{ text: value, literal }] : [];
}

function afterSign(args: readonly ShellWord[], sign: RegExp): readonly ShellWord[] {
  return args
    .filter(({ text }) => sign.test(text))
    .map(({ text, literal }) => ({ text: text.replace(sign, ""), literal }));
}

/** The files that a command line touches, as far as its words tell. */
import { type Dirent, readdirSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { absolutePath } from "../path/absolute-path.js";
import { isWorkPath, type WorkPlace } from "../path/inside.js";
import { realTarget } from "../path/real-target.js";
import { knownProgram } from "./program/covers.js";
import { filesRead } from "./program/readers.js";
import { filesWritten } from "./program/writers.js";
import { isProtectedName, protectedReason } from "./protected-places.js";
import type { OtherCommand, RequestFile, TouchedFile } from "./rule/apply-rules.js";
import { matchesName } from "./rule/path-pattern.js";
import { baseName, type ShellLine, type ShellWord } from "./shell/shell-line.js";

export interface LineFiles {
  /** Files that need a rule or always need confirmation: redirections, and changes outside the working directory. */
  readonly files: readonly RequestFile[];
  /** Files that known programs read and change. */
  readonly touched: readonly TouchedFile[];
  /** Commands that may touch other files than their arguments tell. */
  readonly others: readonly OtherCommand[];
  /** If a command names a protected place: why changes there need confirmation. */
  readonly named: string | undefined;
}

/** Names beyond this number count as unknown files. */
const MOST_FILES = 300;
const MOST_COMMANDS = 500;

function unknownFile(action: "read" | "write"): RequestFile {
  return { action, path: undefined, real: undefined, open: "by rule" };
}

interface Places {
  readonly work: WorkPlace;
  /** Folders that relative paths may start from. */
  readonly folders: readonly string[];
}

interface LinePlaces extends Places {
  /** Whether the line changes to folders that are only known when it runs. */
  readonly mayBeElsewhere: boolean;
}

export async function filesOfLine(line: ShellLine, { work, folders, mayBeElsewhere }: LinePlaces): Promise<LineFiles> {
  const files: RequestFile[] = [];
  const touched: TouchedFile[] = [];
  const others: OtherCommand[] = [];
  const known = new Map<string, readonly RequestFile[]>();
  let named: string | undefined;
  /** Resolves each name once; names beyond a limit are unknown. */
  const filesNamed = async (word: ShellWord, action: "read" | "write"): Promise<readonly RequestFile[]> => {
    const key = `${action} ${word.literal} ${word.text}`;
    const made =
      known.get(key) ??
      (known.size > MOST_FILES ? [unknownFile(action)] : await filesOf(word, { action, work, folders }));
    known.set(key, made);
    return made;
  };
  const redirected = async (words: readonly ShellWord[], action: "read" | "write") => {
    for (const word of words) {
      files.push(...(await filesNamed(word, action)));
      if (mayBeElsewhere && !isAbsolute(word.text)) files.push(unknownFile(action));
    }
  };
  await redirected(line.writes, "write");
  await redirected(line.reads, "read");
  for (const word of line.glancedWrites) {
    // A rule for the command is enough, unless the file is protected or outside.
    const made = await filesNamed(word, "write");
    files.push(...made.filter(({ real, open }) => real !== undefined && (open === "never" || !isWorkPath(real, work))));
  }
  const isCertain = line.unknown.length === 0;
  const commands = [...line.commands, ...line.glanced.filter(({ runs }) => runs)];
  if (commands.length > MOST_COMMANDS) files.push(unknownFile("write"));
  for (const command of commands.slice(0, MOST_COMMANDS)) {
    const { words } = command;
    if (words[0]?.text === "cd" && isCertain) continue;
    const isEnd = "isEnd" in command && command.isEnd === true;
    const program = isEnd ? undefined : knownProgram(words);
    const written = filesWritten(words);
    const read = program?.reader === undefined ? undefined : filesRead(program.reader, words.slice(program.length));
    if (written !== undefined) {
      for (const word of written.writes) {
        for (const file of await filesNamed(word, "write")) {
          // `tee` does nothing but write, so it is treated like a redirection.
          const isHere =
            baseName(words[0]?.text ?? "") !== "tee" &&
            file.real !== undefined &&
            file.open !== "never" &&
            isWorkPath(file.real, work);
          // In an uncertain line, a word may only look like a file name.
          if (!isHere && (file.real !== undefined || isCertain)) files.push(file);
          if (REMOVES.has(baseName(words[0]?.text ?? ""))) files.push(...protectedIn(file));
          touched.push({ ...file, isWalk: written.isDeep === true });
        }
      }
      for (const word of written.reads) touched.push(...(await filesNamed(word, "read")));
      if (written.isPart === true) others.push({ words, isReader: false, isNamed: true });
      if (written.isPart === true || /^(?:dd|find)$/.test(baseName(words[0]?.text ?? ""))) {
        named ??= await placeNamed(words, { work, filesNamed });
      }
    } else if (isEnd) {
      // Its words are part of another command in the list.
    } else if (read === undefined) {
      others.push({ words, isReader: false, isNamed: true });
      named ??= await placeNamed(words, { work, filesNamed });
    } else {
      const isWalk = new Set(read.folders);
      for (const word of new Set([...read.files, ...read.folders])) {
        for (const file of await filesNamed(word, "read")) {
          touched.push({ ...file, isWalk: isWalk.has(word), leavesHidden: read.leavesHidden });
        }
      }
      // It may name files without printing their content, and git's `HEAD:a` names a file too.
      others.push({ words, isReader: true, isNamed: program?.reader?.operands === "names" });
    }
  }
  return { files, touched, others, named };
}

/** They also remove what is in a folder. */
const REMOVES = new Set(["rm", "mv", "shred"]);

/** Protected places directly in this folder. */
function protectedIn({ real }: RequestFile): readonly RequestFile[] {
  if (real === undefined) return [];
  return entriesOf(real)
    .filter(({ name }) => isProtectedName(name))
    .map(({ name }) => join(real, name))
    .map((path) => ({ action: "write", path, real: path, open: "never" }) as const);
}

/** They do not change files they name. */
const HARMLESS = new Set(["[", "[[", "test", "echo", "printf", "cd", "pushd", "export", "git add", "git commit"]);
/** Options whose value is excluded. */
const LEAVES_OUT = /^--?(?:exclude|ignore|not|skip|prune)/;

/** Excluded by `-path ./.git -prune` or `! -path './.git/*'`. */
function isLeftOut(words: readonly ShellWord[], at: number): boolean {
  if (!/^-i?(?:path|name|wholename)$/.test(words[at - 1]?.text ?? "")) return false;
  return words[at + 1]?.text === "-prune" || /^(?:!|-not)$/.test(words[at - 2]?.text ?? "");
}

interface NamedOptions {
  readonly work: WorkPlace;
  readonly filesNamed: (word: ShellWord, action: "read" | "write") => Promise<readonly RequestFile[]>;
}

/**
 * If a command names a protected place: why changes there need confirmation. What the command does there is unknown.
 */
async function placeNamed(
  words: readonly ShellWord[],
  { work, filesNamed }: NamedOptions,
): Promise<string | undefined> {
  const name = baseName(words[0]?.text ?? "");
  if (HARMLESS.has(name) || HARMLESS.has(`${name} ${words[1]?.text}`)) return undefined;
  for (const [at, word] of words.entries()) {
    if (at === 0 || LEAVES_OUT.test(word.text) || LEAVES_OUT.test(words[at - 1]?.text ?? "")) continue;
    if (name === "find" && isLeftOut(words, at)) continue;
    // Skip commit messages.
    if (name === "git" && /\s/.test(word.text)) continue;
    for (const part of word.text.split(/[\s'"`()<>=:,;|&@]+/)) {
      if (part.split("/").some(isProtectedName)) return protectedReason(resolve(work.cwd, part), work);
    }
    if (word.text.startsWith("-")) continue;
    const held = (await filesNamed(word, "write")).find(({ open }) => open === "never");
    if (held?.real !== undefined) return protectedReason(held.real, work);
  }
  return undefined;
}

interface FileOptions extends Places {
  readonly action: "read" | "write";
}

async function filesOf(word: ShellWord, { action, work, folders }: FileOptions): Promise<readonly RequestFile[]> {
  const made: RequestFile[] = [];
  for (const folder of folders) {
    // It may expand to another file by the time it runs.
    const expands = word.literal ? undefined : { text: word.text, folder };
    for (const path of pathsOf(word, folder)) {
      // Its content depends on the process that reads it.
      if (path === undefined || made.length > MOST_FILES || /^\/(?:proc|dev\/fd)(?:\/|$)/.test(path)) {
        made.push(unknownFile(action));
        continue;
      }
      // A path that cannot be resolved cannot be read or written either.
      const real = await realTarget(path).catch(() => path);
      const isProtected = action === "write" && protectedReason(real, work) !== undefined;
      const open = isProtected ? "never" : action === "read" && isWorkPath(real, work) ? "free" : "by rule";
      made.push({ action, path, real, open, expands });
    }
  }
  return made;
}

/** The path of a word, or the paths that its pattern expands to now; undefined for an unknown one. */
function pathsOf({ text, literal }: ShellWord, folder: string): readonly (string | undefined)[] {
  // The tilde was already expanded, except in the name we made up for `git config --global`.
  if (literal) return [text === "~/.gitconfig" ? absolutePath(text, folder) : resolve(folder, text)];
  if (/[$`{]|^~(?!\/)/.test(text) || text === "") return [undefined];
  if (text.startsWith("~")) return [absolutePath(text, folder)];
  const parts = resolve(folder, text).split("/");
  const first = parts.findIndex((part) => /[*?[]/.test(part));
  if (first < 0) return [parts.join("/")];
  // Names that match the pattern; if there are none, the folder that they would be in.
  const found: string[] = [];
  let waiting = [parts.slice(0, first).join("/") || "/"];
  for (const part of parts.slice(first)) {
    const next: string[] = [];
    for (const at of waiting) {
      const pattern = part.replace(/\[[^\]]*\]?/g, "*");
      // In some shells a pattern that starts with a dot matches these.
      for (const name of [...(part.startsWith(".") ? [".", ".."] : []), ...entriesOf(at).map(({ name }) => name)]) {
        if (matchesName(pattern, name, { ignoreCase: true }) && (part.startsWith(".") || !name.startsWith(".")))
          next.push(join(at, name));
      }
      if (next.length > MOST_FILES) return [undefined];
    }
    waiting = next;
  }
  found.push(...waiting);
  return found.length === 0 ? [dirname(parts.slice(0, first + 1).join("/"))] : found;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Missing, not a folder, or not readable.
    return [];
  }
}

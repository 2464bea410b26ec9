/**
 * Runs command lines in a real shell where every program is a marker that only records how it was started. Each line
 * runs in its own folder, so that its changes can be inspected afterwards.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { fastFolder } from "../../../../../../test/support/temp-folder.js";

export interface MarkedRun {
  readonly line: string;
  /** The command of every program that was started. */
  readonly ran: readonly (readonly string[])[];
  /** Files that were created or changed, relative to the folder; those outside start with `..`. */
  readonly wrote: readonly string[];
  readonly printed: string;
}

export interface MarkedOptions {
  readonly shell: "bash" | "dash";
  /** `real`: the programs of this machine, in a repository; only programs that an attack would start are markers. */
  readonly programs?: "marked" | "real";
}

/** Programs that attacks start, and those that must not really run here. */
const HARMFUL =
  "make evil rm mv cp ln dd curl wget ssh scp nc sudo su doas docker npx npm node python python3 perl ruby".split(" ");

/** They start their arguments, which is recorded. */
const PASSED_ON = ["bash", "dash", "env", "nice", "nohup", "sh", "stdbuf", "timeout", "xargs"];

const FILES: Readonly<Record<string, string>> = {
  ".env": "KEY=1\n",
  "README.md": "#\n",
  a: "make\n",
  b: "make\n",
  "package.json": "{}\n",
  "src/a.ts": "make\n",
  "src/-o": "make\n",
  "-oevil": "make\n",
  "--output=evil": "make\n",
  ".git/config": "[core]\n\tbare = false\n",
  ".bough/settings.json": "{}\n",
  "nested/.bough/settings.json": "{}\n",
  "packages/core/package.json": "{}\n",
  "test/a": "make\n",
  "docs/a": "make\n",
};

/** Whether a line is safe to run: even if it misbehaves, it does nothing outside its folder. */
export function mayRun(line: string): boolean {
  const elsewhere = /(?:^|[\s<>'"=:&|;`(])(?:\/(?!dev\/(?:null|std))|~root|\.\.\/\.\.)/;
  return !elsewhere.test(line) && !/\b(?:kill|suspend|logout|while|until|read|sleep|fg|wait)\b|\0/.test(line);
}

export function runMarked(
  lines: readonly string[],
  { shell, programs = "marked" }: MarkedOptions,
): readonly MarkedRun[] {
  const root = fastFolder();
  const bin = join(root, "bin");
  mkdirSync(bin);
  const marker = join(root, "marker");
  // A program started without our variable is recorded in the file for lost ones.
  const lost = join(root, "lost");
  writeFileSync(marker, `#!/bin/dash\n{ printf '%s\\0' "$#" "\${0##*/}" "$@"; } >> "\${BOUGH_MARKS:-${lost}}"\n`);
  chmodSync(marker, 0o755);
  const names = programs === "real" ? [] : new Set(lines.flatMap((line) => line.match(/[\w.+-]+/g) ?? []));
  for (const name of [...names, ...HARMFUL]) {
    if (/^\.+$/.test(name) || name.length > 100 || PASSED_ON.includes(name)) continue;
    if (!existsSync(join(bin, name))) symlinkSync(marker, join(bin, name));
  }
  for (const name of programs === "real" ? [] : PASSED_ON) {
    const real = ["/bin", "/usr/bin"].map((folder) => join(folder, name)).find((path) => existsSync(path));
    if (real !== undefined) symlinkSync(real, join(bin, name));
  }
  const repository = programs === "real" ? madeRepository(root) : undefined;
  lines.forEach((line, at) => {
    const own = join(root, "cases", String(at));
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(join(own, "work", name, ".."), { recursive: true });
      writeFileSync(join(own, "work", name), text);
    }
    mkdirSync(join(own, "home"));
    if (repository !== undefined) cpSync(repository, join(own, "work/.git"), { recursive: true });
    writeFileSync(join(own, "line"), line);
  });
  // One after another in one process. The dot preserves trailing newlines.
  const script = `
    at=0
    while [ "$at" -lt ${lines.length} ]; do
      cd "${root}/cases/$at/work"
      text=$(/bin/cat ../line; printf .)
      BOUGH_MARKS="${root}/cases/$at/marks" HOME="${root}/cases/$at/home" PATH="${bin}${programs === "real" ? ":/usr/bin:/bin" : ""}" \\
        /usr/bin/timeout 10 /bin/${shell} -c "\${text%.}" </dev/null >../printed 2>&1
      at=$((at + 1))
    done`;
  const { status, stderr } = spawnSync("/bin/dash", ["-c", script], { encoding: "utf8", env: {} });
  if (status !== 0 || stderr !== "") throw new Error(`the lines were not run: ${status} ${stderr}`);
  const strays = existsSync(lost) ? callsIn(lost) : [];
  return lines.map((line, at) => {
    const own = join(root, "cases", String(at));
    const marks = join(own, "marks");
    return {
      line,
      ran: [...(existsSync(marks) ? callsIn(marks) : []), ...strays],
      wrote: changedIn(own),
      printed: readFileSync(join(own, "printed"), "latin1"),
    };
  });
}

/** A small repository with one commit. */
function madeRepository(root: string): string {
  const work = join(root, "template");
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(work, name, ".."), { recursive: true });
    if (!name.startsWith(".git/")) writeFileSync(join(work, name), text);
  }
  const git = (...words: string[]): void => {
    const env = { PATH: "/usr/bin:/bin", HOME: root, GIT_CONFIG_NOSYSTEM: "1" };
    const { error, status, stderr } = spawnSync("git", words, { cwd: work, env, encoding: "utf8" });
    if (error !== undefined) throw error;
    if (status !== 0) throw new Error(`git ${words.join(" ")}: ${stderr}`);
  };
  git("init", "-q", "--template=", "-b", "main");
  git("add", "--", "README.md", "a", "b", "package.json", "src", "test", "docs");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one");
  writeFileSync(join(work, ".git/config"), FILES[".git/config"] ?? "");
  return join(work, ".git");
}

function callsIn(file: string): (readonly string[])[] {
  const words = readFileSync(file, "utf8").split("\0");
  const calls: (readonly string[])[] = [];
  for (let at = 0; at < words.length - 1; ) {
    const count = Number(words[at]) + 1;
    calls.push(words.slice(at + 1, at + 1 + count));
    at += count + 1;
  }
  return calls;
}

function changedIn(own: string): string[] {
  const work = join(own, "work");
  const changed: string[] = [];
  for (const entry of readdirSync(own, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(work, path);
    if (
      ["../line", "../marks", "../printed"].includes(name) ||
      (name.startsWith(".git/") && FILES[name] === undefined)
    ) {
      continue;
    }
    if (FILES[name] === undefined || readFileSync(path, "utf8") !== FILES[name]) changed.push(name);
  }
  return changed;
}

/** What a run did that no rule allows. */
export function beyondRules({ ran, wrote }: MarkedRun, allow: readonly string[]): string[] {
  const commands = allow.flatMap((rule) => /^bash\((.*)\)$/s.exec(rule)?.[1] ?? []);
  const files = allow.flatMap((rule) => /^edit\((.*)\)$/s.exec(rule)?.[1] ?? []);
  const isCommand = (words: readonly string[]): boolean => {
    const text = words.join(" ").replace(/^git (?:--no-pager |-P |-C \. )*/, "git ");
    // Started by `xargs`.
    if (words[0] === "echo") return true;
    return commands.some((command) => {
      const isPrefix = command.endsWith(":*");
      const beginning = command.replace(/:\*+$/, "").replaceAll(/['"]/g, "").split("/").at(-1) ?? "";
      return text === beginning || (isPrefix && text.startsWith(`${beginning} `));
    });
  };
  const isFile = (path: string): boolean =>
    !/(?:^|\/)\.(?:git|bough)(?:\/|$)/.test(path) &&
    files.some(
      (file) => file === path || (file.endsWith("**") && !path.startsWith("..") && path.startsWith(file.slice(0, -2))),
    );
  return [
    ...ran.filter((words) => !isCommand(words)).map((words) => `ran ${JSON.stringify(words)}`),
    ...wrote.filter((path) => !isFile(path)).map((path) => `wrote ${path}`),
  ];
}

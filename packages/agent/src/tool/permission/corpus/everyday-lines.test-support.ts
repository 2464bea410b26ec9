/**
 * Command lines of everyday work: what coding agents ran in the sample transcripts. They are the work of others, so
 * they are read from the samples and not copied here; a digest checks that they are still the same.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FIXTURES } from "../../../../../../test/support/interop-source.js";

/** Placeholder for the folder in which the lines were run. */
export const HERE = "/here";
const WANTED = 300;

/** They run their arguments, so a question is right. */
const NOT_COUNTED = /\b(?:node|tsx|python3?)\b.* -[ec] |\bxargs\b|\bfind\b.* -exec/s;

const SHELL_TOOL = /^(?:bash|shell|exec_command|shell_command|run_shell_command|local_shell)$/i;

/**
 * 300 lines: all distinct calls of a shell tool, all lines of shell blocks in written text, the first line for each
 * program of every multi-line call, and then calls without their leading `cd`, sampled evenly from a sorted list.
 * Undefined if the samples are not available.
 */
export function everydayLines(): readonly string[] | undefined {
  if (!existsSync(join(FIXTURES, "foreign")) || !existsSync(join(FIXTURES, "real"))) return undefined;
  const found: Found = { calls: [], written: [], roots: new Set() };
  for (const file of readdirSync(FIXTURES, { recursive: true, encoding: "utf8" }).sort()) {
    if (!/\.jsonl?$/.test(file)) continue;
    const text = readFileSync(join(FIXTURES, file), "utf8");
    for (const record of file.endsWith(".json") ? [text] : text.split("\n")) look(parsed(record), found);
  }
  const all = [...found.roots].filter((root) => /^\/[^/]+\/./.test(root) && !root.startsWith("/tmp/"));
  const roots = all.filter((root) => !all.some((other) => root.startsWith(`${other}/`)));
  const shown = (line: string): string => roots.reduce((text, root) => text.replaceAll(root, HERE), line).trim();
  const calls = found.calls.map(shown);
  const counted = (lines: readonly string[]): string[] =>
    lines.filter((line) => line !== "" && !NOT_COUNTED.test(line));
  const whole = new Set(
    counted([...calls, ...found.written.map(shown), ...counted(calls).flatMap(firstOfEachProgram)]).sort(),
  );
  const bare = counted(calls.map((line) => /^cd \S+ && (.*)$/.exec(line)?.[1] ?? ""));
  const more = [...new Set(bare)].filter((line) => !whole.has(line)).sort();
  const missing = Math.max(0, WANTED - whole.size);
  const added = Array.from({ length: missing }, (_, at) => more[Math.floor((at * more.length) / missing)] ?? "");
  return [...whole, ...added].slice(0, WANTED);
}

export function digestOf(lines: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(lines)).digest("hex").slice(0, 16);
}

interface Found {
  readonly calls: string[];
  readonly written: string[];
  readonly roots: Set<string>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function look(value: unknown, found: Found): void {
  if (Array.isArray(value)) {
    for (const one of value) look(one, found);
  } else if (isRecord(value)) {
    if (typeof value.cwd === "string") found.roots.add(value.cwd);
    const name = value.name ?? value.tool;
    if (typeof name === "string" && SHELL_TOOL.test(name)) found.calls.push(...commandsOf(value));
    for (const one of Object.values(value)) look(one, found);
  } else if (typeof value === "string") {
    for (const [, block] of value.matchAll(/```(?:bash|sh|shell|console|zsh)\n(.*?)```/gs)) {
      // Skip lines of a diff.
      const lines = (block ?? "").split("\n").map((line) => line.replace(/^\s*(?:\d+→)?\s*(?:\$ )?/, "").trim());
      found.written.push(...lines.filter((line) => line !== "" && !/^[#+-]/.test(line)));
    }
  }
}

/** The command of a call, in the format of each agent. */
function commandsOf(call: Readonly<Record<string, unknown>>): string[] {
  const inputs = [call.input, call.args, call.arguments, isRecord(call.state) ? call.state.input : undefined];
  return inputs.flatMap((input) => {
    const given = typeof input === "string" ? parsed(input) : input;
    if (!isRecord(given)) return [];
    const command = given.command ?? given.cmd;
    if (typeof command === "string") return [command];
    // Such as `["bash", "-lc", line]`.
    return Array.isArray(command) && command.length === 3 ? [String(command[2])] : [];
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** For a multi-line call in which every line is a complete command: the first line for each program. */
function firstOfEachProgram(call: string): string[] {
  if (!call.includes("\n") || /<<|^\s*for\b|> '/m.test(call)) return [];
  const first = new Map<string, string>();
  for (const line of call.split("\n").map((text) => text.trim())) {
    const isWhole = [/'/g, /"/g].every((quote) => (line.match(quote)?.length ?? 0) % 2 === 0);
    const [program = ""] = line.split(" ");
    if (/^\w+$/.test(program) && isWhole && !first.has(program)) first.set(program, line);
  }
  return [...first.values()];
}

/** The rules that a user with this way of working would have: the prefixes of their commands. */
export const EVERYDAY_RULES: readonly string[] = [
  ...["ls", "cat", "cd", "head", "tail", "wc", "grep", "rg", "find", "sort", "tree", "echo", "printf"],
  ...["sed", "sed -i", "sed -i ''", "mkdir", "cp", "mv", "rm", "rmdir", "sleep", "set", "applypatch", "curl"],
  ...["status", "log", "diff", "add", "commit", "checkout", "clone"].map((name) => `git ${name}`),
  ...["npm run", "npx tsx", "npx tsgo", "uv run", "uv sync", "ruff", "make", "python", "docker-compose"],
]
  .map((prefix) => `bash(${prefix}:*)`)
  .concat("edit(**)");

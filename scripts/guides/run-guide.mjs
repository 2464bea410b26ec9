// Runs a guide of docs/guides/ as a reader would: saves the files it shows, runs its commands, and compares their
// output.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import typescript from "typescript";

/**
 * @typedef {{ kind: "file", path: string, text: string } | { kind: "command", line: string } | { kind: "output", text: string }} Step
 */

/** What a reader does, in order, except installing. @param {string} page @returns {Step[]} */
export function stepsOf(page) {
  /** @type {Step[]} */
  const steps = [];
  for (const [, before = "", language, text = ""] of page.matchAll(/^(.*\n\n)?```(\w*)\n([\s\S]*?)^```$/gm)) {
    const path = /[Ss]ave as `([^`]+)`:\n/.exec(before)?.[1];
    if (path !== undefined) steps.push({ kind: "file", path, text });
    else if (language === "text") steps.push({ kind: "output", text });
    else if (language === "sh") {
      const lines = text
        .trim()
        .split("\n")
        .filter((line) => !line.startsWith("npm install"));
      for (const line of lines) steps.push({ kind: "command", line });
    }
  }
  return steps;
}

/**
 * Runs `node` and `bough` in commands with `runtime`: a program and its first arguments. Returns what went wrong;
 * undefined if everything matched the guide.
 *
 * @param {{ page: string, folder: string, runtime: readonly string[], env: Record<string, string | undefined> }}
 * options
 * @returns {string | undefined}
 */
export function runGuide({ page, folder, runtime, env }) {
  let printed = "";
  for (const step of stepsOf(page)) {
    if (step.kind === "file") {
      mkdirSync(dirname(join(folder, step.path)), { recursive: true });
      writeFileSync(join(folder, step.path), step.text);
    } else if (step.kind === "command") {
      const words = [...step.line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
      const bough = ["node_modules/bough/dist/cli/main.js"];
      const args = words[0] === "node" ? words.slice(1) : [...bough, ...words.slice(2)];
      if (words[0] !== "node" && words[1] !== "bough") return `unknown command: ${step.line}`;
      const [program = "", ...first] = runtime;
      if (words[0] === "node" && needsCompiling(program)) {
        compile(folder);
        for (const [at, word] of args.entries()) args[at] = word.replace(/\.ts$/, ".js");
      }
      const options = { cwd: folder, env, encoding: /** @type {const} */ ("utf8"), input: "", timeout: 120_000 };
      const { stdout, stderr, status, error } = spawnSync(program, [...first, ...args], options);
      if (error !== undefined || status !== 0)
        return `${step.line}: ${error?.message ?? `exit ${status}`}\n${stdout}${stderr}`.trim();
      printed += stdout;
    } else {
      const difference = firstDifference(step.text.trimEnd().split("\n"), printed.trimEnd().split("\n"));
      if (difference !== undefined) return difference;
      printed = "";
    }
  }
  return undefined;
}

/**
 * Whether this runtime is a Node that does not run TypeScript as it is. Then a guide says to compile its program first.
 *
 * @param {string} program
 */
function needsCompiling(program) {
  if (!/^node(?:\.exe)?$/.test(basename(program))) return false;
  const { stdout } = spawnSync(program, ["-p", "process.features.typescript"], { encoding: "utf8" });
  return !["strip", "transform"].includes(stdout.trim());
}

/** Compiles every program of the folder next to its source, like `tsc`. @param {string} folder */
function compile(folder) {
  const { ModuleKind, ScriptTarget, transpileModule } = typescript;
  const compilerOptions = {
    ...{ module: ModuleKind.ESNext, target: ScriptTarget.ES2022 },
    ...{ verbatimModuleSyntax: true, rewriteRelativeImportExtensions: true },
  };
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(".ts")) continue;
    const { outputText } = transpileModule(readFileSync(join(folder, name), "utf8"), { compilerOptions });
    writeFileSync(join(folder, name.replace(/\.ts$/, ".js")), outputText);
  }
}

/** `…` in an expected line matches anything. @param {readonly string[]} promised @param {readonly string[]} printed */
function firstDifference(promised, printed) {
  const literal = (/** @type {string} */ text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  for (let at = 0; at < Math.max(promised.length, printed.length); at++) {
    const [wanted, found] = [promised[at], printed[at]];
    const fits = wanted !== undefined && found !== undefined;
    if (fits && new RegExp(`^${wanted.split("…").map(literal).join(".*")}$`).test(found)) continue;
    return `line ${at + 1} of the output: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`;
  }
  return undefined;
}

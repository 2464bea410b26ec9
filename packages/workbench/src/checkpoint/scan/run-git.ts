/** Runs git's plumbing with our own index. Writes nothing below `.git` and runs no hooks of the project. */
import { spawn } from "node:child_process";
import { startProgram } from "@bough/session/log/index.js";

export interface GitOptions {
  readonly cwd: string;
  /** The index that is read and refreshed. */
  readonly index?: string;
  readonly input?: string;
  readonly signal?: AbortSignal;
  /** Exit codes that count as success. Default: 0. */
  readonly answers?: readonly number[];
  /** Additional `-c` settings. */
  readonly config?: readonly string[];
  /** Default: 2 minutes. */
  readonly longestMs?: number;
  /** Called with what git says on standard error. Default: it is discarded. */
  readonly onError?: (text: string) => void;
}

/** A hook's environment may point to another repository. */
const FOREIGN = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_NAMESPACE"];

/** A shared index, or trees for a sparse one, would be written below `.git`. */
const CONFIG = [
  "core.fsmonitor=false",
  "core.quotePath=false",
  "core.hooksPath=/dev/null",
  "core.splitIndex=false",
  "index.sparse=false",
];

const LONGEST_MS = 120_000;

/** Resolves to the output, or undefined if git is missing or fails. */
export function runGit(
  args: readonly string[],
  { cwd, index, input, signal, answers = [0], config = [], longestMs = LONGEST_MS, onError }: GitOptions,
): Promise<Buffer | undefined> {
  return new Promise((settle) => {
    const env: NodeJS.ProcessEnv = { ...process.env, GIT_TERMINAL_PROMPT: "0", GIT_NO_LAZY_FETCH: "1" };
    for (const name of FOREIGN) delete env[name];
    // Git may refresh our index, but must not lock the person's.
    if (index === undefined) env.GIT_OPTIONAL_LOCKS = "0";
    else env.GIT_INDEX_FILE = index;
    const words = [...[...CONFIG, ...config].flatMap((one) => ["-c", one]), ...args];
    const child = startProgram({ program: "git", cwd, env }, (found) =>
      spawn(found, words, {
        cwd,
        env,
        stdio: ["pipe", "pipe", "pipe"],
        signal,
      }),
    );
    // A filter of the project may never end. Node's own time limit would stay set if git was not found, and keep the
    // process alive.
    const limit = setTimeout(() => child.kill(), longestMs);
    const pieces: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
    child.stderr.on("data", (piece: Buffer) => onError?.(piece.toString("utf8")));
    child.on("error", () => {
      clearTimeout(limit);
      settle(undefined);
    });
    child.on("close", (code) => {
      clearTimeout(limit);
      settle(code !== null && answers.includes(code) ? Buffer.concat(pieces) : undefined);
    });
    // Git may exit without reading its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input ?? "");
  });
}

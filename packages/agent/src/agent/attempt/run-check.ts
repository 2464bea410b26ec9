/** Runs the check of an attempt in its folder, and keeps what it says about it. */
import { existsSync } from "node:fs";
import { errorText, withoutControls } from "@bough/session/text/index.js";
import { commandShell, runProcess, stopGroup } from "../../tool/internal.js";
import type { CheckResult } from "./attempt-entries.js";
import { testCounts } from "./test-counts.js";

export interface CheckOptions {
  readonly command: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The state of the files that it will see. */
  readonly state: string;
  /** Told the process group while it runs. */
  readonly onGroup?: (group: number) => void;
}

/** What is kept of the output while it runs: runners print their sums at the end. */
const TAIL_BYTES = 64 * 1024;
const MOST_LINES = 20;
const MOST_COLUMNS = 300;
const KILL_GRACE_MS = 2000;

/** Never rejects. A program that the check left running is ended. */
export async function runCheck(options: CheckOptions): Promise<CheckResult> {
  const { command, cwd, env, timeoutMs, signal, state } = options;
  const begun = performance.now();
  const tail = new Tail();
  const ended = (exitCode: number | null, problem?: string): CheckResult => {
    const text = plain(tail.text());
    const tests = testCounts(text);
    const passed = exitCode === 0 && problem === undefined;
    const durationMs = Math.round(performance.now() - begun);
    const last = lastLines(text);
    return {
      ...{ command, exitCode, passed, durationMs, last, state },
      ...(tests === undefined ? {} : { tests }),
      ...(problem === undefined ? {} : { problem }),
    };
  };
  if (!existsSync(cwd)) return ended(null, "the folder of the attempt is gone");
  try {
    const end = await runProcess({
      ...{ program: commandShell().program, args: ["-c", command], cwd, env, timeoutMs, signal },
      killGraceMs: KILL_GRACE_MS,
      onData: (chunk) => tail.add(chunk),
      onGroup: options.onGroup,
    });
    if (end.leftRunning !== undefined) await stopGroup(end.leftRunning);
    if (end.kind === "timeout") return ended(null, `it did not end within ${Math.round(timeoutMs / 1000)} s`);
    if (end.kind === "aborted") return ended(null, "it was stopped");
    if (end.exitCode === null) return ended(null, `it was ended by ${end.signal}`);
    if (!existsSync(cwd)) return ended(end.exitCode, "it deleted the folder of the attempt");
    return ended(end.exitCode);
  } catch (error) {
    return ended(null, errorText(error));
  }
}

/** The last bytes of an output of any length. */
class Tail {
  #pieces: Buffer[] = [];
  #size = 0;

  add(piece: Buffer): void {
    // A copy of the end: a part of a chunk would keep all of it in memory.
    this.#pieces.push(piece.length > TAIL_BYTES ? Buffer.from(piece.subarray(-TAIL_BYTES)) : piece);
    this.#size += this.#pieces.at(-1)?.length ?? 0;
    while (this.#size - (this.#pieces[0]?.length ?? 0) >= TAIL_BYTES) this.#size -= this.#pieces.shift()?.length ?? 0;
  }

  text(): string {
    return Buffer.concat(this.#pieces).toString("utf8");
  }
}

/** Without colors, and with the last state of lines that were written over. */
function plain(text: string): string {
  const shown = text.replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g, "");
  return shown
    .split(/\r?\n/)
    .map((line) => withoutControls(line.slice(line.lastIndexOf("\r") + 1)))
    .join("\n");
}

function lastLines(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => line.trimEnd().slice(0, MOST_COLUMNS));
  while (lines.at(-1) === "") lines.pop();
  return lines.slice(-MOST_LINES);
}

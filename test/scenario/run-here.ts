/** Does what the program does with its arguments, in this process: to start a process takes longer than most of them. */

import { EventEmitter } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { errorReportOf, errorReportText, exitCodeOf } from "@bough/program/cli/error-report.js";
import type { Interruption } from "@bough/program/cli/interruption.js";
import { ProtocolOutput } from "@bough/program/cli/output/protocol-output.js";
import { runArguments } from "@bough/program/cli/run-cli.js";
import { afterTest } from "../support/after-test.js";
import type { Ended, Place } from "./cli-support.js";

/** The last one that was started: the folder, the environment and the output are those of the whole process. */
let last: Promise<unknown> = Promise.resolve();

export interface HereOptions {
  /** Standard input; empty by default. */
  readonly input?: string | Readable;
  /** Told what is printed as soon as it is. */
  readonly heard?: (stream: "stdout" | "stderr", text: string) => void;
}

/** Started at the same time, they run one after the other. */
export function runHere(place: Place, args: readonly string[], options: HereOptions = {}): Promise<Ended> {
  const ended = last.then(() => runAlone(place, args, options));
  last = ended.catch(() => {});
  return ended;
}

async function runAlone(
  { cwd, env, home }: Place,
  args: readonly string[],
  { input = "", heard = () => {} }: HereOptions,
): Promise<Ended> {
  const before = { cwd: process.cwd(), env: { ...process.env }, exitCode: process.exitCode };
  const stdout = captured(process.stdout, (text) => heard("stdout", text));
  const stderr = captured(process.stderr, (text) => heard("stderr", text));
  const stdin = Object.getOwnPropertyDescriptor(process, "stdin") as PropertyDescriptor;
  const given = typeof input === "string" ? Readable.from([Buffer.from(input)]) : input;
  Object.defineProperty(process, "stdin", { value: given, configurable: true });
  process.chdir(cwd);
  setEnvironment(env);
  let close = async () => {};
  let output: ProtocolOutput | undefined;
  // Nothing interrupts it. Signals are for tests that start a process.
  const interruption = {
    isEnding: false,
    onEnd: (work: () => Promise<void>) => {
      close = work;
    },
    takeOutput: async () => {
      output ??= new ProtocolOutput({ stdout: process.stdout, stderr: process.stderr, onFull: () => {} });
      return output;
    },
  } as unknown as Interruption;
  const fail = (error: unknown): number => {
    process.stderr.write(errorReportText(errorReportOf(error)));
    return exitCodeOf(error);
  };
  let code: number;
  try {
    code = await runArguments(args, { home: env.BOUGH_HOME ?? home, interruption }).catch(fail);
    await close().catch(fail);
  } finally {
    setEnvironment(before.env);
    process.chdir(before.cwd);
    process.exitCode = before.exitCode;
    Object.defineProperty(process, "stdin", stdin);
    output?.release();
    stdout.stop();
    stderr.stop();
  }
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** A program in this process that reads while it runs, with what a test uses of a process. */
export class RunningHere {
  readonly child = { stdin: new PassThrough(), stdout: new EventEmitter(), exitCode: null as number | null };
  readonly ended: Promise<Ended>;
  stdout = "";
  stderr = "";

  constructor(place: Place, args: readonly string[]) {
    const heard = (stream: "stdout" | "stderr", text: string) => {
      this[stream] += text;
      // Not at once: who listens is not part of the program.
      if (stream === "stdout") queueMicrotask(() => this.child.stdout.emit("data", text));
    };
    this.ended = runHere(place, args, { input: this.child.stdin, heard }).then((ended) => {
      this.child.exitCode = ended.code;
      return ended;
    });
    // A test that fails leaves it running, and all others would wait for it.
    afterTest(async () => {
      this.child.stdin.end();
      await this.ended;
    });
  }
}

/** Variable by variable: Node reads some of them, such as HOME, from the process itself. */
function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
}

function captured(
  stream: NodeJS.WriteStream,
  heard: (text: string) => void,
): { readonly text: () => string; readonly stop: () => void } {
  const pieces: Buffer[] = [];
  const write = stream.write;
  stream.write = ((piece: string | Uint8Array, ...rest: unknown[]) => {
    pieces.push(Buffer.from(piece as string));
    heard(Buffer.from(piece as string).toString("utf8"));
    for (const done of rest) if (typeof done === "function") done();
    return true;
  }) as typeof stream.write;
  return {
    text: () => Buffer.concat(pieces).toString("utf8"),
    stop: () => {
      stream.write = write;
    },
  };
}

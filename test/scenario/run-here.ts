/** Runs a subcommand as the program does, in this process: a process of its own takes longer than most of them. */

import { errorReportOf, errorReportText, exitCodeOf } from "../../src/cli/error-report.js";
import type { Interruption } from "../../src/cli/interruption.js";
import { runSubcommand } from "../../src/cli/subcommand/run-subcommand.js";
import { findSubcommand, SUBCOMMANDS } from "../../src/cli/subcommand/table/subcommands.js";
import type { Ended, Place } from "./cli-support.js";

/** Nothing interrupts it. Signals are for tests that start a process. */
const interruption = { isEnding: false, onEnd: () => {} } as unknown as Interruption;

export const isSubcommand = (name: string | undefined): boolean => findSubcommand(name) !== undefined;

/** The last one that was started: the folder, the environment and the output are those of the whole process. */
let last: Promise<unknown> = Promise.resolve();

/** Started at the same time, they run one after the other. */
export function runHere(place: Place, args: readonly string[]): Promise<Ended> {
  const ended = last.then(() => runAlone(place, args));
  last = ended.catch(() => {});
  return ended;
}

async function runAlone({ cwd, env }: Place, [name, ...args]: readonly string[]): Promise<Ended> {
  const command = findSubcommand(name);
  if (command === undefined) throw new Error(`bug: there is no command ${name}`);
  const before = { cwd: process.cwd(), env: { ...process.env }, exitCode: process.exitCode };
  const [stdout, stderr] = [captured(process.stdout), captured(process.stderr)];
  process.chdir(cwd);
  setEnvironment(env);
  let code: number;
  try {
    code = await runSubcommand(command, args, { version: "0.0.0", interruption, commands: SUBCOMMANDS });
  } catch (error) {
    process.stderr.write(errorReportText(errorReportOf(error)));
    code = exitCodeOf(error);
  } finally {
    setEnvironment(before.env);
    process.chdir(before.cwd);
    process.exitCode = before.exitCode;
    stdout.stop();
    stderr.stop();
  }
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** Variable by variable: Node reads some of them, such as HOME, from the process itself. */
function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
}

function captured(stream: NodeJS.WriteStream): { readonly text: () => string; readonly stop: () => void } {
  const pieces: Buffer[] = [];
  const write = stream.write;
  stream.write = ((piece: string | Uint8Array, ...rest: unknown[]) => {
    pieces.push(Buffer.from(piece as string));
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

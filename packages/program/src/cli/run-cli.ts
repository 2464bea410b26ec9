import { readFileSync } from "node:fs";
import { attempt, closestNames, withoutControls } from "@bough/session/text/index.js";
import { usageError } from "./cli-error.js";
import type { CliRequest, HelpPlaces } from "./cli-options.js";
import { errorReportText, exitCodeOf } from "./error-report.js";
import { extensionFlagsText, helpText } from "./flags.js";
import { Interruption } from "./interruption.js";
import { mayHaveExtensions } from "./start/may-have-extensions.js";
import { findSubcommand, SUBCOMMANDS } from "./subcommand/subcommands.js";

/** Runs the arguments and ends the process. The only place that turns failures into messages. */
export async function runCli(args: readonly string[], home: string): Promise<never> {
  const parts = { home, interruption: new Interruption() };
  const { interruption } = parts;
  let code: number;
  try {
    code = await runArguments(args, parts);
  } catch (error) {
    if (!interruption.isEnding) interruption.tell(error);
    code = exitCodeOf(error);
  }
  return interruption.end(code);
}

export interface CliParts {
  /** `$BOUGH_HOME`. */
  readonly home: string;
  readonly interruption: Interruption;
}

/** Returns the exit code, and does not end the process. */
export async function runArguments(args: readonly string[], parts: CliParts): Promise<number> {
  const wanted = withoutHelpWord(args);
  const command = findSubcommand(wanted[0]);
  if (command === undefined) {
    refuseMistyped(wanted);
    return run(await requestIn(wanted), parts);
  }
  const { runSubcommand } = await import("./subcommand/run-subcommand.js");
  const { interruption } = parts;
  return runSubcommand(command, wanted.slice(1), { version: ownVersion(), interruption, commands: SUBCOMMANDS });
}

/** `bough help` and `bough help ls` are what many people try first. */
function withoutHelpWord(args: readonly string[]): readonly string[] {
  const [first, second] = args;
  if (first !== "help" || args.length > 2) return args;
  return second === undefined ? ["--help"] : findSubcommand(second) === undefined ? args : [second, "--help"];
}

/** One or two words, the first of which is nearly a command, were not meant as a prompt. */
function refuseMistyped(args: readonly string[]): void {
  const [first] = args;
  if (first === undefined || args.length > 2 || first === "demo" || !/^[a-z][a-z-]+$/.test(first)) return;
  const [near] = closestNames(
    first,
    SUBCOMMANDS.map(({ name }) => name),
    { starts: "ignored", share: 1 / 3 },
  );
  if (near === undefined) return;
  throw usageError(
    `Unknown command ${first}; did you mean ${near}?`,
    `To send it as a prompt, put it after --: bough -- ${args.join(" ")}`,
  );
}

/** Checking arguments needs tables of other rooms, which help should not wait for. */
async function requestIn(args: readonly string[]): Promise<CliRequest> {
  const [first, ...others] = args;
  const terminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  const isHelp = first === "--help" || first === "-h";
  if (isHelp && others.length === 0) return HELP;
  const { parseCliOptions } = await import("./cli-options.js");
  // Someone who asks for help may not have the other arguments right yet.
  if (isHelp) return attempt(() => parseCliOptions(args, { terminal })) ?? HELP;
  return parseCliOptions(first === "demo" ? ["--demo", ...others] : args, { terminal });
}

const HELP: CliRequest = { kind: "help", places: { extensions: [], extensionPlaces: "all", trust: false } };

/** Print our own help at once; extensions have to be loaded before they can add to it. */
async function printHelp(places: HelpPlaces, home: string): Promise<void> {
  process.stdout.write(helpText(SUBCOMMANDS));
  if (!mayHaveExtensions(places, home)) return;
  const { flagsOfExtensions } = await import("./start/flags-of-extensions.js");
  const { extensionProblemSentence } = await import("../command/door.js");
  const { flags, problems } = await flagsOfExtensions(places);
  process.stdout.write(withoutControls(extensionFlagsText(flags)));
  for (const problem of problems) {
    process.stderr.write(errorReportText({ message: extensionProblemSentence(problem) }));
  }
}

async function run(request: CliRequest, { home, interruption }: CliParts): Promise<number> {
  const version = ownVersion();
  switch (request.kind) {
    case "version":
      process.stdout.write(`${version}\n`);
      return 0;
    case "help":
      await printHelp(request.places, home);
      return 0;
    case "interactive": {
      const { runInteractive } = await import("./interactive/run-interactive.js");
      return runInteractive(request, { version, interruption });
    }
    case "print": {
      const { runPrint } = await import("./run-print.js");
      return runPrint(request, { version, interruption });
    }
    case "rpc": {
      const { runRpc } = await import("./rpc/run-rpc.js");
      return runRpc(request.agent, { version, interruption });
    }
  }
}

function ownVersion(): string {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

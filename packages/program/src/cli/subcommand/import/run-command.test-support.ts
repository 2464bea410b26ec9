/** Runs a subcommand in this process, in its own home with sessions of five agents. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import { afterTest } from "../../../../../../test/support/after-test.js";
import { type AgentsHome, layOutAgents } from "../../../../../../test/support/agents-home.js";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import { errorReportOf, errorReportText, exitCodeOf } from "../../error-report.js";
import { Output } from "../output.js";
import { parseArguments } from "../parse-arguments.js";
import { findSubcommand, SUBCOMMANDS } from "../subcommands.js";

export interface AgentsPlace {
  readonly home: string;
  readonly cwd: string;
  /** Where the transcripts are. */
  readonly transcripts: AgentsHome;
}

/** The home of the process until the test ends. */
export function agentsPlace(): AgentsPlace {
  const home = tempFolder();
  const cwd = join(home, "project");
  mkdirSync(cwd);
  afterTest(() => vi.unstubAllEnvs());
  vi.stubEnv("HOME", home);
  vi.stubEnv("BOUGH_HOME", join(home, "bough"));
  for (const name of ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_DATA_HOME", "OPENCODE_DB", "GEMINI_CLI_HOME"]) {
    vi.stubEnv(name, undefined);
  }
  return { home, cwd, transcripts: layOutAgents({ home, cwd }) };
}

export interface CommandEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Its output and exit code. Errors are printed as the program prints them. */
export async function runCommand(
  { cwd }: Pick<AgentsPlace, "cwd">,
  [name, ...args]: readonly string[],
  {
    signal = new AbortController().signal,
    now = () => new Date(),
  }: { readonly signal?: AbortSignal; readonly now?: () => Date } = {},
): Promise<CommandEnd> {
  const command = findSubcommand(name);
  if (command === undefined) throw new Error(`bug: there is no command ${name}`);
  const [stdout, stderr] = [captured(process.stdout), captured(process.stderr)];
  let code: number;
  try {
    const { flags, args: words } = parseArguments(command, args);
    const out = new Output({ json: flags.isOn("json"), signal, env: {} });
    const { run } = await command.load();
    const dir = flags.text("session-dir");
    const places = { cwd, dir };
    const takeOutput = async () => {
      throw new Error("bug: commands of agents speak no protocol");
    };
    const call = { args: words, flags, out, places, signal, takeOutput, now, version: "0", commands: SUBCOMMANDS };
    code = await run(call);
  } catch (error) {
    process.stderr.write(errorReportText(errorReportOf(error)));
    code = exitCodeOf(error);
  } finally {
    stdout.stop();
    stderr.stop();
  }
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function captured(stream: NodeJS.WriteStream): { readonly text: () => string; readonly stop: () => void } {
  const pieces: string[] = [];
  const spy = vi.spyOn(stream, "write").mockImplementation((piece) => {
    pieces.push(typeof piece === "string" ? piece : Buffer.from(piece).toString("utf8"));
    return true;
  });
  return { text: () => pieces.join(""), stop: () => spy.mockRestore() };
}

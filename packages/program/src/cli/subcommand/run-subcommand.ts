/** Subcommands such as `bough ls`: finds the command, checks its arguments, runs it. */
import { resolve } from "node:path";
import { isFolder } from "@bough/session/log/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { usageError } from "../cli-error.js";
import { errorReportOf } from "../error-report.js";
import type { ModeParts } from "../run-print.js";
import { subcommandHelp } from "./help-text.js";
import { Output } from "./output.js";
import { parseArguments } from "./parse-arguments.js";
import type { Subcommand } from "./subcommand.js";

interface SubcommandParts extends ModeParts {
  readonly commands: readonly Subcommand[];
}

/** Returns the exit code. With `--json`, errors are reported as JSON too. */
export async function runSubcommand(
  command: Subcommand,
  args: readonly string[],
  { version, interruption, commands }: SubcommandParts,
): Promise<number> {
  const wantsJson = args.includes("--json");
  const stop = new AbortController();
  const out = new Output({ json: wantsJson, signal: stop.signal, env: process.env });
  const work = async (): Promise<number> => {
    const parsed = parseArguments(command, await withStoreName(command, args));
    if (parsed.flags.isOn("help")) {
      await out.raw([subcommandHelp(command)]);
      return 0;
    }
    const cwd = folderOf(parsed.flags.text("cwd"));
    const dir = parsed.flags.text("session-dir");
    const { run } = await command.load();
    return run({
      ...parsed,
      out,
      places: { cwd, dir: dir === undefined ? undefined : resolve(dir) },
      signal: stop.signal,
      takeOutput: () => interruption.takeOutput(),
      now: () => new Date(),
      version,
      commands,
    });
  };
  const working = work();
  interruption.onEnd(async () => {
    stop.abort();
    // The command cleans up after itself; the reason for the failure is already known.
    await working.catch(() => {});
  });
  try {
    return await working;
  } catch (error) {
    if (wantsJson && !interruption.isEnding) out.value({ error: errorReportOf(error) });
    throw error;
  }
}

/** `--store home` for `--store=home`: only if a store of that name is set up; any other word is an argument. */
async function withStoreName({ flags }: Subcommand, args: readonly string[]): Promise<readonly string[]> {
  const at = args.indexOf("--store");
  const name = args[at + 1];
  if (at < 0 || name === undefined || flags.store?.takesValue !== true) return args;
  const { namedStores } = await import("@bough/workbench/store/index.js");
  const isStore = namedStores(boughHome()).some((one) => one.name === name);
  return isStore ? [...args.slice(0, at), `--store=${name}`, ...args.slice(at + 2)] : args;
}

function folderOf(folder: string | undefined): string {
  const path = resolve(folder ?? ".");
  if (!isFolder(path)) {
    throw usageError(`Folder not found: ${path}`, "--cwd takes a folder that exists.");
  }
  return path;
}

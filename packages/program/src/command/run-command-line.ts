/** One line with a slash: which command it is, whether it can be used, and running it. */
import { closestNames, type Notice } from "@bough/session/text/index.js";
import type { Command, CommandContext, CommandOutcome } from "./command.js";
import { CommandError } from "./command-error.js";
import { commandUsage } from "./command-list.js";
import { commandNames, findCommand } from "./commands.js";
import { asOutcome, unchanged } from "./outcome.js";
import { unknownCommandNotice } from "./sentences.js";

type ReadCommandLine =
  | { readonly kind: "command"; readonly command: Command; readonly args: string }
  | { readonly kind: "unknown"; readonly name: string; readonly said: Notice }
  /** Not a command: plain text, a path, or a prompt template, which the agent fills in itself. */
  | { readonly kind: "prompt" };

/** Names contain no slash and no dot, so `/usr/bin/env` and `/tmp.txt` are part of a prompt. */
const COMMAND_LINE = /^\s*\/([^\s/.]+)(?:\s+([\s\S]*))?$/u;

export function readCommandLine(context: CommandContext, line: string, extra = context.extra): ReadCommandLine {
  const match = COMMAND_LINE.exec(line.trimEnd());
  const name = match?.[1];
  if (name === undefined) return { kind: "prompt" };
  const command = findCommand(name, extra);
  if (command !== undefined) return { kind: "command", command, args: (match?.[2] ?? "").trim() };
  const { templates } = context.agent;
  if (templates.some((template) => template.name === name)) return { kind: "prompt" };
  const names = [...commandNames(extra), ...templates.map((template) => template.name)];
  return { kind: "unknown", name, said: unknownCommandNotice(name, closestNames(name, names)) };
}

/**
 * Runs a line. What goes wrong in an expected way is an outcome with a message and a code; only bugs are thrown. Shows
 * nothing itself; see `showOutcome`.
 */
export async function runCommandLine(
  context: CommandContext,
  line: string,
  extra = context.extra,
): Promise<CommandOutcome> {
  const read = readCommandLine(context, line, extra);
  if (read.kind === "prompt") return unchanged("Not a command: commands start with /", "unknown-command");
  if (read.kind === "unknown") return unchanged(read.said, "unknown-command");
  const { command, args } = read;
  const reason = command.unavailable?.(context);
  if (reason !== undefined) return unchanged(reason, "unavailable");
  return asOutcome(() => command.run(context, args).catch((error: unknown) => throwWithUsage(error, command)));
}

/** Arguments that were not taken are reported with those that are. */
function throwWithUsage(error: unknown, command: Command): never {
  if (!(error instanceof CommandError) || error.code !== "wrong-arguments" || error.hint !== undefined) throw error;
  throw new CommandError(error.code, error.message, { hint: `Usage: ${commandUsage(command)}` });
}

/** /help: lists commands and keys. */
import { closestNames, noticeLine } from "@bough/session/text/index.js";
import { readArguments } from "../arguments.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { commandsByGroup, commandUsage, listedCommand } from "../command-list.js";
import { matching } from "../completions.js";
import { shown, unchanged } from "../outcome.js";
import { unknownCommandNotice } from "../sentences.js";

/** Reads the table lazily: help is part of it. */
export function helpCommand(table: () => readonly Command[]): Command {
  const known = ({ extra }: CommandContext): readonly Command[] => {
    const names = new Set(table().map(({ name }) => name));
    return [...table(), ...extra.filter(({ name }) => !names.has(name))];
  };
  return {
    name: "help",
    group: "program",
    usage: "[command]",
    summary: "Show all commands and keys",
    details: "With a command's name, shows its arguments and what it does.",
    complete: (context, typed) =>
      matching(
        known(context).map(({ name, summary }) => ({ value: name, description: summary })),
        typed,
      ),
    async run(context, args) {
      const { words } = readArguments(args, { most: 1 });
      const topic = words[0]?.replace(/^\//, "");
      const commands = known(context);
      const about = commands.find(
        ({ name, aliases = [] }) => topic !== undefined && [name, ...aliases].includes(topic),
      );
      if (topic !== undefined && about === undefined) {
        const near = closestNames(
          topic,
          commands.map(({ name }) => name),
        );
        return unchanged(unknownCommandNotice(topic, near), "unknown-command");
      }
      if (context.front.screens.has("help")) return shown(context.front, { screen: "help", topic: about?.name });
      return about === undefined ? overview(context, commands) : explanation(context, about);
    },
  };
}

function overview(context: CommandContext, commands: readonly Command[]): CommandOutcome {
  const lines = commandsByGroup(commands).flatMap(({ title, commands: listed }) => [
    title,
    ...listed.map((command) => `  ${commandUsage(command)}  ${command.summary}`),
  ]);
  const data = { commands: commands.map((command) => listedCommand(context, command)) };
  return { kind: "done", message: lines.join("\n"), data };
}

function explanation(context: CommandContext, command: Command): CommandOutcome {
  const listed = listedCommand(context, command);
  const aliases = listed.aliases.length === 0 ? [] : [`Also: ${listed.aliases.map((alias) => `/${alias}`).join(" ")}`];
  const lines = [commandUsage(command), `${command.summary}. ${command.details}`, ...aliases];
  const { reason, hint } = listed;
  if (reason !== undefined) lines.push(`Unavailable: ${noticeLine({ message: reason, hint })}`);
  return { kind: "done", message: lines.join("\n"), data: listed };
}

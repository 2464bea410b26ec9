/** Parses the arguments of a subcommand and checks them against its row. */
import { parseArgs } from "node:util";
import { closestNames } from "@bough/session/text/index.js";
import { usageError } from "../cli-error.js";
import { FlagValues } from "./flag-values.js";
import type { SubcommandRow } from "./subcommand.js";
import { COMMON_FLAGS, type SubcommandFlag } from "./subcommand-flag.js";

interface ParsedArguments {
  readonly args: readonly string[];
  readonly flags: FlagValues;
}

/** Throws a usage error that suggests the closest name. `--help` takes precedence over any check. */
export function parseArguments(command: SubcommandRow, args: readonly string[]): ParsedArguments {
  const flags: Readonly<Record<string, SubcommandFlag>> = { ...command.flags, ...COMMON_FLAGS };
  const { tokens } = parseArgs({ args: [...args], options: optionsOf(flags), strict: false, tokens: true });
  const values = new Map<string, string[]>();
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const flag = Object.hasOwn(flags, token.name) ? flags[token.name] : undefined;
    if (flag === undefined) throw unknownFlag(command, token.rawName, Object.keys(flags));
    values.set(token.name, [...(values.get(token.name) ?? []), checkedValue(command, token, flag)]);
  }
  const parsed = { args: words, flags: new FlagValues(values) };
  if (!parsed.flags.isOn("help")) checkCount(command, parsed);
  return parsed;
}

function optionsOf(flags: Readonly<Record<string, SubcommandFlag>>) {
  return Object.fromEntries(
    Object.entries(flags).map(([name, { short, value }]) => [
      name,
      {
        type: value === undefined ? ("boolean" as const) : ("string" as const),
        ...(short === undefined ? {} : { short }),
      },
    ]),
  );
}

interface GivenFlag {
  readonly name: string;
  readonly value: string | undefined;
}

function checkedValue(command: SubcommandRow, { name, value }: GivenFlag, flag: SubcommandFlag): string {
  if (flag.value === undefined) {
    if (value !== undefined && flag.takesValue !== true) throw wrong(command, `--${name} takes no value`);
    return value ?? "";
  }
  if (value === undefined || value.trim() === "") throw wrong(command, `--${name} needs a value`);
  if (flag.choices !== undefined && !flag.choices.includes(value)) {
    const [near] = closestNames(value, flag.choices);
    const meant = near === undefined ? "" : ` Did you mean ${near}?`;
    throw usageError(`Invalid value for --${name}: ${value}`, `Choose one of ${flag.choices.join(", ")}.${meant}`);
  }
  return value;
}

function checkCount(command: SubcommandRow, { args: words, flags }: ParsedArguments): void {
  const { least, most } = command.args;
  if (words.length < least) throw wrong(command, `Missing argument: bough ${command.name} ${command.usage}`);
  if (words.length <= most) return;
  const word = words[most] as string;
  // A value after a space is an argument of its own.
  const open = Object.entries(command.flags).find(
    ([name, flag]) => flag.takesValue === true && flags.text(name) === "",
  );
  if (open !== undefined) throw usageError(`Unexpected argument ${word}`, `Did you mean --${open[0]}=${word}?`);
  throw wrong(command, `Unexpected argument ${word}`);
}

function unknownFlag(command: SubcommandRow, rawName: string, names: readonly string[]): Error {
  const [near] = closestNames(rawName.replace(/^-+/, ""), names);
  return wrong(command, `Unknown flag ${rawName}${near === undefined ? "" : `; did you mean --${near}?`}`);
}

function wrong({ name }: SubcommandRow, message: string): Error {
  return usageError(message, `For usage, run: bough ${name} --help`);
}

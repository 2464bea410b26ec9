/** A subcommand's help, generated from its row. */
import type { SubcommandRow } from "./subcommand.js";
import { COMMON_FLAGS, type SubcommandFlag } from "./subcommand-flag.js";

const WIDTH = 90;

export function subcommandHelp({ name, usage, summary, details, flags, examples, json }: SubcommandRow): string {
  const all = { ...flags, ...COMMON_FLAGS };
  const column = Math.max(...Object.entries(all).map(([flag, about]) => flagUsage(flag, about).length));
  const lines = [`Usage: bough ${name}${usage === "" ? "" : ` ${usage}`} [flags]`, "", `${summary}.`, ""];
  lines.push(...wrapped(details), "", "Flags:");
  for (const [flag, about] of Object.entries(all)) {
    lines.push(`  ${flagUsage(flag, about).padEnd(column)}  ${about.help}`);
  }
  const wide = Math.max(...examples.map(([line]) => line.length));
  lines.push("", "Examples:", ...examples.map(([line, meaning]) => `  bough ${line.padEnd(wide)}  ${meaning}`));
  lines.push("", ...wrapped(`With --json: ${json}`));
  lines.push("", "Exit codes: 0 success, 1 failure, 2 usage error, 3 damaged session, 130 interrupted.");
  return `${lines.join("\n")}\n`;
}

/** `-o, --output <file>` */
export function flagUsage(name: string, { short, value, choices }: SubcommandFlag): string {
  const takes = choices?.join("|") ?? value;
  return `${short === undefined ? "    " : `-${short}, `}--${name}${takes === undefined ? "" : ` <${takes}>`}`;
}

/** Wraps prose between words. */
function wrapped(text: string, width = WIDTH): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) as string;
    if (last !== "" && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}

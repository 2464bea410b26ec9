/** Completion for fish. */
import { type CompletionFacts, type FlagFacts, namesSession } from "./completion-facts.js";

export function fishCompletion({ commands, flags }: CompletionFacts): string {
  const names = commands.map(({ name }) => name).join(" ");
  const lines = [
    "# bough completion for fish. Add it with: bough completion fish > ~/.config/fish/completions/bough.fish",
    "function __bough_sessions",
    "  bough completion sessions 2>/dev/null",
    "end",
    `set -l commands ${names}`,
    ...commands.map(
      ({ name, summary }) =>
        `complete -c bough -f -n "not __fish_seen_subcommand_from $commands" -a ${name} -d ${quoted(summary)}`,
    ),
    ...flags.map((flag) => flagLine(flag, "not __fish_seen_subcommand_from $commands")),
  ];
  for (const { name, completes, flags: own } of commands) {
    const when = `__fish_seen_subcommand_from ${name}`;
    if (completes === "sessions") lines.push(`complete -c bough -f -n "${when}" -a "(__bough_sessions)"`);
    else if (completes !== "none") lines.push(`complete -c bough -f -n "${when}" -a ${quoted(completes.join(" "))}`);
    for (const flag of own) lines.push(flagLine(flag, when));
  }
  return `${lines.join("\n")}\n`;
}

function flagLine(flag: FlagFacts, when: string): string {
  const short = flag.short === undefined ? "" : ` -s ${flag.short}`;
  const value = !flag.takesValue
    ? ""
    : namesSession(flag)
      ? ' -x -a "(__bough_sessions)"'
      : flag.choices.length > 0
        ? ` -x -a ${quoted(flag.choices.join(" "))}`
        : " -r";
  return `complete -c bough -n "${when}" -l ${flag.name}${short}${value} -d ${quoted(flag.help)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

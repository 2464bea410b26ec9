/** `bough completion`: a script for a shell, generated from the rows of all subcommands. */
import { listAllSessions, listSessions, sessionFolder } from "@bough/session/session/index.js";
import { closestNames, firstWords } from "@bough/session/text/index.js";
import { usageError } from "../../cli-error.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { type CompletionFacts, completionFacts, type FlagFacts, namesSession } from "./completion-facts.js";
import { zshCompletion } from "./zsh-completion.js";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

export const row: SubcommandRow = {
  name: "completion",
  usage: "<bash|zsh|fish>",
  summary: "Print a shell completion script",
  details: "Completes commands, flags, flag values and session IDs.",
  flags: {},
  examples: [
    ["completion bash >> ~/.bashrc", "bash"],
    ["completion zsh > ~/.zfunc/_bough", "zsh, with ~/.zfunc in fpath"],
    ["completion fish > ~/.config/fish/completions/bough.fish", "fish"],
  ],
  json: '{ "shell", "script" }',
  args: { least: 1, most: 1 },
  completes: SHELLS,
};

const SCRIPTS: Readonly<Record<Shell, (facts: CompletionFacts) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};
/** What the scripts request when the user presses Tab. */
const SESSIONS = "sessions";
const MOST_SESSIONS = 200;

export async function run(call: SubcommandCall): Promise<number> {
  const [shell = ""] = call.args;
  if (shell === SESSIONS) {
    await call.out.raw(await sessionWords(call));
    return 0;
  }
  const known = SHELLS.find((name) => name === shell);
  if (known === undefined) {
    const [near] = closestNames(shell, SHELLS);
    const meant = near === undefined ? "" : `; did you mean ${near}?`;
    throw usageError(`No completion for ${shell}${meant}`, `Choose one of ${SHELLS.join(", ")}.`);
  }
  const script = SCRIPTS[known](completionFacts(call.commands));
  if (call.out.json) call.out.value({ shell, script });
  else await call.out.raw([script]);
  return 0;
}

/** `id<tab>name` of the sessions in this folder, or of all if it has none. */
async function sessionWords({ places }: SubcommandCall): Promise<string[]> {
  // Completion cannot report an unreadable folder; `bough ls` does.
  const here = await listSessions(places.dir ?? sessionFolder(places.cwd)).catch(() => []);
  const sessions =
    here.length > 0 || places.dir !== undefined
      ? here
      : await listAllSessions(undefined, { onUnreadable: () => {} }).catch(() => []);
  return sessions
    .filter(({ id }) => /^[\w.-]+$/.test(id))
    .slice(0, MOST_SESSIONS)
    .map(({ id, name, firstMessage }) => `${id}\t${firstWords(name ?? firstMessage, 60)}\n`);
}

/** Completion for fish. */
function fishCompletion({ commands, flags }: CompletionFacts): string {
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

/** Completion for bash. */
function bashCompletion({ commands, flags }: CompletionFacts): string {
  const cases = commands.map(({ name, flags: own, completes }) => {
    const offered = completes === "sessions" ? "$(_bough_sessions)" : completes === "none" ? "" : completes.join(" ");
    return [
      `    ${name})`,
      ...valueCases(own, "      "),
      `      if [[ $word == -* ]]; then words="${words(own)}"; else words="${offered}"; fi ;;`,
    ].join("\n");
  });
  return `# bough completion for bash. Add it with: bough completion bash >> ~/.bashrc
_bough_sessions() {
  bough completion sessions 2>/dev/null | cut -f1
}
_bough() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      ${commands.map(({ name }) => name).join("|")}) command="\${COMP_WORDS[i]}"; break ;;
      -*) ;;
      *) break ;;
    esac
  done
  COMPREPLY=()
  case "$command" in
${cases.join("\n")}
    *)
${valueCases(flags, "      ").join("\n")}
      if [[ $word == -* ]]; then words="${words(flags)}"
      elif [[ $COMP_CWORD == 1 ]]; then words="${commands.map(({ name }) => name).join(" ")}"; fi ;;
  esac
  if [[ -n $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$word")); fi
}
complete -o bashdefault -o default -F _bough bough
`;
}

function words(flags: readonly FlagFacts[]): string {
  return flags.map(({ name }) => `--${name}`).join(" ");
}

/** Completions for the value of a flag. If we have none, bash offers files. */
function valueCases(flags: readonly FlagFacts[], indent: string): string[] {
  const lines: string[] = [];
  for (const flag of flags) {
    if (!flag.takesValue) continue;
    const names = [`--${flag.name}`, ...(flag.short === undefined ? [] : [`-${flag.short}`])].join("|");
    const offered = namesSession(flag) ? "$(_bough_sessions)" : flag.choices.join(" ");
    const reply = offered === "" ? "return" : `COMPREPLY=($(compgen -W "${offered}" -- "$word")); return`;
    lines.push(`${indent}  ${names}) ${reply} ;;`);
  }
  return lines.length === 0 ? [] : [`${indent}case "$before" in`, ...lines, `${indent}esac`];
}

/** Completion for bash. */
import { type CompletionFacts, type FlagFacts, namesSession } from "./completion-facts.js";

export function bashCompletion({ commands, flags }: CompletionFacts): string {
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

/** What may follow a flag that takes a value. Files are what bash offers where we offer nothing. */
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

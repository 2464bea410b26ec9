/** Completion for zsh. */
import { type CompletionFacts, type FlagFacts, namesSession } from "./completion-facts.js";

export function zshCompletion({ commands, flags }: CompletionFacts): string {
  const cases = commands.map(({ name, flags: own, completes }) => {
    const rest =
      completes === "sessions"
        ? "'*:session:_bough_sessions'"
        : completes === "none"
          ? ""
          : `'1:what:(${completes.join(" ")})'`;
    return `    ${name}) _arguments ${[...own.flatMap(specs), rest].filter((part) => part !== "").join(" ")} ;;`;
  });
  return `#compdef bough
# bough completion for zsh. Add it with: bough completion zsh > ~/.zfunc/_bough, with ~/.zfunc in fpath before compinit.
_bough_sessions() {
  local -a found
  local id name
  while IFS=$'\\t' read -r id name; do found+=("$id:$name"); done < <(bough completion sessions 2>/dev/null)
  _describe session found
}
_bough() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )) && [[ \${words[2]} != -* ]]; then
    _describe command commands
    return
  fi
  local command=\${words[2]}
  case $command in
    -*|'') _arguments ${flags.flatMap(specs).join(" ")} ;;
    *)
      shift words
      (( CURRENT-- ))
      case $command in
${cases.map((line) => `    ${line}`).join("\n")}
      esac ;;
  esac
}
if [[ \${funcstack[1]} == _bough ]]; then _bough "$@"; else compdef _bough bough; fi
`;
}

function specs(flag: FlagFacts): string[] {
  const help = flag.help.replace(/[[\]:]/g, " ");
  const value = !flag.takesValue
    ? ""
    : namesSession(flag)
      ? ":session:_bough_sessions"
      : flag.choices.length > 0
        ? `:value:(${flag.choices.join(" ")})`
        : ":value:_files";
  const names = [`--${flag.name}`, ...(flag.short === undefined ? [] : [`-${flag.short}`])];
  return names.map((name) => quoted(`${name}[${help}]${value}`));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
